"""Bytes of the target's tokens, read once each, and which ids stand for a part of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.boundary.opaque import type_name
from tokharness.diagnosis.entry_points.affixes import affix_ids
from tokharness.diagnosis.special.unknown_ids import unknown_ids
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["TokenBytes", "is_outside_text", "text_ids", "token_bytes"]

NO_BYTES = b"\xff"
"""Placeholder if the target gives no bytes: no text has this byte, so nothing equals it."""


class TokenBytes(dict[int, bytes]):
    """Bytes by id, read on first use; ``faults`` says why an id has none.

    A special token stands for no text, so its bytes are empty here, even if the target gives some.
    """

    def __init__(self, target: Target, special: Iterable[int]) -> None:
        super().__init__(dict.fromkeys(special, b""))
        self.faults: dict[int, str] = {}
        self._target = target

    def __missing__(self, number: int) -> bytes:
        return self._store(number, self._target.call("decode_single_token_bytes", number))

    def prefetch(self, numbers: Iterable[int]) -> None:
        """Read the bytes of these ids in one request, if the target has a process of its own."""
        if self._target.has_own_process:
            new = sorted(set(numbers) - self.keys())
            column = self._target.call_each("decode_single_token_bytes", new)
            for number, data in zip(new, column, strict=True):
                self._store(number, data)

    def _store(self, number: int, data: Any) -> bytes:
        if not isinstance(data, bytes):
            self.faults[number] = (
                f"raises {type(data.error).__name__}"
                if isinstance(data, Raised)
                else f"not bytes: {type_name(data)}"
            )
            data = NO_BYTES
        self[number] = data
        return self[number]


def token_bytes(subject: Subject) -> TokenBytes:
    """Bytes of the target's tokens, cached for the run."""
    return subject.cache.get_or_compute(
        "token bytes", lambda: TokenBytes(subject.target, subject.special_tokens.values())
    )


def is_outside_text(ids: list[int], subject: Subject) -> list[bool]:
    """Whether each id stands for no part of the text: it is special, or added to every text.

    The unknown token is special, and stands for the text that is not in the vocabulary.
    """
    special: frozenset[int] = subject.cache.get_or_compute(
        "special ids left out",
        lambda: frozenset(subject.special_tokens.values()) - unknown_ids(subject),
    )
    prefix, suffix = affix_ids(subject)
    start = len(prefix) if ids[: len(prefix)] == prefix else 0
    end = len(ids) - (len(suffix) if suffix and ids[-len(suffix) :] == suffix else 0)
    return [not start <= place < end or number in special for place, number in enumerate(ids)]


def text_ids(ids: list[int], subject: Subject) -> list[int]:
    """Ids that stand for a part of the text."""
    outside = is_outside_text(ids, subject)
    return [number for number, is_outside in zip(ids, outside, strict=True) if not is_outside]
