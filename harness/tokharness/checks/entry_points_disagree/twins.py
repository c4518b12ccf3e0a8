"""Find entry points that confuse twins: two texts that differ in one way only.

A batch that removes duplicates, and a cache of one entry point, need a key. If the key ignores
case, a normal form, white space or invisible characters, a twin gets the result of the other twin:
in one batch, or in two calls. New random words are used for each pair.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.entry_points.contracts import (
    batch_agrees,
    batch_ids,
    contracts,
    entry_point_cause,
)
from tokharness.diagnosis.probes.calls import BATCH
from tokharness.diagnosis.probes.word_pairs import RandomWords, pair_makers
from tokharness.model import Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tokharness.diagnosis.probes.word_pairs import Pair
    from tokharness.model import Cause
    from tokharness.targets.subject import Subject

PAIRS_TO_COUNT = 6

Differs: TypeAlias = "Callable[[Pair], bool]"
"""Whether the second of two texts gets a wrong result, and the first text its own."""


def twin_failures(reported: Collection[Cause], subject: Subject) -> Iterator[Failure]:
    """Report each entry point that confuses twins, unless its cause is among the ``reported``."""
    probes = {name: _after_the_first(name, subject) for name in contracts(subject)}
    if subject.target.can(BATCH):
        probes[BATCH] = _in_one_batch(subject)
    words = RandomWords(seed=110)
    for name, differs in probes.items():
        if entry_point_cause(name) in reported:
            continue
        for relation, make in pair_makers().items():
            pair = _confused_pair(functools.partial(make, words), differs, name)
            if pair is not None:
                what = "in one batch" if name == BATCH else "in two calls"
                message = f"{name} confuses two texts {relation}, {what}"
                evidence: dict[str, Any] = {"with": pair[0]}
                if name == BATCH:
                    rows = batch_ids(pair, subject)
                    given = rows if isinstance(rows, Raised) else rows[-1]
                    evidence |= compared(given, subject.encode(pair[1]), subject)
                yield Failure(entry_point_cause(name, message), text=pair[1], evidence=evidence)
                break


def _confused_pair(make: Callable[[], Pair], differs: Differs, name: str) -> Pair | None:
    """Return a confused pair, if another pair is confused in the reverse order too.

    Then the order decides, and not the texts. The two counts of a pair may be equal.
    """
    for _ in range(PAIRS_TO_COUNT if name == "count" else 1):
        pair = make()
        if differs(pair) and differs(make()[::-1]):
            return pair
    return None


def _after_the_first(name: str, subject: Subject) -> Differs:
    agrees = contracts(subject)[name]

    def differs(pair: Pair) -> bool:
        rows = _distinct_ids(pair, subject)
        return rows is not None and [*map(agrees, pair, rows)] == [True, False]

    return differs


def _in_one_batch(subject: Subject) -> Differs:
    def differs(pair: Pair) -> bool:
        rows = _distinct_ids(pair, subject)
        return (
            rows is not None
            and not batch_agrees(pair, rows, subject)
            and batch_agrees(pair[:1], rows[:1], subject)
        )

    return differs


def _distinct_ids(pair: Pair, subject: Subject) -> list[list[int]] | None:
    """Return the plain-text ids of two texts; None if they are equal."""
    first, second = map(subject.encode, pair)
    return None if first is None or second is None or first == second else [first, second]
