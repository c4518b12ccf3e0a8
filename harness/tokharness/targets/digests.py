"""Digests of many texts with what a tokenizer gives for them, in blocks.

A sequence of texts is divided into blocks. A block has a digest of its texts and a digest of its
results, so that changed texts are not mistaken for changed ids, and a few bits for each text, which
locate the texts that differ in a block. In a file, this takes about two bytes for each text; ids
would take a hundred.

    old = digest_of(texts, ids)                    # keep pack(old), of packed_digests
    new = digest_of(texts, ids_of_today)
    first_difference(unpack(packed), new).rows     # numbers of the texts whose ids differ

Two digests can be compared if their texts were divided into the same blocks: the division depends
on the texts alone. The digests protect against accidents, not against a tokenizer that was made to
have the digest of another tokenizer.

The few bits of a text may be equal by chance. Therefore a block also has a *locator*: sums over the
texts whose number has a certain bit, as in a Hamming code. It locates the text if only a single
text of a block differs.
"""

from __future__ import annotations

import struct
import sys
from array import array
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

BLOCK_TEXTS, BLOCK_CHARACTERS = 1000, 50_000
"""Most texts and characters of a block; a longer text is a block of its own."""

SIZE = 8
"""Bytes of a digest of texts or results: enough against accidents."""

ROW_FACTOR, MIX, WORD = 0x9E3779B1, 0x85EBCA6B, 0xFFFFFFFF
"""Odd factors with bits at random places (from the golden ratio, and from MurmurHash3), 32 bits."""

LANE, ROW_BITS = 16, 10
"""Bits of a sum, and of the number of a text in its block."""

SOME_BITS = 4
"""Bits of a text that exclude most wrong guesses of its ids."""

LOCATOR = (1 + ROW_BITS) * LANE // 8
"""Bytes of a locator."""

NO_ERRORS: Mapping[int, BaseException] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Block:
    """Digests of some texts.

    Attributes:
        count: The number of texts.
        texts: The digest of the texts, ``SIZE`` bytes.
        results: The digest of their ids and decoded texts; empty if a text was not run.
        checks: A byte for each text, whose upper bits are kept: equal results have equal bytes, and
            different results nearly always have different bytes.
        locator: ``LOCATOR`` bytes that locate a single text that differs.
        agreed: Whether the reference gave the same ids for all of the texts.

    """

    count: int
    texts: bytes
    results: bytes
    checks: bytes
    locator: bytes
    agreed: bool = False

    @property
    def key(self) -> bytes:
        """Key of the texts and their results; empty if a result is unknown."""
        return self.results and self.texts + self.results


