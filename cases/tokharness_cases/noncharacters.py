r"""Noncharacters, private use, unassigned code points, and a U+FFFD that is really in the text.

None of these is text a person wrote, all are valid in UTF-8, and a lossless tokenizer owes every
one of them back. What goes wrong: a table indexed past its end by the last code points of a plane,
a decoder that takes U+FFFE for a byte-order mark, a noncharacter used inside a program as a mark of
its own, a U+FFFD of the text itself taken for an error.

Source: the Unicode Standard, chapters 3 and 23.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import members
from tokharness_cases._contexts import ALL, BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, distinct, mixture, spread

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
"""U+FFFE is the byte-order mark backwards: a decoder may swap the bytes of what follows."""
REPLACEMENT_TEXTS = (
    *("\ufffd", "\ufffd\ufffd", "a\ufffd", "\ufffda", "a\ufffdb", "\ufffd" * 8, " \ufffd"),
    *("\u00e9\ufffd", "\U0001f600\ufffd", "\ufffd\U0001f600", "\ufffd\u0301", "\u00ef\u00bf\u00bd"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every case of a code point without a letter, in a fixed order."""
    return distinct(_all())


def _all() -> Iterator[Case]:
    for text in SWAPPED_TEXTS:
        yield Case(text, "what looks like a byte-order mark in the wrong order")
    for text in REPLACEMENT_TEXTS:
        yield Case(text, "U+FFFD that really is in the text")
    for why, expression in KINDS:
        yield from _sample(why, members(expression))


def _sample(why: str, code_points: tuple[int, ...]) -> Iterator[Case]:
    """First, middle and last of each run, the first few in all contexts, the rest in few."""
    # A short list, such as the 66 noncharacters, is taken whole.
    chosen = code_points if len(code_points) < 100 else tuple(spread(code_points))
    for number, code_point in enumerate(chosen):
        contexts = ALL if number < 70 else FEW
        yield from in_contexts(chr(code_point), f"U+{code_point:04X}, {why}", contexts)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts with noncharacters, private-use and unassigned code points."""
    sampled = [
        chr(code_point) for _, expression in KINDS for code_point in spread(members(expression))
    ]
    return mixture(("\ufffd", "\ufffe", *sampled))
