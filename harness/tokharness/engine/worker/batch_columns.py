"""Run a target and its reference on a batch of texts, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.errors import SkippedTextError
from tokharness.model import Batch, decoded_text
from tokharness.plugins.kinds import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["observe"]


def observe(
    subject: Subject,
    family: str,
    texts: Sequence[str],
    *,
    columns: Collection[str] = COLUMNS,
    isolate: bool = False,
    recheck_every: int = 1,
) -> Batch:
    """Encode and decode with the target, and encode with the reference; errors go into the batch.

    Only the ``columns`` named are computed; ``decoded`` is None in every row if it is not one of
    them. Checks that call the target again do so for every ``recheck_every``-th text, for none if
    it is 0.

    A target in a separate process may crash. That raises TargetDeath; with ``isolate`` it is the
    error of the text that caused it, and texts that were not run have no ids, no decoded text and
    no error. Errors and crashes of the reference are not errors of the target.
    """
    errors: dict[int, BaseException] = {}
    ids = _encode_column(subject.target, texts, errors, isolate)
    decoded: list[str | None] = [None] * len(texts)
    if "decoded" in columns:
        decoded = _decode_column(subject.target, texts, ids, errors, isolate)
    reference_ids, not_compared = None, 0
    if subject.reference is not None and "reference_ids" in columns:
        expected: Sequence[str] = texts
        if subject.target.normalizer is not None:
            expected = [subject.expected_text(text) for text in texts]
        reference_errors: dict[int, BaseException] = {}
        reference_ids = _encode_column(subject.reference, expected, reference_errors, isolate)
        if reference_errors or isolate:  # with isolate some texts may not have been run
            pairs = zip(ids, reference_ids, strict=True)
            not_compared = sum(ours is not None and theirs is None for ours, theirs in pairs)
    return Batch(family, texts, ids, decoded, errors, reference_ids, not_compared, recheck_every)


def _encode_column(
    target: Target, texts: Sequence[str], errors: dict[int, BaseException], isolate: bool
) -> list[list[int] | None]:
    remote = getattr(target.tokenizer, "call_each" if isolate else "call_batch", None)
    if remote is not None:
        return _move_errors(remote("encode", texts), errors)
    column, raised = target.tokenizer.encode_column(texts)
    errors.update(raised)
    return column  # type: ignore[no-any-return]


def _decode_column(
    target: Target,
    texts: Sequence[str],
    ids: list[list[int] | None],
    errors: dict[int, BaseException],
    isolate: bool,
) -> list[str | None]:
    """Decode the rows that have ids; other rows are None."""
    rows = None
    if errors or isolate:
        rows = [row for row, row_ids in enumerate(ids) if row_ids is not None]
    arguments = ids if rows is None else [ids[row] for row in rows]
    raised: dict[int, BaseException] = {}
    remote = getattr(target.tokenizer, "call_each" if isolate else "call_batch", None)
    if remote is not None:
        results = _move_errors(remote("decode", arguments), raised)
    else:
        results, raised = target.tokenizer.decode_column(arguments)
    if results != texts:  # if all texts round-trip, no result is bytes
        results = [result if result is None else decoded_text(result) for result in results]
    if rows is None:
        errors.update(raised)
        return results
    errors.update((rows[index], error) for index, error in raised.items())
    column: list[str | None] = [None] * len(ids)
    for row, result in zip(rows, results, strict=True):
        column[row] = result
    return column


def _move_errors(results: list[Any], errors: dict[int, BaseException]) -> list[Any]:
    """Move the exceptions of a column into ``errors``; the rows become None."""
    for row, result in enumerate(results):
        if isinstance(result, BaseException):
            if not isinstance(result, SkippedTextError):
                errors[row] = result
            results[row] = None
    return results
