"""The pre-tokenizer UnicodeScripts: split a text where the script changes (UAX #24).

``tokenizers`` has the scripts of Unicode 9.0, from the table of SentencePiece, in all its versions.
For the characters of that version, these are the current scripts, except for ``_CHANGES``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from tokharness.unicode.properties import script
from tokharness.unicode.versions import VERSIONS, canonical, category_in
from tokharness_tokenizers.reference.pre_tokenizers.cutting import Cutter

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Span

_CHANGES: Final = (
    ("\u061c", "Zyyy", "10.0"),
    ("\u0953", "Deva", "12.0"),
    ("\u0954", "Deva", "12.0"),
    ("\u0589", "Zyyy", "13.0"),
    ("\U00016fe2", "Zyyy", "14.0"),
    ("\U00016fe3", "Zyyy", "14.0"),
)
"""A character, its old script, and the version that gave it the current script.

These are all changes since 9.0. Sources: the table in ``tokenizers`` (9.0) and ``Scripts.txt`` of
10.0, 11.0, 12.1, 13.0, 14.0, 15.0 in ``fontTools`` 3.20, 3.28, 4.0, 4.8, 4.28, 4.38, compared with
18.0. Changes before 9.0 are not known here.
"""

_NONE: Final = " "
_JOINED: Final = frozenset({"Hira", "Kana", "Hani"})
_run = re.compile("([^ ])(?:\\1| )*")
_ascii_run = re.compile("[A-Za-z][A-Za-z ]*|[^A-Za-z ][^A-Za-z]*")


@dataclass(frozen=True, slots=True)
class UnicodeScripts(Cutter):
    """Split a text into runs of one script, in which Han, Hiragana and Katakana are one.

    Spaces (U+0020) and characters of no known script belong to the run before them; at the start
    of a text they are removed, which the library does not document. Common and Inherited are
    scripts like the others, so a combining mark is cut from its base.
    """

    version: str | None = None

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        if text.isascii():
            return _ascii_run.findall(text)
        return [text[start:end] for start, end in self.spans(text)]

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        marked = text.translate(_marks(self.version))
        return [match.span() for match in _run.finditer(marked)]


def script_in(char: str, version: str) -> str:
    """Return the script of a character in a Unicode version since 9.0; Zzzz if it has none."""
    name = canonical(version)
    if category_in(char, name) == "Cn":
        return "Zzzz"
    for changed, old, new_version in _CHANGES:
        if char == changed and VERSIONS.index(name) < VERSIONS.index(new_version):
            return old
    return script(char)


class _Marks(dict[int, str]):
    """A character for each script, by which texts are cut, by code point."""

    __slots__ = ("known", "version")

    def __init__(self, version: str) -> None:
        super().__init__()
        self.version = version
        self.known: dict[str, str] = {}

    def __missing__(self, point: int) -> str:
        mark = self[point] = self._mark(chr(point))
        return mark

    def _mark(self, char: str) -> str:
        code = script_in(char, self.version)
        if char == " " or code == "Zzzz":
            return _NONE
        # U+30FC is Common; it makes the vowel before it long.
        code = "Hani" if code in _JOINED or char == "\u30fc" else code
        return self.known.setdefault(code, chr(0x3400 + len(self.known)))


@cache
def _marks(version: str | None) -> _Marks:
    return _Marks(version or VERSIONS[-1])
