"""Bytes of the target's tokens, each asked for once, and ids that stand for no part of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import affix_ids
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["TokenBytes", "is_outside_text", "text_ids", "token_bytes"]

NO_BYTES = b"\xff"
"""In place of bytes that the target does not give: what no text has, so that nothing equals it."""


class TokenBytes(dict[int, bytes]):
    """Bytes by id, asked for when they are first wanted; ``faults`` says why one has none.

    A special token stands for no text, so it has no bytes here, whatever it has elsewhere.
    """

    def __init__(self, target: Target, special: Iterable[int]) -> None:
        super().__init__(dict.fromkeys(special, b""))
        self.faults: dict[int, str] = {}
        self._target = target

    def __missing__(self, number: int) -> bytes:
        return self._kept(number, called(self._target.tokenizer.decode_single_token_bytes, number))

    def ask(self, numbers: Iterable[int]) -> None:
        """Ask about these in one question, if the target is asked through a pipe."""
        many = getattr(self._target.tokenizer, "column_of_each", None)
        if many is not None:
            new = sorted(set(numbers) - self.keys())
            for number, found in zip(new, many("token_bytes", new), strict=True):
                self._kept(number, Raised(found) if isinstance(found, BaseException) else found)

    def _kept(self, number: int, found: Any) -> bytes:
        if not isinstance(found, bytes | bytearray):
            self.faults[number] = (
                f"raises {type(found.error).__name__}"
                if isinstance(found, Raised)
                else f"not bytes: {type(found).__name__}"
            )
            found = NO_BYTES
        self[number] = bytes(found)
        return self[number]


def token_bytes(subject: Subject) -> TokenBytes:
    """Bytes of the target's tokens, kept for the run."""
    return subject.remember(
        "token bytes", lambda: TokenBytes(subject.target, subject.special_tokens.values())
    )


def is_outside_text(ids: list[int], subject: Subject) -> list[bool]:
    """Whether each id stands for no part of a text: a special one, or one that every text gets."""
    special: frozenset[int] = subject.remember(
        "special ids left out", lambda: frozenset(subject.special_tokens.values())
    )
    before, after = affix_ids(subject)
    begin = len(before) if ids[: len(before)] == before else 0
    end = len(ids) - (len(after) if after and ids[-len(after) :] == after else 0)
    return [not begin <= place < end or number in special for place, number in enumerate(ids)]


def text_ids(ids: list[int], subject: Subject) -> list[int]:
    """Ids that stand for a part of the text."""
    left_out = is_outside_text(ids, subject)
    return [number for number, out in zip(ids, left_out, strict=True) if not out]
