"""Training of a Unigram model on counted words: seeds, EM, pruning, and the final vocabulary.

The seed vocabulary has all characters and frequent substrings. Kudo 2018 suggests the most frequent
substrings, found with a suffix array. SentencePiece takes the inner nodes of the suffix tree of the
corpus, which is made of the bytes of UTF-8: substrings that are followed by at least two different
bytes. Therefore "zebra" is not a seed if a space always follows it. The end of a line counts as
such a byte. A substring scores its count times its length.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.sentencepiece_training import (
    SPACE,
    UNKNOWN,
    count_segments,
    segments,
)
from tokharness_tokenizers.reference.unigram_training.expectation import (
    UNKNOWN_PENALTY,
    Suffixes,
    maximize,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.sentencepiece_training import PieceRules, Words


__all__ = ["learn_pieces", "loss", "other_ways", "prune", "reachable"]


# Pruning: the pieces whose removal costs the least likelihood are dropped.
#
# Kudo 2018, section 3.2: the loss of a piece is the decrease of the corpus likelihood without it.
# SentencePiece (``unigram_model_trainer.cc``) estimates the loss: each piece of the best
# segmentation would be cut in the best other way, and the counts would change accordingly.


def prune(scores: Mapping[str, float], counts: Mapping[str, int], size: int) -> dict[str, float]:
    """Return the ``size`` pieces with the greatest losses, with their scores.

    ``counts`` has the number of occurrences of each piece in the best segmentations of the words.
    Pieces without occurrences are dropped, too. Pieces that cannot be cut in another way stay.
    """
    total = sum(counts.values())
    used = [piece for piece in scores if counts.get(piece)]
    kept: list[str] = []
    losses: dict[str, float] = {}
    for piece, (parts, score) in zip(used, other_ways(used, scores), strict=True):
        if not parts:
            kept.append(piece)
        elif score <= scores[piece]:
            others = [counts.get(part, 0) for part in parts]
            losses[piece] = loss(counts[piece], others, total)
    kept += sorted(losses, key=losses.__getitem__, reverse=True)[: max(size - len(kept), 0)]
    return {piece: scores[piece] for piece in kept}


def loss(count: int, others: Sequence[int], total: int) -> float:
    """Return how much the log likelihood of a token falls, on average, without a piece.

    ``count`` is the count of the piece, ``others`` has the counts of the pieces that it would be
    cut into, and ``total`` is the number of all tokens.
    """
    before = math.log(count) - math.log(total)
    new_total = math.log(total + count * (len(others) - 1))
    after = sum(math.log(other + count) - new_total for other in others)
    return count / total * (before - after)


def reachable(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the pieces whose score no other way to cut their text exceeds."""
    return {
        piece: scores[piece]
        for piece, (parts, score) in zip(scores, other_ways(scores, scores), strict=True)
        if not parts or score <= scores[piece]
    }


def other_ways(
    pieces: Collection[str], scores: Mapping[str, float]
) -> Iterator[tuple[list[str], float]]:
    """Yield for each piece the best way to cut its text that is not the piece itself.

    A way has a score. It may have characters that are not pieces. It is empty for a character.
    """
    unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
    for piece in pieces:
        length = len(piece)
        best = [0.0, *[-math.inf] * length]
        begin = [0] * (length + 1)
        for start in range(length):
            here = best[start]
            for stop in range(start + 1, length + (start > 0)):
                score = scores.get(piece[start:stop])
                if score is None:
                    if stop > start + 1:
                        continue
                    score = unknown
                if here + score > best[stop]:
                    best[stop], begin[stop] = here + score, start
        yield _best_parts(piece, begin) if length > 1 else [], best[length]


def _best_parts(piece: str, begin: Sequence[int]) -> list[str]:
    parts, stop = [], len(piece)
    while stop:
        parts.append(piece[begin[stop] : stop])
        stop = begin[stop]
    return parts[::-1]


SEEDS: Final = 1_000_000
"""The number of seeds, without characters (``seed_sentencepiece_size``)."""
EM_STEPS: Final = 2
"""The number of EM steps before each pruning (``num_sub_iterations``)."""
KEPT: Final = 0.75
"""The share of the vocabulary that a pruning keeps (``shrinking_factor``)."""
MARGIN: Final = 1.1
"""Factor of the wanted size at which pruning ends; scores decide about the last pieces."""
_STEP: Final = 0.0001


def learn_pieces(
    words: Words,
    rules: PieceRules,
    size: int,
    *,
    reserved: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, float]:
    """Return at most ``size`` pieces with scores, the highest first, and at least the alphabet.

    ``reserved`` is the number of other pieces of the vocabulary; the margin of pruning includes
    them. ``progress`` is called with sizes between 0 and ``size``, in ascending order.
    """
    seeds = seed_scores(words.followed, words.last, rules, SEEDS)
    total = sum(seeds.values())
    scores = {piece: math.log(score / total) for piece, score in seeds.items()}
    suffixes = Suffixes.of(_parts(words), scores)
    enough = int((size + reserved) * MARGIN)
    start = len(scores)
    while True:
        for _ in range(EM_STEPS):
            expected, _ = suffixes.expected(scores)
            scores = maximize(expected)
            suffixes.keep(scores)
        wanted = max(enough, int(len(scores) * KEPT))
        scores = prune(scores, suffixes.best_counts(scores), wanted)
        suffixes.keep(scores)
        if len(scores) <= enough:
            break
        if progress is not None:
            done = math.log(start / len(scores)) / math.log(start / enough)
            progress(min(int(size * done), size))
    return _final(reachable(scores), words.alphabet, size)


