"""The seed vocabulary: all characters, and frequent substrings.

Kudo 2018 suggests the most frequent substrings, found with a suffix array. SentencePiece takes
the inner nodes of the suffix tree of the corpus, which is made of the bytes of UTF-8: substrings
that are followed by at least two different bytes. Therefore "zebra" is not a seed if a space always
follows it. The end of a line counts as such a byte. A substring scores its count times its length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.sentencepiece_training.words import SPACE, UNKNOWN, segments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness_tokenizers.reference.sentencepiece_training.words import PieceRules

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


def repeated_substrings_simple(
    followed: Mapping[str, int], last: Mapping[str, int], rules: PieceRules
) -> dict[str, int]:
    """Count the substrings of at least two characters that are seeds.

    This is the definition to read; only tests call it.
    """
    counts: Counter[str] = Counter()
    bytes_after: defaultdict[str, set[bytes]] = defaultdict(set)
    for words, end in ((followed, _SPACE_BYTE), (last, END_OF_LINE)):
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


def repeated_substrings(
    followed: Mapping[str, int], last: Mapping[str, int], rules: PieceRules
) -> dict[str, int]:
    """Return the result of :func:`repeated_substrings_simple`, from a sorted list of suffixes.

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
