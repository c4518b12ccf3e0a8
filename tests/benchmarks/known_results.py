"""Processor time of runs that know earlier results, side by side with another checkout.

    python tests/benchmarks/known_results.py OTHER_CHECKOUT TARGET [--profile quick] [--rounds 1]

Each round runs, in turn, in both checkouts: a check without a cache, the same check again, the
writing of a baseline, and a gate of the unchanged target. It prints the processor time of each
(user and system, of all processes) and its ratio to that of the other checkout.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

WARM_UP = ("check", "reference:byte-level-bpe", "--profile", "quick")
ROOTS = ("harness", "tokenizers", "cases")
HERE = Path(__file__).parents[2]


def seconds_of(checkout, folder, *arguments):
    """Return the processor time of a command of a checkout, of all its processes."""
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(str(checkout / root) for root in ROOTS)
    environment["TOKHARNESS_CACHE_DIR"] = str(folder / "cache")
    # As after an installation: modules are not compiled each time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(folder.parent / "compiled")
    command = [sys.executable, "-m", "tokharness", *arguments, "--config", "none"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands(target, profile, folder):
    """Return the commands to compare, in their order."""
    options = [target, "--profile", profile]
    baseline = ["--baseline", str(folder / "baseline.json")]
    return {
        "first check": ["check", *options],
        "second check": ["check", *options],
        "baseline": ["baseline", *options, *baseline],
        "gate": ["gate", *options, *baseline],
    }


def main():
    """Print the processor times and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("target")
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    times = {}
    with tempfile.TemporaryDirectory() as name:
        for number in range(given.rounds):
            folders = {}
            for checkout in (given.other, HERE):
                folders[checkout] = Path(name) / f"{len(folders)}-{number}"
                folders[checkout].mkdir()
                seconds_of(checkout.resolve(), folders[checkout], *WARM_UP)
            for what in commands(given.target, given.profile, Path()):
                for checkout, folder in folders.items():
                    if what in ("baseline", "gate"):  # as in CI, which has no cache
                        for file in (folder / "cache").glob("*"):
                            file.unlink()
                    words = commands(given.target, given.profile, folder)[what]
                    seconds = seconds_of(checkout.resolve(), folder, *words)
                    times.setdefault((what, checkout), []).append(seconds)
    for what in commands(given.target, given.profile, Path()):
        theirs, ours = (median(times[what, checkout]) for checkout in (given.other, HERE))
        print(f"{what:14} {theirs:7.1f} s {ours:7.1f} s   {ours / theirs:.2f}", flush=True)


if __name__ == "__main__":
    main()
