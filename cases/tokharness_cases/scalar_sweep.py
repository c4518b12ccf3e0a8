"""Every Unicode scalar value, alone and in the contexts that reveal a split; every lone surrogate.

Only a sweep finds a fault in one of 1,112,064 code points: a table that ends too early, a filter
with one character too many, a letter that an older Unicode version did not have. The contexts are
packed: 64 code points stand in one text, each in the same context, next to ``'s``, inside a number,
between letters, before a line end, doubled and so on. A space or a line end keeps each from its
neighbours, so that none joins, composes or changes places with another. Only a packed text that
fails is taken apart.

A quick run has every scalar value before ``'s``, which distinguishes letters, marks and white space
from other characters; the assigned values, 14 % of all, in a number, which distinguishes letters
from numbers; letters with a case, marks and symbols between letters; and the first, middle and last
of each run of one general category in the other contexts and alone. A standard run has every scalar
value before ``'s``, the assigned values in every context and alone, and private use alone too;
characters whose category differs between two Unicode versions, or that only some libraries take for
white space, stand between every pair of classes. A thorough run has every scalar value alone, and
each context separately as well.

The texts are generated on demand.

Source: the Unicode Standard, chapter 3, D76 (scalar values) and D71 to D73 (surrogates); the
DerivedGeneralCategory.txt of each version.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import characters_of, runs_of_members
from tokharness.unicode.versions import VERSIONS, changed
from tokharness_cases._contexts import ALL, Context
from tokharness_cases._family import NO_FACTS, range_samples
from tokharness_cases._packed import ALONE, PACKED, PackedTexts, Part, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts", "unpack"]

EXHAUSTIVE = True

BEFORE_S = Context("before 's", " ", "'s")
IN_A_NUMBER = Context("in a number", " 1", "23")
BETWEEN_LETTERS = Context("between letters", " a", "Ba")
IN_A_NAME = Context("in a name", " _", "_init")
OTHER_CONTEXTS = (
    Context("before a backslash", "\n", "\\u"),
    Context("before a full stop", "\n", ".a"),
    Context("before a space", " a", " b"),
    Context("before a line end", " the ", "\n"),
    Context("before two line ends", "b", "\r\n\n"),
    Context("doubled", " ", times=2),
)
SPLIT_CONTEXTS = (BEFORE_S, IN_A_NUMBER, BETWEEN_LETTERS, IN_A_NAME)
"""Contexts that together distinguish the classes, so that a diagnosis names the class."""

BEFORE = {
    "a letter": " a",
    "a number": " 1",
    "a full stop": " .",
    "a space": " ",
    "a line end": "\n",
}
AFTER = {"a letter": "b", "a number": "2", "a full stop": ".", "a space": " ", "a line end": "\n"}
CLASS_PAIRS = tuple(
    Context(f"between {first} and {second}", before, after)
    for first, before in BEFORE.items()
    for second, after in AFTER.items()
)
DISPUTED = "\x1c\x1d\x1e\x1f\x85\u180e\u200b\u200c\u200d\u2060\u2028\u2029\ufeff"
"""White space to some libraries, in any version."""

CATEGORIES = (
    *("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe"),
    *("Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn"),
)
ASSIGNED, SCALAR, SURROGATE = r"[^\p{Cn}\p{Co}\p{Cs}]", r"[^\p{Cs}]", r"\p{Cs}"
PRIVATE, NOT_LO = r"\p{Co}", r"[^\p{Lo}\p{Cn}\p{Co}\p{Cs}]"


@cache
def _parts(profile: str) -> tuple[Part, ...]:
    samples, assigned, scalars = _range_ends(), characters_of(ASSIGNED), characters_of(SCALAR)
    surrogates = characters_of(SURROGATE)
    alone, letters, elsewhere = scalars, assigned, assigned
    if profile == "quick":
        alone, letters, elsewhere = samples, characters_of(NOT_LO), samples
    elif profile == "standard":
        alone = "".join(sorted({*assigned, *characters_of(PRIVATE), *samples}))
    parts = [
        Part(ALONE, alone),
        Part(ALONE, surrogates),
        Part(Context("between letters", "a", "b"), surrogates),
        Part(BEFORE_S, scalars, PACKED),
        Part(IN_A_NUMBER, assigned, PACKED),
        Part(BETWEEN_LETTERS, letters, PACKED),
        *(Part(context, elsewhere, PACKED) for context in (IN_A_NAME, *OTHER_CONTEXTS)),
    ]
    if profile != "quick":
        parts += [Part(context, _reclassified(), PACKED) for context in CLASS_PAIRS]
    if profile == "thorough":
        parts += [Part(context, scalars) for context in ALL[1:]]
    return tuple(parts)


def _range_ends() -> str:
    """Return the first, middle and last of each run of one general category."""
    runs = chain.from_iterable(runs_of_members(rf"\p{{{name}}}") for name in CATEGORIES)
    return "".join(map(chr, sorted(range_samples(runs))))


@cache
def _reclassified() -> str:
    """Return the characters whose general category differs between two Unicode versions."""
    points = {point for old, new in pairwise(VERSIONS) for point in changed(old, new)}
    return "".join(sorted({*map(chr, points), *DISPUTED}))


def unpack(text: str) -> list[str]:
    """Return a text for each character of a packed text.

    It has the character in the context of the packed text and in contexts that distinguish classes.
    """
    return unpacked(text, (*SPLIT_CONTEXTS, *OTHER_CONTEXTS, *CLASS_PAIRS), SPLIT_CONTEXTS)


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    return PackedTexts(_parts(facts.profile))


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every scalar value and every surrogate in the contexts of the profile, in a fixed order."""
    for part in _parts(facts.profile):
        for number, text in enumerate(part.texts(0, len(part))):
            yield Case(text, part.why(number))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Sequences of any scalar values in any of the contexts."""
    from hypothesis import strategies as st

    anything = st.characters(exclude_categories=["Cs"])
    piece = st.tuples(st.sampled_from(ALL), anything).map(lambda pair: pair[0].around(pair[1]))
    return st.lists(piece, min_size=1, max_size=4).map("".join)
