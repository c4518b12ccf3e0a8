"""Case mappings of characters, as a Unicode version has them.

Python has the mappings of its own version, 14.0 in Python 3.11. The partner of a letter that Python
does not know is the letter of the other case that ``regex`` matches with it if case is ignored:
there is exactly one. Mappings of existing characters do not change (Unicode's stability policy,
except for a letter that gets an upper case partner later), so a version has the mappings of the
characters that it has.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import regex

from tokharness.unicode.properties import members
from tokharness.unicode.versions import VERSIONS, category_in

if TYPE_CHECKING:
    from collections.abc import Mapping

CASED = {
    "lower": r"\p{Changes_When_Lowercased}",
    "upper": r"\p{Changes_When_Uppercased}",
}
"""Expressions for the characters that a mapping changes, as ``regex`` has them."""

REMEMBERED = 2**15
"""Mappings that are cached: a diagnosis asks for the same characters in each form."""


@lru_cache(REMEMBERED)
def lowercase_of(char: str, version: str | None) -> str:
    """Return the lowercase of a character, as ``version`` has it (None: the current version)."""
    lower = char.lower()
    return _as_of(char, lower if lower != char else _later("lower").get(char, char), version)


@lru_cache(REMEMBERED)
def uppercase_of(char: str, version: str | None) -> str:
    """Return the uppercase of a character, as ``version`` has it (None: the current version)."""
    upper = char.upper()
    return _as_of(char, upper if upper != char else _later("upper").get(char, char), version)


@lru_cache(REMEMBERED)
def case_folded(char: str, version: str | None) -> str:
    """Return the full case folding of a character, in ``version`` (None: the current version).

    A letter that Python does not know is folded to its lowercase: of letters since Unicode 8.0,
    only Cherokee letters are folded to upper case, and Python knows these.
    """
    folded = char.casefold()
    return _as_of(char, folded if folded != char else _later("lower").get(char, char), version)


@cache
def cased_characters(mapping: str) -> tuple[int, ...]:
    """Return the code points that "lower" or "upper" changes, in order."""
    return members(CASED[mapping])


def _as_of(char: str, mapped: str, version: str | None) -> str:
    version = version or VERSIONS[-1]
    return char if any(category_in(each, version) == "Cn" for each in char + mapped) else mapped


@cache
def _later(mapping: str) -> Mapping[str, str]:
    """Return the mapping of the characters that this Python does not know."""
    others = r"\p{Ll}" if mapping == "lower" else r"\p{Lu}"
    letters = "".join(map(chr, members(others)))
    change = str.lower if mapping == "lower" else str.upper
    unknown = [char for char in map(chr, cased_characters(mapping)) if change(char) == char]
    found = ((char, regex.findall(char, letters, regex.IGNORECASE)) for char in unknown)
    return {char: partners[0] for char, partners in found if len(partners) == 1}
