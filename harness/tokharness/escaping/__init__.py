r"""Escape hostile text for display; no other package does.

The types of escaped text, :class:`Shown`, :class:`MarkdownText` and :class:`Cell`, are what the
formats write: a value gets such a type only here, so that mypy reports a value that is written
unescaped.

A finding keeps the exact text. Users see its display form, the result of :func:`visible`. Each kind
of output has its own escape function on top.
"""

from tokharness.escaping.display import (
    Shown,
    line_verbatim,
    sentence,
    shorten,
    truncate,
    verbatim,
    visible,
)
from tokharness.escaping.outputs import (
    Cell,
    MarkdownText,
    cell,
    drawn,
    from_json,
    github_command,
    html,
    join_surrogate_pairs,
    json_argument,
    json_text,
    markdown,
    markdown_code_line,
    plain_markdown,
    sarif_text,
    shell,
    shown_json,
    shown_xml,
    split_surrogate_pairs,
    spreadsheet,
    styled,
    terminal,
)

__all__ = [
    "Cell",
    "MarkdownText",
    "Shown",
    "cell",
    "drawn",
    "from_json",
    "github_command",
    "html",
    "join_surrogate_pairs",
    "json_argument",
    "json_text",
    "line_verbatim",
    "markdown",
    "markdown_code_line",
    "plain_markdown",
    "sarif_text",
    "sentence",
    "shell",
    "shorten",
    "shown_json",
    "shown_xml",
    "split_surrogate_pairs",
    "spreadsheet",
    "styled",
    "terminal",
    "truncate",
    "verbatim",
    "visible",
]
