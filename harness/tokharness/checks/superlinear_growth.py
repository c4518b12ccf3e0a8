"""Time or memory grows faster than the length of the text.

Why it matters: a merge loop that looks through all pairs again after each merge, or a pattern that
backtracks, is fast on every text of a test and takes minutes for a long line of one letter. Anyone
who can send a text can stop a server with it.

Oracle: growth. A text that is twice as long takes about twice the time and memory.

How it works: the check encodes runs of some twenty units (letters, spaces, digits, marks on a base,
joiners, emoji, tag characters, random letters, words, hostile text), doubled from a length that
takes half a millisecond, and decodes ids in doubled numbers. It measures each length several times
and takes the shortest time. The exponent is computed from the last three doublings. Each of the
three doublings must show the growth, and a second measurement must confirm it. A factor of log n is
not counted. Memory is what Python allocates, up to 16,000 units; the memory of native code counts
only toward ``--memory-limit``. The quick profile does not run this check.

Verdicts: *bug* for an exponent above 1.5, *risk* from 1.3 on. All units on which one operation
grows too fast are one finding.

Example: an encoder that copies the rest of the text after each character::

    TOK114 bug  superlinear growth: time, encode   exponent 1.9 on runs of U+0061

What to do: replace the quadratic loop or the pattern; until then, limit the length of text without
a split.
"""

from __future__ import annotations

import random
import string
import time
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.growth import Prepare, measure_growth, memory_exponent
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.processes.limits import processor_clock
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokharness.targets.subject import Subject

CODE = "TOK114"
NAME = "superlinear-growth"

PROFILES = ("standard", "thorough")

__all__ = ["CODE", "HOSTILE", "NAME", "PROFILES", "UNITS", "audit", "prepare_call"]

BUG, RISK = 1.5, 1.3
SECONDS = 12.0
"""Limit of time for all units together; a target without a fault takes a quarter of it."""

ENOUGH_UNITS = 2
"""Number of units with a finding after which no further units are measured."""

WORDS = "the quick brown fox jumps over the lazy dog, isn't it? "
HOSTILE = "a\u0301\u200d\U0001f468\ufe0f 1\u0660\u202e'S\r\n\t\u4e2d\U000e0061<|\u00a0\ufeff-_"
RANDOM = "random lower-case letters"

UNITS = {
    **{
        label(unit): unit
        for unit in (
            *("a", " ", "-", "_", "\n", "1", ".", "\u00a0", "\u4e2d", "\u200d", "\ufe0f"),
            *("\U000e0061", "\U0001f600", "\ufeff", "\u0301"),
        )
    },
    "a letter with a mark": "a\u0301",
    "CR LF": "\r\n",
    "'s": "'s",
    "</": "</",
    "words": WORDS,
    "hostile text": HOSTILE,
    RANDOM: "",
}
FOR_MEMORY = ("words", "U+0061 LATIN SMALL LETTER A")


def audit(subject: Subject) -> Iterator[Failure]:
    """Measure encoding on every unit, decoding on a few, and the memory of both."""
    own_process = subject.target.has_own_process
    for stage, units in (("encode", UNITS), ("decode", {k: UNITS[k] for k in FOR_MEMORY})):
        calls = {name: prepare_call(stage, name, subject) for name in units}
        exponents = _time_exponents(calls, own_process)
        if exponents:
            yield _failure("time", stage, exponents)
        elif not own_process:
            memory = {name: memory_exponent(calls[name]) for name in FOR_MEMORY}
            memory = {name: exponent for name, exponent in memory.items() if exponent >= RISK}
            if memory:
                yield _failure("memory", stage, memory)


def _time_exponents(calls: Mapping[str, Prepare], own_process: bool) -> dict[str, float]:
    """Exponents of the units on which time grows too fast, until there are enough units."""
    exponents: dict[str, float] = {}
    clock = processor_clock(with_descendants=own_process)
    passed = time.monotonic if own_process else time.process_time
    end = passed() + SECONDS
    for name, prepare in calls.items():
        curve = measure_growth(prepare, clock)
        if curve is not None:
            exponents[name] = curve.exponent
        if len(exponents) == ENOUGH_UNITS or passed() > end:
            break
    return exponents


def prepare_call(stage: str, name: str, subject: Subject) -> Prepare:
    """Return a function that makes the call to measure, for a number of characters or ids."""
    target = subject.target

    def encoding(size: int, repeat: int) -> Callable[[], object]:
        text = _text(name, size, repeat)
        return lambda: target.encode(text)

    def decoding(size: int, repeat: int) -> Callable[[], object] | None:
        sample = target.encode(_text(name, 200))
        if isinstance(sample, Raised) or not sample:
            return None
        ids = (sample * (size // len(sample) + 1))[: size + repeat]
        return lambda: target.decode(ids)

    return encoding if stage == "encode" else decoding


def _text(name: str, size: int, repeat: int = 0) -> str:
    """Text of about ``size`` characters, different for each ``repeat``, so that no cache has it."""
    if name == RANDOM:
        draw = random.Random(size + repeat)
        return "".join(draw.choices(string.ascii_lowercase, k=size))
    unit = UNITS[name]
    return unit * (max(size // len(unit), 1) + repeat)


def _failure(cost: str, stage: str, exponents: Mapping[str, float]) -> Failure:
    name = max(exponents, key=exponents.__getitem__)
    worst = exponents[name]
    verdict = Verdict.BUG if worst > BUG else Verdict.RISK
    at_least = BUG if worst > BUG else RISK
    message = (
        f"the {cost} of {stage} grows with an exponent of at least {at_least} on runs of "
        f"{', '.join(exponents)}"
    )
    cause = Cause("superlinear growth", (("of", cost), ("in", stage)), verdict, message)
    text = _text(name, 12)
    evidence = {"exponents": {unit: round(value, 2) for unit, value in exponents.items()}}
    return Failure(cause, count=len(exponents), text=text, evidence=evidence)
