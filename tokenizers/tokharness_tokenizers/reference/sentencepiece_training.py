"""Training as SentencePiece does it: from a corpus to distinct words, and from them to pieces.

Before it trains, SentencePiece does this (``trainer_interface.cc``):

- A line is a text. Lines of more than 4,192 bytes of UTF-8, and lines with U+2585, are left out.
- Each line is normalized. Then U+2581 is before each word.
- A reserved text, such as ``<s>``, is no part of a word.
- The most frequent characters that cover a fraction of the corpus are the alphabet. U+2585 replaces
  each of the others.

The training of BPE is algorithm 1 of Sennrich et al. 2016 over the characters of words, with the
rules of SentencePiece (``bpe_model_trainer.cc``):

- A pair is merged only if its text may be a piece.
- Of several equally frequent pairs, the pair with the shortest text is merged; of several such
  pairs, the pair with the least text.
- Pairs that occur only once are merged, too.

If no pair is left, SentencePiece 0.2.3 continues with pairs that earlier merges removed from all
words: its vocabulary gets pieces that occur nowhere. Here the merges end.
"""

from __future__ import annotations

import heapq
import re
import struct
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import script_in
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.word_pairs import WordPairs

if TYPE_CHECKING:
    from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping

    from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec


# Which texts may be pieces (SentencePiece, ``trainer_interface.cc``), and where words are cut.
#
# These are the rules of the library's default options:
#
# - A piece has at most ``max_length`` characters (``max_sentencepiece_length``). - U+2581, which
# stands for a space, can only begin a piece (``split_by_whitespace``). - A piece has characters of
# one script (``split_by_unicode_script``; UAX #24). Han, Hiragana, Katakana and U+30FC are one
# script. An Inherited character has the script of the character before it, or any script if there
# is none. The table of the library has the scripts of Unicode 9.0; a later character is Common. -
# Digits are Common, so they are apart from letters (``split_by_number``). - U+2585, which stands
# for an unknown character, U+0000, U+001F and U+0020 are in no piece.

SPACE: Final = "\u2581"
UNKNOWN: Final = "\u2585"
BOUNDARY: Final = "\x1f"
"""Placeholder for a reserved text, such as ``<s>``; it is in no piece."""

_SCRIPTS_OF: Final = "9.0"
_FORBIDDEN: Final = frozenset((UNKNOWN, BOUNDARY, "\0", " "))
_JOINED: Final = frozenset(("Hira", "Kana"))
_ascii_segment = re.compile(r"\u2581?(?:[A-Za-z]+|[^A-Za-z\u2581\x00\x1f ]+)|[\u2581\x00\x1f ]")


@dataclass(frozen=True, slots=True)
class PieceRules:
    """The rules for pieces of at most ``max_length`` characters."""

    max_length: int = 16

    def allow(self, text: str) -> bool:
        """Whether a text may be a piece."""
        if not 0 < len(text) <= self.max_length or SPACE in text[1:]:
            return False
        before = ""
        for char in text.removeprefix(SPACE):
            if char in _FORBIDDEN:
                return False
            script = _script(char) or before
            if before and script != before:
                return False
            before = script
        return True


def count_segments(words: Mapping[str, int]) -> Counter[str]:
    """Count the segments of words; all words begin with U+2581."""
    parts: Counter[str] = Counter()
    for count, texts in group_by_count(words):
        plain = "".join(text for text in texts if text[1:].isascii())
        others = (segments(text) for text in texts if not text[1:].isascii())
        # No segment extends into the next word, since the next word begins with U+2581.
        for part, times in Counter(chain(_ascii_segment.findall(plain), *others)).items():
            parts[part] += times * count
    return parts


def group_by_count(words: Mapping[str, int]) -> ItemsView[int, list[str]]:
    """Group the words that occur equally often, since counting them together is faster."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for word, count in words.items():
        groups[count].append(word)
    return groups.items()


def segments(word: str) -> Iterator[str]:
    """Cut a word where no piece can cross.

    The cuts are before U+2581, on both sides of a character that is in no piece, and between
    characters of two scripts. A segment with Inherited characters may still have pieces that are
    not allowed.
    """
    if word[1:].isascii() and word[:1] == SPACE:
        yield from _ascii_segment.findall(word)
        return
    start = 0
    for place in range(1, len(word)):
        if _is_cut(word[place - 1], word[place]):
            yield word[start:place]
            start = place
    yield word[start:]


def _is_cut(left: str, right: str) -> bool:
    if right == SPACE or left in _FORBIDDEN or right in _FORBIDDEN:
        return True
    if left == SPACE:
        return False
    before, after = _script(left), _script(right)
    return bool(before and after) and before != after


@cache
def _script(char: str) -> str:
    """Return the script of a character; "" for a character that takes its neighbour's script."""
    script = script_in(char, _SCRIPTS_OF)
    if script in _JOINED or char == "\u30fc":
        return "Hani"
    return "" if script == "Zinh" else script.replace("Zzzz", "Zyyy")


_LONGEST_LINE: Final = 4192
"""The default of ``max_sentence_length``, in bytes."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words with their counts, in which U+2585 stands for each unknown character.

    Attributes:
        followed: The words that other words follow in their lines.
        last: The words that end lines.
        alphabet: The characters that are known, the most frequent first.
        unknown: The number of unknown characters.
        skipped: The number of lines that were left out.

    """

    followed: Mapping[str, int] = field(repr=False)
    last: Mapping[str, int] = field(repr=False)
    alphabet: tuple[str, ...] = field(repr=False)
    unknown: int = 0
    skipped: int = 0

    def counts(self) -> Counter[str]:
        """Return the counts of the words, at any place in a line."""
        counts = Counter(self.followed)
        counts.update(self.last)
        return counts


