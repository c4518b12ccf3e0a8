"""Measure how long a campaign takes to find each planted fault, against a loop over ``st.text()``.

    python tests/benchmarks/fuzz_faults.py [NAME ...] [--seconds 60] [--naive 20] [--share 1/2]

It prints one line per fault: seconds from the loaded target until its cause is discovered, with one
worker; then seconds until the naive loop has a text that fails in any way. The campaign has no
enumerated cases. The naive loop is what a user writes without this project: Hypothesis draws texts,
and each must round-trip and have the ids of the reference, if any. It gets less time, since it
never finds most faults; the summary compares both within that time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from dataclasses import dataclass

from endless_draws import TimeoutReached, draw_endlessly
from hypothesis import strategies as st
from planted import planted_faults

from tokharness.config import Options
from tokharness.engine.events import CauseDiscovered, FindingReported, TargetStarted
from tokharness.engine.fuzz import Budget, fuzz
from tokharness.escaping import visible
from tokharness.targets.loading import load_subject


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--naive", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", default="1/1")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.share.split("/"))
    faults = [
        fault for fault in planted_faults() if not arguments.names or fault.name in arguments.names
    ]
    results = []
    for fault in faults[part - 1 :: parts]:
        campaign = by_campaign(fault, arguments.seconds, arguments.seed)
        naive = by_naive_loop(fault, arguments.naive) if arguments.naive else None
        results.append((campaign.seconds, naive))
        others = f" {campaign.others}" if campaign.others else ""
        print(f"{fault.name:<46}{cell(campaign.seconds)}{cell(naive)}{others}", flush=True)
    found = sum(campaign is not None for campaign, _ in results)
    print(f"found by the campaign in {arguments.seconds:.0f} s: {found} of {len(results)}")
    for limit in (1, 3, 10, arguments.naive):
        ours = sum(campaign is not None and campaign <= limit for campaign, _ in results)
        theirs = sum(naive is not None and naive <= limit for _, naive in results)
        print(f"within {limit:.0f} s: campaign {ours}, naive loop {theirs}")
    sys.exit(found < 0.95 * len(results))


def cell(seconds):
    return f"{'-':>9}" if seconds is None else f"{seconds:>7.1f} s"


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds until a fault was found, or None, and the other findings if it was not."""

    seconds: float | None
    others: str = ""


def by_campaign(fault, seconds, seed):
    """Run a campaign until it discovers the cause of the fault."""
    profile = "standard" if seconds >= 20 else "quick"
    options = Options(against=fault.against, enumerated=False, profile=profile, seed=seed)
    begin, others = time.perf_counter(), {}
    for event in fuzz(fault.spec, options, Budget(seconds), jobs=1):
        if isinstance(event, TargetStarted):
            begin = time.perf_counter()
        elif isinstance(event, CauseDiscovered):
            if event.code == fault.code and str(event.cause).startswith(fault.cause):
                return Result(event.seconds)
            others.setdefault(f"{event.code} {event.cause}", event.seconds)
        elif isinstance(event, FindingReported):
            finding = event.finding
            codes = (finding.code, *finding.other_checks)
            if fault.code in codes and str(finding.cause).startswith(fault.cause):
                return Result(time.perf_counter() - begin)
            others.setdefault(f"{finding.code} {finding.cause} ({finding.verdict})", 0)
    return Result(None, visible("; ".join(others)[:300]))


def by_naive_loop(fault, seconds):
    """Run the naive loop in its own process, whose crash counts as a failing text."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=naive_loop, args=(fault, seconds, sending))
    begin = time.perf_counter()
    process.start()
    sending.close()
    try:
        found = receiving.recv() if receiving.poll(seconds + 30) else seconds + 30
    except EOFError:
        found = time.perf_counter() - begin
    process.kill()
    process.join()
    return found if found is not None and found <= seconds else None


def naive_loop(fault, seconds, sending):
    """Draw texts until one fails, and send the seconds it took."""
    subject = load_subject(fault.spec, fault.against).subject
    target, reference = subject.target, subject.reference
    begin = time.perf_counter()

    def check(text):
        if time.perf_counter() - begin > seconds:
            raise TimeoutReached
        ids = target.encode(text)
        if target.decode(ids) != text:
            raise AssertionError
        if reference is not None and list(ids) != list(reference.encode(text)):
            raise AssertionError

    try:
        draw_endlessly(st.text(), check)
    except TimeoutReached:
        sending.send(None)
    except BaseException:
        sending.send(time.perf_counter() - begin)


if __name__ == "__main__":
    main()
