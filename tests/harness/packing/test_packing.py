"""A packed description is the same after unpacking, and what a stranger packed stays small."""

import contextlib
import json
import math
import struct
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.model import Description, TokenEntry
from tokharness.packing import MAGIC, pack, unpack
from tokharness.packing.columns import COLUMN, HEAD, LIMIT, Reader, Writer, add_texts, read_texts

SURROGATES = st.characters(categories=["L", "Cc", "Cs", "So"])
TEXTS = st.text(SURROGATES, max_size=5) | st.binary(max_size=5)
NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)
SCORES = st.none() | st.floats(width=32) | st.floats()
ROWS = st.builds(TokenEntry, NUMBERS, TEXTS, SCORES, st.sampled_from([None, "", "unused", "a"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(SURROGATES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)

SMALL = Description(
    "tokenizer.json",
    {"model": {"type": "BPE"}},
    (
        TokenEntry(0, "a", -1.5, "normal"),
        TokenEntry(1, "b", -2.0, "unused"),
        TokenEntry(5, "ab", None),
    ),
    (("a", "b"), ("x", "y"), ("a", "b")),
)


def bits(score):
    return None if score is None else struct.pack("<d", score)


def exact(description):
    """Return what decides whether two descriptions are the same, also scores that are no number."""
    rows = [(row.id, row.token, bits(row.score), row.type) for row in description.tokens]
    stages = json.dumps(dict(description.stages))
    return description.format, stages, rows, description.merges


@st.composite
def descriptions(draw):
    rows = draw(st.lists(ROWS, max_size=12))
    parts = st.sampled_from([row.token for row in rows]) if rows else TEXTS
    merges = st.none() | st.lists(st.tuples(parts | TEXTS, parts | TEXTS).map(tuple), max_size=6)
    found = draw(merges)
    stages = draw(st.dictionaries(st.text(max_size=5), VALUES, max_size=3))
    return Description(
        draw(st.text(max_size=5)), stages, tuple(rows), None if found is None else tuple(found)
    )


@pytest.mark.slow
@given(descriptions())
def test_nothing_is_lost(description):
    assert exact(unpack(pack(description))) == exact(description)


@pytest.mark.slow
@given(st.lists(st.binary(max_size=4) | st.text("\0\1\2\xff", max_size=4)))
def test_bytes_that_end_or_escape_a_text_are_kept(texts):
    writer = Writer(b"TEST")
    add_texts(writer, texts)
    assert read_texts(Reader(writer.block(), b"TEST", "x")) == texts


@pytest.mark.parametrize("score", [math.inf, -0.0, 1e300, 5e-324, 0.1, -3.4635426998138428])
def test_a_score_keeps_its_bits(score):
    (row,) = unpack(pack(Description("x", {}, (TokenEntry(0, "a", score),)))).tokens
    assert bits(row.score) == bits(score)


def test_equal_descriptions_are_equal_bytes():
    assert pack(SMALL) == pack(unpack(pack(SMALL)))


def test_a_merge_of_two_tokens_takes_less_than_its_texts():
    tokens = [TokenEntry(at, f"{at:05}") for at in range(2000)]
    left_and_right = [(row.token[:3], row.token[3:]) for row in tokens]
    with_merges = Description("x", {}, tuple(tokens), tuple(left_and_right))
    assert len(pack(with_merges)) < len(pack(replace(with_merges, merges=None))) + 200


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": (TokenEntry(1 << 64, "a"),)}, "has more than 64 bits"),
        ({"stages": {"model": {1, 2}}}, "a stage is not JSON"),
        ({"stages": {"model": "a" * (1 << 23)}}, "the stages have more than 8,388,608 bytes"),
    ],
)
def test_what_cannot_be_packed_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        pack(replace(SMALL, **change))


def sealed(body):
    """Return a block with a body that fits its checksum, as an attacker writes it."""
    return HEAD.pack(MAGIC, zlib.crc32(body)) + body


@pytest.mark.slow
@given(st.data())
def test_a_changed_block_is_refused_or_is_a_description(data):
    body = bytearray(pack(SMALL)[HEAD.size :])
    for _ in range(data.draw(st.integers(1, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(len(body) - 3, len(body)))
    with contextlib.suppress(ValueError):
        assert isinstance(unpack(sealed(bytes(body[:cut]))), Description)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (b"", "it does not begin as one"),
        (b"TKD2" + pack(SMALL)[4:], "it does not begin as one"),
        (pack(SMALL)[:-1], "its checksum differs"),
        (sealed(pack(SMALL)[HEAD.size :] + b"x"), "bytes follow its last column"),
        (sealed(b""), "a column is missing"),
        (sealed(COLUMN.pack(0, 9, 9)), "a column exceeds its end"),
        (sealed(COLUMN.pack(7, 1, 1) + b"x"), "the unknown compression 7"),
        (sealed(COLUMN.pack(1, 1, 1) + b"x"), "a column is not what it is compressed as"),
        (sealed(COLUMN.pack(0, LIMIT + 1, 1) + b"x"), "its content has more than 67,108,864 bytes"),
        (sealed(COLUMN.pack(0, 2, 2) + b"[]"), "its head has other keys"),
        (sealed(COLUMN.pack(1, 1 << 24, 1) + b"x"), "a column has more than 8,388,608 bytes"),
        (sealed(COLUMN.pack(0, 4, 4) + b"[" * 4), "its head is not JSON"),
    ],
)
def test_a_damaged_block_is_refused_with_its_reason(block, message):
    with pytest.raises(ValueError, match=message):
        unpack(block)


def test_a_column_that_becomes_larger_than_it_says_is_refused():
    writer = Writer(MAGIC)
    writer.add(bytes(1 << 20))
    body = bytearray(writer.block()[HEAD.size :])
    method, _, packed = COLUMN.unpack_from(body)
    body[: COLUMN.size] = COLUMN.pack(method, 10, packed)
    reader = Reader(sealed(bytes(body)), MAGIC, "x")
    with pytest.raises(ValueError, match="another size than it says"):
        reader.read()


@pytest.mark.slow
def test_texts_that_share_much_are_counted_in_full():
    """A small block of 600,000 texts that each repeat 200 bytes of the one before it."""
    count = 600_000
    writer = Writer(MAGIC)
    writer.add_numbers(range(count))
    writer.add(b"\1" + b"a" * 200 + b"\0" + b"\xc9b\0" * (count - 1), is_text=True)
    writer.add_numbers([0] * count)
    block = writer.block()
    assert len(block) < 2_000_000
    with pytest.raises(ValueError, match="its content has more than"):
        read_texts(Reader(block, MAGIC, "x"))


@pytest.mark.parametrize(
    ("order", "records", "message"),
    [
        ([0, 0], b"\1a\0\1b\0", "two texts have one place"),
        ([0, 2], b"\1a\0\1b\0", "two texts have one place"),
        ([0], b"\1a\0\1b\0", "another number than their places"),
        ([0], b"\2a\0", "shares more with the one before it"),
        ([0], b"\0", "shares more with the one before it"),
        ([0], b"\1\xff\0", "a text is not UTF-8"),
    ],
)
def test_texts_that_no_packing_gives_are_refused(order, records, message):
    writer = Writer(MAGIC)
    writer.add_numbers(order)
    writer.add(records, is_text=True)
    writer.add_numbers([1] * len(order))
    with pytest.raises(ValueError, match=message):
        read_texts(Reader(writer.block(), MAGIC, "x"))


def test_a_small_block_of_very_many_numbers_is_refused():
    writer = Writer(MAGIC)
    writer.add(b"\1" + bytes((1 << 21) + 1))
    block = writer.block()
    assert len(block) < 10_000
    with pytest.raises(ValueError, match="a column of numbers has 2,097,154 bytes"):
        Reader(block, MAGIC, "x").read_numbers()
