"""What several threads repeat at once: encoding and decoding, or calls of all entry points."""

from __future__ import annotations

import string
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tokharness.diagnosis.probes.calls import BATCH, decode_all, encode_all
from tokharness.diagnosis.probes.known_calls import known_calls
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["SUFFIX", "Calls", "Difference", "Rows", "Work"]

NEW_TEXTS = 4
"""New texts for each known one: a cache hides races on what it has already."""

SUFFIX = "6x"
"""The suffix of a text that no thread has."""

ROUND_TRIP = "encode and decode"

DIGITS_TO_LETTERS = str.maketrans(string.digits, string.ascii_lowercase[:10])


@dataclass(frozen=True, slots=True)
class Difference:
    """A call whose result is not that of one thread, or a new text that does not come back.

    ``suffix`` is that of the new text, "" for a call whose result is known.
    """

    row: int
    call: str
    given: Any
    expected: Any
    suffix: str = ""


class Work(Protocol):
    """What threads repeat, in rows."""

    texts: list[str]

    def difference(self, row: int, suffix: str) -> Difference | None:
        """Make the calls of a row, and those of new texts if there is a suffix for them."""


class Calls:
    """One call of an entry point in each row."""

    def __init__(self, texts: Sequence[str], subject: Subject) -> None:
        self.calls, self.subject = known_calls(texts, subject), subject
        self.texts = [call.text for call in self.calls]
        self.lossless_rows = {
            row
            for row, call in enumerate(self.calls)
            if call.method == BATCH and self._lost(row, SUFFIX) is None
        }

    def difference(self, row: int, suffix: str) -> Difference | None:
        """Make the call again, and that of a batch of new texts."""
        call = self.calls[row]
        result = call.again(self.subject)
        if result != call.result:
            return Difference(row, call.method, result, call.result)
        return self._lost(row, suffix) if suffix and row in self.lossless_rows else None

    def _lost(self, row: int, suffix: str) -> Difference | None:
        """Return how a batch of new texts does not come back."""
        new = [_with_suffix(text, suffix) for text in self.calls[row].argument]
        rows = self.subject.target.call(BATCH, list(new))
        if isinstance(rows, list):
            rows = [*map(self.subject.target.decode, rows)]
        return None if rows == new else Difference(row, BATCH, rows, new, suffix)


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

    def difference(self, row: int, suffix: str) -> Difference | None:
        """Encode and decode the text again, and new texts."""
        found = self._other_result(row)
        if found is None and suffix and row in self.lossless_rows:
            new = (self._lost(row, f"{suffix}x{number}") for number in range(NEW_TEXTS))
            found = next(filter(None, new), None)
        return found

    def _other_result(self, row: int) -> Difference | None:
        target, ids = self.subject.target, self.ids[row]
        now = target.encode(self.texts[row])
        if now != ids:
            return Difference(row, target.entry_point, now, ids)
        before = self.decoded[row]
        if isinstance(before, Raised) or (decoded := target.decode(ids)) == before:
            return None
        return Difference(row, "decode", decoded, before)

    def _lost(self, row: int, suffix: str) -> Difference | None:
        """Return how a new text, made from a text that is lossless, does not come back."""
        new = _with_suffix(self.texts[row], suffix)
        decoded = self.subject.target.round_trip(new)
        return None if decoded == new else Difference(row, ROUND_TRIP, decoded, new, suffix)

    def _find_lossless_rows(self, seconds: float) -> frozenset[int]:
        """Rows whose text is lossless with a suffix too, which a closed vocabulary may not have."""
        rows = set()
        end = time.monotonic() + seconds
        for row, text in enumerate(self.texts):
            if self.decoded[row] == text and self._lost(row, SUFFIX) is None:
                rows.add(row)
            if time.monotonic() > end:
                break
        return frozenset(rows)


def _with_suffix(text: str, suffix: str) -> str:
    """Make a new text, from letters that most vocabularies have."""
    return f"{text} {suffix.translate(DIGITS_TO_LETTERS)}"
