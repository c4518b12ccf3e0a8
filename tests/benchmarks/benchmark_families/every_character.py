"""Every Unicode scalar value as a text: the family of the overhead benchmark.

Source: the Unicode Standard, chapter 3 (D76).
"""

from collections.abc import Sequence
from itertools import chain

from hypothesis import strategies as st

from tokharness.model import Case

SURROGATES = range(0xD800, 0xE000)


class Texts(Sequence):
    """The 1,112,064 texts, generated on demand."""

    def __len__(self):
        return 0x110000 - len(SURROGATES)

    def __getitem__(self, place):
        if not isinstance(place, slice):
            return chr(place if place < SURROGATES.start else place + len(SURROGATES))
        start, stop, _ = place.indices(len(self))
        low = range(start, min(stop, SURROGATES.start))
        high = range(max(start, SURROGATES.start) + len(SURROGATES), stop + len(SURROGATES))
        return list(map(chr, chain(low, high)))


def texts(facts):
    return Texts()


def cases(facts):
    return (Case(text, "a scalar value") for text in Texts())


def strategy(facts):
    return st.characters(exclude_categories=["Cs"])
