"""Pre-tokens that are cut at a limit of their length, as an engine with a fixed buffer does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LIMITS: Final = (16, 20, 32, 50, 64, 100, 128, 200, 255, 256, 500, 512, 1000, 1024)
MOST_LIMITED: Final = 34_000
"""Usual limits of the length of a pre-token, and the longest pre-token that is cut."""

LEAST_LONG: Final = 100
"""Least limit above which a pre-token is cut into parts of another length."""

MOST_LONG: Final = 4096
LIMITS_OF_LONG: Final = tuple(limit for limit in LIMITS if limit & (limit - 1) == 0)
"""Length of a pre-token above which only these limits are paired: all pairs take seconds."""


def limited_pretokens(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the pre-tokens with a usual limit of their length, in all of them or in white space."""
    longest = max(map(len, pieces), default=0)
    if longest > MOST_LIMITED:
        return
    for limit in (limit for limit in LIMITS if limit < 4 * longest):
        for what, is_limited in (
            ("runs of white space", str.isspace),
            ("pre-tokens", lambda _: True),
        ):
            for unit, size in UNITS:
                long = [piece for piece in pieces if is_limited(piece) and size(piece) > limit]
                if long and (cut := _cut(pieces, long, limit, size)):
                    yield f"{what} are cut after {limit:,} {unit}", cut
    yield from _long_ones_limited(pieces)


def _long_ones_limited(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the pre-tokens with those above one usual limit cut after another, smaller one.

    The largest limit is first: it claims the least.
    """
    for unit, size in UNITS:
        longest = max(map(size, pieces), default=0)
        usual = LIMITS if longest <= MOST_LONG else LIMITS_OF_LONG
        for most in (limit for limit in usual[::-1] if LEAST_LONG <= limit < longest):
            for limit in usual[: usual.index(most)]:
                long = [piece for piece in pieces if size(piece) > most]
                if cut := _cut(pieces, long, limit, size):
                    what = f"pre-tokens of more than {most:,} {unit}"
                    yield f"{what} are cut after each {limit:,}", cut


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


UNITS: Final[tuple[tuple[str, Callable[[str], int]], ...]] = (
    ("characters", len),
    ("bytes", _bytes),
)
"""What limits of a length count, and the length of a text in it."""


def chunks(text: str, limit: int, size: Callable[[str], int]) -> list[str]:
    """Cut a text into parts of a size, or a part of a character less."""
    if size is len or text.isascii():
        return [text[at : at + limit] for at in range(0, len(text), limit)]
    parts, used = [""], 0
    for char in text:
        used += size(char)
        if used > limit:
            parts.append("")
            used = size(char)
        parts[-1] += char
    return parts


def _cut(
    pieces: Sequence[str], long: Sequence[str], limit: int, size: Callable[[str], int]
) -> list[str]:
    """Cut the long ones of some pieces; empty if a part would end inside a character."""
    parts = {piece: chunks(piece, limit, size) for piece in long}
    full = (part for found in parts.values() for part in found[:-1])
    if not all(size(part) == limit for part in full):
        return []
    return [part for piece in pieces for part in parts.get(piece, [piece])]
