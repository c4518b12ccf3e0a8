"""Training of byte-level BPE: count pairs, merge the most frequent, count again what changed.

Sennrich et al. 2016, algorithm 1, over bytes and within pre-tokens as GPT-2 does. A pair lives
only in some words, so a merge touches only those; a heap finds the next pair.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.splitting import joined_surrogates, splitter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["learn_ranks", "train"]

Pair: TypeAlias = "tuple[bytes, bytes]"


def train(
    texts: Iterable[str],
    *,
    vocab_size: int,
    pattern: str,
    special_tokens: Sequence[str] = (),
    unicode_version: str | None = None,
    name: str = "trained",
) -> ByteBPE:
    """Train a tokenizer of ``vocab_size`` ordinary tokens; the special ones get the ids after.

    It has fewer tokens if no pair occurs twice any more. The result depends on the texts alone,
    not on their order. ``unicode_version`` pins the pre-tokens, of training and of the result.
    Raises ValueError if ``vocab_size`` leaves no room for the 256 bytes, or as ByteBPE does.
    """
    unicode_version = unicode_version or versions.REGEX_VERSION
    split = splitter(pattern, unicode_version)
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(split(joined_surrogates(text)))
    ranks = learn_ranks(counts, vocab_size)
    specials = {text: len(ranks) + index for index, text in enumerate(special_tokens)}
    return ByteBPE(name, pattern, ranks, specials, unicode_version)


def learn_ranks(counts: dict[str, int], vocab_size: int) -> dict[bytes, int]:
    """Learn the ranks of tokens from pre-tokens and how often each occurs.

    Ids 0 to 255 are the bytes by value, which is the order anyone can rebuild without a table;
    then tokens in the order of their merges. The pair that occurs most often is merged, of equals
    the least pair of byte strings (left, then right). Where merges in two ways give the same
    bytes, the second one adds no token.
    """
    if vocab_size < 256:
        raise ValueError(f"a vocabulary of {vocab_size} tokens has no room for the 256 bytes")
    ranks = {bytes([byte]): byte for byte in range(256)}
    interned = list(ranks)
    words = [[interned[byte] for byte in word.encode()] for word in counts]
    occurs = list(counts.values())
    pairs: defaultdict[Pair, int] = defaultdict(int)
    where: defaultdict[Pair, set[int]] = defaultdict(set)
    for index, word in enumerate(words):
        for pair in pairwise(word):
            pairs[pair] += occurs[index]
            where[pair].add(index)
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(heap)
    while heap and len(ranks) < vocab_size:
        negative, pair = heapq.heappop(heap)
        count = pairs.get(pair, 0)
        if count != -negative:  # counted anew since it was pushed
            if count:
                heapq.heappush(heap, (-count, pair))
            continue
        if count < 2:
            break
        ranks.setdefault(pair[0] + pair[1], len(ranks))
        more = Counter[Pair]()
        for index in where.pop(pair):
            _merge_in_word(words, index, pair, more, occurs[index], where)
        del more[pair], pairs[pair]
        _count_again(pairs, more, heap)
    return ranks


def _merge_in_word(
    words: list[list[bytes]],
    index: int,
    pair: Pair,
    more: Counter[Pair],
    occurs: int,
    where: defaultdict[Pair, set[int]],
) -> None:
    old = words[index]
    new = _merged(old, pair)
    if len(new) == len(old):  # it lost the pair to an earlier merge
        return
    for gone in pairwise(old):
        more[gone] -= occurs
    for made in pairwise(new):
        more[made] += occurs
        where[made].add(index)
    words[index] = new


def _merged(word: list[bytes], pair: Pair) -> list[bytes]:
    left, right = pair
    both = left + right
    new: list[bytes] = []
    at = 0
    while at < len(word):
        if word[at] == left and at + 1 < len(word) and word[at + 1] == right:
            new.append(both)
            at += 2
        else:
            new.append(word[at])
            at += 1
    return new


def _count_again(
    pairs: defaultdict[Pair, int], more: Counter[Pair], heap: list[tuple[int, Pair]]
) -> None:
    for pair, change in more.items():
        if not change:
            continue
        pairs[pair] += change
        # Where a count fell, the entry in the heap stands too high and is corrected when popped.
        if change > 0:
            heapq.heappush(heap, (-pairs[pair], pair))
