"""Calls, and their results before anything disturbs the target.

A call that raises, or whose second result differs, is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import BATCH
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

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
