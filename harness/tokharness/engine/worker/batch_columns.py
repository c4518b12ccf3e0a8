"""Run a target and its reference on a batch of texts, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.boundary.columns import Encoded
from tokharness.errors import SkippedTextError
from tokharness.model import Batch, decoded_text
from tokharness.plugins.kinds import COLUMNS
from tokharness.targets.bare import tokenizer_of

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
    encoded = _encode(subject.target, texts, isolate)
    decoded: list[str | None] = [None] * len(texts)
    if "decoded" in columns:
        decoded = _decode(subject.target, encoded, isolate)
    reference_ids, not_compared, reference_errors = None, 0, {}
    if subject.reference is not None and "reference_ids" in columns:
        expected: Sequence[str] = texts
        if subject.target.normalizer is not None:
            expected = [subject.text_for_reference(text) for text in texts]
        reference = _encode(subject.reference, expected, isolate)
        reference_ids, reference_errors = reference.ids, reference.errors
        if reference.errors or isolate:  # with isolate some texts may not have been run
            pairs = zip(encoded.ids, reference_ids, strict=True)
            not_compared = sum(ours is not None and theirs is None for ours, theirs in pairs)
    return Batch(
        family,
        texts,
        encoded.ids,
        decoded,
        encoded.errors,
        reference_ids,
        not_compared,
        recheck_every,
        encoded.all_ids,
        reference_errors,
    )


def _encode(target: Target, texts: Sequence[str], isolate: bool) -> Encoded:
    tokenizer = tokenizer_of(target)
    remote = getattr(tokenizer, "call_each" if isolate else "call_batch", None)
    if remote is None:
        return tokenizer.encode_column(texts)  # type: ignore[no-any-return]
    errors: dict[int, BaseException] = {}
    return Encoded(_move_errors(remote(target.entry_point, texts), errors), errors, all_ids=None)


def _decode(target: Target, encoded: Encoded, isolate: bool) -> list[str | None]:
    """Decode the rows that have ids; other rows are None. What is raised is added to the errors."""
    rows: Sequence[int] = range(len(encoded.ids))
    if encoded.all_ids is None:
        rows = [row for row in rows if encoded.ids[row] is not None]
    tokenizer = tokenizer_of(target)
    remote = getattr(tokenizer, "call_each" if isolate else "call_batch", None)
    if remote is None:
        texts, raised = tokenizer.decode_column(encoded)
    else:
        raised = {}
        results = _move_errors(remote("decode", [encoded.ids[row] for row in rows]), raised)
        texts = [result if result is None else decoded_text(result) for result in results]
    if len(rows) == len(encoded.ids):
        encoded.errors.update(raised)
        return texts  # type: ignore[no-any-return]
    encoded.errors.update((rows[place], error) for place, error in raised.items())
    column: list[str | None] = [None] * len(encoded.ids)
    for row, text in zip(rows, texts, strict=True):
        column[row] = text
    return column


def _move_errors(results: list[Any], errors: dict[int, BaseException]) -> list[Any]:
    """Move the exceptions of a column into ``errors``; the rows become None."""
    for row, result in enumerate(results):
        if isinstance(result, BaseException):
            if not isinstance(result, SkippedTextError):
                errors[row] = result
            results[row] = None
    return results
