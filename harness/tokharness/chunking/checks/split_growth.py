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

import time
from typing import TYPE_CHECKING

from tokharness.chunking.chunker import NOT_TRIED, Answer
from tokharness.chunking.splitting import Problem
from tokharness.diagnosis.probes.growth import measure_growth
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.chunking.splitting import Splitting

CODE = "TOK611"
NAME = "split-growth"

LIMIT = 32
LEAST = 1.5
"""The exponent of a finding; other processes of the machine take time, too."""

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
    end = time.monotonic() + SECONDS
    for name, unit in UNITS.items():
        if time.monotonic() > end or splitting.chunker.gave_up or len(found) > 1:
            break
        measured.append(name)
        prepare = _prepare(splitting, unit, failed)
        if (exponent := _exponent(prepare)) > LEAST and _exponent(prepare) > LEAST:
            found[name] = exponent
    for text, answer in failed.values():
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


def _exponent(prepare: Callable[[int, int], Callable[[], object]]) -> float:
    curve = measure_growth(prepare, wall=True)
    return 0.0 if curve is None else curve.exponent


def _prepare(
    splitting: Splitting, unit: str, failed: dict[str, tuple[str, Answer]]
) -> Callable[[int, int], Callable[[], object]]:
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
