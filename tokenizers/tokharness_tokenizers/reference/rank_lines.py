"""The lines of a ``.tiktoken`` file: read as tiktoken reads them, and told where they are damaged.

A line is ``base64-of-the-bytes rank``. What is wrong with a *vocabulary* is loaded, so that it can
be found and named: a byte without a token, a token with two ids, a special token's id that a line
has too, ids that nothing has. What is wrong with a *file* is an error: a line that is none, two
lines with one id, a number that is no id, and lines that are lost at its end.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LARGEST_ID", "Ranks", "parse_ranks"]

LARGEST_ID = 2**32 - 1
"""An id of tiktoken's has 32 bits."""


@dataclass(frozen=True)
class Ranks:
    """What the lines of a file say: the id of each token, and the ids it has beside that.

    Of several lines with one token the last one counts, as in ``tiktoken.load``, which reads them
    into a dict; ``other_ids`` maps the ids of the others to its bytes.
    """

    ranks: Mapping[bytes, int]
    other_ids: Mapping[int, bytes] = field(default_factory=dict)


def parse_ranks(
    data: bytes, where: str, special_tokens: Mapping[str, int], *, allow_holes: bool = False
) -> Ranks:
    """Parse the lines of a rank file; ``where`` names it in errors.

    Raises ValueError for a line that is not ``base64 rank``, an id on two lines, no lines at all,
    and, unless ``allow_holes``, for so many ids that nothing has that the file must be cut off.
    """
    ranks: dict[bytes, int] = {}
    other_ids: dict[int, bytes] = {}
    line_of: dict[int, int] = {}
    for number, token, rank in _lines(data, where):
        if rank in line_of:
            # The end of a file that is cut off within a number is another line's number.
            last = number == len(data.splitlines()) and not data.endswith(b"\n")
            cut_off = " (cut off?)" if last else ""
            told = f"rank {rank} is on line {line_of[rank]} too: give each line its own{cut_off}"
            raise ValueError(f"{where}, line {number}: {told}")
        if token in ranks:
            other_ids[ranks[token]] = token
        ranks[token] = rank
        line_of[rank] = number
    if not ranks:
        raise ValueError(f"{where} is empty: it has no token")
    if not allow_holes and (lost := _lost({*line_of}, ranks, special_tokens)):
        raise ValueError(
            f"{where} {lost}; restore what is lost, or put "
            '"allow_holes": true into the side file if that is meant'
        )
    return Ranks(ranks, other_ids)


def _lines(data: bytes, where: str) -> Iterator[tuple[int, bytes, int]]:
    """Give the number of each line, from 1, its token and its rank."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line:
            try:
                yield number, *_parsed(line)
            except ValueError as error:
                raise ValueError(f"{where}, line {number}: {error}") from None


def _parsed(line: bytes) -> tuple[bytes, int]:
    fields = line.split()
    if len(fields) != 2:
        raise ValueError(f"{line[:80]!r} is not a base64 token and a rank (cut off?)")
    encoded, rank = fields
    if not rank.isdigit() or int(rank[:20]) > LARGEST_ID:
        raise ValueError(f"the rank {rank[:80]!r} is not a whole number from 0 to {LARGEST_ID:,}")
    try:
        token = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        token = b""
    if not token:
        raise ValueError(f"the token {encoded[:80]!r} is not base64")
    return token, int(rank)


def _lost(ids: set[int], ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]) -> str:
    """Say in what way lines seem to be lost; "" if they do not."""
    largest = max(ids)
    next_special = min((one for one in special_tokens.values() if one > largest), default=0)
    lost = max(next_special - largest - 1, 0)
    # Who takes a byte's line out and counts anew leaves as many ids free before the special ones.
    if lost > sum(bytes([byte]) not in ranks for byte in range(256)):
        return (
            f"seems to be cut off: its last id is {largest:,}, that of the next special token "
            f"{next_special:,}, and no line has those between"
        )
    holes = largest + 1 - len(ids.union(one for one in special_tokens.values() if one < largest))
    if holes > len(ids):
        return (
            f"has {len(ids):,} ids and {holes:,} holes between them, so that a rank must be wrong"
        )
    return ""
