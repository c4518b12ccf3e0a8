"""The whole standard profile over every planted fault: what is found, how small, how long it takes.

    python tests/benchmarks/full_catalogue.py [NAME ...] [--profile PROFILE] [--share 1/2]

One line a fault: found by the check it is planted for, or by another, or not at all; the cause;
characters of the smallest text; seconds. Then every further bug, since one fault should be one
finding; at the end the score, and how many faults were told as more than one bug. Shares run side
by side, one a core. What may die, hang or take long has a worker process; the others run in this
one, where the texts of the families are made once.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from functools import cache

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import FindingReported
from tokharness.engine.run.run import run
from tokharness.escaping import visible
from tokharness.model import Verdict
from tokharness_tokenizers.faulty import planted_faults

SLOW = ("merges", "longest_token", "quadratic", "from_the_right")
"""Words in the names of faults that a text of a million characters may take minutes."""

LONG = 100_000
"""Characters; a text on which tiktoken's own stack overflows is longer."""

DEATHS_OR_GROWTH = ("TOK104", "TOK114")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--profile", default="standard")
    parser.add_argument("--share", default="1/1")
    given = parser.parse_args()
    part, parts = map(int, given.share.split("/"))
    chosen = [one for one in planted_faults() if not given.names or one.name in given.names]
    chosen = chosen[part - 1 :: parts]
    for name, family in plugins.families().items():
        plugins.families()[name] = replace(family, texts=cache(family.texts))
    results = [tried(one, given.profile) for one in chosen]
    found = sum(result.is_found for result in results)
    print(f"faults found / planted: {found} / {len(chosen)}")
    print(f"faults told as more than one bug: {sum(result.bugs > 1 for result in results)}")
    sys.exit(found != len(chosen))


@dataclass(frozen=True, slots=True)
class Result:
    """Whether a fault is told as it is to be, and how many bugs are, less that of tiktoken."""

    is_found: bool
    bugs: int


def tried(one, profile):
    """Run over one fault, and print what is told of it."""
    begin = time.perf_counter()
    told = findings(one, profile)
    expected = [
        f for f in told if one.code in (f.code, *f.also) and str(f.cause).startswith(one.cause)
    ]
    others = [f for f in told if f not in expected and f.verdict is Verdict.BUG]
    word = "found" if expected else "MISSED"
    print(f"{one.name:<42} {word:<7}{time.perf_counter() - begin:>7.1f} s", flush=True)
    for finding in (*expected, *others):
        mark = "" if finding in expected else "also "
        length = len(finding.text) if finding.text is not None else 0
        print(f"    {mark}{finding.code} {visible(str(finding.cause))} [{length}]", flush=True)
    bugs = [f for f in told if f.verdict is Verdict.BUG and not is_of_tiktoken(f)]
    return Result(bool(expected), len(bugs))


def is_of_tiktoken(finding):
    """Whether it is the stack overflow of tiktoken 0.14, the engine beneath every fault."""
    panics = finding.code == "TOK102" and str(finding.cause).startswith("panics:")
    return panics and isinstance(finding.text, str) and len(finding.text) > LONG


def findings(one, profile):
    """What a run over all families tells, but for what is by design."""
    apart = one.crashes or one.code in DEATHS_OR_GROWTH or any(word in one.name for word in SLOW)
    events = run([one.spec], Options(against=one.against, profile=profile), jobs=int(apart))
    told = [event.finding for event in events if isinstance(event, FindingReported)]
    return [finding for finding in told if finding.verdict is not Verdict.BY_DESIGN]


if __name__ == "__main__":
    main()
