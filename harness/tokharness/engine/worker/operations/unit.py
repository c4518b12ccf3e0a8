"""Run the checks on one unit of a family, and split packed texts that fail into their parts."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.config import PROFILES
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.engine.worker.batches import BatchOptions
from tokharness.engine.worker.units import sample_evenly
from tokharness.engine.worker.vocabularies import dies_of_an_id
from tokharness.targets.digests import Digest, first_difference
from tokharness.targets.packed_digests import unpack
from tokharness.targets.processes.deadlines import is_asked_to_stop
from tokharness.targets.processes.limits import WaitingTime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.engine.requests import UnitRequest
    from tokharness.engine.worker.batches import BatchRunner, UnitResult
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


MAX_PARTS = 32_768
"""Default limit of parts that run for each unit: the largest number of texts of a unit."""


def run_packed(
    runner: BatchRunner,
    texts: Sequence[str],
    options: BatchOptions,
    unpack: Callable[[str], Sequence[str]],
    is_over: Callable[[], bool] = lambda: False,
    max_parts: int = MAX_PARTS,
) -> UnitResult:
    """Run texts, and the parts of each packed text that fails a check or could not be run.

    The parts that fail the same check replace a packed text. It stays a failing text if no part
    fails alone, or if ``max_parts`` leaves no time for its parts. Once the time ``is_over``, no
    further text is run.
    """
    result = runner.run(texts, options, is_over=is_over)
    groups = [*result.failing.values(), result.left_out, result.not_compared]
    packs = _packs(groups, unpack, max_parts)
    if packs:
        parts = _parts(packs, packs)
        options = replace(options, digested=False)
        of_parts = runner.run(parts, options, is_over=is_over)
        result.not_run += len(parts) - of_parts.cases
        _add(result, of_parts, packs)
        if options.recheck_every > 1:
            _recheck(runner, result, packs, replace(options, recheck_every=1))
        for code, failing in result.failing.items():
            result.failing[code] = _without_explained(failing, packs)
    return result


def _packs(
    groups: Iterable[Sequence[str]], unpack: Callable[[str], Sequence[str]], max_parts: int
) -> dict[str, Sequence[str]]:
    """Return packed texts with their parts: all of them, or an even sample of large groups.

    A group has the texts that fail a check, so that a check which all texts fail hides no other.
    """
    groups = sorted(map(list, groups), key=len)
    unpacked = ((text, unpack(text)) for text in dict.fromkeys(chain(*groups)))
    packs = {text: parts for text, parts in unpacked if len(parts) > 1}
    chosen: dict[str, Sequence[str]] = {}
    room = max_parts
    for place, group in enumerate(groups):
        new = {text: packs[text] for text in group if text in packs and text not in chosen}
        total, share = sum(map(len, new.values())), room // (len(groups) - place)
        size = len(new) if total <= share else len(new) * share // total
        taken = {text: new[text] for text in sample_evenly(list(new), size)}
        chosen |= taken
        room -= sum(map(len, taken.values()))
    return chosen


def _parts(texts: Iterable[str], packs: Mapping[str, Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(packs[text] for text in texts)))


def _add(result: UnitResult, of_parts: UnitResult, packs: Mapping[str, Sequence[str]]) -> None:
    """Add the result of the parts; a packed text that was not run is replaced by its parts."""
    for code, texts in of_parts.failing.items():
        result.failing[code] += texts
    result.left_out = [t for t in result.left_out if t not in packs] + of_parts.left_out
    result.not_compared = [t for t in result.not_compared if t not in packs] + of_parts.not_compared
    result.encoded += of_parts.encoded
    result.unseen &= of_parts.unseen
    result.seconds += of_parts.seconds


def _recheck(
    runner: BatchRunner,
    result: UnitResult,
    packs: Mapping[str, Sequence[str]],
    options: BatchOptions,
) -> None:
    """Run all parts with checks that call the target again, which have seen only some parts."""
    for code, texts in result.failing.items():
        kept = [text for text in _without_explained(texts, packs) if text in packs]
        if kept:
            again = runner.only(code).run(_parts(kept, packs), options)
            result.seconds += again.seconds
            result.failing[code] = texts + again.failing[code]


def _without_explained(texts: Sequence[str], packs: Mapping[str, Sequence[str]]) -> list[str]:
    """Leave out each packed text with a part that fails too."""
    failing = set(texts)
    return [text for text in texts if text not in packs or failing.isdisjoint(packs[text])]
