"""Run a target, and its reference, over some texts, as columns.

On the way where nothing fails no line of Python runs for a text: each column is one ``map``.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.errors import NotTriedError
from tokharness.model import Batch, decoded_text
from tokharness.plugins import COLUMNS
from tokharness.targets.subject import as_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["observe", "with_hashable_ids"]


def observe(
    subject: Subject,
    family: str,
    texts: Sequence[str],
    *,
    columns: Collection[str] = COLUMNS,
    isolate: bool = False,
    recheck_every: int = 1,
) -> Batch:
    """Encode and decode with the target, encode with the reference; what raises is kept.

    A column that is not wanted is not made: ``decoded`` has None in each row then. Checks that ask
    the target once more do so about every ``recheck_every``-th text, about none where it is 0.

    A target in a process of its own may die: then TargetDeath is raised, or with ``isolate`` it is
    kept as the error of just the text that it died of. Rows that were not tried then have no
    ids, no text and no error. What the reference raises, or dies of, is no error of the target's.
    """
    errors: dict[int, BaseException] = {}
    ids = _encoded(subject.target, texts, errors, isolate)
    decoded: list[str | None] = [None] * len(texts)
    if "decoded" in columns:
        decoded = _decoded(subject.target, texts, ids, errors, isolate)
    reference_ids, not_compared = None, 0
    if subject.reference is not None and "reference_ids" in columns:
        wanted: Sequence[str] = texts
        if subject.target.normalizer is not None:
            wanted = [subject.expected(text) for text in texts]
        raised: dict[int, BaseException] = {}
        reference_ids = _encoded(subject.reference, wanted, raised, isolate)
        if raised or isolate:  # with care some may not have been tried
            both = zip(ids, reference_ids, strict=True)
            not_compared = sum(one is not None and other is None for one, other in both)
    return Batch(family, texts, ids, decoded, errors, reference_ids, not_compared, recheck_every)


def with_hashable_ids(batch: Batch) -> Batch:
    """Return the batch with what cannot be an id, nor be looked up, in words instead."""
    return replace(batch, ids=[None if ids is None else as_ids(ids) for ids in batch.ids])


def _encoded(
    target: Target, texts: Sequence[str], errors: dict[int, BaseException], isolate: bool
) -> list[list[int] | None]:
    remote = getattr(target.tokenizer, "column_of_each" if isolate else "column", None)
    if remote is not None:
        return _kept(remote("encode", texts), errors)
    results = _mapped(target.encode, texts, errors)
    if operator.countOf(map(type, results), list) == len(results):
        return results
    return _converted(list, results, errors)


def _decoded(
    target: Target,
    texts: Sequence[str],
    ids: list[list[int] | None],
    errors: dict[int, BaseException],
    isolate: bool,
) -> list[str | None]:
    """Decode the rows that have ids; the others stay None."""
    rows = None
    if errors or isolate:
        rows = [row for row, one in enumerate(ids) if one is not None]
    wanted = ids if rows is None else [ids[row] for row in rows]
    raised: dict[int, BaseException] = {}
    remote = getattr(target.tokenizer, "column_of_each" if isolate else "column", None)
    if remote is not None:
        results = _kept(remote("decode", wanted), raised)
    else:
        results = _mapped(target.tokenizer.decode, wanted, raised)
    if results != texts:  # where each comes back as it was, all are texts
        results = _converted(decoded_text, results, raised)
    if rows is None:
        errors.update(raised)
        return results
    errors.update((rows[place], error) for place, error in raised.items())
    column: list[str | None] = [None] * len(ids)
    for row, result in zip(rows, results, strict=True):
        column[row] = result
    return column


def _mapped(
    function: Callable[..., Any], arguments: Sequence[Any], errors: dict[int, BaseException]
) -> list[Any]:
    """Column of results; None, and an entry in ``errors``, where the function raised."""
    results: list[Any] = []
    calls = map(function, arguments)
    while len(results) < len(arguments):
        try:
            # What came before an exception stays in the list, and the map goes on after it.
            results.extend(calls)
            if len(results) < len(arguments):
                raise StopIteration  # noqa: TRY301 - the function did: it looks like the map's end
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            errors[len(results)] = error
            results.append(None)
    return results


def _kept(results: list[Any], errors: dict[int, BaseException]) -> list[Any]:
    """Move the exceptions of a column into ``errors``."""
    for row, result in enumerate(results):
        if isinstance(result, BaseException):
            if not isinstance(result, NotTriedError):
                errors[row] = result
            results[row] = None
    return results


def _converted(
    convert: Callable[[Any], Any], results: list[Any], errors: dict[int, BaseException]
) -> list[Any]:
    for row, result in enumerate(results):
        if row in errors:
            continue
        try:
            results[row] = convert(result)
        except Exception as error:
            errors[row] = error
            results[row] = None
    return results
