"""Parse the lines of a ``.tiktoken`` file as tiktoken does, and detect damaged files.

A line is ``base64-of-the-bytes rank``. A defect of the *vocabulary* is loaded, so that it can be
reported: a byte without a token, a token with two ids, a special token with the id of a line, ids
without a token. A defect of the *file* is an error: an invalid line, two lines with one id, a
number that is not an id, and missing lines at the end.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LARGEST_ID", "Ranks", "parse_ranks", "rank_line"]

LARGEST_ID = 2**32 - 1
"""tiktoken's ids have 32 bits."""

_PLAIN_LINES = re.compile(rb"(?:[A-Za-z0-9+/]+={0,2} [0-9]{1,10}\n)+")
_decode = partial(binascii.a2b_base64, strict_mode=True)


@dataclass(frozen=True)
class Ranks:
    """The lines of a file: the id of each token, and additional ids of tokens.

    Of several lines with one token the last one counts, as in ``tiktoken.load``, which reads them
    into a dict. ``other_ids`` maps the ids of the other lines to the bytes of the token.
    """

    ranks: Mapping[bytes, int]
    other_ids: Mapping[int, bytes] = field(default_factory=dict)


def parse_ranks(
    data: bytes, where: str, special_tokens: Mapping[str, int], *, allow_holes: bool = False
) -> Ranks:
    """Parse the lines of a rank file; ``where`` is its name in errors.

    Raises:
        ValueError: a line is not ``base64 rank``, an id is on two lines, there are no lines, or,
            unless ``allow_holes``, so many ids have no token that the file must be truncated.

    """
    ranks, other_ids = _plain_ranks(data), dict[int, bytes]()
    if not ranks:
        ranks, other_ids = _ranks_of_lines(data, where)
    if not ranks:
        raise ValueError(f"{where} is empty: it has no token")
    if not allow_holes and (
        defect := _missing_lines({*ranks.values(), *other_ids}, ranks, special_tokens)
    ):
        raise ValueError(
            f"{where} {defect}; restore the lines, or set "
            '"allow_holes": true in the side file if this is intended'
        )
    return Ranks(ranks, other_ids)


def _plain_ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks if all lines are valid and different, as nearly always; fast. Else {}."""
    if not _PLAIN_LINES.fullmatch(data):
        return {}
    fields = data.split()
    try:
        tokens = list(map(_decode, fields[::2]))
    except binascii.Error:
        return {}
    ids = list(map(int, fields[1::2]))
    ranks = dict(zip(tokens, ids, strict=True))
    is_plain = len(ranks) == len(set(ids)) == len(ids) and max(ids) <= LARGEST_ID
    return ranks if is_plain else {}


def _ranks_of_lines(data: bytes, where: str) -> tuple[dict[bytes, int], dict[int, bytes]]:
    """Return the ranks and other ids of any lines; raises ValueError for one that is invalid."""
    ranks: dict[bytes, int] = {}
    other_ids: dict[int, bytes] = {}
    line_of: dict[int, int] = {}
    for number, token, rank in _lines(data, where):
        if rank in line_of:
            # A number that is truncated at the end of the file may be that of another line.
            last = number == len(data.splitlines()) and not data.endswith(b"\n")
            hint = " (truncated?)" if last else ""
            message = f"rank {rank} is already on line {line_of[rank]}: each line needs its own"
            raise ValueError(f"{where}, line {number}: {message}{hint}")
        if token in ranks:
            other_ids[ranks[token]] = token
        ranks[token] = rank
        line_of[rank] = number
    return ranks, other_ids


def rank_line(token: bytes, number: int) -> bytes:
    """Return the line of a token and its rank."""
    return b"%s %d\n" % (base64.b64encode(token), number)


def _lines(data: bytes, where: str) -> Iterator[tuple[int, bytes, int]]:
    """Yield the number of each line, from 1, with its token and its rank."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line:
            try:
                yield number, *_parse_line(line)
            except ValueError as error:
                raise ValueError(f"{where}, line {number}: {error}") from None


def _parse_line(line: bytes) -> tuple[bytes, int]:
    fields = line.split(None, 2)
    if len(fields) != 2:
        raise ValueError(f"{line[:80]!r} is not a base64 token and a rank (truncated?)")
    encoded, rank = fields
    if not rank.isdigit() or int(rank.lstrip(b"0")[:20] or b"0") > LARGEST_ID:
        raise ValueError(f"the rank {rank[:80]!r} is not a whole number from 0 to {LARGEST_ID:,}")
    try:
        token = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        token = b""
    if not token:
        raise ValueError(f"the token {encoded[:80]!r} is not base64")
    return token, int(rank.lstrip(b"0") or b"0")


def _missing_lines(
    ids: set[int], ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]
) -> str:
    """Describe lines that seem to be missing; "" if none are."""
    largest = max(ids)
    special_ids = special_tokens.values()
    next_special = min((number for number in special_ids if number > largest), default=0)
    unused = max(next_special - largest - 1, 0)
    # A vocabulary without the lines of some bytes, renumbered, has as many unused ids here.
    if unused > sum(bytes([byte]) not in ranks for byte in range(256)):
        return (
            f"seems to be truncated: its last id is {largest:,}, the id of the next special token "
            f"{next_special:,}, and no line has an id between"
        )
    holes = largest + 1 - len(ids.union(number for number in special_ids if number < largest))
    if holes > len(ids):
        return f"has {len(ids):,} ids and {holes:,} holes between them, so a rank must be wrong"
    return ""
