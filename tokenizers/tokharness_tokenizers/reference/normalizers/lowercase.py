"""The normalizer Lowercase: the full lowercase mapping of each character (Unicode, section 3.13).

``tokenizers`` maps each character alone (Rust's ``char::to_lowercase``), so U+03A3 becomes U+03C3
at the end of a word, too, where the standard and ``str.lower`` have U+03C2. The tables have the
version of Rust: Unicode 17.0 in ``tokenizers`` 0.23 and 1.0, 14.0 to 15.1 (which have the same
mappings) in 0.20.

Python has the mappings of its own version, 14.0 in Python 3.11. The lowercase of an upper case
letter that Python does not know is the lower case letter that ``regex`` matches with it if case is
ignored: there is exactly one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

from tokharness.unicode.properties import members
from tokharness.unicode.versions import VERSIONS, category_in
from tokharness_tokenizers.reference.normalizers.mapping import CharacterMap, character_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["Lowercase", "lowercase_of"]

_SIGMA = "\u03a3"


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Make each character lower case, as a Unicode version has it (None: the current one)."""

    version: str | None = None

    def normalize(self, text: str) -> str:
        """Return the text in lower case."""
        if text.isascii() or _is_pythons(self.version)(text) is None:
            return text.lower()
        return text.translate(_map(self.version).table)

    def apply(self, text: Aligned) -> Aligned:
        """Make an aligned text lower case."""
        return _map(self.version).apply(text)


def lowercase_of(char: str, version: str | None) -> str:
    """Return the lowercase of a character, as ``version`` has it (None: the current one)."""
    lower = char.lower()
    if lower == char:
        lower = _later().get(char, char)
    version = version or VERSIONS[-1]
    return char if any(category_in(each, version) == "Cn" for each in char + lower) else lower


@cache
def _map(version: str | None) -> CharacterMap:
    return CharacterMap(lambda char: lowercase_of(char, version), _cased())


@cache
def _is_pythons(version: str | None) -> Callable[[str], object]:
    """Return a search for what ``str.lower`` may map to something else."""
    others = {p for p in _cased() if chr(p).lower() != lowercase_of(chr(p), version)}
    return re.compile(character_class({ord(_SIGMA), *others})).search


def _cased() -> tuple[int, ...]:
    return members(r"\p{Changes_When_Lowercased}")


@cache
def _later() -> dict[str, str]:
    """Return the lowercase of the characters that this Python does not know."""
    letters = "".join(map(chr, members(r"\p{Ll}")))
    unknown = [char for char in map(chr, _cased()) if char.lower() == char]
    found = ((char, regex.findall(char, letters, regex.IGNORECASE)) for char in unknown)
    return {char: lowers[0] for char, lowers in found if len(lowers) == 1}
