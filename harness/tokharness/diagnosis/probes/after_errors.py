"""Whether an exception leaves a target as it was: a buffer cleared, a lock released.

Calls that may raise are made one after the other: a text with a lone surrogate or a special token,
bytes that are not UTF-8, an invalid id after valid ids, a batch that contains such an input. After
each call that raised, all entry points must still give their earlier results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.probes.calls import BATCH
from tokharness.diagnosis.probes.known_calls import (
    BATCH_OF_IDS,
    OF_IDS,
    OF_TEXT,
    known_calls,
)
from tokharness.diagnosis.state import RANDOM_SEGMENTATION, state_cause
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.targets.subject import Subject

KNOWN = ("the quick brown fox", "\u4e2d\u6587", "a")
GOOD = "hello world"

Call: TypeAlias = "tuple[str, Any]"
"""A method and its argument."""


def after_error_failures(calls: Iterable[Call], subject: Subject) -> Iterator[Failure]:
    """Report the first call that raises and thereby changes the results of later calls."""
    known = known_calls(KNOWN, subject)
    for method, argument in calls:
        result = subject.target.call(method, argument)
        if not isinstance(result, Raised) or isinstance(
            result.error, TargetDeath | SkippedTextError
        ):
            continue
        for call in known:
            now = call.again(subject)
            if now != call.result and state_cause(subject) != RANDOM_SEGMENTATION:
                name = type(result.error).__name__
                message = f"after {method} has raised {name}, {call.method} {_what_it_does(now)}"
                cause = Cause("state", (("by", f"an exception of {method}"),), message=message)
                after = {"entry point": call.method, "after": f"{method} has raised {name}"}
                evidence = after | compared(now, call.result, subject)
                yield Failure(cause, text=call.text, evidence=evidence)
                return


def raising_calls_of_text(subject: Subject) -> Iterator[Call]:
    """Yield calls that may raise: with a lone surrogate, a special token, or invalid UTF-8."""
    target = subject.target
    texts = [f"{GOOD} \ud800", *(f"{GOOD} {token}" for token in [*target.special_tokens][:1])]
    for method in OF_TEXT:
        if method == "encode_bytes" and target.can(method):
            yield method, f"{GOOD} \ud800".encode("utf-8", "surrogatepass")
        elif method == "encode" or target.can(method):
            yield from ((method, text) for text in texts)
    if target.can(BATCH):
        yield from ((BATCH, [GOOD, text, GOOD]) for text in texts)


def raising_calls_of_ids(invalid: Sequence[int], subject: Subject) -> Iterator[Call]:
    """Yield calls with the ids of a text followed by an id on which ``decode`` raises."""
    ids = subject.encode(GOOD) or []
    for method in OF_IDS:
        if method == "decode" or subject.target.can(method):
            yield from ((method, [*ids, number]) for number in invalid)
    if subject.target.can(BATCH_OF_IDS):
        yield from ((BATCH_OF_IDS, [ids, [*ids, number], ids]) for number in invalid)


def _what_it_does(now: Any) -> str:
    if not isinstance(now, Raised):
        return "gives another result"
    if isinstance(now.error, TargetDeath):
        return f"ends the process with {now.error.reason}"
    return f"raises {type(now.error).__name__}"
