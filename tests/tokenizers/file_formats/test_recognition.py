"""The kinds of vocabulary files: made ones, and the real ones if they are there."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokharness_tokenizers.file_formats import is_a
from tokharness_tokenizers.vocabularies import locate
from tokharness_tokenizers.vocabularies.file_heads import describe

REAL = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
NAMES = {
    "hf": "a tokenizer.json of Hugging Face",
    "clip": "CLIP's list of merges",
    "gguf": "a GGUF file",
    "sentencepiece": "a SentencePiece model",
    "wordpiece": "a WordPiece vocabulary",
    "rwkv": "an RWKV vocabulary",
}
needs_real_files = pytest.mark.skipif(
    not REAL.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder"
)

TOKENIZER = {"version": "1.0", "truncation": None, "added_tokens": [], "normalizer": None}
TOKENIZER |= {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}
KERAS = {"class_name": "Tokenizer", "config": {"word_index": '{"<OOV>": 1, "the": 2}'}}
PIECES = b"".join(
    b"\x0a" + bytes([len(text) + 9, 0x0A, len(text)]) + text + b"\x15\0\0\0\0\x18" + bytes([kind])
    for text, kind in ((b"<unk>", 2), (b"<s>", 3), (b"</s>", 3), (b"\xe2\x96\x81", 1))
)
FILES = {
    "a tokenizer.json of Hugging Face": json.dumps(TOKENIZER),
    "a GGUF file": b"GGUF\x03\0\0\0",
    "a SentencePiece model": PIECES,
    "a Tekken vocabulary": '{"config": {"pattern": "."}, "vocab": [], "special_tokens": []}',
    "a table of tokens and ids without merges": '{"a": 0, "b": 1, "ab": 2}',
    "the word index of a Tokenizer of Keras": json.dumps(KERAS),
    "a list of BPE merges without tokens and ids": "#version: 0.2\n\u0120 t\nh e\n",
    "a WordPiece vocabulary": "[PAD]\n[UNK]\nthe\n##s\n",
    "a pointer of Git LFS (`git lfs pull` fetches the file)": (
        "version https://git-lfs.example/spec/v1\noid sha256:00\nsize 9\n"
    ),
    "an RWKV vocabulary": "1 '\\x00' 1\n2 b'\\xff' 1\n3 ' a b' 4\n",
}
UNKNOWN = (
    *(b"", b"\0", b"{", b"[]", b"{}", b'{"model": {}}', b'{"model": "x", "added_tokens": []}'),
    *(
        b"a text\nof two lines\n",
        b"GGU",
        b"\x0a",
        b"\x0a\xff\x0a\xff",
        b"#version: 0.2",
        b"\xff\xfe",
    ),
    *(b'{"name": "x", "version": "1"}', b'{"a": 1}', b"the 12\nof 8\n", b"[UNK]\ntwo words\n"),
)


def is_ranks(path):
    return is_a("tiktoken_ranks", path)


@pytest.fixture
def file(tmp_path):
    """Write a file and return its path."""

    def write(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("name", FILES)
def test_each_kind_is_described(file, name):
    assert describe(file(FILES[name])) == name
    assert not is_ranks(file(FILES[name]))


def test_the_result_of_to_json_may_be_a_json_string(file):
    assert describe(file(json.dumps(json.dumps(KERAS)))) == describe(file(json.dumps(KERAS)))


@pytest.mark.parametrize("content", UNKNOWN)
def test_everything_else_is_unknown(file, content):
    assert describe(file(content)) is None
    assert not is_ranks(file(content))


@pytest.mark.slow
@given(content=st.binary(max_size=200), prefix=st.sampled_from(list(FILES.values())))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_any_content_is_examined_without_an_error(file, content, prefix):
    start = prefix if isinstance(prefix, bytes) else prefix.encode()
    path = file(start[: len(content)] + content)
    others = {"a list of tiktoken's ranks", "CLIP's list of merges"}
    assert describe(path) in {None, "a file of codes of subword-nmt", *others, *FILES}
    assert is_ranks(path) in {True, False}


@pytest.mark.parametrize("content", [b"YQ== 0\n", b"YQ== 0\r\n\r\nYWI= 1", b"aGVsbG8g\t4294967295"])
def test_lines_of_base64_and_a_rank_are_a_rank_file(file, content):
    assert is_ranks(file(content))
    assert describe(file(content)) == "a list of tiktoken's ranks"


@pytest.mark.parametrize(
    "content", [b"YQ= 0\n", b"YQ== x\n", b"YQ==\n", b"YQ== 0 1\n", b"YQ== 0\n!\n"]
)
def test_other_lines_are_not_a_rank_file(file, content):
    assert not is_ranks(file(content))


def test_our_vocabulary_is_a_rank_file():
    assert is_ranks(locate.EMBEDDED_PATH)


@given(st.permutations(list(TOKENIZER)), st.sampled_from([None, 2]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_the_keys_of_a_tokenizer_json_may_have_any_order(file, keys, indent):
    assert is_a(
        "tokenizer_json", file(json.dumps({key: TOKENIZER[key] for key in keys}, indent=indent))
    )


def test_a_damaged_tokenizer_json_is_recognized(file):
    assert is_a("tokenizer_json", file(FILES["a tokenizer.json of Hugging Face"][:-5]))


@pytest.mark.slow
def test_a_large_tokenizer_json_is_recognized_in_a_moment(file):
    words = {f"token {number}": number for number in range(200_000)}
    late = TOKENIZER | {"model": {"type": "BPE", "vocab": words}}
    first = {"model": late.pop("model")} | {"x": 1, "decoder": None}
    path = file(json.dumps(first))
    started = time.process_time()
    assert is_a("tokenizer_json", path)
    assert time.process_time() - started < 3


def test_a_folder_with_the_files_of_bpe_is_described(file):
    path = file('{"a": 0}', "vocab.json")
    assert describe(path.parent) is None
    file("", "merges.txt")
    assert describe(path.parent) == "a vocabulary of BPE (vocab.json and merges.txt)"


@needs_real_files
@pytest.mark.parametrize("folder", NAMES)
def test_real_files_are_recognized(folder):
    suffixes = {".inp", ".out"}
    paths = [path for path in (REAL / folder).iterdir() if path.suffix not in suffixes]
    found = {path.name: describe(path) for path in paths if path.name != "botchan.txt"}
    assert found
    assert set(found.values()) == {NAMES[folder]}


@needs_real_files
def test_real_texts_are_not_vocabularies():
    paths = [*REAL.glob("gguf/*.inp"), *REAL.glob("gguf/*.out"), REAL / "sentencepiece/botchan.txt"]
    assert {describe(path) for path in paths} == {None}
    assert not any(map(is_ranks, paths))
