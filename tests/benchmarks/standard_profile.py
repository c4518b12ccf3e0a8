"""Time the standard profile on two cores beside the bare calls on one, in one run.

Bare is one encode and decode of the target and one encode of the reference for each distinct
text that the profile tries; making the texts is not counted. The harness does all of that, makes
the texts, runs every check, loads, diagnoses and audits. Growth of time and texts of a million
characters are left out on both sides.

    python tests/benchmarks/standard_profile.py [TARGET] [--jobs N]
"""

from __future__ import annotations

import argparse
import time
from itertools import chain

from tokharness import plugins
from tokharness.config import PROFILES, Options
from tokharness.engine.events import FindingReported, SkipRecorded
from tokharness.engine.run.run import run
from tokharness.engine.worker.dispatch import facts_of
from tokharness.engine.worker.units import FamilyTexts
from tokharness.model import Verdict
from tokharness.targets.loading import load_subject

APART = "TOK114"
PROFILE = PROFILES["standard"]


def compared():
    """Families of the run: all but those of texts too long for the reference."""
    return [family for family in plugins.families().values() if family.compared]


def bare(spec):
    """Seconds of the calls alone for each distinct text, and how many texts those are."""
    subject = load_subject(spec, None).subject
    facts = facts_of(subject, PROFILE.name)
    target, reference = subject.target, subject.reference
    seen, seconds = set(), 0.0
    for family in compared():
        texts = FamilyTexts(family, facts, PROFILE, PROFILE.examples, 0)
        for unit in range(texts.units):
            new = [text for text in texts.of_unit(unit) if text not in seen]
            seen.update(new)
            begin = time.perf_counter()
            ids = list(map(target.encode, new))
            list(map(target.tokenizer.decode, ids))
            list(map(reference.encode, new))
            seconds += time.perf_counter() - begin
    return seconds, len(seen)


def harness(spec, jobs):
    """Seconds of a whole run, its cases, and how many bugs it told."""
    names = tuple(family.name for family in compared())
    begin = time.perf_counter()
    events = list(run([spec], Options(families=names, ignore=(APART,)), jobs=jobs))
    seconds = time.perf_counter() - begin
    bugs = [e.finding for e in events if isinstance(e, FindingReported) and e.finding.verdict is Verdict.BUG]
    skips = [e.skip for e in events if isinstance(e, SkipRecorded)]
    return seconds, bugs, skips


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", nargs="?", default="tiktoken:o200k_base")
    parser.add_argument("--jobs", type=int, default=2)
    words = parser.parse_args()
    ours, bugs, skips = harness(words.target, words.jobs)
    alone, texts = bare(words.target)
    print(f"{words.target}: {texts:,} distinct texts")
    print(f"bare calls, one core     {alone:7.1f} s")
    print(f"standard, {words.jobs} workers     {ours:7.1f} s   {ours / alone:.2f} of it")
    for one in chain(bugs, skips):
        print(" ", ascii(one)[:200])


if __name__ == "__main__":
    main()
