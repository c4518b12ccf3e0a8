"""Which random edits of tokenizer files a gate sees, and whether it names the stage of each.

    python tests/benchmarks/gate_edits.py SPEC... [--edits 60] [--texts 100000] [--seed 0]

A spec names a library and its file, such as ``hf:tokenizer.json``. Merges are dropped, swapped,
doubled and moved; ids are swapped, tokens renamed and dropped; scores, flags and components are
changed. The library encodes random texts of tokens and lines of Python's source before and after
an edit: if ids differ, the gate has to fail, with a text. In any case it has to name the stage.
Equal files with other white space and order of keys have to pass. Each gate runs in
this process with one family and TOK201 alone: digests, golden texts and the file show the edits.
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import json
import os
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tokharness.baseline import baseline_of, earlier_state
from tokharness.config import Options
from tokharness.edits import writing_of
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError
from tokharness.gate import Rules, evaluate_gate
from tokharness.gate.acceptances import acceptances_of_findings
from tokharness.results.report import Collector
from tokharness.targets.description import describe, write
from tokharness.targets.loading import load_target

OPTIONS = Options(profile="quick", families=("plain-words",), select=("TOK201",))
TODAY = dt.date(2027, 1, 1)
FORMS = ("NFC", "NFD", "NFKC", "Lowercase", "StripAccents")


def report_of(spec, golden, earlier=None):
    collector = Collector(OPTIONS)
    for event in run((spec,), OPTIONS, jobs=0, golden=golden, compare_with=earlier):
        collector.add(event)
    return collector.report()


def baseline_for(spec):
    report = report_of(spec, ())
    baseline = baseline_of("mine", report.targets[0], OPTIONS, report.versions)
    accepted = acceptances_of_findings(report.targets[0], "it was there", TODAY)
    return replace(baseline, accepted=accepted)


def gate(spec, baseline):
    report = report_of(spec, baseline.golden, earlier_state(baseline))
    rules = Rules("bug")
    return evaluate_gate(report.targets[0], baseline, OPTIONS, rules, TODAY, file="mine.json")


def edits_of_merges(file, rnd):
    """Yield the name, the stage, and the description of files with one merge edited."""
    merges = list(file.merges or ())
    while merges:
        one, other = rnd.sample(range(len(merges)), 2)
        dropped = [*merges[:one], *merges[one + 1 :]]
        moved = list(dropped)
        moved.insert(other, merges[one])
        by_one = list(dropped)
        by_one.insert(min(one + 1, len(dropped)), merges[one])
        swapped = list(merges)
        swapped[one], swapped[other] = merges[other], merges[one]
        doubled = [*merges[:other], merges[one], *merges[other:]]
        for name, changed in (
            ("drop", dropped),
            ("move", moved),
            ("move by one", by_one),
            ("swap", swapped),
            ("double", doubled),
        ):
            yield f"{name} merge {one}", "model", replace(file, merges=tuple(changed))


def edits_of_tokens(file, rnd):
    rows = list(file.tokens)
    first = rows[0].id
    while True:
        one, other = rnd.sample(range(len(rows)), 2)
        swapped = list(rows)
        swapped[one] = rows[other]._replace(id=rows[one].id)
        swapped[other] = rows[one]._replace(id=rows[other].id)
        yield f"swap ids {one} and {other}", "vocabulary", replace(file, tokens=tuple(swapped))
        token = rows[one].token
        renamed = list(rows)
        renamed[one] = rows[one]._replace(
            token=token + (b"zq" if isinstance(token, bytes) else "zq")
        )
        yield f"rename token {one}", "vocabulary", replace(file, tokens=tuple(renamed))
        dropped = [*rows[:one], *rows[one + 1 :]]
        if rows[-1].id - first == len(rows) - 1:
            dropped = [row._replace(id=first + place) for place, row in enumerate(dropped)]
        yield f"drop token {one}", "vocabulary", replace(file, tokens=tuple(dropped))
        if rows[one].score:
            for step in (1e-3, -1.0):
                scored = list(rows)
                scored[one] = rows[one]._replace(score=rows[one].score + step)
                yield f"score {one} {step:+}", "model", replace(file, tokens=tuple(scored))


def edits_of_stages(file):
    """Yield flags and components that are flipped, replaced or left out, each once."""
    for stage, value in file.stages.items():
        for changed, what in _changed(value):
            stages = {**file.stages, stage: changed}
            yield f"{stage}: {what}", stage, replace(file, stages=stages)
    if file.format == "tokenizer.json":
        for form in FORMS:
            stages = {**file.stages, "normalizer": {"type": form}}
            yield f"normalizer {form}", "normalizer", replace(file, stages=stages)
        for stage in ("normalizer", "pre-tokenizer", "decoder"):
            if file.stages[stage] is not None:
                stages = {**file.stages, stage: None}
                yield f"no {stage}", stage, replace(file, stages=stages)


def _changed(value):
    """Yield a JSON value with one flag or pattern in it changed, and which."""
    if isinstance(value, bool):
        yield not value, "flag"
    elif isinstance(value, str) and r"\p{N}" in value:
        other = (
            value.replace(r"{1,3}", "")
            if "{1,3}" in value
            else value.replace(r"\p{N}", r"\p{N}{1,3}")
        )
        yield other, "digits"
    elif isinstance(value, dict):
        for key, inner in value.items():
            for changed, what in _changed(inner):
                yield {**value, key: changed}, f"{what} {key}"
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for changed, what in _changed(inner):
                yield [*value[:place], changed, *value[place + 1 :]], f"{what} of {place}"


def edits(file, number, rnd):
    """Return so many edits: a third of merges, a third of tokens, the others of stages."""
    of_stages = list(edits_of_stages(file))
    of_stages = rnd.sample(of_stages, min(len(of_stages), number // 3))
    left = number - len(of_stages)
    of_merges = list(itertools.islice(edits_of_merges(file, rnd), left // 2))
    of_tokens = list(itertools.islice(edits_of_tokens(file, rnd), left - len(of_merges)))
    return [*of_merges, *of_tokens, *of_stages]


def texts_of(file, number, rnd):
    writing = writing_of(file)
    tokens = [writing.text(row.token) for row in file.tokens]
    tokens = [text for text in tokens if text and "\ufffd" not in text]
    lines = []
    for path in sorted(Path(os.__file__).parent.glob("*.py")):
        lines += [line for line in path.read_text("utf-8", "ignore").splitlines() if line.strip()]
    mixed = ("".join(rnd.choices(tokens, k=rnd.randrange(1, 5))) for _ in range(number))
    return list(dict.fromkeys([*rnd.sample(lines, min(len(lines), number // 2)), *mixed]))[:number]


def ids_of(spec, texts):
    target = load_target(spec)
    return [str(target.encode(text)) for text in texts]


def equal_files(path, folder):
    """Yield paths of files with the same content as a JSON file."""
    record = json.loads(path.read_bytes())
    turned = folder / "turned.json"
    turned.write_text(json.dumps(dict(reversed(record.items())), indent=2), encoding="utf-8")
    yield turned


def try_edits(spec, options, rnd, folder):
    scheme = spec.partition(":")[0]

    def spec_of(description, name):
        place = folder / name
        place.mkdir()
        return f"{scheme}:{write(description, place).partition(':')[2]}"

    old = spec_of(describe(spec), "old")
    file = describe(old)
    baseline = baseline_for(old)
    texts = texts_of(file, options.texts, rnd)
    before = ids_of(old, texts)
    counts = dict.fromkeys(("edits", "that change ids", "not loaded", "missed", "not named"), 0)
    for number, (name, stage, changed) in enumerate(edits(file, options.edits, rnd)):
        try:
            new = spec_of(changed, str(number))
            now = ids_of(new, texts)
        except TokharnessError:
            counts["not loaded"] += 1
            continue
        differing = sum(one != other for one, other in zip(before, now, strict=True))
        failing = gate(new, baseline).failing
        named = [
            one for one in failing if one.kind == "changed-file" and one.what.startswith(stage)
        ]
        counts["edits"] += 1
        counts["that change ids"] += bool(differing)
        counts["missed"] += bool(differing) and not any(one.examples for one in failing)
        counts["not named"] += not named
        what = named[0].what if named else f"NOT NAMED: {[one.what for one in failing]}"
        print(f"  {name}: {differing:,} texts change; {what}", flush=True)
    for path in equal_files(Path(old.partition(":")[2]), folder) if old.endswith(".json") else ():
        failing = gate(f"{scheme}:{path}", baseline).failing
        print(f"  equal file: {'passed' if not failing else [one.what for one in failing]}")
    print(f"{spec}: {', '.join(f'{count} {what}' for what, count in counts.items())}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for spec in options.specs:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try_edits(spec, options, random.Random(options.seed), Path(folder))
        print(f"  {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
