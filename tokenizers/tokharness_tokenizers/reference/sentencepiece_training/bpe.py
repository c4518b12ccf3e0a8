"""The pieces of BPE as SentencePiece trains it: the textbook algorithm, and a fast equivalent.

This is algorithm 1 of Sennrich et al. 2016 over the characters of words, with the rules of
SentencePiece (``bpe_model_trainer.cc``):

- A pair is merged only if its text may be a piece (:mod:`.words`).
- Of several equally frequent pairs, the pair with the shortest text is merged; of several such
  pairs, the pair with the least text.
- Pairs that occur only once are merged, too.

If no pair is left, SentencePiece 0.2.3 continues with pairs that earlier merges removed from all
words: its vocabulary gets pieces that occur nowhere. Here the merges end.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference import plain_learning
from tokharness_tokenizers.reference.sentencepiece_training.words import count_segments
from tokharness_tokenizers.reference.word_pairs import WordPairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness_tokenizers.reference.sentencepiece_training.words import PieceRules


def merged_pieces_simple(counts: Mapping[str, int], rules: PieceRules) -> Iterator[str]:
    """Yield the pieces that are merged from words, in order; ``counts`` maps words to counts.

    This is the algorithm to read; only tests call it.
    """

    def order(pair: tuple[str, str], count: int) -> tuple[int, int, str]:
        text = "".join(pair)
        return -count, len(text), text

    def choose(
        pairs: Mapping[tuple[str, str], int], _: Mapping[str, int]
    ) -> tuple[str, str] | None:
        allowed = [pair for pair in pairs if rules.allow("".join(pair))]
        return min(allowed, key=lambda pair: order(pair, pairs[pair]), default=None)

    words = {tuple(word): count for word, count in counts.items()}
    for left, right in plain_learning.learn(words, choose):
        yield left + right


def merged_pieces(counts: Mapping[str, int], rules: PieceRules) -> Iterator[str]:
    """Yield the pieces of :func:`merged_pieces_simple`, but update only the counts that change.

    The words are cut where no piece can cross, which leaves fewer and shorter words.
    """
    parts = count_segments(counts)
    names = sorted(set().union(*parts))
    tokens = {ord(char): number for number, char in enumerate(names)}
    words = WordPairs.of((part.translate(tokens), count) for part, count in parts.items())
    pairs = words.pairs
    heap = [_entry(pair, names, count) for pair, count in pairs.items()]
    heap = [entry for entry in heap if rules.allow(entry[2])]
    heapq.heapify(heap)
    while heap:
        negative, _, text, pair = heapq.heappop(heap)
        count = pairs.get(pair, 0)
        if count != -negative:  # the count has changed since the push
            if count > 0:
                heapq.heappush(heap, _entry(pair, names, count))
            continue
        yield text
        made = chr(len(names))
        names.append(text)
        for other, change in words.merge(pair, made).items():
            if change > 0:
                entry = _entry(other, names, pairs[other])
                if rules.allow(entry[2]):
                    heapq.heappush(heap, entry)


def _entry(pair: str, names: list[str], count: int) -> tuple[int, int, str, str]:
    text = names[ord(pair[0])] + names[ord(pair[1])]
    return -count, len(text), text, pair
