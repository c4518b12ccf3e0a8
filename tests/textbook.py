"""The algorithms of training as their papers list them: plain, slow, and compared with ours.

:func:`learn` is algorithm 1 of Sennrich et al. 2016: count all pairs, merge a pair everywhere,
count again. The choice of the next pair is a parameter, since BPE and WordPiece only differ in it.
"""

from __future__ import annotations

import math
import operator
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from tokharness_tokenizers.reference import (
    byte_bpe_training,
    char_bpe_training,
    wordpiece_training,
)
from tokharness_tokenizers.reference.sentencepiece_training import SPACE
from tokharness_tokenizers.reference.unigram_training.training import END_OF_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.sentencepiece_training import PieceRules

Pair: TypeAlias = "tuple[str, str]"

Symbol = TypeVar("Symbol", bytes, str)

Choose: TypeAlias = (
    "Callable[[Mapping[tuple[Symbol, Symbol], int], Mapping[Symbol, int]],"
    " tuple[Symbol, Symbol] | None]"
)
"""Returns the pair to merge, or None, for the counts of pairs and of symbols."""


def learn(
    words: Mapping[tuple[Symbol, ...], int],
    choose: Choose[Symbol],
    join: Callable[[Symbol, Symbol], Symbol] = operator.add,
) -> Iterator[tuple[Symbol, Symbol]]:
    """Yield the merges that are learned from words, in order; ``words`` maps symbols to counts.

    The counts that ``choose`` gets have the order in which the words have pairs and symbols.
    """
    parts = [list(word) for word in words]
    while True:
        symbols: dict[Symbol, int] = {}
        pairs: dict[tuple[Symbol, Symbol], int] = {}
        for word, count in zip(parts, words.values(), strict=True):
            for symbol in word:
                symbols[symbol] = symbols.get(symbol, 0) + count
            for pair in pairwise(word):
                pairs[pair] = pairs.get(pair, 0) + count
        chosen = choose(pairs, symbols)
        if chosen is None:
            return
        yield chosen
        for word in parts:
            _merge(word, chosen, join)


def _merge(
    word: list[Symbol], pair: tuple[Symbol, Symbol], join: Callable[[Symbol, Symbol], Symbol]
) -> None:
    at = 0
    while at + 1 < len(word):
        if (word[at], word[at + 1]) == pair:
            word[at : at + 2] = [join(*pair)]
        at += 1


def most_frequent(
    pairs: Mapping[tuple[Symbol, Symbol], int], minimum: int = 2
) -> list[tuple[Symbol, Symbol]]:
    """Return the most frequent pairs; none if they occur less than ``minimum`` times."""
    most = max(pairs.values(), default=0)
    return [pair for pair, count in pairs.items() if count == most] if most >= minimum else []


