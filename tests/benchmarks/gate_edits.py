"""Which random edits of tokenizer files a gate sees, and whether it names the stage of each.

    python tests/benchmarks/gate_edits.py SPEC... [--edits 60] [--pairs 10] [--texts 1000000]

A spec names a library and its file, such as ``hf:tokenizer.json``. Merges are dropped, swapped,
doubled and moved; ids are swapped, tokens renamed and dropped; scores, flags, added tokens and
components are changed, and two of these at once. The library encodes random texts of tokens,
characters and lines of Python's source before and after an edit: if ids differ, the gate has to
fail, with a text. In any case it has to name the stages, and nothing else. Files with other bytes
and the same content have to pass; a merge that is never used fails, and no text is said to have
changed. Each gate runs in this process with one family and TOK201 alone: digests, golden texts and
the file show the edits.

With ``--wrapped`` the target is an object of Python that has ``encode`` and ``decode`` alone, and
shows nothing of the file: an edit that changes the ids of the text of a token has to fail, with a
text that is as short as any of these.

With ``--settings`` a spec such as ``transformers:FOLDER`` names a folder with a ``tokenizer.json``,
and the settings next to it are edited: each edit is one change that is named, and settings that
mean nothing are none.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from edited_files import folders
from edited_files.edits import some_edits
from edited_files.equal import UNUSED, equal_files
from edited_files.texts import Texts, loads

from tokharness.baseline import baseline_of, earlier_state, versions_for
from tokharness.changes import CHANGED_FILE
from tokharness.config import Options
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError
from tokharness.gate import Rules, evaluate_gate
from tokharness.gate.acceptances import acceptances_of_findings
from tokharness.results.report import Collector
from tokharness.targets.description import describe, write

OPTIONS = Options(profile="quick", families=("plain-words",), select=("TOK101", "TOK201"))
TODAY = dt.date(2027, 1, 1)


WRAPPERS = {
    "hf": """
from tokenizers import Tokenizer

class Wrapped:
    def __init__(self):
        self.inner = Tokenizer.from_file({path!r})
        self.decode = lambda ids: self.inner.decode(ids, skip_special_tokens=False)

    def encode(self, text):
        return self.inner.encode(text, add_special_tokens=False).ids
""",
    "tiktoken": """
import json
from pathlib import Path
from tiktoken import Encoding
from tiktoken.load import load_tiktoken_bpe

class Wrapped:
    def __init__(self):
        side = json.loads(Path({path!r} + ".json").read_text("utf-8"))
        ranks, special = load_tiktoken_bpe({path!r}), side["special_tokens"]
        inner = Encoding("mine", pat_str=side["pattern"], mergeable_ranks=ranks,
                         special_tokens=special)
        self.encode, self.decode = inner.encode_ordinary, inner.decode
""",
    "sentencepiece": """
from sentencepiece import SentencePieceProcessor

class Wrapped:
    def __init__(self):
        self.inner = SentencePieceProcessor({path!r})
        self.encode, self.decode = self.inner.encode, self.inner.decode
