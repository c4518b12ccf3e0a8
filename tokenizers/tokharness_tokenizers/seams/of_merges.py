"""How many tokens at the end of a word more text changes, if merges make its tokens.

Compare the merging of a word with that of a longer word, rank by rank. Up to some place, both have
the same tokens. The place moves left only if the last of these tokens is merged with the token
behind it. This needs a merge of a higher rank than all before, whose right part is a token that may
stand right behind the place. So the place moves by one token each time, and at most as often as the
longest chain of such merges is long (after Berglund and van der Merwe 2023, "Formalizing BPE
Tokenization", who prove that a finite look-ahead is enough).

This holds if merges are applied in the order of their ranks. A merge of a lower rank than the merge
that makes one of its parts comes too late, but never applies if the text of its token becomes this
token by merges of lower ranks: they have taken its parts before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby, pairwise
from math import inf
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.models.bpe import BPE
    from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE

Token = TypeVar("Token", str, bytes)
Merge: TypeAlias = tuple[Token, Token, Token]
"""The left part, the right part, and the merged token."""

BYTE_TOKENS = frozenset(f"<0x{byte:02X}>" for byte in range(256))

MOST_PARTS = 1000
"""Characters or bytes of a token whose merges are looked at."""


def changed_by_ranks(ranks: Mapping[bytes, int]) -> int | None:
    """Return the most tokens that change, if the rank of a merge is the id of its token."""
    in_order = sorted((rank, token) for token, rank in ranks.items())
    merges = ((float(rank), list(_splits(token, ranks))) for rank, token in in_order)

    def rule(left: bytes, right: bytes) -> tuple[float, bytes] | None:
        rank = ranks.get(left + right)
        return None if rank is None else (rank, left + right)

    return _Merging(list(merges), rule, _bytes_of, whole=max(map(len, ranks))).most_changed()


def changed_by_scores(model: SentencePieceBPE) -> int | None:
    """Return the most tokens that change, if the score of a merge is that of its piece."""
    if model.user_defined or model.unused:
        return None
    find, scores = model.vocabulary, model.scores
    in_order = sorted((-scores[number], piece) for piece, number in find.items())
    merges = [
        (rank, [merge for _, piece in group for merge in _splits(piece, find)])
        for rank, group in groupby(in_order, key=lambda pair: pair[0])
    ]

    def rule(left: str, right: str) -> tuple[float, str] | None:
        number = find.get(left + right)
        return None if number is None else (-scores[number], left + right)

    return _Merging(merges, rule, list).most_changed()


def changed_by_list(model: BPE, *, in_bytes: bool) -> int | None:
    """Return the most tokens that change, if a list has the merges.

    The words are texts, or they are bytes written as characters.
    """
    merged = set(chain.from_iterable(model.merges))
    others = {model.unknown} | (BYTE_TOKENS if model.byte_fallback and not in_bytes else set())
    ids = model.vocabulary.values()
    if model.prefix or len(set(ids)) < len(ids) or "" in merged or not others.isdisjoint(merged):
        return None
    suffix = model.suffix
    if suffix and any(suffix in token[: -len(suffix)] or suffix == token for token in merged):
        return None
    places = {pair: float(rank) for rank, pair in enumerate(model.merges)}  # the last place counts
    in_order = sorted((rank, pair) for pair, rank in places.items())
    merges = [(rank, [(left, right, left + right)]) for rank, (left, right) in in_order]

    def rule(left: str, right: str) -> tuple[float, str] | None:
        rank = places.get((left, right))
        return None if rank is None else (rank, left + right)

    def leaves(token: str) -> list[str]:
        stem = token.removesuffix(suffix)
        return [*stem[:-1], stem[-1] + suffix] if stem != token else list(token)

    # The last character of a word has a token of its own, or an unknown character joins the last.
    more = int(bool(suffix) or (model.fuse_unknown and model.unknown is not None))
    whole = max(map(len, model.vocabulary)) if model.ignore_merges else 0
    return _Merging(merges, rule, leaves, more, whole).most_changed()


def _splits(token: Token, tokens: Mapping[Token, object]) -> Iterator[Merge[Token]]:
    for place in range(1, len(token)):
        left, right = token[:place], token[place:]
        if left in tokens and right in tokens:
            yield left, right, token


def _bytes_of(token: bytes) -> list[bytes]:
    return [token[place : place + 1] for place in range(len(token))]


class _TooLateError(Exception):
    """A merge may apply after a merge of a higher rank."""


@dataclass(frozen=True)
class _Merging(Generic[Token]):
    """The merges of a model.

    Attributes:
        ranks: The merges of each rank, the lowest rank first.
        rule: Gives the rank of the merge of two tokens and the merged token, None without a merge.
        leaves: Gives the tokens of the text of a token before the first merge.
        more: The tokens at the end of a word that more text changes before the first merge.
        whole: The size of the longest token, if a word that is a token becomes it in any case; 0 if
            merges have to make it.

    """

    ranks: Sequence[tuple[float, Sequence[Merge[Token]]]]
    rule: Callable[[Token, Token], tuple[float, Token] | None]
    leaves: Callable[[Token], list[Token]]
    more: int = 0
    whole: int = 0

    def most_changed(self) -> int | None:
        """Return the length of the longest chain; None if merges may come too late."""
        moves: dict[Token, int] = {}  # how often the place has moved with this token behind it
        least = self.more
        try:
            for merges in self._in_order():
                found: dict[Token, int] = {}
                for left, right, merged in merges:
                    moved = moves.get(right, least) + 1
                    found[left] = max(found.get(left, 0), moved)
                    found[merged] = max(found.get(merged, 0), moved, moves.get(left, least))
                for token, count in found.items():
                    moves[token] = max(moves.get(token, 0), count)
        except _TooLateError:
            return None
        # A longer word that is a token has no token of the word, if no merges make it.
        return max(1, least, self.whole - 1, *moves.values())

    def _in_order(self) -> Iterator[list[Merge[Token]]]:
        """Yield the merges of each rank without those that come too late, which never apply.

        Raises _TooLateError for a merge that comes too late and may apply.
        """
        made: dict[Token, set[float]] = {}
        for rank, merges in self.ranks:
            for merge in merges:
                made.setdefault(merge[2], set()).add(rank)
        last_rank = cache(self._last_rank)
        for rank, merges in self.ranks:
            kept = []
            for merge in merges:
                late = [one for part in merge[:2] for one in made.get(part, ()) if one >= rank]
                if not late:
                    kept.append(merge)
                elif last_rank(merge[2]) >= min(late):
                    raise _TooLateError
            yield kept

    def _last_rank(self, token: Token) -> float:
        """Return the rank of the last merge that makes a token of its text; inf if none does."""
        tokens, last = self.leaves(token), -inf
        if len(tokens) > MOST_PARTS:
            return inf
        while len(tokens) > 1:
            rules = [self.rule(*pair) for pair in pairwise(tokens)]
            at, best = min(
                ((place, one) for place, one in enumerate(rules) if one is not None),
                key=lambda pair: pair[1][0],
                default=(0, (-inf, token)),
            )
            if best[0] < last or best[0] == -inf:
                return inf
            last, tokens[at : at + 2] = best[0], [best[1]]
        return last if tokens == [token] else inf
