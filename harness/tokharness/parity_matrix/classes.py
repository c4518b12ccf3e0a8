"""Forms with the same results are one class, and each class is compared with one other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import PurePath
from typing import TYPE_CHECKING

from tokharness.parity_matrix.texts import NONE, are_same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.parity_matrix.opened import Opened
    from tokharness.parity_matrix.texts import Differing


@dataclass(frozen=True, slots=True)
class Apart:
    """The texts, each with its family, that set a class apart from the hub in an aspect."""

    aspect: str
    place: int
    hub: int
    texts: Mapping[str, str]

    @property
    def pair(self) -> tuple[int, int]:
        """The places of both classes, in order."""
        return (min(self.place, self.hub), max(self.place, self.hub))


def members_to_compare(
    forms: Sequence[Opened], classes: Sequence[int], place: int, hub: int
) -> tuple[int, int]:
    """Return the forms of two classes that say most about what sets the classes apart.

    These are a form and the reference of its file, or else forms whose files have one format, so
    that the edits between the files are known.
    """

    def key(pair: tuple[int, int]) -> tuple[bool, bool, tuple[int, int]]:
        first, second = (forms[at] for at in pair)
        is_own = second.spec == first.reference or first.spec == second.reference
        suffixes = {PurePath(form.spec).suffix.lower() for form in (first, second)}
        return not is_own, len(suffixes) > 1 or "" in suffixes, pair

    own, others = ([at for at, one in enumerate(classes) if one == of] for of in (place, hub))
    return min(product(own, others), key=key)


def classes_of(forms: Sequence[Opened], column: str, rows: Sequence[Differing]) -> list[int]:
    """Return, for each form, the place of the first form with the same results; -1 for none.

    A text that a form was not asked for does not make it another class. A form that refuses
    every text has none.
    """
    first: dict[int, tuple[int, ...]] = {}
    classes = []
    for place, form in enumerate(forms):
        own = tuple(one.patterns[column][place] for one in rows)
        if not form.texts or form.refuses_all or all(number == NONE for number in own):
            classes.append(-1)
            continue
        same = (one for one, numbers in first.items() if are_same(own, numbers))
        classes.append(next(same, place))
        if classes[-1] == place:
            first[place] = own
    return classes


def hub_of(forms: Sequence[Opened], classes: Sequence[int], firsts: Sequence[int]) -> int:
    """Return the class that the others are compared with: one with our references, or most."""

    def key(first: int) -> tuple[int, int, int]:
        members = [forms[place] for place, one in enumerate(classes) if one == first]
        references = sum(form.reference == form.spec for form in members)
        return -references, -len(members), first

    return min(firsts, key=key)


def parent_of(forms: Sequence[Opened], place: int, hub: int, classes: Sequence[int]) -> int:
    """Return the parent of a class: the class of its own reference, or the hub.

    A class is compared with its parent.

    How a library departs from the reference of its file says more than how it differs from
    another library with another file.
    """
    references = {form.reference for form, one in zip(forms, classes, strict=True) if one == place}
    for at, form in enumerate(forms):
        if form.spec in references and form.spec == form.reference and classes[at] >= 0:
            return classes[at] if classes[at] != place else hub
    return hub
