"""Run a target and its reference on a batch of texts, as columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.boundary.columns import Encoded
from tokharness.boundary.id_columns import IdColumn, joined
from tokharness.errors import SkippedTextError
from tokharness.model import Batch, decoded_text
from tokharness.plugins.kinds import COLUMNS
from tokharness.targets.loading import tokenizer_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject


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

    Only the named ``columns`` are computed; without the column ``decoded``, its rows are all None.
    Checks that call the target again do so for every ``recheck_every``-th text, or for no text if
    it is 0.

    A crash of a target in a separate process raises TargetDeath. With ``isolate``, the crash is the
    error of the text that caused it, and texts that were not run have no ids, no decoded text and
    no error. Errors and crashes of the reference are not errors of the target.
    """
    observed = run_target(subject.target, texts, columns=columns, isolate=isolate)
    compared = Compared()
    if "reference_ids" in columns:
        compared = run_reference(subject, texts, observed.ids, isolate=isolate)
    return batch_of(family, texts, observed, compared, recheck_every)


@dataclass
class Observed:
    """Results of a target for texts, as columns of a batch."""

    ids: list[Any] = field(default_factory=list)
    decoded: list[str | None] = field(default_factory=list)
    errors: dict[int, BaseException] = field(default_factory=dict)
    all_ids: list[IdColumn] | None = field(default_factory=list)

    def add(self, other: Observed) -> None:
        """Add the results of the texts that follow."""
        start = len(self.ids)
        self.errors |= {start + row: error for row, error in other.errors.items()}
        if start and self.all_ids is not None and other.all_ids is not None:
            self.all_ids += other.all_ids
        else:
            self.all_ids = None if start and self.all_ids is None else other.all_ids
        self.ids = self.ids + other.ids if start else other.ids
        self.decoded = self.decoded + other.decoded if start else other.decoded


@dataclass
class Compared:
    """Results of the reference for texts, as columns of a batch; no ids if it was not run."""

    ids: list[Any] | None = None
    not_compared: int = 0
    errors: dict[int, BaseException] = field(default_factory=dict)

    def add(self, other: Compared) -> None:
        """Add the results of the texts that follow."""
        start = len(self.ids or ())
        self.errors |= {start + row: error for row, error in other.errors.items()}
        self.not_compared += other.not_compared
        self.ids = self.ids + (other.ids or []) if self.ids else other.ids


def run_target(
    target: Target, texts: Sequence[str], *, columns: Collection[str], isolate: bool
) -> Observed:
    """Encode texts and, if ``decoded`` is one of the columns, decode them."""
    encoded = _encode(target, texts, isolate)
    decoded: list[str | None] = [None] * len(texts)
    if "decoded" in columns:
        decoded = _decode(target, encoded, isolate)
    return Observed(encoded.ids, decoded, encoded.errors, encoded.all_ids)


def run_reference(
    subject: Subject, texts: Sequence[str], ids: Sequence[Any], *, isolate: bool
) -> Compared:
    """Encode texts with the reference, if any; ``ids`` are the target's ids."""
    if subject.reference is None:
        return Compared()
    expected: Sequence[str] = texts
    if subject.target.normalizer is not None or subject.target.joins_pairs:
        expected = [subject.text_for_reference(text) for text in texts]
    reference = _encode(subject.reference, expected, isolate)
    other = []
    if subject.reference.joins_pairs:
        other = [row for row, text in enumerate(texts) if not subject.is_comparable(text)]
    for row in other:
        reference.ids[row] = None
        reference.errors.pop(row, None)
    not_compared = 0
    if other or reference.errors or isolate:  # with isolate some texts may not have been run
        pairs = zip(ids, reference.ids, strict=True)
        not_compared = sum(ours is not None and theirs is None for ours, theirs in pairs)
    return Compared(reference.ids, not_compared, reference.errors)


def batch_of(
    family: str,
    texts: Sequence[str],
    observed: Observed,
    compared: Compared,
    recheck_every: int,
) -> Batch:
    """Return the batch of these columns."""
    return Batch(
        family,
        texts,
        observed.ids,
        observed.decoded,
        observed.errors,
        compared.ids,
        compared.not_compared,
        recheck_every,
        None if observed.all_ids is None else joined(observed.all_ids),
        compared.errors,
    )


def _encode(target: Target, texts: Sequence[str], isolate: bool) -> Encoded:
    tokenizer = tokenizer_of(target)
    remote = getattr(tokenizer, "call_each" if isolate else "call_batch", None)
    if remote is None:
        return tokenizer.encode_column(texts)  # type: ignore[no-any-return]
    errors: dict[int, BaseException] = {}
    return Encoded(_move_errors(remote(target.entry_point, texts), errors), errors, all_ids=None)


def _decode(target: Target, encoded: Encoded, isolate: bool) -> list[str | None]:
    """Decode the rows that have ids; other rows are None. Exceptions are added to the errors."""
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
