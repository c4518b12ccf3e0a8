"""Normal forms and case mappings at every Unicode version, each step at a version of its own.

Hugging Face's library normalizes at 9.0 and lower-cases at 17.0, where Python 3.11 has 14.0; and it
maps each character alone, also the sigma at the end of a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from typing import TypeAlias

from tokharness.unicode import versions
from tokharness.unicode.case_mapping import case_folded, lowercase_of, uppercase_of
from tokharness.unicode.normalization import normalize

__all__ = ["explains_at_a_version"]

Step: TypeAlias = Callable[[str, str], str]
"""Changes a text as a Unicode version has it."""

SIGMA = "\u03a3"
"""Its lowercase depends on the place, or not."""


def _form(name: str, text: str, version: str) -> str:
    return normalize(name, text, version=version)


def _lowercase(text: str, version: str) -> str:
    return "".join(lowercase_of(char, version) for char in text)


def _uppercase(text: str, version: str) -> str:
    return "".join(uppercase_of(char, version) for char in text)


def _case_folding(text: str, version: str) -> str:
    return "".join(case_folded(char, version) for char in text)


def _without(categories: tuple[str, ...], text: str, version: str) -> str:
    return "".join(char for char in text if versions.category_in(char, version) not in categories)


_NFC, _NFD, _NFKC, _NFKD = (partial(_form, name) for name in ("NFC", "NFD", "NFKC", "NFKD"))
_ACCENTS: Step = partial(_without, ("Mn",))
_MARKS: Step = partial(_without, ("Mn", "Mc", "Me"))

STEPS: Mapping[str, tuple[Step, ...]] = {
    "NFC": (_NFC,),
    "NFD": (_NFD,),
    "NFKC": (_NFKC,),
    "NFKD": (_NFKD,),
    "lowercase": (_lowercase,),
    "uppercase": (_uppercase,),
    "case folding": (_case_folding,),
    "NFC and lowercase": (_NFC, _lowercase),
    "NFD and lowercase": (_NFD, _lowercase),
    "NFKC and lowercase": (_NFKC, _lowercase),
    "NFKC and case folding": (_NFKC, _case_folding),
    "NFKC and case folding and NFKC": (_NFKC, _case_folding, _NFKC),
    "NFKD and case folding": (_NFKD, _case_folding),
    "accents stripped": (_NFD, _ACCENTS),
    "accents stripped and NFC": (_NFD, _ACCENTS, _NFC),
    "accents stripped and lowercase": (_NFD, _ACCENTS, _lowercase),
    "marks stripped": (_NFD, _MARKS),
    "marks stripped and lowercase": (_NFD, _MARKS, _lowercase),
}
"""The steps of the forms that depend on Unicode data."""

MOST_VERSIONS = 4
"""Versions of a text that are tried; a smallest text has characters of one or two."""

MOST_CHARACTERS = 2**14
"""Characters whose versions are remembered: the same texts are asked for each form."""


def explains_at_a_version(name: str, text: str, result: str) -> bool:
    """Whether a form gives ``result`` if each of its steps has some Unicode version."""
    steps = STEPS.get(name)
    if steps is None or not _may_differ(text):
        return False
    different = _different_versions(f"{text}{normalize('NFKD', text)}")
    return any(
        _apply(steps, chosen, text) == result for chosen in product(different, repeat=len(steps))
    )


def _apply(steps: tuple[Step, ...], chosen: tuple[str, ...], text: str) -> str:
    for step, version in zip(steps, chosen, strict=True):
        text = step(text, version)
    return text


def _may_differ(text: str) -> bool:
    return SIGMA in text or not _newer_characters().isdisjoint(normalize("NFKD", text))


def _different_versions(text: str) -> list[str]:
    """Return the newest version, and each before one that assigned or changed a character of it."""
    changed = set[str]().union(*map(_before_changes, set(text)))
    before = [version for version in reversed(versions.VERSIONS) if version in changed]
    return [versions.VERSIONS[-1], *before][:MOST_VERSIONS]


@lru_cache(maxsize=MOST_CHARACTERS)
def _before_changes(char: str) -> tuple[str, ...]:
    """Return the versions whose next one assigned the character, or changed its category."""
    categories = [(version, versions.category_in(char, version)) for version in versions.VERSIONS]
    return tuple(old for (old, before), (_, after) in pairwise(categories) if before != after)


@cache
def _newer_characters() -> frozenset[str]:
    """Characters that the oldest version of the table does not have, or has in another category."""
    return frozenset(map(chr, versions.changed(versions.VERSIONS[0], versions.VERSIONS[-1])))