def count_words(
    texts: Iterable[str],
    spec: NormalizerSpec,
    *,
    coverage: float = 0.9995,
    reserved: Collection[str] = (),
) -> Words:
    """Count the words of the lines of texts.

    ``spec`` is the normalization, which puts a space before each line. ``coverage`` is the fraction
    of the corpus that the alphabet covers at least.
    """
    lines = _Lines(spec, reserved)
    for text in texts:
        lines.add(text)
    characters = _count_characters(lines.words)
    alphabet = _alphabet(characters, coverage)
    known = set(alphabet)
    unknown = {char: count for char, count in characters.items() if char not in known}
    followed, last = _marked(lines.words, unknown)
    return Words(followed, last, alphabet, sum(unknown.values()), lines.skipped)


class _Lines:
    """The words of lines with their counts; a word that ends a line has a line end.

    Words in ASCII are stored without the U+2581 at their start.
    """

    __slots__ = ("_normalizing", "_reserved", "_table", "skipped", "words")

    def __init__(self, spec: NormalizerSpec, reserved: Collection[str]) -> None:
        self.words: Counter[str] = Counter()
        self.skipped = 0
        charsmap = Charsmap(data) if (data := spec.precompiled_charsmap) else None
        self._normalizing = Normalizing(spec, LongestRules(charsmap))
        longest_first = sorted(reserved, key=len, reverse=True)
        self._reserved = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
        self._table = None if any(SPACE in text for text in reserved) else _ascii_rules(charsmap)

    def add(self, text: str) -> None:
        """Count the words of a text of several lines."""
        lines = text.split("\n")
        longest = _LONGEST_LINE // 4  # in characters
        kept = [line for line in lines if len(line) <= longest or _is_short(line)]
        if UNKNOWN in text:
            kept = [line for line in kept if UNKNOWN not in line]
        self.skipped += len(lines) - len(kept)
        if self._table is None:
            self._add_lines(kept)
            return
        self._add_lines(line for line in kept if not line.isascii())
        plain = [line for line in kept if line.isascii()]
        replaced = "\n".join(plain).translate(self._table)
        if self._reserved.search(replaced):
            pairs = list(zip(plain, replaced.split("\n"), strict=True))
            self._add_lines(line for line, new in pairs if self._reserved.search(new))
            replaced = "\n".join(new for _, new in pairs if not self._reserved.search(new))
        self._add_replaced(replaced)

    def _add_replaced(self, text: str) -> None:
        """Count the words of lines that are normalized except for their spaces."""
        lines = [line.strip(" ") for line in text.split("\n")]
        self.words.update("\n ".join([*lines, ""]).split(" "))
        del self.words[""], self.words["\n"]

    def _add_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            normalized = self._normalizing.normalize(line)
            if normalized:
                words = f"{self._reserved.sub(BOUNDARY, normalized)}\n".split(SPACE)[1:]
                self.words.update(SPACE + word for word in words)


def _is_short(line: str) -> bool:
    return len(line.encode()) <= _LONGEST_LINE


def _ascii_rules(charsmap: Charsmap | None) -> dict[int, str] | None:
    """Return the replacements of ASCII characters except line ends; None if longer rules apply."""
    if charsmap is None:
        return {}
    if any(map(str.isascii, charsmap.seconds())):
        return None
    singles = {char: new for char, new in charsmap.singles.items() if char.isascii()}
    return {ord(char): new for char, new in singles.items() if char != "\n"}


def _count_characters(words: Mapping[str, int]) -> Counter[str]:
    """Count the characters of words, with the U+2581 that begins each, but without line ends."""
    characters: Counter[str] = Counter()
    for count, texts in group_by_count(words):
        for char, times in Counter("".join(texts)).items():
            characters[char] += times * count
        characters[SPACE] += count * sum(text[0] != SPACE for text in texts)
    del characters["\n"]
    return characters


def _alphabet(characters: Mapping[str, int], coverage: float) -> tuple[str, ...]:
    """Return the most frequent characters until they cover the fraction, compared as floats."""
    total, covered = sum(characters.values()), 0
    alphabet = []
    for char, count in sorted(characters.items(), key=lambda row: (-row[1], row[0])):
        if _single(covered / total) >= _single(coverage):
            break
        covered += count
        if char not in {BOUNDARY, "\0"}:
            alphabet.append(char)
    return tuple(alphabet)


def _single(number: float) -> float:
    """Round a number to four bytes, as SentencePiece does before it compares."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def _marked(
    words: Mapping[str, int], unknown: Collection[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the words that other words follow, then the words that end lines.

    Each word gets U+2581 before it and U+2585 for unknown characters.
    """
    table = {ord(char): UNKNOWN for char in unknown}
    all_known = not any(map(str.isascii, unknown))
    followed: dict[str, int] = {}
    last: dict[str, int] = {}
    for word, count in words.items():
        text = word.removesuffix("\n")
        if not (all_known and text.isascii()):
            text = text.translate(table)
        text = text if text[:1] == SPACE else SPACE + text
        chosen = followed if word[-1] != "\n" else last
        chosen[text] = chosen.get(text, 0) + count
    return followed, last


def merged_pieces(counts: Mapping[str, int], rules: PieceRules) -> Iterator[str]:
    """Yield the pieces that are merged from words, in order; ``counts`` maps words to counts.

    Only the counts that change are updated. The words are cut where no piece can cross, which
    leaves fewer and shorter words.
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
