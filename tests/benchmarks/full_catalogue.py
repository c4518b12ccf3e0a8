"""Run the whole standard profile over every planted fault.

    python tests/benchmarks/full_catalogue.py [NAME ...] [--profile PROFILE] [--share 1/2]

It prints one line per fault: whether its check found it, and the seconds; then the cause and the
characters of the smallest text; then every other bug, since one fault should be one finding. At
the end come the score and the number of faults with more than one bug. Run one share per core.
Faults that may crash, hang or take long run in a worker process; the others run in this one, where
the texts of the families are generated once.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from functools import cache

from planted import planted_faults

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import FindingReported
from tokharness.engine.run.run import run
from tokharness.escaping import visible
from tokharness.model import Verdict

SLOW = ("merges", "longest_token", "quadratic", "from_the_right")
"""Parts of names of faults that may take minutes on a text of a million characters."""

LONG = 100_000
"""Characters; texts that overflow tiktoken's stack are longer."""

CRASHES_OR_GROWTH = ("TOK104", "TOK114")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--profile", default="standard")
    parser.add_argument("--share", default="1/1")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.share.split("/"))
    faults = [
        fault for fault in planted_faults() if not arguments.names or fault.name in arguments.names
    ][part - 1 :: parts]
    for name, family in plugins.families().items():
        plugins.families()[name] = replace(family, texts=cache(family.texts))
    results = [check_fault(fault, arguments.profile) for fault in faults]
    found = sum(result.is_found for result in results)
    print(f"faults found / planted: {found} / {len(faults)}")
    print(f"faults with more than one bug: {sum(result.bugs > 1 for result in results)}")
    sys.exit(found != len(faults))


@dataclass(frozen=True, slots=True)
class Result:
    """Whether a fault is found, and its number of bugs without that of tiktoken."""

    is_found: bool
    bugs: int


def check_fault(fault, profile):
    """Run over one fault, and print its findings."""
    begin = time.perf_counter()
    reported = findings_of(fault, profile)
    expected = [finding for finding in reported if is_expected(finding, fault)]
    bugs = [finding for finding in reported if finding.verdict is Verdict.BUG]
    others = [finding for finding in bugs if finding not in expected]
    word = "found" if expected else "MISSED"
    print(f"{fault.name:<42} {word:<7}{time.perf_counter() - begin:>7.1f} s", flush=True)
    for finding in (*expected, *others):
        mark = "" if finding in expected else "also "
        length = len(finding.text) if finding.text is not None else 0
        print(f"    {mark}{finding.code} {visible(str(finding.cause))} [{length}]", flush=True)
    own = [finding for finding in bugs if not is_of_tiktoken(finding)]
    return Result(bool(expected), len(own))


def is_expected(finding, fault):
    codes = (finding.code, *finding.other_checks)
    return fault.code in codes and str(finding.cause).startswith(fault.cause)


def is_of_tiktoken(finding):
    """Whether it is the stack overflow of tiktoken 0.14, the engine of every fault."""
    panics = finding.code == "TOK102" and str(finding.cause).startswith("panics:")
    return panics and isinstance(finding.text, str) and len(finding.text) > LONG


def findings_of(fault, profile):
    """Return the bugs and risks of a run over all families."""
    is_slow = any(word in fault.name for word in SLOW)
    jobs = int(fault.crashes or fault.code in CRASHES_OR_GROWTH or is_slow)
    events = run([fault.spec], Options(against=fault.against, profile=profile), jobs=jobs)
    findings = [event.finding for event in events if isinstance(event, FindingReported)]
    return [finding for finding in findings if finding.verdict is not Verdict.FACT]


if __name__ == "__main__":
    main()
