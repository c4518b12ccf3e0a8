"""The command ``seams``: a certificate for people and for programs."""

import json

import pytest

from tokharness.results import untrusted
from tokharness_tokenizers.vocabularies.locate import SMALL

UNIGRAM = "reference:unigram"


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    monkeypatch.setattr(
        "tokharness.targets.processes.isolated.isolated", lambda function, _: function()
    )


@pytest.mark.slow
def test_a_narrow_terminal_shows_where_to_cut(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    outcome = command("seams")
    text = " ".join(outcome.out.split())
    assert outcome.code == 0
    assert "Cut before a space that follows: any character but those of" in text
    assert "An appended text changes at most the last 2 pre-tokens" in text
    assert 'Never cut inside the text of an added token: "<|endoftext|>"' in text
    assert max(map(len, outcome.out.splitlines())) <= 60


def test_a_file_with_a_space_before_each_text_has_no_neutral_cut(command, tmp_path):
    record = json.loads(SMALL["byte-level-bpe"].read_text(encoding="utf-8"))
    record["normalizer"] = {"type": "Prepend", "prepend": "\u2581"}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    out = command("seams", f"reference:{path}").out
    assert "no cut is proven to be neutral" in out
    assert "not known: each text gets" in out


@pytest.mark.slow
def test_the_json_meets_its_schema_and_has_each_code_point_once(command, tmp_path):
    path = tmp_path / "seams.json"
    assert command("seams", UNIGRAM, "--format", "json", "--output", str(path)).out == ""
    record = json.loads(path.read_text(encoding="utf-8"))
    untrusted.refuse_invalid(record, "seams")
    spans = sorted(tuple(span) for one in record["classes"] for span in one["spans"])
    ends = [end for _, end in spans]
    assert [start for start, _ in spans] == sorted({0, 0xE000, *ends} - {0xD800, 0x110000})


def test_the_schema_is_shown(command):
    schema = json.loads(command("schema", "seams").out)
    assert schema["title"] == "Certificate of seams of tokharness"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("reference:unigrm",), "did you mean"),
        (("reference:/no/such/tokenizer.json",), "No such file"),
        (("nothing:x",), "nothing"),
        ((UNIGRAM, "--output", "/no/such/folder/file"), "cannot write the certificate"),
    ],
)
def test_a_mistake_is_one_sentence(command, words, error):
    outcome = command("seams", *words)
    assert outcome.code == 2
    assert error in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.slow
def test_a_target_without_a_proof_is_a_mistake(command, faulty):
    outcome = command("seams", faulty("plain"))
    assert outcome.code == 2
    assert "has no reference that proves cuts" in outcome.err
