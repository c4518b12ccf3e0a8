"""Measure the overhead of the harness over bare calls, with one worker and with two.

    python tests/benchmarks/engine_overhead.py [--target SPEC] [--repeat N]

(a) is a loop in this process over 1,112,064 one-character texts: encode and decode with the target
and compare (round trip), or encode with target and reference and compare (differential). (b) is
the harness with one selected check, from the first text to the last result, after the workers
started. Both start with cold caches. The best repetition counts; repetitions of (a) and (b)
alternate, so that other load on the machine affects both.
"""

import argparse
import gc
import time

from benchmark_families import every_character

from tokharness.config import Options
from tokharness.engine.events import FamilyFinished, TargetStarted
from tokharness.engine.run.run import run
from tokharness.targets.loading import load_subject, tokenizer_of

CHECKS = {"round trip": "TOK101", "differential": "TOK201"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="tiktoken:o200k_base")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    texts = every_character.Texts()[:]
    print(
        f"{len(texts):,} texts of one character on {arguments.target}, best of {arguments.repeat}"
    )
    print(f"{'':<14}{'bare loop':>12}{'1 worker':>12}{'2 workers':>12}{'ratios':>16}")
    for name, code in CHECKS.items():
        bare, one_worker, two_workers = [], [], []
        for _ in range(arguments.repeat):
            bare.append(bare_loop(arguments.target, name, texts))
            one_worker.append(harness(arguments.target, code, jobs=1))
            two_workers.append(harness(arguments.target, code, jobs=2))
        a, b, c = min(bare), min(one_worker), min(two_workers)
        print(f"{name:<14}{a:>10.2f} s{b:>10.2f} s{c:>10.2f} s{b / a:>9.2f}{c / a:>7.2f}")


def bare_loop(spec, name, texts):
    """Return the seconds of the bare loop."""
    subject = load_subject(spec, None).subject
    loop = {"round trip": round_trips, "differential": differences}[name]
    gc.collect()
    begin = time.perf_counter()
    loop(subject, texts)
    return time.perf_counter() - begin


def round_trips(subject, texts):
    encode, decode = subject.target.encode, tokenizer_of(subject.target).decode
    for text in texts:
        if decode(encode(text)) != text:
            raise AssertionError(f"wrong result on {text!r}")


def differences(subject, texts):
    encode, expected = subject.target.encode, subject.reference.encode
    for text in texts:
        if encode(text) != expected(text):
            raise AssertionError(f"wrong result on {text!r}")


def harness(spec, code, *, jobs):
    """Return the seconds from the first text to the last result, after the workers started."""
    options = Options(select=(code,), families=("benchmark_families.every_character",), examples=0)
    begin = 0.0
    for event in run([spec], options, jobs=jobs):
        if isinstance(event, TargetStarted):
            begin = time.perf_counter()
        elif isinstance(event, FamilyFinished):
            if event.cases != len(every_character.Texts()) or event.failing:
                raise AssertionError("not all cases ran, or some failed")
            return time.perf_counter() - begin
    raise AssertionError("the harness did not finish")


if __name__ == "__main__":
    main()
