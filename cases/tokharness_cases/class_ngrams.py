r"""Every string of one, two or three characters, with one character for each class of a pattern.

A pre-tokenizer distinguishes characters only by the classes that its pattern names: letter, number,
white space, line end, apostrophe, a letter of a contraction. So one character represents its whole
class, and every string of up to k of them meets every rule for two or three neighbours: a space
before a mark, a line end after punctuation, U+017F after an apostrophe, a digit after a letter
number. A hand-written splitter, a pattern ported to another library, or a pattern whose ``\s``
matches U+FEFF differs on such a string.

There are about 64 such characters for the known patterns together, and more are derived from the
target's own pattern if it is known: characters that match the same of its classes, properties and
literals are one class. k is 2 in the quick profile, 3 in the standard profile (about 270,000
texts), and 4 in the thorough profile (about 17 million, generated on demand).

Example: ``"\u00bd1"`` under a pattern with ``\d`` where the vocabulary was trained with ``\p{N}``.

Source: UAX #44 (General_Category, White_Space); CaseFolding.txt; the published patterns of GPT-2,
cl100k, o200k, Llama 3, Qwen 2, DeepSeek-V3 and StarCoder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_cases._family import NO_FACTS
from tokharness_cases._lazy import Blocks, word_blocks
from tokharness_cases._representatives import representatives

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import Case, TargetFacts

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts"]

EXHAUSTIVE = True

LONGEST = {"quick": 2, "standard": 3, "thorough": 4}
LONGEST_RANDOM = 12


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every string of the profile's lengths, the shortest first."""
    return _blocks(facts).cases()


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Texts of the cases, in their order."""
    return _blocks(facts)


def _blocks(facts: TargetFacts) -> Blocks:
    letters = representatives(facts.pattern)
    return Blocks(
        block
        for length in range(1, LONGEST[facts.profile] + 1)
        for block in word_blocks(letters, length, f"a string of {length} of {len(letters)} classes")
    )


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Longer strings of the same characters."""
    from hypothesis import strategies as st

    char = st.sampled_from(representatives(facts.pattern))
    return st.lists(char, min_size=1, max_size=LONGEST_RANDOM).map("".join)
