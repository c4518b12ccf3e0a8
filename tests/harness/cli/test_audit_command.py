"""``tokharness audit``: the findings of ``check``, what was detected, and a row for each token."""

import csv
import io
import json
from pathlib import Path

import pytest

import tokharness
from tokharness.engine.run import report_requests
from tokharness.errors import TargetDeath

FILE = Path(__file__).with_name("audited_tokenizers.py")
ALONE = ("--jobs", "0", "--config", "none")


def target(name):
    return f"python:{FILE}:{name}"


def rows(outcome):
    return {int(row["id"]): row for row in csv.DictReader(io.StringIO(outcome.out))}


def test_an_audit_speaks_of_tokens_and_runs_no_cases(command):
    outcome = command("audit", target("WithFurtherTokens"), *ALONE)
    first, *lines = outcome.out.splitlines()
    assert ": 260 ids, 258 tokens in " in first
    assert any(line.startswith("risk    TOK408 bidirectional controls") for line in lines)
    assert "cases" not in outcome.out
    assert outcome.code == 0
    assert command("audit", target("WithFurtherTokens"), *ALONE, "--fail-on", "risk").code == 1


def test_the_findings_are_those_of_a_check(command):
    words = (target("WithFurtherTokens"), *ALONE, "--format", "json")
    audited = json.loads(command("audit", *words).out)
    checked = json.loads(command("check", *words, "--select", "TOK4").out)
    assert audited["findings"] == checked["findings"] != []
    assert checked["targets"][0]["families"] == {}


def test_csv_has_a_row_for_each_id_and_no_cell_is_hostile(command):
    outcome = command("audit", target("WithFurtherTokens"), *ALONE, "--format", "csv")
    by_id = rows(outcome)
    assert list(by_id) == list(range(260))
    assert outcome.out.isascii()
    assert by_id[256]["token"] == r"\u{202e}evil"
    assert by_id[256]["bytes"] == "\u202eevil".encode().hex()
    assert "TOK408 bidirectional controls" in by_id[256]["classes"].split(", ")
    assert by_id[257]["token"] == "'=1+1"
    assert by_id[200]["token"] == r"\xc8"
    assert [by_id[number]["kind"] for number in (65, 258, 259)] == ["ordinary", "hole", "special"]


def test_json_lines_have_an_object_for_each_id(command):
    outcome = command("audit", target("WithFurtherTokens"), *ALONE, "--format", "jsonl")
    records = list(map(json.loads, outcome.out.splitlines()))
    assert [record["id"] for record in records] == list(range(260))
    assert records[256]["token"] == "\u202eevil"
    assert records[200]["token"] is None
    assert records[259] | {"token": "<|end|>", "kind": "special", "bytes": None} == records[259]


def test_the_token_of_a_target_without_bytes_is_its_text(command):
    by_id = rows(command("audit", target("Texts"), *ALONE, "--format", "csv"))
    assert by_id[10] | {"token": "<0x0A>", "bytes": ""} == by_id[10]


@pytest.mark.slow
def test_report_files_have_the_rows_too(command, tmp_path):
    files = {name: tmp_path / f"audit.{name}" for name in ("csv", "html", "markdown")}
    reports = [word for name, path in files.items() for word in ("--report", f"{name}={path}")]
    assert command("audit", target("WithFurtherTokens"), *ALONE, *reports).code == 0
    assert len(files["csv"].read_text().splitlines()) == 261
    page = files["html"].read_text()
    assert "Classes of tokens" in page
    assert "Checks by family" not in page
    assert "260 ids, 258 tokens" in files["markdown"].read_text()


@pytest.mark.slow
def test_rows_say_which_text_gives_a_token_or_why_none_does(command):
    spec = "reference:byte-level-bpe"
    outcome = command("audit", spec, *ALONE, "--select", "TOK401", "--format", "jsonl")
    records = list(map(json.loads, outcome.out.splitlines()))
    assert {one["reach"] for one in records} == {"alone", "in context", "unreachable", None}
    assert {one["kind"] for one in records if one["reach"] is None} == {"special"}
    assert {one["reason"] for one in records} == {None, "no UTF-8 text has its bytes"}
    tokenizer = tokharness.load(spec)
    witnesses = {one["id"]: one["witness"] for one in records if one["reach"] == "in context"}
    assert witnesses
    assert all(number in tokenizer.encode(text) for number, text in witnesses.items())


