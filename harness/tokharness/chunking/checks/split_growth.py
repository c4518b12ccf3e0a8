"""The time to split a text grows faster than its length.

Why it matters: a document of a megabyte without a line end takes hours, and stops the ingestion of
all others. Splitters that count the whole rest of a text at each cut are fast on the documents of a
test.

Oracle: growth. A text that is twice as long takes about twice the time.

How it works: runs of letters, words, lines, spaces, marks and emoji, doubled from a length that
takes half a millisecond, are split with a limit of 32. Each of three doublings must show the
growth, and a second measurement must confirm it. A long text that is not split at all is reported,
too.

Verdicts: *bug* for an exponent above 1.5, and for a long text that fails.

Example::

    TOK611 bug  superlinear growth: split   exponent 1.9 on a word without a space

What to do: cut a text into parts of a bounded length before you count; do not copy the rest at each
cut.
"""

from __future__ import annotations

import math
import time
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.chunking.chunker import NOT_TRIED, Answer
from tokharness.chunking.splitting import Problem
from tokharness.diagnosis.probes.growth import Clock, Prepare, measure_growth, seconds_of
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.processes.limits import WaitingTime, processor_clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.chunking.splitting import Splitting

CODE = "TOK611"
NAME = "split-growth"

LIMIT = 32
LEAST = 1.5
"""The exponent of a finding; other processes of the machine take time, too."""

LONG = 4096
"""Characters of a text that shows more than the start of a curve."""

TOO_LONG = 2.0
"""Seconds of a long text, after which longer ones are not measured."""

SECONDS = 20.0
"""Limit of time for all units together."""

UNITS = {
    "words": "the quick brown fox jumps over the lazy dog. ",
    "a word without a space": "a",
    "lines": "a line of text\n",
    "spaces": " ",
    "line feeds": "\n",
    "Chinese": "\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002",
    "emoji": "\U0001f600",
    "marks": "\u0301",
}


def audit(splitting: Splitting) -> Iterator[Problem]:
    """Measure all units, until two grow too fast or the time is used up."""
    found: dict[str, float] = {}
    failed: dict[str, tuple[str, Answer]] = {}
    measured = []
    clock = processor_clock(with_descendants=True)
    waited = WaitingTime(with_descendants=True)
    start = time.monotonic()
    for name, unit in UNITS.items():
        spent = time.monotonic() - start - waited()
        if spent > SECONDS and not found:
            splitting.not_measured = tuple(one for one in UNITS if one not in measured)
        if spent > SECONDS or splitting.chunker.gave_up or len(found) > 1:
            break
        measured.append(name)
        prepare = _prepare(splitting, unit, failed)
        exponent = _exponent(prepare, clock)
        if exponent > LEAST and _exponent(prepare, clock) > LEAST:
            found[name] = exponent
    known = {(one.failure, one.kind) for one in map(splitting.answer, splitting.trials)}
    for text, answer in failed.values():
        if (answer.failure, answer.kind) in known:  # short texts fail so, too
            continue
        how = answer.kind or answer.failure
        message = f"a long text is not split: {how}"
        evidence = {"characters": len(text), "of": text[:8], "raised": answer.message[:500]}
        yield Problem(Cause("long text fails", (("how", how),), message=message), evidence)
    if not found:
        return
    message = f"the time of split grows with an exponent of at least {LEAST} on {', '.join(found)}"
    cause = Cause("superlinear growth", (("in", "split"),), message=message)
    rounded = {name: round(value, 2) for name, value in found.items()}
    text = UNITS[max(found, key=found.__getitem__)] * 12
    yield Problem(cause, {"limit": LIMIT, "exponents": rounded, "measured": measured}, text)


def _exponent(prepare: Prepare, clock: Clock) -> float:
    """Return the exponent; 0 if it is small, or if longer texts do not confirm it.

    A slow chunker is measured on texts that are not much longer than what it looks at for one cut.
    """
    curve = measure_growth(prepare, clock)
    if curve is None or (curve.sizes[-1] < LONG and not _grows_on(prepare, clock)):
        return 0.0
    return curve.exponent


def _grows_on(prepare: Prepare, clock: Clock) -> bool:
    """Whether the time grows as fast on long texts, until one takes too long."""
    seconds: list[float] = []
    for size in (LONG // 2, LONG, 2 * LONG, 4 * LONG):
        elapsed = seconds_of(prepare, size, 7, clock)
        if elapsed is None:
            break
        seconds.append(elapsed)
        if elapsed > TOO_LONG:
            break
    slopes = [math.log2(b / a) for a, b in pairwise(seconds)]
    return bool(slopes) and min(slopes) > LEAST


def _prepare(splitting: Splitting, unit: str, failed: dict[str, tuple[str, Answer]]) -> Prepare:
    def prepare(size: int, repeat: int) -> Callable[[], object]:
        text = unit * (max(size // len(unit), 1) + repeat)

        def split() -> object:
            answer = splitting.chunker.again("split", text, LIMIT, 0)
            if not answer.failure:
                return answer
            if answer.failure != NOT_TRIED:
                failed.setdefault(answer.kind or answer.failure, (text, answer))
            return Raised(RuntimeError(answer.message))

        return split

    return prepare
