"""Whether a target gives several threads what it gives one."""

from __future__ import annotations

import itertools
import random
import string
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["thread_failures"]

THREADS = 6
SECONDS = 1.5
SWITCH_INTERVAL = 1e-6
"""Seconds after which another thread is let on: a thousandth of the usual."""

MOST_TEXTS = 4000
NEW = 4
"""So many new texts for each known one: a cache hides what its filling shares."""


LETTERS = str.maketrans(string.digits, string.ascii_lowercase[:10])


class _Rows:
    """Texts, with what one thread got for each; those that raise are left out."""

    def __init__(self, texts: Sequence[str], subject: Subject) -> None:
        pairs = [
            (text, ids)
            for text, ids in zip(texts, encode_all(texts, subject), strict=True)
            if not isinstance(ids, Raised)
        ]
        self.texts = [text for text, _ in pairs]
        self.ids = [ids for _, ids in pairs]
        self.decoded = decode_all(self.ids, subject)
        self.subject = subject
        self.come_back = self._coming_back()

    def is_same(self, row: int) -> bool:
        """Whether a text gets the same ids now, and they the same text."""
        target = self.subject.target
        if called(self.subject.encode, self.texts[row]) != self.ids[row]:
            return False
        before = self.decoded[row]
        return isinstance(before, Raised) or bool(called(target.decode, self.ids[row]) == before)

    def is_right_when_new(self, row: int, mark: str) -> bool:
        """Whether a text that no cache has yet comes back, if one like it came back before."""
        if row not in self.come_back:
            return True
        new = [_marked(self.texts[row], f"{mark}x{number}") for number in range(NEW)]
        return all(called(self.subject.round_trip, one) == one for one in new)

    def _coming_back(self) -> frozenset[int]:
        """Rows whose text comes back, also with a mark, which a closed vocabulary may not have."""
        found = set()
        end = time.monotonic() + SECONDS
        for row, text in enumerate(self.texts):
            new = _marked(text, f"{THREADS}x")
            if self.decoded[row] == text and called(self.subject.round_trip, new) == new:
                found.add(row)
            if time.monotonic() > end:
                break
        return frozenset(found)


def _marked(text: str, mark: str) -> str:
    """Make a text that nobody asked about before, of the letters that most vocabularies have."""
    return f"{text} {mark.translate(LETTERS)}"


def thread_failures(texts: Sequence[str], subject: Subject) -> Iterator[Failure]:
    """Ask from one thread, then from several at once, each in its own order; compare."""
    step = -(-len(texts) // MOST_TEXTS) or 1
    rows = _Rows(texts[::step], subject)
    every = range(len(rows.texts))
    row = _first_difference(rows, every, THREADS)
    if row is not None and _is_steady(rows, every):
        message = "several threads at once get other ids, or other text, than one alone"
        cause = Cause("state", (("by", "threads"),), message=message)
        yield Failure(cause, text=rows.texts[_shorter(rows, row)])


def _is_steady(rows: _Rows, among: Sequence[int]) -> bool:
    """Whether one thread gets the same; what differs then as well is no matter of threads."""
    return _first_difference(rows, among, 1) is None


def _shorter(rows: _Rows, row: int) -> int:
    """Ask about the shorter half of the texts for as long as one of them differs.

    Which text differs is luck: no search that asks about one text at a time can shrink it.
    """
    among = sorted(range(len(rows.texts)), key=lambda one: len(rows.texts[one]))
    differs: int | None = row
    while differs is not None:
        row = differs
        among = among[: min(among.index(row) + 1, len(among) // 2)]
        differs = _first_difference(rows, among, THREADS) if among else None
    return row


def _first_difference(rows: _Rows, among: Sequence[int], threads: int) -> int | None:
    """A row that differs, asked about from so many threads, or None within the time."""
    found: list[int] = []
    end = time.monotonic() + SECONDS
    start = threading.Barrier(threads)

    def ask(seed: int) -> None:
        order = list(among)
        random.Random(seed).shuffle(order)
        start.wait()
        for turn, row in enumerate(itertools.cycle(order)):
            if found or time.monotonic() > end:
                return
            if not (rows.is_same(row) and rows.is_right_when_new(row, f"{seed}x{turn}")):
                found.append(row)

    if threads == 1:  # this very thread, to which the target may be bound
        ask(THREADS)  # no thread's number: with new texts of its own
        return min(found, default=None)
    running = [threading.Thread(target=ask, args=(seed,), daemon=True) for seed in range(threads)]
    with _switching_often():
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    return min(found, default=None)


@contextmanager
def _switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
