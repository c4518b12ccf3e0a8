"""Compare the cost of the differential sweep of all scalar values with the round-trip sweep.

    python tests/benchmarks/sweep_costs.py [TARGET] [--repeat N]

Both are the family scalar-sweep in one worker with one selected check, from the first text to the
last result, after the worker started; they alternate, and the best of each counts.
"""

from __future__ import annotations

import argparse
import time

from tokharness.config import Options
from tokharness.engine.events import FamilyFinished, TargetStarted
from tokharness.engine.run.run import run

CHECKS = {"round trip": "TOK101", "differential": "TOK201"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", nargs="?", default="tiktoken:o200k_base")
    parser.add_argument("--repeat", type=int, default=2)
    arguments = parser.parse_args()
    seconds = {name: [] for name in CHECKS}
    for _ in range(arguments.repeat):
        for name, code in CHECKS.items():
            seconds[name].append(sweep(arguments.target, code))
    best = {name: min(times) for name, times in seconds.items()}
    for name, time_ in best.items():
        print(f"{name:<14}{time_:8.1f} s")
    print(f"ratio {best['differential'] / best['round trip']:.2f}")


def sweep(spec, code):
    """Return the seconds from the first text to the last result."""
    options = Options(select=(code,), families=("scalar-sweep",), examples=0)
    begin = 0.0
    for event in run([spec], options, jobs=1):
        if isinstance(event, TargetStarted):
            begin = time.perf_counter()
        elif isinstance(event, FamilyFinished):
            return time.perf_counter() - begin
    raise AssertionError("the sweep did not finish")


if __name__ == "__main__":
    main()
