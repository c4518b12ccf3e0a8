"""``tokharness.load``: the tokenizer of a target."""

import gc
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tokharness
from tokharness import TargetError, UnknownNameError
from tokharness_tokenizers.vocabularies.locate import SMALL

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


@pytest.mark.slow
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


@pytest.fixture(scope="module")
def slow_file(tmp_path_factory):
    """Without an end for a text of many "a" and a "b", and large for many ids of "!"."""
    stage = {"type": "Split", "behavior": "Isolated", "invert": False}
    grows = {"type": "Replace", "pattern": {"String": "!"}, "content": "!" * 4000}
    changes = {
        "pre_tokenizer": {**stage, "pattern": {"Regex": "(a+)+$"}},
        "decoder": grows,
    }
    path = tmp_path_factory.mktemp("slow") / "slow.json"
    path.write_text(json.dumps({**json.loads(SMALL["byte-level-bpe"].read_bytes()), **changes}))
    return path


@pytest.fixture(scope="module")
def slow(slow_file):
    with tokharness.load(f"reference:{slow_file}", time_limit=1) as loaded:
        yield loaded


def test_a_text_that_takes_too_long_for_a_file_is_an_error_and_the_next_one_is_tried(slow):
    for _ in range(2):
        with pytest.raises(TargetError, match="a text of 41 characters: it takes too"):
            slow.encode("a" * 40 + "b")
    assert slow.decode(slow.encode("ab")) == "ab"


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_ids_whose_text_takes_too_much_memory_are_an_error(slow):
    with pytest.raises(TargetError, match="300000 ids: it takes too much memory, more than 900"):
        slow.decode(slow.encode("!") * 300_000)


def test_many_texts_and_threads_get_what_a_trusted_file_gives(slow):
    trusted = tokharness.load(slow.spec, trusted=True)
    texts = [f"{number} ab" for number in range(50)] * 2
    expected = list(map(trusted.encode, texts))
    assert slow.encode_all(texts) == trusted.encode_all(texts) == expected
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(slow.encode, texts)) == expected


def test_a_fork_of_this_process_shares_no_pipe(slow):
    ids = slow.encode("ab")
    child = os.fork()
    if not child:
        os._exit(slow.encode("ab") != ids)
    assert os.waitpid(child, 0)[1] == 0
    assert slow.encode("ab") == ids


def test_an_exception_in_a_process_has_the_class_that_it_has_in_this_one(slow):
    for loaded in (slow, tokharness.load(slow.spec, trusted=True)):
        with pytest.raises(KeyError) as raised:
            loaded.decode([1 << 20])
        assert raised.value.args == ("no token has the id 1048576",)


def test_ids_of_another_type_are_decoded(slow):
    class Id:
        def __index__(self):
            return 65

    assert slow.decode((Id(),)) == slow.decode([65])


@pytest.mark.slow
def test_a_process_ends_with_its_target(slow_file):
    loaded = tokharness.load(slow_file)
    program = loaded.tokenizer._program
    del loaded
    gc.collect()
    assert program._process is None
