"""How long a campaign takes to find each planted fault, beside a naive loop over ``st.text()``.

    python tests/benchmarks/fuzz_faults.py [NAME ...] [--seconds 60] [--naive 20] [--share 1/2]

One line a fault: seconds from the target's being loaded until its cause is first seen, with one
worker; then those until the naive loop has a text that fails in any way. The campaign has no
enumerated case. The naive loop is what one writes without this project: Hypothesis draws texts,
each is to come back, and to have the ids of what the target is compared with, if anything. It is
given less time where most of its faults are never found; the summary says what each found in that.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from dataclasses import dataclass

from drawing_on import OverError, draw_on
from hypothesis import strategies as st

from tokharness.config import Options
from tokharness.engine.events import FindingReported, CauseDiscovered, TargetStarted
from tokharness.engine.fuzz import Budget, fuzz
from tokharness.escaping import visible
from tokharness.targets.loading import load_subject
from tokharness_tokenizers.faulty import planted_faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--naive", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", default="1/1")
    given = parser.parse_args()
    part, parts = map(int, given.share.split("/"))
    chosen = [one for one in planted_faults() if not given.names or one.name in given.names]
    results = []
    for one in chosen[part - 1 :: parts]:
        campaign = by_campaign(one, given.seconds, given.seed)
        naive = by_naive_loop(one, given.naive) if given.naive else None
        results.append((campaign.seconds, naive))
        told = f" {campaign.told}" if campaign.told else ""
        print(f"{one.name:<46}{said(campaign.seconds)}{said(naive)}{told}", flush=True)
    found = sum(campaign is not None for campaign, _ in results)
    print(f"found by the campaign in {given.seconds:.0f} s: {found} of {len(results)}")
    for limit in (1, 3, 10, given.naive):
        ours = sum(campaign is not None and campaign <= limit for campaign, _ in results)
        theirs = sum(naive is not None and naive <= limit for _, naive in results)
        print(f"within {limit:.0f} s: campaign {ours}, naive loop {theirs}")
    sys.exit(found < 0.95 * len(results))


def said(seconds):
    return f"{'-':>9}" if seconds is None else f"{seconds:>7.1f} s"


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds until a fault was seen, None if it was not; and what was told where it is not."""

    seconds: float | None
    told: str = ""


def by_campaign(one, seconds, seed):
    """Run a campaign until it sees the cause that the fault is planted for."""
    profile = "standard" if seconds >= 20 else "quick"
    options = Options(against=one.against, enumerated=False, profile=profile, seed=seed)
    begin, others = time.perf_counter(), {}
    for event in fuzz(one.spec, options, Budget(seconds), jobs=1):
        if isinstance(event, TargetStarted):
            begin = time.perf_counter()
        elif isinstance(event, CauseDiscovered):
            if event.code == one.code and str(event.cause).startswith(one.cause):
                return Result(event.seconds)
            others.setdefault(f"{event.code} {event.cause}", event.seconds)
        elif isinstance(event, FindingReported):
            found = event.finding
            codes = (found.code, *found.also)
            if one.code in codes and str(found.cause).startswith(one.cause):
                return Result(time.perf_counter() - begin)
            others.setdefault(f"{found.code} {found.cause} ({found.verdict})", 0)
    return Result(None, visible("; ".join(others)[:300]))


def by_naive_loop(one, seconds):
    """Run the naive loop in a process that may die, which is a text that fails too."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=naive_loop, args=(one, seconds, sending))
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


def naive_loop(one, seconds, sending):
    """Draw texts until one fails, and send how long that took."""
    subject = load_subject(one.spec, one.against).subject
    target, reference = subject.target, subject.reference
    begin = time.perf_counter()

    def comes_back(text):
        if time.perf_counter() - begin > seconds:
            raise OverError
        ids = target.encode(text)
        if target.decode(ids) != text:
            raise AssertionError
        if reference is not None and list(ids) != list(reference.encode(text)):
            raise AssertionError

    try:
        draw_on(st.text(), comes_back)
    except OverError:
        sending.send(None)
    except BaseException:
        sending.send(time.perf_counter() - begin)


if __name__ == "__main__":
    main()
