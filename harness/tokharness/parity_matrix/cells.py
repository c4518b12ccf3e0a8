"""The cells of the matrix in the aspects that texts show, with the causes between two forms."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from tokharness.parity_matrix.causes import COLUMN
from tokharness.parity_matrix.model import DECODED, IDS, OFFSETS, SPECIAL, Cell
from tokharness.parity_matrix.texts import NONE, REFUSED, are_apart, shows_by_itself

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
        found.update(explainer.of_text[key] for key in keys if key in explainer.of_text)
    if not found and pair in explainer.vocabularies.apart:
        found.add(explainer.vocabularies.apart[pair])
    if not found:  # the texts of this aspect were left out: those of the ids explain them
        found |= {
            number
            for number, cause in enumerate(explainer.causes)
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
