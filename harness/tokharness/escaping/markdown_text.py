"""Text for Markdown."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Self

from tokharness.escaping.display import (
    Escaped,
    Shown,
    escape_character,
    line_verbatim,
    sentence,
    shorten,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

PLAIN = re.compile(r"(?!.*(?:://|::|www\.))[A-Za-z0-9 .,:;+()/%=?\"'-]*")
"""Characters without a meaning in Markdown, except at the beginning of a line."""

BEGINS_BLOCK = re.compile(r"[ +=:-]|[0-9]+[.)](?: |\Z)")
"""Text that begins a list, a heading or a command of a CI service at the start of a line."""

PIECE = re.compile(
    r"""(?P<quoted>(["'])(?:\\.|(?!\2).)*\2(?![^\s,;:.)\]])  # a text, a token, or ids
    | \[[^\[\]]*\](?![^\s,;:.)]))
    | \((?=["']) | \s+ | \S+""",
    re.VERBOSE,
)

MARK_BEHIND = re.compile(r"[,;]\Z|(?<![,;:.])[:.]\Z|(?<=[^,;:.)])\)[,;:.]?\Z")


class MarkdownText(Escaped):
    """Markdown in which each value is a code span, see :func:`markdown`."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return a code span."""
        return cls(markdown(value))


def markdown(text: str | bytes, *, most: int | None = None) -> MarkdownText:
    r"""Return the display form as a Markdown code span, which is also safe in a table cell.

    Backquotes, bars and spaces that Markdown would collapse become ``\u{..}``. With ``most`` the
    text is first shortened to this many columns, see :func:`shorten`.
    """
    return _code_span(visible(text) if most is None else shorten(text, most))


def _code_span(shown: str) -> MarkdownText:
    inert = _inert().sub(lambda match: "".join(map(escape_character, match[0])), shown)
    return MarkdownText(f"`{inert or ' '}`")


def plain_markdown(text: str, *, most: int | None = None) -> MarkdownText:
    """Return a sentence or a name; quotations and text with a meaning in Markdown are code spans.

    With ``most`` the text is first shortened to this many columns, see :func:`shorten`.
    """
    shown = sentence(text)
    if most is not None and len(shown) > most:
        shown = shorten(text, most)
    whole: list[tuple[bool, str]] = []
    for is_code, piece in _pieces(shown):
        if whole and whole[-1][0] == is_code:
            piece = whole.pop()[1] + piece  # noqa: PLW2901
        elif is_code and len(whole) > 1 and whole[-1][1].isspace():
            piece = f"{whole.pop(-2)[1]}{whole.pop()[1]}{piece}"  # noqa: PLW2901
        whole.append((is_code, piece))
    return MarkdownText("").join(
        _code_span(piece) if is_code else MarkdownText(piece) for is_code, piece in whole
    )


def _pieces(shown: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a sentence, and whether each is code."""
    for found in PIECE.finditer(shown):
        piece = found[0]
        begins_block = found.start() == 0 and BEGINS_BLOCK.match(shown)
        if found["quoted"] is None and PLAIN.fullmatch(piece) and not begins_block:
            yield False, piece
            continue
        end = len(piece) if found["quoted"] else _end_of_word(piece)
        yield True, piece[:end]
        if end < len(piece):
            yield False, piece[end:]


def _end_of_word(piece: str) -> int:
    """Return where the sentence's punctuation follows a word; a pattern keeps its parentheses."""
    mark = MARK_BEHIND.search(piece)
    if mark is None or not mark.start() or (mark[0].startswith(")") and "(" in piece):
        return len(piece)
    return mark.start()


def markdown_code_line(command: str) -> MarkdownText:
    """Return a line of an indented code block, see :func:`line_verbatim`.

    A colon at the beginning is escaped, since the log of a CI service may take it for a command.
    """
    is_shown = isinstance(command, Shown) and not command.lstrip().startswith(":")
    shown = command if is_shown else line_verbatim(command.lstrip())
    if shown.startswith(":"):
        shown = Shown(f"{escape_character(':')}{shown[1:]}")
    return MarkdownText(f"    {shown}")


@cache
def _inert() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"[`|]\p{M}*+|(?:(?<= )|\A) | \Z")
