"""The cells of the matrix in all aspects: texts, tokens id by id, and forms that were not compared.

A cell has the causes between two forms. A form that shows its tokens alone is compared id by id. A
form that was not compared is a finding, an unfinished run, or neither.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.token_tables import table_differences
from tokharness.engine.run.finalize import CHANGED
from tokharness.formats._wording import pluralize
from tokharness.model import Skip, Verdict
from tokharness.parity_matrix.causes import COLUMN
from tokharness.parity_matrix.model import DECODED, IDS, OFFSETS, SPECIAL, TOKEN_BYTES, Cause, Cell
from tokharness.parity_matrix.opened import counterpart
from tokharness.parity_matrix.stages import PROCESS
from tokharness.parity_matrix.texts import NONE, REFUSED, are_apart, shows_by_itself
from tokharness.parity_matrix.vocabularies import STAGE, is_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.diagnosis.vocabulary.token_tables import TableDifference
    from tokharness.parity_matrix.model import State
    from tokharness.parity_matrix.opened import Opened
    from tokharness.parity_matrix.vocabularies import Vocabularies

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.parity_matrix.causes import Explainer
    from tokharness.parity_matrix.model import State

    Lacks = Callable[[int, str], str]


def cells_of(explainer: Explainer, lacks: Lacks) -> list[Cell]:
    """Return the cells of all pairs; ``lacks`` says why the form of a place shows no aspect."""
    tables = explainer.vocabularies.cells
    special = {(one.first, one.second): one for one in tables if one.aspect == SPECIAL}
    found = [one for one in tables if one.aspect != SPECIAL]
    for first, second in combinations(range(len(explainer.forms)), 2):
        for aspect in (IDS, DECODED, SPECIAL, OFFSETS):
            cell = _cell(explainer, (first, second), aspect, lacks)
            if aspect == SPECIAL:
                cell = _joined(special.get((first, second)), cell)
            found.append(cell)
    return found


def _cell(explainer: Explainer, pair: tuple[int, int], aspect: str, lacks: Lacks) -> Cell:
    first, second = pair
    if reason := lacks(first, aspect) or lacks(second, aspect):
        return Cell(first, second, aspect, "not comparable", reason=reason)
    counts: Counter[str] = Counter()
    size = len(explainer.forms)
    for pattern, count in explainer.results.patterns.get(COLUMN[aspect], {}).items():
        one, other = pattern[first], pattern[second]
        if aspect == OFFSETS and pattern[first - size] != pattern[second - size]:
            continue  # the ids differ
        if NONE not in (one, other) and (one, other) != (REFUSED, REFUSED):
            counts["same" if one == other else "differs"] += count
    compared, differing = counts.total(), counts["differs"]
    if not compared:
        reason = "no text was run by both"
        return Cell(first, second, aspect, "not comparable", reason=reason)
    if not differing:
        return Cell(first, second, aspect, "same", compared=compared)
    numbers = _causes_between(explainer, pair, aspect)
    return Cell(first, second, aspect, "differs", numbers, differing, compared)


def _causes_between(explainer: Explainer, pair: tuple[int, int], aspect: str) -> tuple[int, ...]:
    """Return the causes of the texts on which two forms differ, of all classes between them."""
    column, (first, second) = COLUMN[aspect], pair
    between = [
        (of, place)
        for of in dict.fromkeys((aspect, IDS))
        for place in {*explainer.line(of, first)} ^ {*explainer.line(of, second)}
    ]
    found: set[int] = set()
    for one in explainer.results.differing:
        if column not in one.patterns or not are_apart(one.patterns[column], first, second):
            continue
        if aspect == OFFSETS and not shows_by_itself(aspect, one, first, second):
            continue
        keys = ((of, place, one.text) for of, place in between)
        found.update(explainer.given.of_text[key] for key in keys if key in explainer.given.of_text)
    if not found and pair in explainer.vocabularies.apart:
        found.add(explainer.vocabularies.apart[pair])
    if not found:  # the texts of this aspect were left out: those of the ids explain them
        found |= {
            number
            for number, cause in enumerate(explainer.given.causes)
            if cause.aspect in (aspect, IDS) and len({first, second} & {*cause.forms}) == 1
        }
    return tuple(sorted(found))


def _joined(table: Cell | None, texts: Cell) -> Cell:
    """Return the cell of special tokens: what their tables show, and what texts show."""
    if table is None or table.state == "not comparable":
        return texts
    if texts.state == "not comparable":
        return table
    state: State = "same" if table.state == texts.state == "same" else "differs"
    causes = tuple(dict.fromkeys((*table.causes, *texts.causes)))
    return Cell(
        table.first,
        table.second,
        SPECIAL,
        state,
        causes,
        texts.differing or table.differing,
        texts.compared,
    )


def failing_forms(forms: Sequence[Opened], *, named: bool) -> Iterator[Cause]:
    """Yield a cause for each form that fails by itself where another form shows that it need not.

    So it is with a library that does not load a file which its reference reads, and with a target
    that hangs or dies on each of the first texts. Where the user has not ``named`` the forms but a
    folder, an engine that is only installed too may read a part of its files.
    """
    loaded = [place for place, form in enumerate(forms) if form.workers is not None]
    for place, form in enumerate(forms):
        if not form.failure or not (named or _is_library(form)):
            continue
        if form.answers_nothing:
            name = f"no answer: {form.failure}"
            message = f"it hangs or dies on each of the first texts: {form.failure}"
            others = tuple(loaded)
        else:
            name = f"does not load: {form.failure}"
            others = tuple(one for one in loaded if _reads_the_same(forms[one], form))
            message = f"it does not load, and the reference reads the same file: {form.problem}"
        if others:
            yield Cause(IDS, PROCESS, name, message, Verdict.BUG, 0, (place,), others)


def _is_library(form: Opened) -> bool:
    """Whether a form is the library that a file is for, and no further engine."""
    return form.reference is not None and counterpart(form.reference) == form.spec


def _reads_the_same(reference: Opened, form: Opened) -> bool:
    return reference.spec == form.reference and reference is not form


def unfinished(forms: Sequence[Opened], failing: Sequence[Cause], *, named: bool) -> Iterator[Skip]:
    """Yield what was to be compared and was not, or not in the usual way.

    A form whose library or engine is not installed is only said, and so is a form that has a cause.
    Where the user has not ``named`` the forms but a folder, a file that a library reads need not be
    read by our reference, nor one that the reference reads by each further engine.
    """
    found = {place for cause in failing for place in cause.forms}
    for place, form in enumerate(forms):
        if unseen := sum(map(is_unseen, form.rows)):
            yield Skip(form.spec, pluralize(unseen, "id"), "the form shows no token for them")
        if form.unasked:
            resembling = "they resemble texts that end or hang its process"
            yield Skip(form.spec, pluralize(form.unasked, "text"), resembling)
        if form.death and not form.crashers and form.workers is not None:
            reason = f"the process ended with {form.death}, and each text was run again by itself"
            yield Skip(form.spec, "running many texts in one process", reason)
        if form.workers is not None and (changed := form.workers.pool.changed_file()) is not None:
            yield Skip(form.spec, str(changed), CHANGED, unfinished=True)
        if form.problem and form.workers is not None:
            what = "the rest of the texts" if form.texts else "the texts"
            yield Skip(form.spec, what, form.problem, unfinished=True)
        elif form.workers is None and form.is_installed and place not in found:
            loaded = [one for one in forms if one.workers is not None]
            is_read = any(
                _reads_the_same(form, one) or (_reads_the_same(one, form) and not _is_library(form))
                for one in loaded
            )
            if named or not is_read:
                yield Skip(form.spec, "the whole form", form.problem, unfinished=True)


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
