"""Lists of merges that conversions make of ranks or scores, where any pair that is a token counts.

A list may have one pair for each token, of all pairs whose parts are tokens, or it was sorted by
its texts. A program that keeps tokens in a sorted table may count their order there as the rank.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.merging import Choice, merged_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Token: TypeAlias = Any
"""The bytes of a token, or its text."""

RankOf: TypeAlias = "Callable[[Token, Token], Any]"
"""Returns the place of a pair in a list; None if the list does not have it."""

PICKS: Final[Mapping[str, Callable[[list[Token], Mapping[Token, float]], Token]]] = {
    "its left part comes first": lambda lefts, ranks: min(lefts, key=ranks.__getitem__),
    "its left part is the longest": lambda lefts, _: max(lefts, key=len),
    "its left part is the shortest": lambda lefts, _: min(lefts, key=len),
}
"""Which pair of a token the list has."""

SORTED: Final = "the merges are sorted"


def listed_merges(ranks: Mapping[Token, float]) -> Iterator[tuple[str, RankOf]]:
    """Yield what the list of a conversion is like, and the places of pairs in it.

    ``ranks`` has the place of each token in the order of merging.
    """
    for which, pick in PICKS.items():
        yield f"each token has one merge: {which}", _OneOfEach(ranks, pick)
    yield SORTED, _Sorted(ranks)
    yield "tokens are merged in the order of their bytes", _OrderOfTokens(ranks)


def merged_in_order(parts: list[Token], rank_of: RankOf) -> list[Token]:
    """Return parts after all merges of a list, the first pair first."""
    return merged_by(IN_ORDER, parts, rank_of, add)


IN_ORDER: Final = Choice()


@dataclass(frozen=True)
class _OneOfEach:
    """One pair for each token."""

    ranks: Mapping[Token, float] = field(repr=False)
    pick: Callable[[list[Token], Mapping[Token, float]], Token]
    lefts: dict[Token, Token] = field(default_factory=dict, repr=False)

    def __call__(self, left: Token, right: Token) -> float | None:
        token = left + right
        rank = self.ranks.get(token)
        if rank is not None and token not in self.lefts:
            cuts = (token[:at] for at in range(1, len(token)))
            fits = [one for one in cuts if one in self.ranks and token[len(one) :] in self.ranks]
            self.lefts[token] = self.pick(fits, self.ranks) if fits else None
        return rank if rank is not None and self.lefts[token] == left else None


@dataclass(frozen=True)
class _Sorted:
    """All pairs, sorted by their texts; bytes are written as characters."""

    ranks: Mapping[Token, float] = field(repr=False)

    def __call__(self, left: Token, right: Token) -> tuple[str, str] | None:
        return (_text(left), _text(right)) if left + right in self.ranks else None


@dataclass(frozen=True)
class _OrderOfTokens:
    """All pairs, in the order of the bytes of their tokens."""

    ranks: Mapping[Token, float] = field(repr=False)

    def __call__(self, left: Token, right: Token) -> bytes | None:
        token = left + right
        if token not in self.ranks:
            return None
        return token if isinstance(token, bytes) else str(token).encode("utf-8", "surrogatepass")


def _text(token: Token) -> str:
    if isinstance(token, bytes):
        return "".join(map(CHARACTER_OF.__getitem__, token))
    return str(token)
