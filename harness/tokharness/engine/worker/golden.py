"""The golden set: texts whose ids a baseline keeps."""

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

EVERYDAY = "everyday.json"
"""What everybody writes: a change of these is what a reviewer understands at once."""

CONTRACTED = ("s", "t", "m", "d", "ll", "re", "ve", "S", "T", "M", "D", "LL", "RE", "VE")
OF_A_FAMILY, LONGEST = 40, 120
FIRST = 100
OF_A_SCRIPT, WORD = 40, 5
LETTERS = r"(?!\p{sc=Hani})\p{L}"
"""All letters but those of Han, which four languages have already."""


def golden_texts(facts: TargetFacts) -> Iterator[tuple[str, str]]:
    """Group and text of each golden text, without repetition, in a fixed order.

    What everybody writes; some of each family, as a quick run has it, evenly; one a language and
    one a script; texts that tell each Unicode version from the one before.
    """
    seen: set[str] = set()
    for group, text in _all(replace(facts, profile="quick", pattern=None)):
        if text not in seen:
            seen.add(text)
            yield group, text


def _all(facts: TargetFacts) -> Iterator[tuple[str, str]]:
    for text in json.loads((Path(__file__).parent / EVERYDAY).read_text(encoding="ascii")):
        yield "everyday", text
    for ending, after in product(CONTRACTED, ("", "a", "Able", "LE", " ")):
        yield "everyday", f"x'{ending}{after}"
    for name, texts in _texts(facts):
        # What a person would try stands first in a family; the rest is what can be enumerated.
        first, rest = texts[:FIRST], texts[FIRST :: len(texts) // 2000 + 1]
        for part in (first, rest):
            short = [text for text in part if len(text) <= LONGEST]
            for text in sample_evenly(short, OF_A_FAMILY // 2):
                yield f"family:{name}", text
    for code in LANGUAGES:
        yield f"language:{code}", parallel_text(code)
    for code, letters in sorted(_letters().items()):
        yield f"script:{code}", _in_words(sample_evenly(letters, OF_A_SCRIPT))
    from tokharness.unicode.versions import VERSIONS

    for old, new in pairwise(VERSIONS):
        for text in reclassified_texts(old, new):
            yield f"unicode:{new}", text


def _texts(facts: TargetFacts) -> Iterator[tuple[str, Sequence[str]]]:
    """Texts of each family, but of those that another project has others of."""
    for name, family in plugins.families().items():
        if not family.replayed:
            yield name, family.texts(facts)


def _letters() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for char in map(chr, members(LETTERS)):
        found.setdefault(script(char), []).append(char)
    return found


def _in_words(letters: Sequence[str]) -> str:
    words = ("".join(letters[at : at + WORD]) for at in range(0, len(letters), WORD))
    return " ".join(words)
