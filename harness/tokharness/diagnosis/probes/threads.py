"""Whether a target gives several threads the same results as one thread."""

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
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["thread_failures"]

THREADS = 6
SECONDS = 1.5
SWITCH_INTERVAL = 1e-6
"""Seconds between thread switches; the default of CPython is 0.005."""

MAX_TEXTS = 4000
NEW_TEXTS = 4
"""New texts for each known one: a cache hides races on what it has already."""

DIGITS_TO_LETTERS = str.maketrans(string.digits, string.ascii_lowercase[:10])


class _Rows:
    """Texts with the results that one thread got; texts that raise are left out."""

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
        self.lossless_rows = self._find_lossless_rows()

    def is_same(self, row: int) -> bool:
        """Whether the text still gets the same ids, and these the same decoded text."""
        target = self.subject.target
        if call(self.subject.encode, self.texts[row]) != self.ids[row]:
            return False
        before = self.decoded[row]
        return isinstance(before, Raised) or bool(call(target.decode, self.ids[row]) == before)

    def stays_lossless(self, row: int, suffix: str) -> bool:
        """Whether new texts, made from a text that is lossless, are lossless too."""
        if row not in self.lossless_rows:
            return True
        new = [_with_suffix(self.texts[row], f"{suffix}x{number}") for number in range(NEW_TEXTS)]
        return all(call(self.subject.round_trip, text) == text for text in new)

    def _find_lossless_rows(self) -> frozenset[int]:
        """Rows whose text is lossless with a suffix too, which a closed vocabulary may not have."""
        rows = set()
        end = time.monotonic() + SECONDS
        for row, text in enumerate(self.texts):
            new = _with_suffix(text, f"{THREADS}x")
            if self.decoded[row] == text and call(self.subject.round_trip, new) == new:
                rows.add(row)
            if time.monotonic() > end:
                break
        return frozenset(rows)


def _with_suffix(text: str, suffix: str) -> str:
    """Make a new text, from letters that most vocabularies have."""
    return f"{text} {suffix.translate(DIGITS_TO_LETTERS)}"


def thread_failures(texts: Sequence[str], subject: Subject) -> Iterator[Failure]:
    """Compare the results of one thread with those of several, each in its own order."""
    step = -(-len(texts) // MAX_TEXTS) or 1
    rows = _Rows(texts[::step], subject)
    all_rows = range(len(rows.texts))
    row = _first_difference(rows, all_rows, THREADS)
    if row is not None and _is_steady(rows, all_rows):
        message = "several threads at once get different ids or text than one thread"
        cause = Cause("state", (("by", "threads"),), message=message)
        yield Failure(cause, text=rows.texts[_shrink(rows, row)])


def _is_steady(rows: _Rows, among: Sequence[int]) -> bool:
    """Whether one thread gets the same results again, so that threads are the cause."""
    return _first_difference(rows, among, 1) is None


def _shrink(rows: _Rows, row: int) -> int:
    """Keep the shorter half of the texts while one of them differs.

    Which text differs is random, so a search that tries one text at a time cannot shrink it.
    """
    among = sorted(range(len(rows.texts)), key=lambda number: len(rows.texts[number]))
    differing: int | None = row
    while differing is not None:
        row = differing
        among = among[: min(among.index(row) + 1, len(among) // 2)]
        differing = _first_difference(rows, among, THREADS) if among else None
    return row


def _first_difference(rows: _Rows, among: Sequence[int], threads: int) -> int | None:
    """A row whose result differs in one of this many threads, or None if the time is over."""
    differing: list[int] = []
    end = time.monotonic() + SECONDS
    start = threading.Barrier(threads)

    def call_until_different(seed: int) -> None:
        order = list(among)
        random.Random(seed).shuffle(order)
        start.wait()
        for turn, row in enumerate(itertools.cycle(order)):
            if differing or time.monotonic() > end:
                return
            if not (rows.is_same(row) and rows.stays_lossless(row, f"{seed}x{turn}")):
                differing.append(row)

    if threads == 1:  # the current thread, since the target may be bound to it
        call_until_different(THREADS)  # a seed that no other thread has, for new texts
        return min(differing, default=None)
    running = [
        threading.Thread(target=call_until_different, args=(seed,), daemon=True)
        for seed in range(threads)
    ]
    with _switching_often():
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    return min(differing, default=None)


@contextmanager
def _switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
