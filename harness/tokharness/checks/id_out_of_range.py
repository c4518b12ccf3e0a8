r"""An id is not an integer, is negative, or is not below the size of the vocabulary.

Why it matters: ids index the embedding table of a model. An id past the end of the table raises an
error at best; at worst a GPU kernel reads the memory behind the table. A negative id reads the
table from its end. A float or a string fails far from the code that made it.

Oracle: invariant of one target. ``encode`` gives a list of integers, each at least 0 and below
``n_vocab``, which is one more than the largest id. An integer is what Python accepts as an index,
including numbers of numpy, but not ``True``. If a target has no ``n_vocab``, only the upper limit
is not checked.

Verdicts: *bug*; the cause says what the id is.

Example: an unknown character becomes -1::

    TOK105 bug  id: negative   "\u{378}"

What to do: return the id of an unknown token, or raise, instead of a placeholder; correct
``n_vocab`` if it is too small.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import type_name
from tokharness.boundary.values import MOST_BITS, all_exact, is_small
from tokharness.diagnosis.comparisons import compared_call
from tokharness.model import Batch, Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK105"
NAME = "id-out-of-range"
COLUMNS = ()

TOO_LARGE = f"more than {MOST_BITS:,} bits"

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "evidence", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with an invalid id."""
    if _all_valid(batch, subject):
        return []
    limit = subject.target.n_vocab
    return [
        row
        for row, ids in enumerate(batch.ids)
        if ids and any(_problem(number, limit) for number in ids)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return a cause for each kind of invalid id in this text, in the order of their first ids."""
    ids = subject.encode(text) or []  # another check reports exceptions
    first: dict[str, Any] = {}
    for number in ids:
        problem = _problem(number, subject.target.n_vocab)
        if problem:
            first.setdefault(problem, number)
    return [_cause(problem, number, subject) for problem, number in first.items()]


def evidence(text: str, _: Cause, subject: Subject) -> dict[str, Any]:
    """Return the ids of a text, and which ids are valid."""
    ids, size = subject.encode(text) or [], subject.target.n_vocab
    if not any(_problem(number, size) for number in ids):
        return {}
    expected = f"integers from 0{'' if size is None else f' to {size - 1}'}"
    return compared_call(subject.target.entry_point, ids, expected, subject)


def _all_valid(batch: Batch, subject: Subject) -> bool:
    """Whether all ids are valid; fast, since it looks only at ids that no earlier batch had."""
    if batch.all_ids is not None:  # exact integers, which have an order
        return not any(_problem(number, subject.target.n_vocab) for number in batch.all_ids.ends)
    known: set[int] = subject.cache.get_or_compute("known ids", set)
    ids = list(chain.from_iterable(filter(None, batch.ids)))
    # A set treats 1.0, True and 1 as equal, so look at types too.
    if not all_exact(ids, int):
        return False
    new = () if known.issuperset(ids) else set(ids) - known
    if any(_problem(number, subject.target.n_vocab) for number in new):
        return False
    known.update(new)
    return True


def _problem(value: Any, limit: int | None) -> str:
    """What is wrong with an id; empty if it is valid."""
    if type(value) is not int:
        name = type_name(value)
        return TOO_LARGE if name == "int" else f"not an integer: {name}"
    if value < 0:
        return "negative"
    if limit is not None and value >= limit:
        return "n_vocab or above"
    return "" if is_small(value) else TOO_LARGE


def _cause(problem: str, value: Any, subject: Subject) -> Cause:
    if problem == TOO_LARGE:
        message = f"encode returns an id of {TOO_LARGE}"
    elif problem.startswith("not an integer"):
        message = f"encode returns a {type_name(value)} instead of an integer id"
    elif problem == "negative":
        message = f"encode returns the negative id {value}"
    else:
        message = f"encode returns the id {value}, but n_vocab is {subject.target.n_vocab}"
    return Cause("id", (("is", problem),), message=message)
