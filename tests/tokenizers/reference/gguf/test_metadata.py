"""The metadata of GGUF files, whole and damaged."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted._gguf_files import RECORDS, gguf_bytes

from tokharness_tokenizers.reference.gguf import metadata, reading

RECORD = {"a": 1, "b": -2.5, "c": "\u4f60", "d": True, "e": [1, 2], "f": ["x", ""], "g": [0.5]}
SMALL = gguf_bytes({"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": ["<unk>", "a"]})


def read(data):
    return metadata.read(io.BytesIO(data))


def with_value(kind, value):
    return b"GGUF" + struct.pack("<IQQQ1sI", 3, 0, 1, 1, b"k", kind) + value


@pytest.mark.parametrize("version", [2, 3])
def test_keys_and_values_are_read(version):
    expected = {**RECORD, "e": (1, 2), "f": ("x", ""), "g": (0.5,)}
    assert read(gguf_bytes(RECORD, version=version)) == expected


def test_a_big_endian_file_is_read():
    assert read(gguf_bytes(RECORD, order=">")) == read(gguf_bytes(RECORD))


def test_an_array_of_arrays_is_read():
    inner = struct.pack("<IQ2H", 2, 2, 7, 8)
    assert read(with_value(9, struct.pack("<IQ", 9, 2) + inner * 2)) == {"k": ((7, 8), (7, 8))}


def test_bytes_that_are_not_utf_8_are_escaped():
    assert read(with_value(8, struct.pack("<Q", 3) + b"a\xff\n")) == {"k": "a\\xff\n"}


def test_what_follows_the_metadata_is_not_read():
    assert read(SMALL + b"\xff" * 99) == read(SMALL)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "byte 0: the four letters GGUF: 4 bytes are needed, and 0 are left"),
        (b"GGML" + bytes(20), "does not begin with GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1 of GGUF, and 2 and 3 are known"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60), "the keys: 14,987,"),
        (with_value(8, struct.pack("<Q", 1 << 62)), "the value of 'k': 4,611,"),
        (with_value(9, struct.pack("<IQ", 6, 1 << 62)), "the value of 'k': "),
        (with_value(9, struct.pack("<IQ", 8, 1 << 62)), "the value of 'k': "),
        (with_value(9, struct.pack("<IQ", 99, 1)), "the unknown type 99"),
        (with_value(99, b""), "the unknown type 99"),
        (with_value(9, struct.pack("<IQ", 9, 1) * 99), "the unknown type 9"),
    ],
)
def test_a_damaged_file_is_an_error_that_says_where(data, message):
    with pytest.raises(ValueError, match=message):
        read(data)


def test_a_key_that_is_there_twice_is_an_error():
    one = gguf_bytes({"key": 1})
    data = one[:16] + struct.pack("<Q", 2) + one[24:] * 2
    with pytest.raises(ValueError, match="the key 'key' is there twice"):
        read(data)


@given(st.integers(0, len(SMALL) - 1))
def test_each_truncation_is_an_error(size):
    with pytest.raises(ValueError, match=r"truncated\?"):
        read(SMALL[:size])


@given(
    st.sampled_from(["byte_level", "unigram", "word_pieces"]).map(
        lambda name: gguf_bytes({k: v[:30] if isinstance(v, list) else v
                                 for k, v in RECORDS[name].items() if "merges" not in k})
    ),
    st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=4),
)  # fmt: skip
def test_a_file_with_other_bytes_is_loaded_or_an_error(data, changes):
    damaged = bytearray(data)
    for place, byte in changes:
        damaged[place % len(data)] = byte
    try:
        tokenizer = reading.read(read(bytes(damaged)), "damaged")
    except ValueError:
        return
    assert tokenizer.n_vocab == len(tokenizer.texts)
