"""Whether another process that loads the same target gives the same results.

Tables that are filled in the order of a hash, such as sets, differ between processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.errors import SkippedTextError, TargetDeath, TargetError
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

PROCESSES = 2
"""Processes that are compared with this one on all texts."""

TRIES = 8
"""Processes for a text that differed: two equally likely results both occur in 127 of 128 cases."""

REPEATS = 3
"""Further processes with each of two hash seeds; if the seed decides, their results are equal."""

RECOGNIZES = Cause(
    "state",
    (("by", "what loads the target"),),
    message="an interpreter that has nothing of tokharness gives the same text different ids",
)
"""Of a target that behaves otherwise while it is checked."""

NO_RESULT = (TargetDeath, SkippedTextError, MemoryError)


def process_failures(texts: Sequence[str], subject: Subject) -> Iterator[Failure]:
    """Report the first text that gets different ids in another process, as in further ones.

    The last process has nothing of ours, if the target can be loaded in such a one.
    """
    subject = subject.with_original_target()
    if subject.other_process is None:
        return
    ours = encode_all(texts, subject)
    for seed in range(1, 1 + PROCESSES):
        alone = _results_alone(texts, seed, subject) if seed == PROCESSES else []
        theirs = alone or ids_in_new_process(texts, seed, subject)
        are_different = _are_other_ids if alone else _are_different
        rows = zip(texts, ours, theirs, strict=True) if theirs else ()
        for text, own, other in rows:
            if not are_different(own, other):
                continue
            failure = other_process_failure(text, subject)
            if failure is None and alone:
                failure = _alone_failure(text, subject)
            if failure is not None:
                yield failure
                return


def _alone_failure(text: str, subject: Subject) -> Failure | None:
    """Return the failure of a text whose ids are different in each process without ours."""
    seeds = range(1, 1 + REPEATS)
    given = [ids for seed in seeds for ids in ids_in_new_process([text], seed, subject)]
    expected = [ids for seed in seeds for ids in _results_alone([text], seed, subject)]
    for rows in (given, expected):
        if len(rows) < REPEATS or rows.count(rows[0]) < REPEATS:
            return None
    if not _are_other_ids(given[0], expected[0]):
        return None
    return Failure(RECOGNIZES, text=text, evidence=compared(given[0], expected[0], subject))


def other_process_failure(text: str, subject: Subject) -> Failure | None:
    """Return the failure of a text whose ids new processes do not agree on; None if they agree.

    If only this process differs from them, its earlier calls are the cause.
    """
    by_seed: dict[int, Any] = {}
    for seed in range(1, 1 + TRIES):
        found = ids_in_new_process([text], seed, subject)
        if not found:
            return None
        for other, result in by_seed.items():
            if _are_different(found[0], result):
                cause = _cause_of_process(text, {other: result, seed: found[0]}, subject)
                evidence = {"process": seed, "other process": other}
                shown = evidence | compared(found[0], result, subject)
                return Failure(cause, text=text, evidence=shown)
        by_seed[seed] = found[0]
    return None


def _cause_of_process(text: str, by_seed: dict[int, Any], subject: Subject) -> Cause:
    """Repeat two processes with their hash seeds: equal results show that the seed decides."""
    decides = all(
        again and not _are_different(again[0], result)
        for seed, result in by_seed.items()
        for _ in range(REPEATS)
        for again in [ids_in_new_process([text], seed, subject)]
    )
    if decides:
        by, message = "the hash seed of the process", "a process with another PYTHONHASHSEED gives"
    else:
        by, message = "the process", "processes that load the same target give, at random,"
    return Cause("state", (("by", by),), message=f"{message} the same text other ids")


def ids_in_new_process(texts: Sequence[str], seed: int, subject: Subject) -> list[Any]:
    """Return the ids of texts in a new process; nothing if it cannot be loaded or ends."""
    if subject.other_process is None:
        return []
    try:
        target = subject.other_process(seed)
    except TargetError:
        return []
    try:
        return target.call_each(target.entry_point, texts)
    except TargetDeath:
        return []
    finally:
        target.close()


def _results_alone(texts: Sequence[str], seed: int, subject: Subject) -> list[Any]:
    """Return the ids of texts in a process that has nothing of ours; None for what it may not get.

    Nothing if there is no such process, or it cannot be loaded or ends.
    """
    try:
        target = None if subject.alone is None else subject.alone(seed)
    except TargetError:
        return []
    if target is None:
        return []
    try:
        rows = target.call_each(target.entry_point, texts)
    except TargetDeath:
        return []
    finally:
        target.close()
    return [
        ids if target.as_sent(text) == text and not isinstance(ids, Raised) else None
        for text, ids in zip(texts, rows, strict=True)
    ]


def _are_different(one: Any, other: Any) -> bool:
    """Whether two results are different ids, or only one of them is an exception."""
    raised = [result.error for result in (one, other) if isinstance(result, Raised)]
    if any(isinstance(error, NO_RESULT) for error in raised):
        return False
    return len(raised) == 1 if raised else list(one) != list(other)


def _are_other_ids(own: Any, alone: Any) -> bool:
    """Whether a text has different ids in a process without ours, and exact ones in both.

    Exceptions are not compared: how deep the calls of a process are decides about some.
    """
    if alone is None or isinstance(own, Raised) or list(own) == alone:
        return False
    return all(type(number) is int for number in own)
