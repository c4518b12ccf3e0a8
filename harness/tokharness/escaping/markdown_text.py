"""Text for Markdown."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Self

from tokharness.escaping.display import Shown, escape_character, line_verbatim, shorten, visible
from tokharness.escaping.escaped_types import Escaped

if TYPE_CHECKING:
    import regex

__all__ = ["MarkdownText", "markdown", "markdown_code_line", "plain_markdown"]

PLAIN = re.compile(r"(?!.*(?:://|::|www\.))[A-Za-z0-9%][A-Za-z0-9 .,:;+()/%-]*")


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
    shown = visible(text) if most is None else shorten(text, most)
    inert = _inert().sub(lambda match: "".join(map(escape_character, match[0])), shown)
    return MarkdownText(f"`{inert or ' '}`")


def plain_markdown(text: str) -> MarkdownText:
    """Return words without a meaning in Markdown unchanged, and anything else as :func:`markdown`.

    So are the names of checks, families and packages.
    """
    return MarkdownText(text) if PLAIN.fullmatch(text) else markdown(text)


def markdown_code_line(command: str) -> MarkdownText:
    """Return a line of an indented code block, see :func:`line_verbatim`.

    A colon at the beginning is escaped, since the log of a CI service may take it for a command.
    """
    shown = line_verbatim(command.lstrip())
    if shown.startswith(":"):
        shown = Shown(f"{escape_character(':')}{shown[1:]}")
    return MarkdownText(f"    {shown}")


@cache
def _inert() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"[`|]\p{M}*+|(?:(?<= )|\A) | \Z")