""",
}


def wrapped(spec):
    """Return the spec of a file of Python next to the file of a spec."""
    scheme, _, path = spec.partition(":")
    file = Path(f"{path}.py")
    file.write_text(WRAPPERS[scheme].format(path=path), encoding="utf-8")
    return f"python:{file}:Wrapped"


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
    target = report.targets[0]
    of = {"file": "mine.json", "versions": versions_for(target, report.versions)}
    return evaluate_gate(target, baseline, OPTIONS, rules, TODAY, **of)


def problems_of_wrapped(edit, failing, changed, changed_tokens):
    """Return what is wrong with the failing changes of a target that shows no file.

    Without another id it may decode differently. A token may only be in a text of the run.
    """
    if not changed_tokens:
        is_right = changed or "decoder" in edit.stages or all(one.examples for one in failing)
        return [] if is_right else ["fails, and no text changes"]
    shown = [len(example.text) for one in failing for example in one.examples]
    problems = [] if shown else ["missed"]
    if shown and min(shown) > min(map(len, changed_tokens)):
        problems.append("not the smallest text")
    if any(one.kind == "new-skip" for one in failing):
        problems.append("not compared")
    return problems


def problems_of(edit, failing, changed):
    """Return what is wrong with the failing changes of a gate, after so many texts changed."""
    edits = [one for one in failing if one.kind == CHANGED_FILE]
    problems = []
    if changed and not any(one.examples for one in failing):
        problems.append("missed")
    lines = " ".join(one.what for one in edits)  # of a few words each
    stages = [one.what.partition(":")[0].removesuffix(" of the file") for one in edits]
    if not {*edit.stages} <= {*stages} or not all(word in lines for word in edit.words):
        problems.append("not named")
    if {*stages} - {*edit.stages}:
        problems.append("another stage named")
    if len(edits) < len(failing):
        problems.append("more than the edit fails")
    return problems


def try_edits(spec, options, rnd, folder):
    scheme = spec.partition(":")[0]

    def spec_of(description, name):
        place = folder / name
        place.mkdir()
        return f"{scheme}:{write(description, place).partition(':')[2]}"

    old = spec_of(describe(spec), "old")
    file = describe(old)
    of = wrapped if options.wrapped else str
    baseline = baseline_for(of(old))
    texts = Texts(old, file, options.texts, rnd)
    counts = Counter()
    print(f"{spec}: {len(texts.texts):,} texts", flush=True)
    for number, edit in enumerate(some_edits(file, options.edits, options.pairs, rnd)):
        try:
            new = spec_of(edit.apply(file), str(number))
        except (TokharnessError, ValueError) as error:
            counts["without a file"] += 1
            print(f"  {edit.name}: no file: {error!s:.100}", flush=True)
            continue
        failing = gate(of(new), baseline).failing
        counts.update(try_edit(edit, of(old), new, failing, texts, options))
    for what, path in equal_files(Path(old.partition(":")[2]), folder):
        counts.update(try_equal(what, f"{scheme}:{path}", of, baseline, texts))
    print(f"{spec}: {', '.join(f'{count} {what}' for what, count in counts.items())}")


def try_edit(edit, old, new, failing, texts, options):
    """Print what became of an edit, and return what to count."""
    lines = [one.what for one in failing]
    if not loads(new):
        print(f"  {edit.name}: refused; {lines}", flush=True)
        return ["refused by the library", *([] if failing else ["refused, and the gate passes"])]
    changed, tried = texts.changed(new, edit.tokens)
    problems = problems_of(edit, failing, changed)
    if options.wrapped:
        tokens = texts.changed_tokens(old, wrapped(new))
        problems = problems_of_wrapped(edit, failing, changed, tokens)
    mark = f" {', '.join(problems).upper()}" if problems else ""
    print(f"  {edit.name}: {changed:,} of {tried:,};{mark} {lines}", flush=True)
    for one in failing if problems or options.answers else ():
        print(f"      {one.kind} {one.what}: {one.message:.300}")
        for example in one.examples[:3]:
            print(f"        {example.text!a:.60} {example.before!s:.60} -> {example.after!s:.60}")
        for two in one.related:
            print(f"        with {two.kind} {two.what}: {two.message:.200}", flush=True)
    return ["edits", *problems, *(["change ids"] if changed else ())]


def try_equal(what, new, of, baseline, texts):
    """Print what became of a file with the same content, and return what to count."""
    if not loads(new):
        print(f"  {what}: refused", flush=True)
        return ["equal files refused by the library"]
    failing = gate(of(new), baseline).failing
    print(f"  {what}: {[f'{one.what}: {one.message}' for one in failing]}", flush=True)
    is_right = not failing
    if what == UNUSED and of is not wrapped:
        is_right = all(one.kind == CHANGED_FILE and not one.examples for one in failing)
        is_right = is_right and failing and not texts.changed(new, ())[0]
    return ["equal files", *([] if is_right else ["equal files that fail"])]


def try_folder(spec, folder):
    """Print what a gate says of edits of the settings next to a ``tokenizer.json``."""
    scheme, _, source = spec.partition(":")
    old, counts = folder / "old", Counter()
    folders.make(source, old)
    baseline = baseline_for(f"{scheme}:{old}")
    for number, (name, words, change) in enumerate(folders.edits()):
        new = folders.edited(old, folder / str(number), change)
        failing = gate(f"{scheme}:{new}", baseline).failing
        lines = [one.what for one in failing]
        is_right = (
            len(lines) == 1 and all(word in lines[0] for word in words) if words else not lines
        )
        counts.update(["edits", *([] if is_right else ["wrong"])])
        print(f"  {name}:{'' if is_right else ' WRONG'} {lines}", flush=True)
    print(f"{spec}: {', '.join(f'{count} {what}' for what, count in counts.items())}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--wrapped", action="store_true")
    parser.add_argument("--settings", action="store_true", help="edit tokenizer_config.json")
    parser.add_argument("--answers", action="store_true", help="print all of each answer")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for spec in options.specs:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            if options.settings:
                try_folder(spec, Path(folder))
            else:
                try_edits(spec, options, random.Random(options.seed), Path(folder))
        print(f"  {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
