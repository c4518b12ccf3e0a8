"""Run a target, and its reference, over some texts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.model import Batch, Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokharness.subject import Subject

__all__ = ["batches", "observe"]

BATCH = 1000


def batches(cases: Iterable[Case], size: int = BATCH) -> Iterator[list[str]]:
    """Texts of the cases, ``size`` at a time."""
    texts = (case.text for case in cases)
    while batch := list(islice(texts, size)):
        yield batch


def observe(subject: Subject, family: str, texts: Sequence[str]) -> Batch:
    """Encode and decode with the target, encode with the reference; what raises is kept."""
    errors: dict[int, BaseException] = {}
    ids = _column(subject.target.encode, texts, errors, list)
    decoded = _column(subject.target.decode, ids, errors, None)
    reference_ids = None
    if subject.reference is not None:
        wanted: Sequence[str] = texts
        if subject.target.normalizer is not None:
            wanted = [subject.expected(text) for text in texts]
        reference_ids = _column(subject.reference.encode, wanted, {}, list)
    return Batch(family, texts, ids, decoded, errors, reference_ids)


def _column(
    function: Callable[..., object],
    arguments: Sequence[object],
    errors: dict[int, BaseException],
    convert: type | None,
) -> list:  # type: ignore[type-arg]
    """Column of results; None, and an entry in ``errors``, where the function raised.

    Rows whose argument is None have failed before and stay None.
    """
    results: list[object] = []
    append = results.append
    for row, argument in enumerate(arguments):
        if argument is None:
            append(None)
            continue
        try:
            result = function(argument)
            append(result if convert is None or type(result) is convert else convert(result))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            errors[row] = error
            append(None)
    return results
