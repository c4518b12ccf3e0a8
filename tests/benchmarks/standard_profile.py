"""Compare the time of the standard profile on two cores with that of the bare calls on one.

The bare calls are one encode and decode of the target and one encode of the reference for each
distinct text of the profile, without the time to generate the texts. The harness does the same,
generates the texts, loads, runs every check, diagnoses and audits. Both leave out growth of time
and texts of a million characters.

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
from tokharness.engine.worker.units import FamilyTexts
from tokharness.engine.worker.vocabularies import target_facts
from tokharness.model import Verdict
from tokharness.targets.loading import load_subject, tokenizer_of

LEFT_OUT = "TOK114"
PROFILE = PROFILES["standard"]


def compared_families():
    """Return the families of the run: all except those with texts too long for the reference."""
    return [family for family in plugins.families().values() if family.compared]


def bare(spec):
    """Return the seconds of the calls for each distinct text, and the number of texts."""
    subject = load_subject(spec, None).subject
    facts = target_facts(subject, PROFILE.name)
    target, reference = subject.target, subject.reference
    seen, seconds = set(), 0.0
    for family in compared_families():
        texts = FamilyTexts(family, facts, PROFILE, PROFILE.examples, 0)
        for unit in range(texts.units):
            new = [text for text in texts.texts_of_unit(unit) if text not in seen]
            seen.update(new)
            begin = time.perf_counter()
            ids = list(map(target.encode, new))
            list(map(tokenizer_of(target).decode, ids))
            list(map(reference.encode, new))
            seconds += time.perf_counter() - begin
    return seconds, len(seen)


def harness(spec, jobs):
    """Return the seconds, bugs and skips of a whole run."""
    names = tuple(family.name for family in compared_families())
    begin = time.perf_counter()
    events = list(run([spec], Options(families=names, ignore=(LEFT_OUT,)), jobs=jobs))
    seconds = time.perf_counter() - begin
    findings = [event.finding for event in events if isinstance(event, FindingReported)]
    bugs = [finding for finding in findings if finding.verdict is Verdict.BUG]
    skips = [event.skip for event in events if isinstance(event, SkipRecorded)]
    return seconds, bugs, skips


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", nargs="?", default="tiktoken:o200k_base")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    ours, bugs, skips = harness(arguments.target, arguments.jobs)
    alone, texts = bare(arguments.target)
    print(f"{arguments.target}: {texts:,} distinct texts")
    print(f"bare calls, one core     {alone:7.1f} s")
    print(f"standard, {arguments.jobs} workers     {ours:7.1f} s   {ours / alone:.2f} times that")
    for item in chain(bugs, skips):
        print(" ", ascii(item)[:200])


if __name__ == "__main__":
    main()