@dataclass(frozen=True, slots=True)
class Digest:
    """The digests of a sequence of texts; only the upper ``bits`` of ``checks`` have a meaning.

    Checks that are not ``is_mixed`` are of an earlier release, and locate no text.
    """

    blocks: tuple[Block, ...] = ()
    bits: int = 8
    is_mixed: bool = True

    @property
    def count(self) -> int:
        """The number of texts."""
        return sum(block.count for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two digests of the same sequence of texts.

    Attributes:
        rows: Numbers of the texts whose results differ, from 0, in order.
        ranges: Blocks that differ although the bits of all texts are equal: texts from the first
            number to before the second number. Several texts of such a block differ.
        other_texts: The number of new texts in blocks whose texts changed, or without a block to
            compare with: whether their results changed is unknown.
        not_run: The number of texts in blocks without results on one side.

    """

    rows: tuple[int, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    other_texts: int = 0
    not_run: int = 0

    def __bool__(self) -> bool:
        """Whether results differ."""
        return bool(self.rows or self.ranges)


def digest_of(
    texts: Sequence[str],
    ids: Sequence[Sequence[int] | None],
    decoded: Sequence[str | None] | None = None,
    errors: Mapping[int, BaseException] = NO_ERRORS,
) -> Digest:
    """Return the digest of texts with their ids, and with what the ids decode to.

    Args:
        texts: The texts, of any number.
        ids: The ids of each text; None if the tokenizer raised or was not called.
        decoded: The decoded text of each text's ids; None if decoded texts are not part of the
            results. A decoded text that equals its text costs nothing. Digests with and without
            decoded texts cannot be compared.
        errors: Exceptions by row. Only the type of an exception counts, since messages may contain
            addresses. A row without a result and without an exception was not run.

    """
    blocks, start = [], 0
    for end in block_ends(texts):
        part = slice(start, end)
        raised = {row - start: error for row, error in errors.items() if start <= row < end}
        of_part = None if decoded is None else decoded[part]
        blocks.append(block_of(texts[part], ids[part], of_part, raised))
        start = end
    return Digest(tuple(blocks))


def block_ends(
    texts: Sequence[str], most: int = BLOCK_TEXTS, characters: int = BLOCK_CHARACTERS
) -> Iterator[int]:
    """Yield the end of each block of a sequence; the division depends on the texts alone.

    Args:
        texts: The texts, of any number.
        most: The number of texts of a block; a digest needs the default.
        characters: The number of characters of a block of more than one text.

    """
    start = 0
    while start < len(texts):
        end = min(start + most, len(texts))
        # Several times as fast as a sum of lengths.
        while end > start + 1 and len("".join(texts[start:end])) > characters:
            end = start + (end - start) // 2
        yield end
        start = end


def block_of(
    texts: Sequence[str],
    ids: Sequence[Sequence[int] | None],
    decoded: Sequence[str | None] | None = None,
    errors: Mapping[int, BaseException] = NO_ERRORS,
) -> Block:
    """Return the digests of texts as a single block, with the arguments of :func:`digest_of`."""
    try:
        rows: list[Any] = [array("q", one) for one in ids]  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        rows = [_bytes_of_ids(one, errors.get(row)) for row, one in enumerate(ids)]
    else:
        rows = list(map(little_endian, rows)) if sys.byteorder == "big" else rows
    # With the lengths, since ids may move from one text to the next.
    results = _hash(chain([little_endian(array("q", map(len, rows)))], rows))
    checks = list(map(crc32, rows))
    if decoded is not None and decoded != texts:
        for row, (text, came_back) in enumerate(zip(texts, decoded, strict=True)):
            if text != came_back:
                change = _bytes_of_text(came_back, errors.get(row))
                checks[row] = crc32(b"decoded" + change, checks[row])
                results.update(struct.pack("<II", row, len(change)))
                results.update(change)
    mixed = [_mixed(check, row) for row, check in enumerate(checks)]
    missing = {row for row, one in enumerate(ids) if one is None} if None in ids else set()
    if decoded is not None and None in decoded:
        missing.update(row for row, text in enumerate(decoded) if text is None)
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    lengths = array("I", map(len, texts))
    return Block(
        count=len(texts),
        texts=_hash([little_endian(lengths), bool(decoded).to_bytes(1, "big"), joined]).digest(),
        results=b"" if missing - errors.keys() else results.digest(),
        checks=bytes([check & 255 for check in mixed]),
        locator=_locator(array("H", [check >> LANE for check in mixed])),
    )


def _mixed(check: int, row: int) -> int:
    """Return a check sum whose bits depend on the row, too, and are no XOR of bits of the ids.

    In a CRC, ids that are exchanged change the same bits in every text that has one of them: sums
    of several texts would cancel out, or look like the sum of another text.
    """
    check = check + row * ROW_FACTOR & WORD
    check = (check ^ check >> 16) * MIX & WORD
    return check ^ check >> 13


def _locator(sums: array[int]) -> bytes:
    """Return the XOR of all rows, and for each bit of a row number the XOR of the rows with it."""
    lanes = int.from_bytes(little_endian(sums), "little")
    with_bit = []
    for bit in reversed(range(ROW_BITS)):
        size = LANE << bit
        upper, lower = lanes >> size, lanes & (1 << size) - 1
        with_bit.append(_fold(upper, bit))
        lanes = upper ^ lower  # of rows that differ only in this bit
    numbers = [lanes, *reversed(with_bit)]
    return b"".join(number.to_bytes(LANE // 8, "little") for number in numbers)


def _fold(lanes: int, bits: int) -> int:
    """Return the XOR of 2 ** ``bits`` lanes."""
    for bit in reversed(range(bits)):
        lanes = lanes >> (LANE << bit) ^ lanes & (1 << (LANE << bit)) - 1
    return lanes


def _located(old: bytes, new: bytes, count: int) -> int | None:
    """Return the row that differs, if it is the only such row of a block."""
    size = LANE // 8
    parts = range(0, LOCATOR, size)
    changed = [
        int.from_bytes(old[at : at + size], "little")
        ^ int.from_bytes(new[at : at + size], "little")
        for at in parts
    ]
    whole, *with_bit = changed
    if not whole or not {0, whole}.issuperset(with_bit):
        return None
    row = sum(1 << bit for bit, one in enumerate(with_bit) if one)
    return row if row < count else None


def _bytes_of_ids(ids: Sequence[int] | None, error: BaseException | None) -> bytes:
    """Return the bytes of a result in a column in which not all ids are 64-bit integers."""
    if ids is None:
        return _name_of(error)
    try:
        return little_endian(array("q", ids))
    except (TypeError, OverflowError):
        # In hexadecimal: Python writes no integer of more than 4,300 decimal digits.
        parts = (f"{one:#x}" if isinstance(one, int) else repr(one) for one in ids)
        return ",".join(parts).encode("utf-8", "backslashreplace")


def _bytes_of_text(text: str | None, error: BaseException | None) -> bytes:
    return _name_of(error) if text is None else text.encode("utf-8", "surrogatepass")


def _name_of(error: BaseException | None) -> bytes:
    reason = error.reason if isinstance(error, TargetDeath) else type(error).__name__
    return reason.encode("utf-8", "backslashreplace")


def little_endian(numbers: array[int]) -> bytes:
    """Return the bytes of numbers in the byte order of files, on every machine."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers.tobytes()


def _hash(parts: Iterable[Any]) -> blake2b:
    result = blake2b(digest_size=SIZE)
    for part in parts:
        result.update(part)
    return result


def first_difference(old: Digest, new: Digest) -> Difference:
    """Return what differs between two digests of a sequence of texts, the first text first.

    Blocks are compared by their place. A block whose texts changed is not compared, since its
    results may differ because of the texts.
    """
    rows: list[int] = []
    ranges: list[tuple[int, int]] = []
    other = not_run = start = 0
    mask = 256 - (256 >> min(old.bits, new.bits))
    for number, block in enumerate(new.blocks):
        before = old.blocks[number] if number < len(old.blocks) else None
        if before is None or (before.count, before.texts) != (block.count, block.texts):
            other += block.count
        elif not before.results or not block.results:
            not_run += block.count
        elif before.results != block.results:
            differing = _differing(before, block, mask) if old.is_mixed and new.is_mixed else []
            rows += [start + row for row in differing]
            if not differing:
                ranges.append((start, start + block.count))
        start += block.count
    return Difference(tuple(rows), tuple(ranges), other, not_run)


def confirmed(
    old: Digest,
    texts: Sequence[str],
    ids: Sequence[Sequence[int] | None],
    guesses: Mapping[int, tuple[int, ...]],
    errors: Mapping[int, BaseException] = NO_ERRORS,
    *,
    with_bits: bool = False,
) -> dict[int, tuple[int, ...]]:
    """Return the guessed results, by row, that an earlier digest of the same texts confirms.

    All guesses of a block are right if they give its digest. Otherwise, ``with_bits``, the guesses
    with equal bits are returned: for guesses that are hardly ever wrong, since the few bits of a
    text may be equal by chance. Decoded texts are not part of the results.
    """
    found: dict[int, tuple[int, ...]] = {}
    start = 0
    for block in old.blocks:
        end = start + block.count
        rows = {row: guesses[row] for row in range(start, end) if row in guesses}
        rows = {row: one for row, one in rows.items() if _has_bits(old, block, row - start, one)}
        if rows and end <= len(texts):
            before = [rows.get(row, ids[row]) for row in range(start, end)]
            raised = {row - start: error for row, error in errors.items() if start <= row < end}
            whole = block_of(texts[start:end], before, errors=raised)
            has_bits = with_bits and old.is_mixed and old.bits >= SOME_BITS
            if has_bits or whole.results == block.results:
                found |= rows
        start = end
    return found


def _differing(old: Block, new: Block, mask: int) -> list[int]:
    """Return the rows of a block whose bits differ, or the single row that the locators show."""
    pairs = enumerate(zip(old.checks, new.checks, strict=True))
    differing = [row for row, (one, two) in pairs if (one ^ two) & mask]
    located = _located(old.locator, new.locator, new.count)
    return differing or ([] if located is None else [located])


def _has_bits(digest: Digest, block: Block, row: int, ids: Sequence[int]) -> bool:
    mask = 256 - (256 >> digest.bits) if digest.is_mixed else 0
    check = _mixed(crc32(little_endian(array("q", ids))), row)
    return not (check ^ block.checks[row]) & mask