@pytest.mark.parametrize("name", ["ShowsNoVocabulary", "RaisesForEachToken"])
def test_an_audit_that_saw_no_token_is_an_error(command, name):
    outcome = command("audit", target(name), *ALONE)
    assert outcome.code == 2
    assert "shows no vocabulary, so nothing was audited" in outcome.err


@pytest.mark.slow
def test_the_end_of_a_process_is_a_finding_with_the_id(command):
    words = (target("EndsItsProcessForOneId"), "--jobs", "1", "--config", "none")
    outcome = command("audit", *words, "--select", "TOK402", "--format", "json")
    (finding,) = json.loads(outcome.out)["findings"]
    assert outcome.code == 1
    assert finding["code"] == "TOK104"
    assert "SIGABRT: in decode_single_token_bytes(77)" in finding["message"]
    assert finding["reproduce"].endswith("--select TOK402")


@pytest.mark.slow
def test_the_rows_of_a_target_that_ends_its_process_lack_only_that_token(command):
    words = (target("EndsItsProcessForOneId"), "--jobs", "1", "--config", "none")
    by_id = rows(command("audit", *words, "--select", "TOK402", "--format", "csv"))
    assert len(by_id) == 256
    assert by_id[77] | {"token": "", "reason": "the process ended with SIGABRT"} == by_id[77]
    assert by_id[78]["token"] == "N"


def test_rows_that_cannot_be_listed_are_an_error(command, monkeypatch):
    def die(*_):
        raise TargetDeath("SIGSEGV")

    monkeypatch.setattr(report_requests, "_rows", die)
    outcome = command("audit", target("Bytes"), *ALONE, "--format", "csv")
    assert outcome.code == 2
    assert "the rows of the tokens are not listed: the target's process ended" in outcome.err


@pytest.mark.slow
def test_a_policy_selects_among_the_checks_of_the_vocabulary(in_project, command):
    in_project.policy('select = ["TOK1", "TOK408"]\nfamily = ["digits"]\n')
    record = json.loads(command("audit", target("Bytes"), "--jobs", "0", "--format", "json").out)
    assert record["targets"][0]["checks"] == ["TOK408"]
    assert record["targets"][0]["families"] == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tiktoken:o20k_base",), "did you mean 'o200k_base'"),
        (("no/such.json",), "there is no file 'no/such.json'"),
        (("reference", "--select", "TOK101"), "an audit does not run TOK101"),
        (("reference", "--select", "TOK499"), "no check is called 'TOK499'"),
        (("reference", "--corpus", "no/such"), "--corpus no/such does not exist"),
        (("reference", "--corpus", "no/*.such"), "no file matches 'no/*.such'"),
        (("reference", "--corpus", "a.md", "b.md"), "quote the pattern, or omit the second"),
        (("reference", "--corpus", "a", "--corpus", "b"), "--corpus takes one"),
        (("reference", "--embeddings", "no/such:wte"), "--embeddings no/such:wte does not exist"),
        (("reference", "--format", "cvs"), "did you mean 'csv'"),
        (("reference", "reference", "--format", "html"), "no format of a comparison"),
        (("reference", "reference", "--select", "TOK408"), "--select is for the audit of one"),
    ],
)
def test_a_mistake_is_reported_in_one_line(command, words, message):
    outcome = command("audit", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_corrupt_file_is_reported_in_one_line(command, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text('{"model": {"type": "BPE"')
    outcome = command("audit", f"reference:{path}")
    assert outcome.code == 2
    assert len(outcome.err.splitlines()) == 1


def test_a_narrow_terminal_gets_lines_that_fit(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    outcome = command("audit", target("WithFurtherTokens"), *ALONE)
    commands = [line for line in outcome.out.splitlines() if "$ " in line]
    assert all(len(line) <= 40 for line in outcome.out.splitlines() if line not in commands)
