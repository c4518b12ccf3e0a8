"""Whether a target gives several threads the same results as one thread."""

from __future__ import annotations

import itertools
import random
import string
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.probes.after_errors import (
    BATCHES,
    BATCHES_OF_IDS,
    OF_IDS,
    OF_TEXT,
    known_calls,
)
from tokharness.diagnosis.probes.calls import BATCH, decode_all, encode_all
from tokharness.errors import BudgetSpentError
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

# What several threads repeat at once: encoding and decoding, or calls of all entry points.

NEW_TEXTS = 4
"""New texts for each known text: a cache hides races on texts that it already has."""

SUFFIX = "6x"
"""A suffix that no thread appends to a text."""

ROUND_TRIP = "encode and decode"

DIGITS_TO_LETTERS = str.maketrans(string.digits, string.ascii_lowercase[:10])


@dataclass(frozen=True, slots=True)
class Difference:
    """A call whose result differs from one thread's, or a new text that does not come back.

    ``suffix`` is the suffix of the new text, "" for a call whose result is known.
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
        """Make the calls of a row, and calls with new texts if there is a suffix for them."""


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
        """Make the call again, and a call with a batch of new texts."""
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
        """Rows whose text is lossless with a suffix too, which a closed vocabulary may lack."""
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


THREADS = 6
SECONDS = 1.5
"""Seconds of a round; with further entry points, half of it is for all entry points together."""

SWITCH_INTERVAL = 1e-6
"""Seconds between thread switches; the default of CPython is 0.005."""

MAX_TEXTS, TEXTS_OF_ALL_CALLS, ALONE = 4000, 64, 32


def thread_failures(texts: Sequence[str], subject: Subject) -> Iterator[Failure]:
    """Compare the results of one thread with the results of several, each in its own order.

    First all threads encode and decode, then each thread calls all entry points.
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
    """Yield the failure of threads, unless it happens in one thread too."""
    rows = range(len(work.texts))
    found = _first_difference(work, rows, seconds)
    if found is not None and _is_lost_in_one_thread(work, found):
        found = _first_difference(work, rows, seconds, new_texts=False)
    if found is None:
        return
    # If one thread gets the same results again, in equally many calls, threads are the cause.
    new_texts = bool(found.suffix)
    if _differs_in_one_thread(work, THREADS * seconds, subject, new_texts):
        return
    alone = _difference_in_another_thread(work, found.row)
    found = alone or _shrink(work, found, seconds, new_texts)
    yield Failure(
        _cause(found, what, is_alone=alone is not None),
        text=work.texts[found.row],
        evidence=_evidence(found, subject),
    )


def _cause(found: Difference, what: str, *, is_alone: bool) -> Cause:
    by, where = ("threads", "several threads at once")
    if is_alone:
        by, where = ("another thread", "another thread than the one that loaded the target")
    does = f"get different {what} than one thread" if not is_alone else f"gets different {what}"
    raised = found.given
    if isinstance(raised, list):  # the results of a batch
        raised = next((one for one in raised if isinstance(one, Raised)), None)
    if isinstance(raised, Raised):
        name = type(raised.error).__name__
        return Cause("state", (("by", by),), message=f"{found.call} raises {name} in {where}")
    return Cause("state", (("by", by),), message=f"{where} {does}")


def _evidence(found: Difference, subject: Subject) -> dict[str, Any]:
    after = {"after": f"the text and a suffix, {found.suffix}"} if found.suffix else {}
    return {"entry point": found.call, **after, **compared(found.given, found.expected, subject)}


def _is_lost_in_one_thread(work: Work, found: Difference) -> bool:
    """Whether texts near a text that is lost in threads are lost in one thread, too.

    The text itself proves nothing: a cache may have kept the threads' result. The text with one
    character more is new.
    """
    letters = dict.fromkeys(found.suffix)
    near = (suffix for one in letters for suffix in (found.suffix + one, one + found.suffix))
    return any(work.difference(found.row, suffix) for suffix in near)


def _differs_in_one_thread(work: Work, seconds: float, subject: Subject, new_texts: bool) -> bool:
    """Whether the current thread, to which a target may be bound, gets different results too.

    A target may fail at every n-th call. The ids of some calls of a turn are not compared, so an
    additional call in random turns moves the failure to a compared call. New texts are made as in
    the threads, and no thread has had them.
    """
    order = list(range(len(work.texts)))
    draw = random.Random(THREADS)  # a seed that no other thread has
    draw.shuffle(order)
    end = time.monotonic() + seconds
    for turn, row in enumerate(itertools.cycle(order)):
        if time.monotonic() > end:
            break
        if work.difference(row, f"{turn % THREADS}x{turn}x" if new_texts else ""):
            return True
        if draw.random() < 1 / 2:
            subject.encode("a")
    return False


def _difference_in_another_thread(work: Work, row: int) -> Difference | None:
    """Return a known call with another result in a thread that runs alone, the shortest first."""
    among = [*sorted(range(len(work.texts)), key=lambda one: len(work.texts[one]))[:ALONE], row]
    found: list[Difference] = []

    def call_until_different() -> None:
        with suppress(BudgetSpentError):
            found.extend(islice(filter(None, (work.difference(one, "") for one in among)), 1))

    thread = threading.Thread(target=call_until_different, daemon=True)
    thread.start()
    thread.join()
    return next(iter(found), None)


def _shrink(work: Work, found: Difference, seconds: float, new_texts: bool) -> Difference:
    """Keep the shorter half of the texts while a text among them differs.

    Which text differs is random, so a search that tries one text at a time cannot shrink it.
    """
    among = sorted(range(len(work.texts)), key=lambda number: len(work.texts[number]))
    smaller: Difference | None = found
    while smaller is not None:
        found = smaller
        among = among[: min(among.index(found.row) + 1, len(among) // 2)]
        smaller = _first_difference(work, among, seconds, new_texts) if among else None
    return found


def _first_difference(
    work: Work, among: Sequence[int], seconds: float, new_texts: bool = True
) -> Difference | None:
    """Return a result that differs in one of several threads; None if the time is over."""
    differing: list[Difference] = []
    end = time.monotonic() + seconds
    start = threading.Barrier(THREADS)

    def call_until_different(seed: int) -> None:
        order = list(among)
        random.Random(seed).shuffle(order)
        start.wait()
        with suppress(BudgetSpentError):  # the next call of the check itself raises it, too
            for turn, row in enumerate(itertools.cycle(order)):
                if differing or time.monotonic() > end:
                    return
                if found := work.difference(row, f"{seed}x{turn}" if new_texts else ""):
                    differing.append(found)

    running = [
        threading.Thread(target=call_until_different, args=(seed,), daemon=True)
        for seed in range(THREADS)
    ]
    with _switching_often():
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    # The result of a known call is the better proof.
    return min(differing, key=lambda one: (bool(one.suffix), one.row), default=None)


@contextmanager
def _switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
