r"""An id is not an integer, is negative, or is not below the size of the vocabulary.

Why it matters: ids index the embedding table of a model. An id past its end raises at best; at
worst a GPU kernel reads the memory behind the table. A negative id reads the table from its end,
and a float or a string fails far from where it was made.

Oracle: invariant of one target. ``encode`` gives a list of integers, each at least 0 and below
``n_vocab``, which is one more than the largest id. An integer is what Python accepts as an index,
including numbers of numpy, but not ``True``. If a target has no ``n_vocab``, the rest is checked.

Verdicts: *bug*; the cause says what the id is.

Example: an unknown character becomes -1::

    TOK105 bug  id: negative   "\u{378}"

What to do: return the id of an unknown token, or raise, instead of a placeholder; correct
``n_vocab`` if it is too small.
"""

from __future__ import annotations

import operator
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.model import Batch, Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK105"
NAME = "id-out-of-range"
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with an id that is none."""
    if _are_all_ids(batch, subject):
        return []
    limit = subject.target.n_vocab
    return [row for row, ids in enumerate(batch.ids) if ids and any(_is(one, limit) for one in ids)]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """What the first wrong id of each sort is."""
    try:
        ids: list[Any] = list(subject.target.encode(text))  # whatever they are
    except KeyboardInterrupt:
        raise
    except BaseException:  # what raises is another check's to tell
        return []
    found: dict[str, Any] = {}
    for one in ids:
        what = _is(one, subject.target.n_vocab)
        if what:
            found.setdefault(what, one)
    return [_cause(what, one, subject) for what, one in found.items()]


def _are_all_ids(batch: Batch, subject: Subject) -> bool:
    """Whether all are ids, without a line of Python for a text; few of them are new."""
    known: set[Any] = subject.remember("known ids", set)
    ids = list(chain.from_iterable(filter(None, batch.ids)))
    # In a set 1.0 and True would hide behind 1. Where all of a kind is tried a part of it will do.
    some = ids
    if batch.step > 1:
        some = [one for row in batch.sampled for one in batch.ids[row] or ()]
    if not all(map(_is_index, set(map(type, some)))):
        return False
    try:
        new = () if known.issuperset(ids) else set(ids) - known
    except TypeError:  # an array of several numbers, say
        return False
    if any(_is(one, subject.target.n_vocab) for one in new):
        return False
    known.update(new)
    return True


def _is_index(kind: type) -> bool:
    return hasattr(kind, "__index__") and kind is not bool


def _is(one: Any, limit: int | None) -> str:
    """What is wrong with an id; empty if nothing is."""
    try:
        number = operator.index(one)
    except TypeError:
        return f"not an integer: {type(one).__name__}"
    if isinstance(one, bool):
        return "not an integer: bool"
    if number < 0:
        return "negative"
    return "n_vocab or above" if limit is not None and number >= limit else ""


def _cause(what: str, one: Any, subject: Subject) -> Cause:
    if what.startswith("not an integer"):
        message = f"encode gives a {type(one).__name__} where an id has to stand"
    elif what == "negative":
        message = f"encode gives the negative id {operator.index(one)}"
    else:
        limit = subject.target.n_vocab
        message = f"encode gives the id {operator.index(one)}, but n_vocab is {limit}"
    return Cause("id", (("is", what),), message=message)
