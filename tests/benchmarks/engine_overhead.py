"""What the harness costs over the bare calls, in one worker and in two, side by side in one run.

    python tests/benchmarks/engine_overhead.py [--target SPEC] [--repeat N]

(a) is a loop in this process over 1,112,064 one-character texts: encode and decode with the target
and compare (round trip), or encode with target and reference and compare (differential). (b) is
the harness with the one check selected, from the first text to the last result, with the workers
ready. Both begin with a target and a reference that have seen no text. The best of the repetitions
counts; the repetitions of (a) and (b) take turns, so that a busy moment does not hit one of them.
"""

import argparse
import gc
import time

from benchmark_families import every_character

from tokharness.config import Options
from tokharness.engine.events import FamilyFinished, TargetStarted
from tokharness.engine.run.run import run
from tokharness.targets.loading import load_subject

CHECKS = {"round trip": "TOK101", "differential": "TOK201"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="tiktoken:o200k_base")
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    texts = every_character.Texts()[:]
    print(f"{len(texts):,} texts of one character on {given.target}, best of {given.repeat}")
    print(f"{'':<14}{'bare loop':>12}{'1 worker':>12}{'2 workers':>12}{'ratios':>16}")
    for name, code in CHECKS.items():
        bare, one, two = [], [], []
        for _ in range(given.repeat):
            bare.append(bare_loop(given.target, name, texts))
            one.append(harness(given.target, code, jobs=1))
            two.append(harness(given.target, code, jobs=2))
        a, b, c = min(bare), min(one), min(two)
        print(f"{name:<14}{a:>10.2f} s{b:>10.2f} s{c:>10.2f} s{b / a:>9.2f}{c / a:>7.2f}")


def bare_loop(spec, name, texts):
    """Seconds of the plain loop, in a process that does nothing else."""
    subject = load_subject(spec, None).subject
    loop = {"round trip": round_trips, "differential": differences}[name]
    gc.collect()
    begin = time.perf_counter()
    loop(subject, texts)
    return time.perf_counter() - begin


def round_trips(subject, texts):
    encode, decode = subject.target.encode, subject.target.tokenizer.decode
    for text in texts:
        if decode(encode(text)) != text:
            raise AssertionError(f"not clean on {text!r}")


def differences(subject, texts):
    encode, other = subject.target.encode, subject.reference.encode
    for text in texts:
        if encode(text) != other(text):
            raise AssertionError(f"not clean on {text!r}")


def harness(spec, code, *, jobs):
    """Seconds from the start of the work, with the workers ready, to its last result."""
    options = Options(select=(code,), families=("benchmark_families.every_character",), examples=0)
    begin = 0.0
    for event in run([spec], options, jobs=jobs):
        if isinstance(event, TargetStarted):
            begin = time.perf_counter()
        elif isinstance(event, FamilyFinished):
            if event.cases != len(every_character.Texts()) or event.failing:
                raise AssertionError("not all cases were tried, or some failed")
            return time.perf_counter() - begin
    raise AssertionError("the harness did not finish")


if __name__ == "__main__":
    main()
