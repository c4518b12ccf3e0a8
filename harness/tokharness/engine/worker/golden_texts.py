"""The golden set: texts whose ids a baseline stores."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.worker.units import sample_evenly
from tokharness.targets.fingerprint import reclassified_texts
from tokharness.unicode.languages import LANGUAGES, parallel_text
from tokharness.unicode.properties import members
from tokharness.unicode.scripts import script

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import TargetFacts

__all__ = ["golden_texts"]

EVERYDAY = "golden_everyday.json"
"""Everyday text, where a reviewer understands a change of ids at once."""

CONTRACTIONS = ("s", "t", "m", "d", "ll", "re", "ve", "S", "T", "M", "D", "LL", "RE", "VE")
TEXTS_PER_FAMILY, MAX_LENGTH = 40, 120
CURATED = 100
"""The first texts of a family are mostly written by hand, the others enumerated."""

LETTERS_PER_SCRIPT, WORD = 40, 5
LETTERS = r"(?!\p{sc=Hani})\p{L}"
"""All letters except those of Han, which four of the languages cover."""


def golden_texts(facts: TargetFacts) -> Iterator[tuple[str, str]]:
    """Yield the group and text of each golden text, without repetition, in a fixed order.

    The texts are everyday text, an even sample of each family in the quick profile, one text per
    language and per script, and texts that distinguish each Unicode version from the one before.
    None depends on the pattern, the tokens or the merges, which another version of a target may
    change.
    """
    seen: set[str] = set()
    unknown = replace(facts, pattern=None, tokens=tuple, merges=tuple, scores=tuple)
    for group, text in _candidates(replace(unknown, profile="quick")):
        if text not in seen:
            seen.add(text)
            yield group, text


def _candidates(facts: TargetFacts) -> Iterator[tuple[str, str]]:
    for text in json.loads((Path(__file__).parent / EVERYDAY).read_text(encoding="ascii")):
        yield "everyday", text
    for ending, after in product(CONTRACTIONS, ("", "a", "Able", "LE", " ")):
        yield "everyday", f"x'{ending}{after}"
    for name, texts in _family_texts(facts):
        first, rest = texts[:CURATED], texts[CURATED :: len(texts) // 2000 + 1]
        for part in (first, rest):
            short = [text for text in part if len(text) <= MAX_LENGTH]
            for text in sample_evenly(short, TEXTS_PER_FAMILY // 2):
                yield f"family:{name}", text
    for code in LANGUAGES:
        yield f"language:{code}", parallel_text(code)
    for code, letters in sorted(_letters_by_script().items()):
        yield f"script:{code}", _as_words(sample_evenly(letters, LETTERS_PER_SCRIPT))
    from tokharness.unicode.versions import VERSIONS

    for old, new in pairwise(VERSIONS):
        for text in reclassified_texts(old, new):
            yield f"unicode:{new}", text


def _family_texts(facts: TargetFacts) -> Iterator[tuple[str, Sequence[str]]]:
    """Texts of each family, except replayed ones, which differ between projects."""
    for name, family in plugins.families().items():
        if not family.replayed:
            yield name, family.texts(facts)


def _letters_by_script() -> dict[str, list[str]]:
    letters: dict[str, list[str]] = {}
    for char in map(chr, members(LETTERS)):
        letters.setdefault(script(char), []).append(char)
    return letters


def _as_words(letters: Sequence[str]) -> str:
    words = ("".join(letters[start : start + WORD]) for start in range(0, len(letters), WORD))
    return " ".join(words)
