"""The packed form of digests, for files and messages: ASCII, with few bits for each text."""

from __future__ import annotations

import base64
import functools
import struct
from array import array

from tokharness.targets.digests import LOCATOR, SIZE, Block, Digest, little_endian

BITS = {200_000: 8, 400_000: 4, 800_000: 2}
"""Bits that are kept for each text, by the upper limit of the number of texts; beyond, 1 bit."""

MIXED = 16
"""Flag in the head: checks are mixed with their rows, which earlier releases did not do."""

HEAD = struct.Struct("<BI")


def bits_for(texts: int) -> int:
    """Return the number of bits to keep for each of ``texts`` texts, so that a file stays small."""
    return next((bits for most, bits in BITS.items() if texts < most), 1)


def pack(digest: Digest, bits: int = 8) -> str:
    """Return a digest in ASCII, with 8, 4, 2, 1 or 0 ``bits`` for each text, for :func:`unpack`.

    With 0 bits, a difference only shows the block of texts.
    """
    counts = array("I", [block.count for block in digest.blocks])
    parts = [HEAD.pack(bits | MIXED * digest.is_mixed, len(digest.blocks)), little_endian(counts)]
    parts += [block.texts for block in digest.blocks]
    parts += [block.results or bytes(SIZE) for block in digest.blocks]
    parts += [block.locator for block in digest.blocks]
    parts.append(bytes([block.agreed for block in digest.blocks]))
    parts.append(_narrow(b"".join(block.checks for block in digest.blocks), bits))
    return base64.b64encode(b"".join(parts)).decode("ascii")


def unpack(packed: str) -> Digest:
    """Return the digest of a text that :func:`pack` made.

    One of an earlier release shows the blocks that differ, and no single texts.

    Raises:
        ValueError: the text is not a packed digest.

    """
    data = base64.b64decode(packed, validate=True)
    if len(data) < HEAD.size:
        raise ValueError("a digest is too short")
    bits, blocks = HEAD.unpack_from(data)
    start = HEAD.size + 4 * blocks
    locators = start + 2 * SIZE * blocks
    agreed = locators + LOCATOR * blocks
    end = agreed + blocks
    is_mixed, bits = bits & MIXED, bits & ~MIXED
    if bits not in (8, 4, 2, 1, 0) or len(data) < end:
        raise ValueError("a digest has a wrong head")
    counts = struct.unpack_from(f"<{blocks}I", data, HEAD.size)
    if len(data) - end != -(-sum(counts) * bits // 8):
        raise ValueError("a digest has the wrong length")
    checks = _widen(data[end:], bits) if bits else bytes(sum(counts))
    found, place = [], 0
    for number, count in enumerate(counts):
        at = start + number * SIZE
        results = data[at + blocks * SIZE : at + (blocks + 1) * SIZE]
        found.append(
            Block(
                count,
                texts=data[at : at + SIZE],
                results=results if any(results) else b"",
                checks=checks[place : place + count],
                locator=data[locators + number * LOCATOR : locators + (number + 1) * LOCATOR],
                agreed=data[agreed + number] == 1,
            )
        )
        place += count
    return Digest(tuple(found), bits, bool(is_mixed))


def _narrow(checks: bytes, bits: int) -> bytes:
    """Keep the upper ``bits`` of each byte, and pack them into bytes."""
    if not bits:
        return b""
    share = 8 // bits
    if share == 1:
        return checks
    padded = checks + bytes(-len(checks) % share)
    whole = 0
    for place in range(share):
        column = padded[place::share].translate(_upper_bits(bits, 0))
        whole |= int.from_bytes(column, "big") >> place * bits
    return whole.to_bytes(len(padded) // share, "big")


def _widen(data: bytes, bits: int) -> bytes:
    """Undo :func:`_narrow`; lower bits are 0, and bytes of padding may follow."""
    share = 8 // bits
    wide = bytearray(len(data) * share)
    for place in range(share):
        wide[place::share] = data.translate(_upper_bits(bits, place * bits))
    return bytes(wide)


@functools.cache
def _upper_bits(bits: int, shift: int) -> bytes:
    """Return a table for ``translate``: the upper bits of each byte, after a shift to the left."""
    mask = 256 - (256 >> bits)
    return bytes((byte << shift) & mask for byte in range(256))
