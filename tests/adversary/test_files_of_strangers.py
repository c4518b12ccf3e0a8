"""Reports, journals and baselines that are damaged, or that a stranger made."""

import copy
import datetime as dt
import json
from pathlib import Path

import pytest

from tokharness.baseline import Acceptance, Baseline, RunOptions
from tokharness.baseline.writing import baseline_text
from tokharness.results.journal import START, read, seal
from tokharness.targets.snapshot import Fingerprint, Golden

pytestmark = pytest.mark.slow

ESCAPES = "\x1b[2J\u202e\u200b\n::error::injected\r"
FAMILY = ("--profile", "quick", "--jobs", "0", "--family", "zero-width")
CHECK = ("check", "python:faulty.py:Target", *FAMILY, "--select", "TOK101,TOK102")
RESULTS = ("findings", "skips")


def is_one_sentence(text):
    """Whether an error is one line of visible characters."""
    return text.endswith("\n") and text[:-1].isprintable() and "Traceback" not in text


@pytest.fixture
def planted(tmp_path):
    """A copy of the planted tokenizer, where the command runs."""
    (tmp_path / "faulty.py").symlink_to(Path(__file__).with_name("faulty.py"))


@pytest.fixture
def report_of(start, tmp_path):
    """Run a command that writes a report, and return its outcome."""
    return lambda *words: start(*words, "--report", f"json={tmp_path / 'report.json'}").finish(60)


@pytest.fixture(scope="module")
def remembered():
    """The journal and the report of the run of the planted tokenizer, which is run once."""
    return {}


@pytest.fixture
def journal(planted, report_of, tmp_path, remembered):
    """The path of the journal of a run that found the planted fault, and the report."""
    path = tmp_path / "run.jsonl"
    if not remembered:
        outcome = report_of(*CHECK, "--journal", path)
        assert outcome.codes == {"TOK101"}
        remembered.update(journal=path.read_bytes(), report=outcome.report)
    path.write_bytes(remembered["journal"])
    return path, remembered["report"]


DAMAGES = {
    "a changed text": lambda lines: [line.replace(b"200b", b"200c") for line in lines],
    "a changed number": lambda lines: [*lines[:2], lines[2].replace(b": 0", b": 1"), *lines[3:]],
    "a removed line": lambda lines: [*lines[:2], *lines[3:]],
    "a line twice": lambda lines: [*lines[:3], *lines[2:]],
    "a line of zeros": lambda lines: [*lines[:4], bytes(4096) + b"\n", *lines[4:]],
    "two runs in one file": lambda lines: [*lines[:4], *lines],
    "nested lists": lambda lines: [*lines[:4], b"[" * 100_000 + b"\n", *lines[4:]],
    "the end of another journal": lambda lines: [*lines[:3], *lines[-2:]],
}


@pytest.mark.slow(every=4)
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_a_damaged_journal_lost_is_run_again(journal, report_of, damage):
    path, report = journal
    lines = path.read_bytes().splitlines(keepends=True)
    assert DAMAGES[damage](lines) != lines
    path.write_bytes(b"".join(DAMAGES[damage](lines)))
    outcome = report_of(*CHECK[:2], "--resume", path)
    assert outcome.code == 1, outcome.err
    assert "of the journal run.jsonl is damaged" in outcome.err.replace(f"{path}", "run.jsonl")
    assert [outcome.report[key] for key in RESULTS] == [report[key] for key in RESULTS]
    assert read(path).damaged_line == 0


def crafted(path, change):
    """Change the records of a journal, and seal them with right checksums."""
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    for record in records:
        del record["checksum"]
    change(records)
    lines, checksum = [], START
    for record in records:
        line, checksum = seal(record, checksum)
        lines.append(line)
    path.write_bytes(b"".join(lines))


