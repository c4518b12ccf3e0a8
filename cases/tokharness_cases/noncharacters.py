"""Noncharacters, private use and unassigned code points, and literal U+FFFD.

None of these code points is text that a person wrote, but all are valid in UTF-8, and a lossless
tokenizer must return each of them. Typical faults: a table indexed past its end by the last code
points of a plane, a decoder that reads U+FFFE as a byte order mark, a noncharacter that a program
uses as its own marker, a literal U+FFFD treated as an error.

Source: the Unicode Standard, chapters 3 and 23.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import runs_of_members
from tokharness_cases._contexts import ALL, BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, mixture, range_samples, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

KINDS = (
    ("a noncharacter", r"\p{Noncharacter_Code_Point}"),
    ("a private-use code point", r"\p{Co}"),
    ("an unassigned code point", r"(?!\p{Noncharacter_Code_Point})\p{Cn}"),
)
FEW = (BASIC[3], SENTINELS[0])
"""Contexts for the hundreds of samples: between letters, before 's."""
SWAPPED_TEXTS = (
    *("\ufffe", "\ufffetext", "\ufeff\ufffe", "\ufffe\ufeff", "a\ufffe", "\ufffet\ufffee"),
    *("\ufffe's", " \ufffe", "\ufffe\n", "a\n\ufffeb"),
)
"""U+FFFE is a byte-swapped byte order mark: a decoder may swap the bytes of the rest."""
REPLACEMENT_TEXTS = (
    *("\ufffd", "\ufffd\ufffd", "a\ufffd", "\ufffda", "a\ufffdb", "\ufffd" * 8, " \ufffd"),
    *("\u00e9\ufffd", "\U0001f600\ufffd", "\ufffd\U0001f600", "\ufffd\u0301", "\u00ef\u00bf\u00bd"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every case, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for text in SWAPPED_TEXTS:
        yield Case(text, "a text with a byte-swapped byte order mark")
    for text in REPLACEMENT_TEXTS:
        yield Case(text, "a literal U+FFFD")
    for why, expression in KINDS:
        yield from _sample(why, runs_of_members(expression))


def _sample(why: str, runs: tuple[range, ...]) -> Iterator[Case]:
    """Yield first, middle and last of each run: 70 of them in all contexts, the rest in few."""
    # A short list, such as the 66 noncharacters, is used completely.
    chosen = chain.from_iterable(runs) if sum(map(len, runs)) < 100 else range_samples(runs)
    for number, code_point in enumerate(chosen):
        contexts = ALL if number < 70 else FEW
        yield from in_contexts(chr(code_point), f"U+{code_point:04X}, {why}", contexts)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts with noncharacters, private-use and unassigned code points."""
    sampled = [
        chr(code_point)
        for _, expression in KINDS
        for code_point in range_samples(runs_of_members(expression))
    ]
    return mixture(("\ufffd", "\ufffe", *sampled))
