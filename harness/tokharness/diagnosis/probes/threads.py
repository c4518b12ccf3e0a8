"""Whether a target gives several threads the same results as one thread."""

from __future__ import annotations

import itertools
import random
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.known_calls import BATCHES, BATCHES_OF_IDS, OF_IDS, OF_TEXT
from tokharness.diagnosis.probes.thread_work import Calls, Rows
from tokharness.model import Cause, Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.diagnosis.probes.thread_work import Work
    from tokharness.targets.subject import Subject

__all__ = ["thread_failures"]

THREADS = 6
SECONDS = 1.5
"""Seconds of a round; if a target has further entry points, half of them are for all together."""

SWITCH_INTERVAL = 1e-6
"""Seconds between thread switches; the default of CPython is 0.005."""

MAX_TEXTS, TEXTS_OF_ALL_CALLS = 4000, 64


def thread_failures(texts: Sequence[str], subject: Subject) -> Iterator[Failure]:
    """Compare the results of one thread with those of several, each in its own order.

    First all of them encode and decode, then each makes calls of all entry points.
    """
    further = _further_entry_points(subject)
    seconds = SECONDS / 2 if further else SECONDS
    rows = Rows(_some(texts, MAX_TEXTS), subject, seconds)
    yield from (found := list(_failures(rows, "ids or text", seconds, subject)))
    if further and not found:
        names = ", ".join(("encode", "decode", *further))
        calls = Calls(_some(texts, TEXTS_OF_ALL_CALLS), subject)
        yield from _failures(calls, f"results of {names}", seconds, subject)


def _some(texts: Sequence[str], size: int) -> Sequence[str]:
    return texts[:: -(-len(texts) // size) or 1]


def _further_entry_points(subject: Subject) -> list[str]:
    """Return the entry points that encoding and decoding one plain text does not use."""
    names = (*OF_TEXT, *OF_IDS, *BATCHES, *BATCHES_OF_IDS)
    return [
        name for name in filter(subject.target.can, names) if name != subject.target.entry_point
    ]


def _failures(work: Work, what: str, seconds: float, subject: Subject) -> Iterator[Failure]:
    row = _first_difference(work, range(len(work.texts)), seconds)
    # One thread gets the same results again, in as many calls: threads are the cause.
    if row is not None and not _differs_in_one_thread(work, THREADS * seconds, subject):
        message = f"several threads at once get different {what} than one thread"
        cause = Cause("state", (("by", "threads"),), message=message)
        yield Failure(cause, text=work.texts[_shrink(work, row, seconds)])


def _differs_in_one_thread(work: Work, seconds: float, subject: Subject) -> bool:
    """Whether the current thread, to which a target may be bound, gets different results too.

    A target may fail at each n-th call. A call more in some turns, at random, lets that be another
    one of the calls of a turn each time: not of all of them the ids are compared.
    """
    order = list(range(len(work.texts)))
    draw = random.Random(THREADS)  # a seed that no other thread has, for new texts
    draw.shuffle(order)
    end = time.monotonic() + seconds
    for turn, row in enumerate(itertools.cycle(order)):
        if time.monotonic() > end:
            break
        if not work.is_same(row, f"{THREADS}x{turn}"):
            return True
        if draw.random() < 1 / 2:
            subject.encode("a")
    return False


def _shrink(work: Work, row: int, seconds: float) -> int:
    """Keep the shorter half of the texts while one of them differs.

    Which text differs is random, so a search that tries one text at a time cannot shrink it.
    """
    among = sorted(range(len(work.texts)), key=lambda number: len(work.texts[number]))
    differing: int | None = row
    while differing is not None:
        row = differing
        among = among[: min(among.index(row) + 1, len(among) // 2)]
        differing = _first_difference(work, among, seconds) if among else None
    return row


def _first_difference(work: Work, among: Sequence[int], seconds: float) -> int | None:
    """A row whose result differs in one of several threads, or None if the time is over."""
    differing: list[int] = []
    end = time.monotonic() + seconds
    start = threading.Barrier(THREADS)

    def call_until_different(seed: int) -> None:
        order = list(among)
        random.Random(seed).shuffle(order)
        start.wait()
        for turn, row in enumerate(itertools.cycle(order)):
            if differing or time.monotonic() > end:
                return
            if not work.is_same(row, f"{seed}x{turn}"):
                differing.append(row)

    running = [
        threading.Thread(target=call_until_different, args=(seed,), daemon=True)
        for seed in range(THREADS)
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
