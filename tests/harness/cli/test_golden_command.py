"""``tokharness golden``: write a file of results, and compare a target with it."""

import json

import jsonschema
import pytest

from tokharness.results.untrusted import schema

PROGRAM = """
from types import SimpleNamespace

def encode(text):
    return list(text.encode())

def decode(ids):
    return bytes(ids).decode("utf-8", "replace")

def plain():
    return SimpleNamespace(encode=encode, decode=decode)

def lossy():
    return SimpleNamespace(encode=lambda text: encode(text.replace("\\u0667", "7")), decode=decode)
"""


@pytest.fixture
def programs(tmp_path):
    path = tmp_path / "programs.py"
    path.write_text(PROGRAM)
    return lambda name: f"python:{path}:{name}"


@pytest.mark.slow
def test_a_target_is_compared_with_a_file(command, programs, tmp_path):
    path = str(tmp_path / "golden.jsonl")
    words = ("--family", "digits", "--texts", "60")
    assert command("golden", programs("plain"), "--out", path, *words).code == 0
    assert command("golden", programs("plain"), "--verify", path).code == 0
    outcome = command("golden", programs("lossy"), "--verify", path)
    assert outcome.code == 1
    assert "ids: the ids differ from token" in outcome.out
    record = json.loads(
        command("golden", programs("lossy"), "--verify", path, "--format", "json").out
    )
    jsonschema.validate(record, schema("golden"))
    assert all("\u0667" in one["text"] for one in record["differences"])


@pytest.mark.slow
def test_a_file_loads_no_target_but_that_of_against(command, programs, tmp_path):
    path = str(tmp_path / "golden.jsonl")
    command("golden", "tiktoken:embedded", "--out", path, "--family", "digits", "--texts", "60")
    target = programs("plain")
    outcome = command("golden", target, "--verify", path)
    assert outcome.code == 1
    assert "ids: the ids differ from token" in outcome.out
    assert "name it: --against tiktoken:embedded" in outcome.err
    named = command("golden", target, "--verify", path, "--against", "tiktoken:embedded")
    assert named.code == 1
    assert named.out != outcome.out
    assert "name it" not in named.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("reference", "--out", "x", "--against", "reference"), "--against is for --verify"),
        (("reference",), "either --out FILE or --verify FILE"),
        (("reference", "--verify", "missing.jsonl"), "cannot read the golden file"),
        (("reference", "--out", "no/such/folder/x"), "cannot write the golden file"),
        (("reference", "--out", "x", "--family", "digit"), "did you mean"),
    ],
)
def test_a_mistake_is_one_sentence(command, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    outcome = command("golden", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