def _parts(words: Words) -> Counter[str]:
    """Count the parts of words that no piece crosses; unknown characters are left out."""
    parts = count_segments(words.counts())
    del parts[UNKNOWN]
    return parts


def _final(scores: Mapping[str, float], alphabet: Collection[str], size: int) -> dict[str, float]:
    """Return the alphabet, and the other pieces with the highest scores, up to a size.

    A dropped character of the alphabet gets the lowest score, and each less frequent such character
    slightly less. (SentencePiece gives it slightly more, although its comment says the opposite.)
    """
    least = min(scores.values(), default=0.0)
    final: dict[str, float] = {}
    for char in alphabet:
        final[char] = scores.get(char, least)
        least -= 0.0 if char in scores else _STEP
    for piece, score in sorted(scores.items(), key=lambda row: (-row[1], row[0])):
        if len(final) >= size:
            break
        final.setdefault(piece, score)
    return dict(sorted(final.items(), key=lambda row: (-row[1], row[0])))


END_OF_LINE = b"\0"
_SPACE_BYTE = SPACE.encode()[:1]


def seed_scores(
    followed: Mapping[str, int], last: Mapping[str, int], rules: PieceRules, limit: int
) -> dict[str, int]:
    """Return the seeds with their scores: the characters, then at most ``limit`` substrings.

    ``followed`` and ``last`` count the words before a space and the words at the end of a line.
    """
    characters: Counter[str] = Counter()
    for words in (followed, last):
        for word, count in words.items():
            for char in word:
                characters[char] += count
    substrings = repeated_substrings(followed, last, rules)
    scores = [(len(text) * count, text) for text, count in substrings.items()]
    scores.sort(key=lambda row: (-row[0], -len(row[1].encode()), row[1]))
    seeds = dict(sorted(characters.items(), key=lambda row: (-row[1], row[0])))
    for char in [char for char in seeds if not rules.allow(char)]:
        del seeds[char]
    return seeds | {text: score for score, text in scores[:limit]}


def repeated_substrings(
    followed: Mapping[str, int], last: Mapping[str, int], rules: PieceRules
) -> dict[str, int]:
    """Count the substrings of at least two characters that are seeds, from a list of suffixes.

    The words are cut where no piece can cross. Only the part of a suffix is kept that decides about
    the longest pieces. Suffixes that begin with the same text are neighbours, so that a stack of
    the common beginnings of neighbours holds the path to an inner node of the suffix tree
    (Abouelhoda, Kurtz and Ohlebusch 2004).
    """
    suffixes = _suffixes(followed, last, rules.max_length)
    found: dict[str, int] = {}
    open_nodes: list[tuple[int, int]] = []  # length in bytes, suffixes before it
    passed = 0
    before = b""
    for suffix in sorted(suffixes):
        common = _common_length(before, suffix)
        begin = passed - suffixes.get(before, 0)
        while open_nodes and open_nodes[-1][0] > common:
            length, begin = open_nodes.pop()
            if text := _piece(before, length, rules):
                found[text] = passed - begin
        if common and (not open_nodes or open_nodes[-1][0] < common):
            open_nodes.append((common, begin))
        passed += suffixes[suffix]
        before = suffix
    for length, begin in open_nodes:
        if text := _piece(before, length, rules):
            found[text] = passed - begin
    return found


def _suffixes(
    followed: Mapping[str, int], last: Mapping[str, int], max_length: int
) -> dict[bytes, int]:
    """Count the suffixes of all segments, each with one byte of the text after it."""
    parts: Counter[tuple[str, bytes]] = Counter()
    for words, end in ((followed, _SPACE_BYTE), (last, END_OF_LINE)):
        for word, count in words.items():
            cut = list(segments(word))
            for part, after in pairwise(cut):
                parts[part, after[0].encode()[:1]] += count
            parts[cut[-1], end] += count
    suffixes: defaultdict[bytes, int] = defaultdict(int)
    for (part, end), count in parts.items():
        if part != UNKNOWN:
            data, starts = part.encode() + end, _starts(part, max_length)
            for start, stop in starts:
                suffixes[data[start:stop]] += count
    return suffixes


def _starts(part: str, max_length: int) -> Iterator[tuple[int, int]]:
    """Yield the start of each suffix in bytes, and the end of its kept part."""
    if part.isascii():
        return zip(range(len(part)), range(max_length + 1, max_length + 1 + len(part)), strict=True)
    places = [0]
    for char in part:
        places.append(places[-1] + len(char.encode()))
    ends = places[max_length:] + [places[-1]] * max_length
    return ((start, end + 1) for start, end in zip(places[:-1], ends, strict=False))


def _common_length(left: bytes, right: bytes) -> int:
    length = min(len(left), len(right))
    for place in range(length):
        if left[place] != right[place]:
            return place
    return length


def _piece(suffix: bytes, length: int, rules: PieceRules) -> str:
    """Return the first bytes of a suffix as text if it may be a piece, otherwise the empty text."""
    if 0x80 <= suffix[length] < 0xC0:
        return ""
    text = suffix[:length].decode()
    return text if len(text) > 1 and rules.allow(text) else ""