def byte_merges(
    counts: Mapping[str, int], ties: byte_bpe_training.Ties = "bytes"
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    The merges end when no pair occurs at least twice. No two merges have the same bytes, since
    the merges within a token do not depend on its surroundings.
    """
    ids = {bytes([byte]): number for number, byte in enumerate(byte_bpe_training.BYTE_ORDER[ties])}
    words = {tuple(bytes([byte]) for byte in word.encode()): n for word, n in counts.items()}

    def by_ids(pair: tuple[bytes, bytes]) -> tuple[int, int]:
        return ids[pair[0]], ids[pair[1]]

    def choose(
        pairs: Mapping[tuple[bytes, bytes], int], _: Mapping[bytes, int]
    ) -> tuple[bytes, bytes] | None:
        frequent = most_frequent(pairs)
        chosen = min(frequent, key=None if ties == "bytes" else by_ids, default=None)
        if chosen:
            ids[chosen[0] + chosen[1]] = len(ids)
        return chosen

    return learn(words, choose)


def char_merges(
    counts: Mapping[str, int],
    ties: char_bpe_training.Ties = "greatest",
    alphabet: Sequence[str] | None = None,
) -> Iterator[Pair]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    The merges end when no pair occurs at least twice. The order of ``alphabet``
    decides ties by ``ids``; by default it is that of :func:`.char_bpe_training.alphabet_of`.
    """
    ids = {
        name: number
        for number, name in enumerate(alphabet or char_bpe_training.alphabet_of(counts))
    }
    words = {
        (*word[:-1], word[-1] + char_bpe_training.END): count for word, count in counts.items()
    }

    def by_ids(pair: Pair) -> tuple[int, int]:
        return ids[pair[0]], ids[pair[1]]

    def choose(pairs: Mapping[Pair, int], _: Mapping[str, int]) -> Pair | None:
        frequent = most_frequent(pairs)
        if not frequent:
            return None
        chosen = max(frequent) if ties == "greatest" else min(frequent, key=by_ids)
        ids[chosen[0] + chosen[1]] = len(ids)
        return chosen

    return learn(words, choose)


def wordpiece_merges(
    counts: Mapping[str, int], minimum: int = 2, ties: Literal["least", "first"] = "least"
) -> Iterator[Pair]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    Pairs that occur less than ``minimum`` times are not merged. A score is a 64-bit float. Of
    several pairs with the same score, ``least`` takes the least pair of strings, and ``first``, the
    rule of the Hugging Face course, the pair that the words have first.
    """
    words = {wordpiece_training.pieces_of(word): count for word, count in counts.items()}

    def choose(pairs: Mapping[Pair, int], pieces: Mapping[str, int]) -> Pair | None:
        scores = {
            (left, right): count / (pieces[left] * pieces[right])
            for (left, right), count in pairs.items()
            if count >= minimum
        }
        best = max(scores.values(), default=None)
        tied = (pair for pair, score in scores.items() if score == best)
        return min(tied, default=None) if ties == "least" else next(tied, None)

    return learn(words, choose, wordpiece_training.join)


def merged_pieces(counts: Mapping[str, int], rules: PieceRules) -> Iterator[str]:
    """Yield the pieces that are merged from words, in order; ``counts`` maps words to counts."""

    def order(pair: Pair, count: int) -> tuple[int, int, str]:
        text = "".join(pair)
        return -count, len(text), text

    def choose(pairs: Mapping[Pair, int], _: Mapping[str, int]) -> Pair | None:
        allowed = [pair for pair in pairs if rules.allow("".join(pair))]
        return min(allowed, key=lambda pair: order(pair, pairs[pair]), default=None)

    words = {tuple(word): count for word, count in counts.items()}
    for left, right in learn(words, choose):
        yield left + right


def repeated_substrings(
    followed: Mapping[str, int], last: Mapping[str, int], rules: PieceRules
) -> dict[str, int]:
    """Count the substrings of at least two characters that are seeds."""
    counts: Counter[str] = Counter()
    bytes_after: defaultdict[str, set[bytes]] = defaultdict(set)
    for words, end in ((followed, SPACE.encode()[:1]), (last, END_OF_LINE)):
        for word, count in words.items():
            for start in range(len(word)):
                for stop in range(start + 2, len(word) + 1):
                    counts[word[start:stop]] += count
                    after = word[stop].encode()[:1] if stop < len(word) else end
                    bytes_after[word[start:stop]].add(after)
    return {
        text: count
        for text, count in counts.items()
        if len(bytes_after[text]) > 1 and rules.allow(text)
    }


def best_path(
    length: int, found: Iterable[tuple[int, int, float]]
) -> tuple[list[tuple[int, int]], float]:
    """Return the pieces of the best way through the edges of a word, and its score (Viterbi).

    Of two ways with the same score, the way whose last piece begins first is taken.
    """
    best = [0.0] + [-math.inf] * length
    begin = [0] * (length + 1)
    for start, stop, score in found:
        if best[start] + score > best[stop]:
            best[stop], begin[stop] = best[start] + score, start
    path, stop = [], length
    while stop:
        path.append((begin[stop], stop))
        stop = begin[stop]
    return path[::-1], best[length]
