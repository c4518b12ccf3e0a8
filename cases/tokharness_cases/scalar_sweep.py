"""Every Unicode scalar value, alone and in the contexts that reveal a split; every lone surrogate.

Only a sweep finds a fault in one of 1,112,064 code points: a table that ends too early, a filter
with one character too many, a letter that an older Unicode version did not have. Each scalar value
occurs alone and in one text of many contexts: next to a backslash, a full stop, ``'s``, low lines,
digits on either side, a space, itself, letters, before a line end and at the end. Unassigned and
private use code points, 86 % of all, have three of these contexts, which distinguish a letter, a
mark, a number and a symbol. A quick run has the first, middle and last of each run of one general
category; a thorough one has each context separately as well.

The texts are generated on demand.

Source: the Unicode Standard, chapter 3, D76 (scalar values) and D71 to D73 (surrogates).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, repeat
from typing import TYPE_CHECKING, overload

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import ALL
from tokharness_cases._family import NO_FACTS, range_samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts"]

EXHAUSTIVE = True

HERE = "\0"
"""Placeholder for the character in a template."""

ALONE = HERE
MANY_CONTEXTS = "\0\\u\n\0.a \0's _\0_init\n\0" + "123 1\0" + "23\n \0\n\0\0\na\0b\r\nthe \0"
SPLIT_CONTEXTS = "\0's _\0_init 1\0" + "23"
CATEGORIES = (
    *("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe"),
    *("Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn"),
)
ASSIGNED, OTHERS, SURROGATE = r"[^\p{Cn}\p{Co}\p{Cs}]", r"[\p{Cn}\p{Co}]", r"\p{Cs}"


@dataclass(frozen=True, slots=True)
class _Part:
    """A template, and the characters to put into it."""

    why: str
    template: str
    characters: str

    def texts(self, start: int, stop: int) -> list[str]:
        """Return the texts of a slice of the characters, in one call for all."""
        chars = self.characters[start:stop]
        if self.template == ALONE:
            return list(chars)
        return list(map(self.template.replace, repeat(HERE), chars))


@cache
def _parts(profile: str) -> tuple[_Part, ...]:
    scalars, assigned, others = _scalars(profile)
    surrogates = "".join(map(chr, members(SURROGATE)))
    parts = [
        _Part("alone", ALONE, scalars),
        _Part("in many contexts", MANY_CONTEXTS, assigned),
        _Part("in contexts that reveal a split", SPLIT_CONTEXTS, others),
        _Part("alone", ALONE, surrogates),
        _Part("between letters", f"a{HERE}b", surrogates),
    ]
    if profile == "thorough":
        parts += [_Part(context.name, context.around(HERE), scalars) for context in ALL[1:]]
    return tuple(parts)


def _scalars(profile: str) -> tuple[str, str, str]:
    """Return all scalar values of the profile, the assigned ones, and the others."""
    assigned, others = set(members(ASSIGNED)), set(members(OTHERS))
    if profile == "quick":
        ends = {point for name in CATEGORIES for point in range_samples(members(rf"\p{{{name}}}"))}
        assigned, others = assigned & ends, others & ends
    groups = (assigned | others, assigned, others)
    scalars, assigned_chars, other_chars = ("".join(map(chr, sorted(points))) for points in groups)
    return scalars, assigned_chars, other_chars


class _Texts(Sequence[str]):
    """The texts of a profile, each generated on demand."""

    def __init__(self, profile: str) -> None:
        self._parts = _parts(profile)
        self._ends = list(accumulate(len(part.characters) for part in self._parts))

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, int):
            index = range(len(self))[place]
            return self[index : index + 1][0]
        start, stop, step = place.indices(len(self))
        texts: list[str] = []
        for part, end in zip(self._parts, self._ends, strict=True):
            begin = end - len(part.characters)
            if start < end and stop > begin:
                texts += part.texts(max(start - begin, 0), stop - begin)
        return texts[::step]


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    return _Texts(facts.profile)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every scalar value and every surrogate in every context, in a fixed order."""
    for part in _parts(facts.profile):
        for character in part.characters:
            text = part.template.replace(HERE, character)
            yield Case(text, f"{label(character)}, {part.why}")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Sequences of any scalar values in any of the contexts."""
    from hypothesis import strategies as st

    anything = st.characters(exclude_categories=["Cs"])
    piece = st.tuples(st.sampled_from(ALL), anything).map(lambda pair: pair[0].around(pair[1]))
    return st.lists(piece, min_size=1, max_size=4).map("".join)
