"""What several threads repeat at once: encoding and decoding, or calls of all entry points."""

from __future__ import annotations

import string
import time
from typing import TYPE_CHECKING, Protocol

from tokharness.diagnosis.probes.calls import BATCH, decode_all, encode_all
from tokharness.diagnosis.probes.known_calls import known_calls
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.diagnosis.probes.known_calls import KnownCall
    from tokharness.targets.subject import Subject

__all__ = ["SUFFIX", "Calls", "Rows", "Work"]

NEW_TEXTS = 4
"""New texts for each known one: a cache hides races on what it has already."""

SUFFIX = "6x"
"""The suffix of a text that no thread has."""

DIGITS_TO_LETTERS = str.maketrans(string.digits, string.ascii_lowercase[:10])


class Work(Protocol):
    """What threads repeat, in rows."""

    texts: list[str]

    def is_same(self, row: int, suffix: str) -> bool:
        """Whether the calls of a row have the same results; a new text has the suffix."""


class Calls:
    """One call of an entry point in each row."""

    def __init__(self, texts: Sequence[str], subject: Subject) -> None:
        self.calls, self.subject = known_calls(texts, subject), subject
        self.texts = [call.text for call in self.calls]
        self.lossless_rows = {
            row
            for row, call in enumerate(self.calls)
            if call.method == BATCH and self._stays_lossless(call, SUFFIX)
        }

    def is_same(self, row: int, suffix: str) -> bool:
        """Whether the call has the same result, and a batch of new texts stays lossless."""
        call = self.calls[row]
        return bool(call.again(self.subject) == call.result) and (
            row not in self.lossless_rows or self._stays_lossless(call, suffix)
        )

    def _stays_lossless(self, call: KnownCall, suffix: str) -> bool:
        new = [_with_suffix(text, suffix) for text in call.argument]
        rows = self.subject.target.call(BATCH, list(new))
        return isinstance(rows, list) and [*map(self.subject.decode, rows)] == new


class Rows:
    """Texts with the results that one thread got; texts that raise are left out."""

    def __init__(self, texts: Sequence[str], subject: Subject, seconds: float) -> None:
        pairs = [
            (text, ids)
            for text, ids in zip(texts, encode_all(texts, subject), strict=True)
            if not isinstance(ids, Raised)
        ]
        self.texts = [text for text, _ in pairs]
        self.ids = [ids for _, ids in pairs]
        self.decoded = decode_all(self.ids, subject)
        self.subject = subject
        self.lossless_rows = self._find_lossless_rows(seconds)

    def is_same(self, row: int, suffix: str) -> bool:
        """Whether the text has the same ids and decoded text, and new texts stay lossless."""
        return self._has_same_results(row) and self._stays_lossless(row, suffix)

    def _has_same_results(self, row: int) -> bool:
        target = self.subject.target
        if self.subject.encode(self.texts[row]) != self.ids[row]:
            return False
        before = self.decoded[row]
        return isinstance(before, Raised) or target.decode(self.ids[row]) == before

    def _stays_lossless(self, row: int, suffix: str) -> bool:
        """Whether new texts, made from a text that is lossless, are lossless too."""
        if row not in self.lossless_rows:
            return True
        new = [_with_suffix(self.texts[row], f"{suffix}x{number}") for number in range(NEW_TEXTS)]
        return all(self.subject.target.round_trip(text) == text for text in new)

    def _find_lossless_rows(self, seconds: float) -> frozenset[int]:
        """Rows whose text is lossless with a suffix too, which a closed vocabulary may not have."""
        rows = set()
        end = time.monotonic() + seconds
        for row, text in enumerate(self.texts):
            new = _with_suffix(text, SUFFIX)
            if self.decoded[row] == text and self.subject.target.round_trip(new) == new:
                rows.add(row)
            if time.monotonic() > end:
                break
        return frozenset(rows)


def _with_suffix(text: str, suffix: str) -> str:
    """Make a new text, from letters that most vocabularies have."""
    return f"{text} {suffix.translate(DIGITS_TO_LETTERS)}"
