"""What programs that clean text do to its lines, its markup, and its repeated characters.

A clean-up is a function of the whole text: no class of characters is dropped or replaced.
A target has a clean-up only if it does so with all probes.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_plus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Change = Callable[[str], str]

LINE_ENDS = re.compile(r"\n+")
BLANK_LINES = re.compile(r"\n{3,}")
WHITE_LINES = re.compile(r"\s*\n\s*")
TAG, TAG_OR_NOTHING = re.compile(r"<[^>]+>"), re.compile(r"<[^>]*>")
ESCAPE_SEQUENCE, COLOR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), re.compile(r"\x1b\[[0-9;]*m")
REPEATED, REPEATED_TWICE = re.compile(r"(.)\1+"), re.compile(r"(.)\1{2,}")
ASCII_LOWER = {ord(one): one.lower() for one in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
ASCII_UPPER = {ord(new): chr(old) for old, new in ASCII_LOWER.items()}


def _each_line(change: Change) -> Change:
    return lambda text: "\n".join(map(change, text.split("\n")))


def _each_line_of_python(change: Change) -> Change:
    return lambda text: "\n".join(map(change, text.splitlines()))


def _without_blank_lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip())


CLEAN_UPS: Final[Mapping[str, Change]] = {
    "ASCII letters in lowercase": lambda text: text.translate(ASCII_LOWER),
    "ASCII letters in uppercase": lambda text: text.translate(ASCII_UPPER),
    "title case": str.title,
    "white space stripped at the end of each line": _each_line(str.rstrip),
    "white space stripped at the start of each line": _each_line(str.lstrip),
    "white space stripped at both ends of each line": _each_line(str.strip),
    "lines as Python has them stripped at the end and joined by LF": _each_line_of_python(
        str.rstrip
    ),
    "lines as Python has them stripped and joined by LF": _each_line_of_python(str.strip),
    "line ends collapsed": lambda text: LINE_ENDS.sub("\n", text),
    "more than two line ends in a row are two": lambda text: BLANK_LINES.sub("\n\n", text),
    "blank lines removed": _without_blank_lines,
    "white space around line ends removed": lambda text: WHITE_LINES.sub("\n", text),
    "indentation of all lines removed": textwrap.dedent,
    "tags of HTML removed": lambda text: TAG.sub("", text),
    "tags of HTML removed, and <>": lambda text: TAG_OR_NOTHING.sub("", text),
    "colors of terminals removed": lambda text: COLOR.sub("", text),
    "escape sequences of terminals removed": lambda text: ESCAPE_SEQUENCE.sub("", text),
    "more than three equal characters in a row are three": lambda text: REPEATED_TWICE.sub(
        r"\1\1\1", text
    ),
    "more than two equal characters in a row are two": lambda text: REPEATED_TWICE.sub(
        r"\1\1", text
    ),
    "equal characters in a row are one": lambda text: REPEATED.sub(r"\1", text),
    "percent-encoding and plus signs decoded": unquote_plus,
}
"""Name to function."""

PROBES: Final = (
    *("a\n b", "a \n", "a\n\nb", "a\n\n\nb", "a\n\n\n\nb", "a\n \nb", "  a\n  b", "\n a"),
    *("a<b>c", "a</p>b", "<>a", "a\x1b[31mb", "a\x1b[2Jb", "aaab", "aaaab", "bookkeeper", "a+b"),
)
"""Each clean-up changes one of these texts or more, and two clean-ups differ on one or more."""
