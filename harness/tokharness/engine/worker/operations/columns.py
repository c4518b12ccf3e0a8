"""Run the target on texts, and return digests of the results, for a comparison with other targets.

Equal results have equal digests in every process. The columns are ``ids``; ``decoded``, the text of
these ids; ``special``, the ids of ``encode_special``; ``offsets``, the spans of
``encode_with_offsets``; and ``pieces``, the bytes of each token.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import type_name
from tokharness.engine.worker.batches import BatchOptions
from tokharness.outcome import Raised
from tokharness.targets.processes.deadlines import is_asked_to_stop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.engine.requests import ColumnsRequest
    from tokharness.engine.worker.state import WorkerState
    from tokharness.model import Batch
    from tokharness.targets.subject import Subject

DIGEST_BYTES = 8
RAISED = "0" * 16
"""The digest of a text for which the target raises, or which was not run."""
NOT_ASKED = "f" * 16
"""The digest of a text that the target cannot receive, or for which it was not asked."""

PIECES, OFFSETS, SPECIAL = "pieces", "offsets", "special"
METHODS = {OFFSETS: "encode_with_offsets", SPECIAL: "encode_special"}


def respond(state: WorkerState, request: ColumnsRequest) -> dict[str, Any]:
    """Return a digest for each text and column."""
    state.set_crashers(request.crashers)
    subject = state.compared_subject()
    begin = time.process_time()
    last = math.inf if request.seconds is None else begin + request.seconds
    columns: dict[str, list[str]] = {name: [] for name in request.columns}
    raised: Counter[str] = Counter()

    def add(batch: Batch) -> None:
        refused = (error for row, error in batch.errors.items() if batch.ids[row] is None)
        raised.update(map(type_name, refused))
        for name, column in columns.items():
            column.extend(COLUMNS[name](batch, subject, request))

    runner = state.batches.with_columns(
        state.compared_subject(timed=False), ("decoded",) if "decoded" in columns else ()
    )
    result = runner.run(
        request.texts,
        BatchOptions("", compared=False),
        on_batch=add,
        is_over=lambda: time.process_time() >= last or is_asked_to_stop(),
    )
    seconds = time.process_time() - begin + (0.0 if state.remote is None else result.seconds)
    return {
        "columns": {name: "".join(digests) for name, digests in columns.items()},
        "texts": result.cases,
        "raised": dict(raised),
        "crashers": state.crashers(request.crashers),
        "processor_seconds": seconds,
    }


def digest_of(value: object) -> str:
    """Return the digest of an exact value; an exception has the digest ``RAISED``."""
    if value is None or isinstance(value, Raised):
        return RAISED
    data = repr(value).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=DIGEST_BYTES).hexdigest()


def _received(batch: Batch, subject: Subject, digests: Sequence[str]) -> list[str]:
    """Return the digests, without those of texts that the target gets in another form.

    A text that resembles texts that end the process is not run.
    """
    if None in batch.ids:
        digests = [
            NOT_ASKED if ids is None and row not in batch.errors else digest
            for row, (ids, digest) in enumerate(zip(batch.ids, digests, strict=True))
        ]
    if not subject.target.joins_pairs:
        return list(digests)
    as_sent = subject.target.all_as_sent(batch.texts)
    pairs = zip(batch.texts, as_sent, digests, strict=True)
    return [digest if text == sent else NOT_ASKED for text, sent, digest in pairs]


def _ids(batch: Batch, subject: Subject, _: ColumnsRequest) -> list[str]:
    return _received(batch, subject, list(map(digest_of, batch.ids)))


def _decoded(batch: Batch, subject: Subject, _: ColumnsRequest) -> list[str]:
    return _received(batch, subject, list(map(digest_of, batch.decoded)))


def _pieces(batch: Batch, subject: Subject, _: ColumnsRequest) -> list[str]:
    rows = [None if ids is None else subject.token_bytes(ids) for ids in batch.ids]
    return [NOT_ASKED if row is None else digest_of(row) for row in rows]


def _special(batch: Batch, subject: Subject, _: ColumnsRequest) -> list[str]:
    results = subject.target.call_each(METHODS[SPECIAL], batch.texts)
    return _received(batch, subject, list(map(digest_of, results)))


def _offsets(batch: Batch, subject: Subject, request: ColumnsRequest) -> list[str]:
    """Return the digests of the spans of every N-th text."""
    digests = [NOT_ASKED] * len(batch.texts)
    rows = range(0, len(batch.texts), max(request.every, 1))
    results = subject.target.call_each(METHODS[OFFSETS], [batch.texts[row] for row in rows])
    for row, result in zip(rows, results, strict=True):
        is_pair = not isinstance(result, Raised) and len(result) == len(("ids", "spans"))
        digests[row] = digest_of(list(map(tuple, result[1])) if is_pair else None)
    return _received(batch, subject, digests)


COLUMNS: Mapping[str, Callable[[Batch, Subject, ColumnsRequest], list[str]]] = {
    "ids": _ids,
    "decoded": _decoded,
    SPECIAL: _special,
    OFFSETS: _offsets,
    PIECES: _pieces,
}
"""What each column has for the texts of a batch."""
