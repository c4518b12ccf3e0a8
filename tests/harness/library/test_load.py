"""``tokharness.load``: the tokenizer of a target."""

import sys
from pathlib import Path

import pytest

import tokharness
from tokharness import TargetError, UnknownNameError

PROGRAM = Path(__file__).parents[2] / "healthy_program.py"


@pytest.fixture(scope="module", name="loaded")
def _loaded():
    return tokharness.load("tiktoken:embedded")


def test_it_encodes_and_decodes(loaded):
    ids = loaded.encode("h\u00e9llo")
    assert all(isinstance(one, int) for one in ids)
    assert loaded.decode(ids) == "h\u00e9llo"


def test_it_shows_what_the_tokenizer_declares(loaded):
    assert loaded.spec == "tiktoken:embedded"
    assert loaded.n_vocab == 16390
    assert loaded.special_tokens["<|endoftext|>"] == 16384
    assert "encode_batch" in loaded.capabilities
    assert loaded.normalizer is loaded.unicode_version is None
    assert repr(loaded) == "<LoadedTarget tiktoken:embedded>"


def test_special_tokens_in_a_text_are_text(loaded):
    assert 16384 not in loaded.encode("<|endoftext|>")
    assert loaded.tokenizer.encode_special("<|endoftext|>") == [16384]


def test_exceptions_are_those_of_the_tokenizer(folder):
    class_ = "class T:\n def encode(self, text): raise E('no')\n def decode(self, ids): return b'a'"
    (folder / "raising.py").write_text(f"class E(Exception): pass\n{class_}\n")
    loaded = tokharness.load("python:raising.py:T")
    with pytest.raises(Exception, match="no") as raised:
        loaded.encode("a")
    assert type(raised.value).__module__.startswith("raising")
    assert loaded.decode([1]) == "a"


def test_a_program_ends_with_its_context():
    with tokharness.load(f"command:{sys.executable} {PROGRAM} embedded") as loaded:
        ids = loaded.encode("a")
        assert loaded.decode(ids) == "a"
        assert loaded.tokenizer._program._process is not None
    assert loaded.tokenizer._program._process is None


def test_a_repr_shows_no_hostile_character(folder):
    (folder / "a\u202eb.py").write_text("class T:\n encode = decode = lambda self, x: []\n")
    assert repr(tokharness.load("python:a\u202eb.py:T")).isascii()


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("tiktokn:embedded", UnknownNameError),
        ("tiktoken:no_such", UnknownNameError),
        ("python:no_such.py:T", TargetError),
    ],
)
def test_a_target_that_cannot_be_loaded_is_an_error(spec, error):
    with pytest.raises(error):
        tokharness.load(spec)
