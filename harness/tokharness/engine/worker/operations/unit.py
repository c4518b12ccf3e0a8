"""Run the checks on one unit of a family."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from tokharness.config import PROFILES
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.engine.worker.batches import BatchOptions
from tokharness.engine.worker.packed_texts import run_packed
from tokharness.engine.worker.vocabularies import dies_of_an_id
from tokharness.targets.digests import Digest, first_difference
from tokharness.targets.packed_digests import unpack
from tokharness.targets.processes.limits import WaitingTime
from tokharness.targets.processes.watchdog import is_asked_to_stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.requests import UnitRequest
    from tokharness.engine.worker.state import WorkerState
    from tokharness.targets.subject import Subject

MAX_CHANGED, LONGEST_CHANGED = 20, 4000
"""Most changed texts in the response to a unit, and most characters of each text."""


def respond(state: WorkerState, request: UnitRequest) -> dict[str, Any]:
    """Run the checks; only failing texts are in the response."""
    state.set_crashers(request.crashers)
    texts = state.texts[request.family]
    options = BatchOptions(
        request.family,
        compared=texts.family.compared,
        recheck_every=texts.recheck_every,
        facts=texts.family.unpack is None,
        digested=state.subject.original_target is None and not texts.family.replayed,
        known=_compared_blocks(request.compared),
    )
    begin = time.process_time()
    waiting = None if state.remote is None else WaitingTime(with_descendants=True)
    part = texts.texts_of_unit(request.number)
    parts = PROFILES[state.options.profile].max_parts
    last = math.inf if request.seconds is None else begin + request.seconds

    def is_over() -> bool:
        return time.process_time() >= last or is_asked_to_stop()

    without_tokens = state.guarded and texts.has_used_tokens and dies_of_an_id(state.subject)
    if without_tokens:
        state.set_crashers(request.crashers)  # an audit reports the id
    if texts.family.unpack is None:
        result = state.batches.run(part, options, is_over=is_over)
    else:
        result = run_packed(state.batches, part, options, texts.family.unpack, is_over, parts)
    if left := len(part) - result.cases:
        result.not_run += left
    if result.not_run:
        result.blocks = []  # a digest of some texts would look like a change
    crashers = state.crashers(request.crashers)
    record = result.record()
    record["left_out"] += without_tokens  # at least one text
    digest = Digest(tuple(result.blocks))
    rows = first_difference(unpack(request.before), digest).rows if request.before else ()
    changed = _with_ids([part[row] for row in rows], state.timed_subject()) if rows else []
    seconds = time.process_time() - begin
    if waiting is not None:
        seconds += busy_part(result.seconds, waiting())
    return {
        "units": texts.units,
        "crashers": crashers,
        "changed": changed,
        "processor_seconds": seconds,
        **record,
    }


def busy_part(seconds: float, waited: float) -> float:
    """Return the seconds of calls of a target in its own process, without waiting for a processor.

    They stand for its processor time, which is not known if it works elsewhere.
    """
    return max(seconds - waited, 0.0)


def _compared_blocks(packed: str) -> frozenset[bytes]:
    """Return the keys of blocks for which the reference gave the ids of the target."""
    blocks = unpack(packed).blocks if packed else ()
    return frozenset(block.key for block in blocks if block.agreed and block.key)


def _with_ids(texts: Sequence[str], subject: Subject) -> list[dict[str, Any]]:
    """Return the shortest of the texts with their ids."""
    from tokharness.engine.worker.snapshots import ids_or_reason  # for a gate alone

    shortest = sorted((text for text in texts if len(text) <= LONGEST_CHANGED), key=len)
    shortest = shortest[:MAX_CHANGED]
    results = map(ids_or_reason, encode_all(shortest, subject))
    return [{"text": text, "ids": ids} for text, ids in zip(shortest, results, strict=True)]
