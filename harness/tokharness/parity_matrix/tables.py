"""Forms that show their tokens alone, compared with the other forms id by id."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.token_tables import table_differences
from tokharness.parity_matrix.model import SPECIAL, TOKEN_BYTES, Cause, Cell
from tokharness.parity_matrix.vocabularies import STAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.diagnosis.vocabulary.token_tables import TableDifference
    from tokharness.parity_matrix.model import State
    from tokharness.parity_matrix.opened import Opened
    from tokharness.parity_matrix.vocabularies import Vocabularies

NO_BYTES = "it shows no bytes of its tokens"


def add_tables(
    found: Vocabularies, forms: Sequence[Opened], reason: Callable[[Opened], str]
) -> None:
    """Add the cells and causes of all pairs with a form that shows its tokens alone.

    Each such form is compared with the reference that reads the same file, if that is a form, or
    else with the first other form. What two of them differ in has the causes of both.
    """
    compared = _Tables(forms, found)
    for first, second in combinations(range(len(forms)), 2):
        if not (forms[first].tokens_alone or forms[second].tokens_alone):
            continue
        for aspect in (TOKEN_BYTES, SPECIAL):
            lacking = next((forms[n] for n in (first, second) if not forms[n].table.tokens), None)
            if lacking is not None:
                why = f"{lacking.spec}: {NO_BYTES}" if lacking.rows else reason(lacking)
                found.cells.append(Cell(first, second, aspect, "not comparable", reason=why))
            else:
                found.cells.append(compared.cell(first, second, aspect))


@dataclass
class _Tables:
    forms: Sequence[Opened]
    found: Vocabularies
    classes: list[int] = field(default_factory=list)
    differences: dict[tuple[int, int], list[TableDifference]] = field(default_factory=dict)
    ids: dict[int, frozenset[int]] = field(default_factory=dict)
    causes: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tables = [form.table for form in self.forms]
        self.classes = [tables.index(table) for table in tables]

    def cell(self, first: int, second: int, aspect: str) -> Cell:
        """Return the cell of two forms."""
        forms = self.forms
        size = max(len(forms[place].table.tokens) for place in (first, second))
        given, expected = self._ordered(first, second)
        ids = {
            number
            for one in self._between(given, expected)
            if one.aspect == aspect
            for number in one.ids
        }
        numbers = tuple(one for one in self._causes(given, expected) if ids & self.ids[one])
        state: State = "differs" if ids else "same"
        return Cell(first, second, aspect, state, numbers, len(ids), size)

    def _ordered(self, first: int, second: int) -> tuple[int, int]:
        """Return two classes: of a form that shows its tokens alone, and what it is held against.

        A class with a reference of ours comes before a class of other forms.
        """

        def key(of: int) -> tuple[bool, bool, int]:
            return min(
                (form.tokens_alone, form.reference != form.spec, place)
                for place, form in enumerate(self.forms)
                if self.classes[place] == of
            )

        expected, given = sorted((self.classes[first], self.classes[second]), key=key)
        return given, expected

    def _between(self, given: int, expected: int) -> list[TableDifference]:
        pair = (given, expected)
        if pair not in self.differences:
            tables = self.forms[given].table, self.forms[expected].table
            self.differences[pair] = table_differences(*tables)
        return self.differences[pair]

    def _causes(self, given: int, expected: int) -> list[int]:
        """Return the numbers of the causes between two classes, which are made once."""
        if not self._between(given, expected):
            return []
        hubs = {self._hub(given), self._hub(expected)} - {given}
        known = [
            number
            for place in (given, expected)
            for hub in hubs
            if place != hub
            for number in self._made(place, hub)
        ]
        ids = {n for one in self._between(given, expected) for n in one.ids}
        shared = [number for number in dict.fromkeys(known) if ids & self.ids[number]]
        return shared or self._made(given, expected)

    def _hub(self, place: int) -> int:
        """Return the class that a class is compared with."""
        form = self.forms[place]

        def key(one: int) -> tuple[bool, bool, bool, int]:
            other = self.forms[one]
            return (
                other.tokens_alone,
                other.spec != form.reference,
                other.spec != other.reference,
                one,
            )

        shown = [one for one, form in enumerate(self.forms) if form.table.tokens]
        return self.classes[min(shown, key=key)]

    def _made(self, given: int, expected: int) -> list[int]:
        pair = (given, expected)
        if pair not in self.causes:
            own, against = (
                tuple(place for place, one in enumerate(self.classes) if one == each)
                for each in pair
            )
            self.causes[pair] = []
            for one in self._between(given, expected):
                number = len(self.found.causes)
                self.ids[number] = frozenset(one.ids)
                self.causes[pair].append(number)
                stage = "added tokens" if one.aspect == SPECIAL else STAGE
                words = (one.aspect, stage, one.name, one.message, one.verdict, len(one.ids))
                self.found.causes.append(Cause(*words, own, against))
        return self.causes[pair]
