"""Whether an exception leaves a target as it was: a buffer cleared, a lock released.

Calls that may raise are made one after the other: a text with a lone surrogate or a special token,
bytes that are not UTF-8, an invalid id after valid ids, a batch that contains such an input. After
each call that raised, all entry points must still give the results of *known calls*, which were
made before anything disturbed the target. A known call does not raise, and its result was the same
twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.probes.calls import BATCH
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


# What a target decodes before any other call can have changed its state.

FIRST = "hello"
"""A plain text that a worker has already encoded and decoded without a crash."""


def first_decoded(subject: Subject) -> tuple[list[int], str | Raised]:
    """Return the ids of a plain text, and what they decoded to at the first call.

    A worker calls it as soon as it has loaded the target.
    """
    return subject.cache.get_or_compute("first decoded", lambda: _decode(subject))


def _decode(subject: Subject) -> tuple[list[int], str | Raised]:
    ids = subject.encode(FIRST) or []
    return ids, subject.target.decode(ids)


OF_TEXT = (
    *("encode", "encode_ordinary", "encode_special", "encode_with_offsets"),
    *("encode_bytes", "count"),
)
OF_IDS = ("decode", "decode_bytes", "decode_stream")
BATCH_OF_IDS = "decode_batch"
BATCHES = (BATCH, "encode_variants")
BATCHES_OF_IDS = (BATCH_OF_IDS, "decode_variants")
TEXTS_PER_BATCH = 4


@dataclass(frozen=True, slots=True)
class KnownCall:
    """A method with an argument, its result, and the text that the argument was made from."""

    method: str
    argument: Any
    result: Any
    text: str

    def again(self, subject: Subject) -> Any:
        """Return what the call gives now."""
        return _call(self.method, self.argument, subject)


def known_calls(texts: Sequence[str], subject: Subject) -> list[KnownCall]:
    """Call every entry point that the target has with each text, its ids, and batches of them."""
    calls = []
    for method, argument, text in _arguments(texts, subject):
        result = _call(method, argument, subject)
        known = KnownCall(method, argument, result, text)
        if not isinstance(result, Raised) and known.again(subject) == result:
            calls.append(known)
    return calls


def _argument(method: str, text: str) -> str | bytes:
    return text.encode("utf-8", "surrogatepass") if method == "encode_bytes" else text


def _arguments(texts: Sequence[str], subject: Subject) -> Iterator[tuple[str, Any, str]]:
    rows = {text: ids for text in texts if (ids := subject.encode(text)) is not None}
    methods = [name for name in OF_TEXT if name == "encode" or subject.target.can(name)]
    decoders = [name for name in OF_IDS if name == "decode" or subject.target.can(name)]
    for text, ids in rows.items():
        yield from ((name, _argument(name, text), text) for name in methods)
        yield from ((name, ids, text) for name in decoders)
    known = list(rows)
    for start in range(0, len(known), TEXTS_PER_BATCH):
        batch = known[start : start + TEXTS_PER_BATCH]
        for name in filter(subject.target.can, BATCHES):
            yield name, batch, batch[0]
        for name in filter(subject.target.can, BATCHES_OF_IDS):
            yield name, [rows[text] for text in batch], batch[0]


def _call(method: str, argument: Any, subject: Subject) -> Any:
    """Call with a copy of a list, which the target may change."""
    if isinstance(argument, list):
        argument = [list(item) if isinstance(item, list) else item for item in argument]
    return subject.target.call(method, argument)
