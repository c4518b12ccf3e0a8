"""Lines of a corpus file: each in one part, in bounded memory, also of compressed files."""

import bz2
import gzip
import io
import lzma
import random
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.corpora import streams
from tokharness.corpora.streams import BrokenFileError, decompressed, line_blocks

LINES = st.lists(st.sampled_from([b"a", b"bb", b"\n", b"\n\n", b"c" * 9]), max_size=12)


@given(
    LINES.map(b"".join),
    st.sampled_from([1, 2, 3, 5, 1000]),
    st.sampled_from([3, 100]),
    st.lists(st.integers(0, 40), max_size=3),
)
def test_the_parts_of_a_file_have_each_line_once(data, block_size, longest, cuts):
    expected = data.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    expected = [line if len(line) <= longest else None for line in expected]
    borders = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    usual = streams.BLOCK_SIZE
    streams.BLOCK_SIZE = block_size
    try:
        parts = [
            line
            for start, end in pairwise(borders)
            for lines in line_blocks(io.BytesIO(data), longest, start, end)
            for line in lines
        ]
        whole = [line for lines in line_blocks(io.BytesIO(data), longest) for line in lines]
    finally:
        streams.BLOCK_SIZE = usual
    assert parts == expected
    assert whole == expected


def test_a_part_within_a_line_is_not_read_beyond_its_end(monkeypatch):
    monkeypatch.setattr(streams, "BLOCK_SIZE", 10)
    file = io.BytesIO(b"x" * 1000 + b"\nlast\n")
    assert not list(line_blocks(file, 100, 200, 300))
    assert len(file.read()) > 680
    assert list(line_blocks(file, 100, 900, 1003)) == [[b"last"]]


def zstandard(data):
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


KINDS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstandard": zstandard,
}
NAMES = [*list(KINDS)[:-1], pytest.param("zstandard", marks=pytest.mark.needs("zstandard"))]


def read_all(data):
    stream = decompressed(io.BytesIO(data), "file")
    return b"".join(iter(lambda: stream.read(1000), b""))


@pytest.mark.parametrize("kind", NAMES)
def test_a_compressed_file_is_read_whatever_its_name(kind):
    text = b"caf\xc3\xa9\n" * 5000
    assert read_all(KINDS[kind](text)) == text


@pytest.mark.parametrize("kind", NAMES)
def test_several_compressed_files_in_one_are_read_to_the_end(kind):
    assert read_all(KINDS[kind](b"one\n") + KINDS[kind](b"two\n")) == b"one\ntwo\n"


@pytest.mark.parametrize("kind", ["gzip", "xz"])
def test_zeros_may_follow_a_compressed_file_in_another(kind):
    assert read_all(KINDS[kind](b"one\n") + bytes(8) + KINDS[kind](b"two\n")) == b"one\ntwo\n"


@pytest.mark.needs("zstandard")
def test_frames_of_zstandard_that_are_to_be_skipped_are():
    skipped = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"2\nno"
    data = skipped + zstandard(b"one\n") + skipped + zstandard(b"two\n")
    assert read_all(data) == b"one\ntwo\n"


@pytest.mark.parametrize("kind", NAMES)
def test_a_second_compressed_file_in_one_that_is_damaged_is_an_error_behind_the_first(kind):
    second = bytearray(KINDS[kind](b"two\n"))
    second[1] ^= 1
    stream = decompressed(io.BytesIO(KINDS[kind](b"one\n") + bytes(second)), "file")
    assert stream.read(1000) == b"one\n"
    with pytest.raises(BrokenFileError, match="cannot be decompressed"):
        stream.read(1000)


@pytest.mark.parametrize("kind", NAMES)
def test_a_truncated_file_is_an_error(kind):
    content = random.Random(0).randbytes(300_000)
    stream = decompressed(io.BytesIO(KINDS[kind](content)[:-9]), "file")
    read = bytearray()
    with pytest.raises(BrokenFileError, match="ends in the middle"):
        deque(map(read.extend, iter(lambda: stream.read(1 << 18), b"")), maxlen=0)
    assert content.startswith(bytes(read)), "what was read before is as it was"
    least = {"gzip": 299_000, "xz": 299_000, "zstandard": 262_144, "bzip2": 0}
    assert len(read) >= least[kind]


def test_a_damaged_file_is_an_error():
    data = bytearray(gzip.compress(bytes(range(256)) * 100))
    data[40] ^= 0xFF
    with pytest.raises(BrokenFileError, match="cannot be decompressed"):
        read_all(bytes(data))


def test_a_bomb_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(streams, "SURE_BYTES", 1 << 20)
    stream = decompressed(io.BytesIO(gzip.compress(bytes(1 << 24))), "file")
    read = 0
    with pytest.raises(BrokenFileError, match="expands more than 500 times"):
        read = sum(map(len, iter(lambda: stream.read(1 << 16), b"")))
    assert not read