CRAFTED = {
    "a text as a number": lambda records: records[2].update(cases="many"),
    "texts that are numbers": lambda records: records[2].update(failing={"TOK101": [7]}),
    "a unit beyond the last": lambda records: records[2].update(number=10**9),
    "a number of 400 digits": lambda records: records[2].update(cases=10**400),
    "an unknown check": lambda records: records[2].update(failing={"BAD1": ["a"]}),
    "an unknown family": lambda records: records[2].update(family="no-such-family"),
    "a hostile key": lambda records: records[2].update({ESCAPES: 1}),
    "a hostile spec": lambda records: records[2].update(spec=ESCAPES),
    "a hostile event": lambda records: records[2].update(event=ESCAPES),
    "an event of a module": lambda records: records[2].update(event="annotations"),
    "a number as options": lambda records: records[0].update(options=7),
    "no target": lambda records: records[0].update(specs=[]),
    "a seed that is a list": lambda records: records[0]["options"].update(seed=[1]),
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("change", CRAFTED)
def test_a_crafted_journal_is_refused_in_one_sentence(journal, start, change):
    path, _ = journal
    crafted(path, CRAFTED[change])
    outcome = start(*CHECK[:2], "--resume", path).finish(60)
    assert (outcome.code, outcome.out) == (2, "")
    assert is_one_sentence(outcome.err), outcome.err
    assert "internal error" not in outcome.err


def hostile_finding(**values):
    """Change the first finding of a report."""
    return lambda report: report["findings"][0].update(values)


REPORTS = {
    "a code": hostile_finding(code=f"TOK101{ESCAPES}"),
    "a name": hostile_finding(name=ESCAPES),
    "a line feed after a code": hostile_finding(code="TOK101\n"),
    "a family": hostile_finding(families=["<img src=x onerror=alert(1)>"]),
    "another check": hostile_finding(other_checks=[ESCAPES]),
    "a command": hostile_finding(reproduce=f"true {ESCAPES}"),
    "a kind": hostile_finding(cause_kind=ESCAPES),
    "a verdict": hostile_finding(verdict="harmless"),
    "a negative count": hostile_finding(count=-1),
    "a huge count": hostile_finding(count=10**400),
    "another target": hostile_finding(spec="python:other.py:Target"),
    "a message that is a list": hostile_finding(message=["a"]),
    "a version": lambda report: report["versions"].update(python=ESCAPES),
    "a package": lambda report: report["versions"]["packages"].update({ESCAPES: "1"}),
    "a date": lambda report: report.update(created=f"2026-01-01T00:00:00+00:00{ESCAPES}"),
    "an unknown key": lambda report: report.update({ESCAPES: 1}),
    "a target twice": lambda report: report["targets"].append(report["targets"][0]),
    "lists in lists": lambda report: report.update(policy={"a": nested(500)}),
    "a million targets": lambda report: report.update(targets=[0] * 1_000_000),
}


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.fixture
def report(journal):
    return copy.deepcopy(journal[1])


@pytest.fixture
def shown(start, tmp_path):
    """Show a report with this text as HTML and in the terminal."""
    path, page = tmp_path / "stranger.json", tmp_path / "page.html"

    def shown_report(text):
        path.write_text(text, encoding="utf-8")
        return start("report", path, "--report", f"html={page}").finish(30)

    return shown_report


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("change", REPORTS)
def test_a_crafted_report_is_refused_in_one_sentence(report, shown, change):
    REPORTS[change](report)
    outcome = shown(json.dumps(report))
    assert (outcome.code, outcome.out) == (2, "")
    assert is_one_sentence(outcome.err), outcome.err
    assert "stranger.json is not a" in outcome.err


TEXTS = {
    "nothing": "",
    "100,000 nested lists": '{"schema_version": 2, "findings": ' + "[" * 100_000,
    "900 nested lists": '{"schema_version": 2, "findings": ' + "[" * 900 + "]" * 900 + "}",
    "not a number": '{"schema_version": 2, "created": NaN}',
    "an infinite number": '{"schema_version": 2, "created": 1e999}',
    "a number of 5000 digits": '{"schema_version": 2, "created": ' + "9" * 5000 + "}",
    "a key twice": '{"schema_version": 1, "schema_version": 2}',
    "another version": '{"schema_version": 3}',
    "a version that is a text": '{"schema_version": "2"}',
    "a version that is true": '{"schema_version": true}',
    "half a report": '{"schema_version": 2, "findings": [{"spec": "\\ud8',
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("text", TEXTS)
def test_a_file_that_is_not_a_report_is_refused_in_one_sentence(shown, text):
    outcome = shown(TEXTS[text])
    assert (outcome.code, outcome.out) == (2, "")
    assert is_one_sentence(outcome.err), outcome.err
    assert "internal error" not in outcome.err


def test_a_report_of_gigabytes_is_refused_before_it_is_read(start, tmp_path):
    path = tmp_path / "stranger.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    outcome = start("report", path).finish(30)
    assert outcome.code == 2
    assert "is longer than 256 MB" in outcome.err
    assert outcome.seconds < 20


def test_a_device_without_end_is_not_read_for_ever(start):
    outcome = start("report", "/dev/zero").finish(30)
    assert outcome.code == 2
    assert "it is a device, not a file" in outcome.err


def test_a_journal_without_line_ends_is_refused(start, tmp_path):
    path = tmp_path / "run.jsonl"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    outcome = start(*CHECK[:2], "--resume", path).finish(60)
    assert outcome.code == 2
    assert "is not a journal, or is damaged in line 1" in outcome.err


BASELINES = {
    "another fingerprint": lambda one: one["accepted"][0].update(fingerprint=ESCAPES),
    "a verdict": lambda one: one["accepted"][0].update(verdict=ESCAPES),
    "an acceptance without reason": lambda one: one["accepted"][0].update(reason=" \t"),
    "a changed text": lambda one: one["golden"][0].__setitem__(1, ESCAPES),
    "ids that are fractions": lambda one: one["golden"][0].__setitem__(2, [1.5]),
    "a huge metric": lambda one: one["metrics"][0].__setitem__(1, 10**400),
    "lists in lists": lambda one: one.update(skips=nested(500)),
    "a name": lambda one: one.update(name=ESCAPES),
    "a key": lambda one: one.update({ESCAPES: 1}),
}


@pytest.fixture
def baseline():
    """A baseline of the planted tokenizer as plain data."""
    accepted = Acceptance("0" * 16, "new-finding", "a", "bug", "it is known", dt.date(2027, 1, 1))
    return json.loads(
        baseline_text(
            Baseline(
                name="mine",
                spec="python:faulty.py:Target",
                against=None,
                run=RunOptions("quick", 0, None),
                versions={"tokharness": "0.1.0"},
                fingerprint=Fingerprint(n_vocab=256),
                capabilities=(),
                checks=("TOK101",),
                skips={},
                golden=(Golden("everyday", "a", (97,)),),
                metrics={"everyday": 1.0},
                facts={},
                accepted=(accepted,),
            )
        )
    )


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("change", BASELINES)
def test_a_crafted_baseline_is_refused_in_one_sentence(planted, baseline, start, tmp_path, change):
    BASELINES[change](baseline)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(baseline), encoding="ascii")
    words = ("gate", "python:faulty.py:Target", "--baseline", path, "--name", "mine", *FAMILY)
    outcome = start(*words).finish(30)
    assert (outcome.code, outcome.out) == (2, "")
    assert is_one_sentence(outcome.err), outcome.err
    assert "internal error" not in outcome.err
