"""A cache of the tokens of words.

The tokens of a text in a BPE or Unigram model are the tokens of its words, except for the rounding
of sums in a Unigram model: the choice between two nearly equal ways may depend on the text before a
word. Therefore the sums of words are computed again if the difference is within the rounding error.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import MOST, SentencePieceUnigram
from tokharness_tokenizers.reference.normalizers.mapping import character_class
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK, byte_pieces
from tokharness_tokenizers.reference.word_ids import Cache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness_tokenizers.reference.sentencepiece.vocabulary import Vocabulary

# Words of a normalized text: its parts, whose ends no piece crosses.


def word_pattern(pieces: Iterable[str], known: frozenset[str]) -> re.Pattern[str] | None:
    """Return a pattern for the words of a text; None if pieces have U+2581 on both sides of text.

    Two characters are in one word only if some piece has a character after the first, and some
    piece has a character before the second. Several U+2581 count as one if a piece has two U+2581.
    A run of characters that are not ``known`` is a word, if any characters are known.
    """
    longer = [piece for piece in pieces if len(piece) > 1]
    leads = {char for piece in longer for char in piece[:-1]} - {MARK}
    follows = {char for piece in longer for char in piece[1:]} - {MARK}
    joined = "\n".join(longer)
    is_head = re.search(f"{MARK}[^{MARK}\n]", joined)
    is_tail = re.search(f"[^{MARK}\n]{MARK}", joined)
    if is_head and is_tail:
        return None
    mark = f"{MARK}+" if MARK * 2 in joined else MARK
    head, tail = _class(leads - follows), _class(follows - leads)
    if is_tail:
        tail = f"(?:{mark}|{tail})"
    else:
        head = f"(?:{mark}|{head})"
    inner = _class(leads & follows)
    others = f"[^{_class(known)[1:]}+|" if known else ""
    return re.compile(f"{head}{inner}*{tail}?|{inner}+{tail}?|{tail}|{others}.", re.DOTALL)


def _class(characters: Iterable[str]) -> str:
    return character_class(map(ord, characters))


BLOCK: Final = 64
"""Number of words that are compared with their limits together."""
PRECISION: Final = 2.0**-23
"""Largest relative difference of two adjacent floats of four bytes."""


Row: TypeAlias = tuple[tuple[int, ...], tuple[float, ...], float, float]
"""The result for a word: the ids of its tokens; the score of each piece, before unknown pieces are
spelled; the absolute sum of the scores; and the absolute sum of the text before the word, below
which rounding decides nothing.

It is a plain tuple of numbers, which the garbage collector does not traverse.
"""

IDS, WEIGHT, LIMIT = map(itemgetter, (0, 2, 3))


def _add(rows: list[Row], total: array[float]) -> None:
    """Add the scores of rows to a total as floats of four bytes, and remove the rows."""
    for score in chain.from_iterable(scores for _, scores, _, _ in rows):
        total[0] += score
    rows.clear()


@dataclass(frozen=True)
class RoundedWords:
    """The words of a Unigram model.

    Attributes:
        model: The model.
        spell: Makes ids of the tokens of a word.
        known: The characters of pieces; a word that begins with any other character is unknown.
            Without known characters, each character is looked up.

    """

    model: SentencePieceUnigram
    spell: Callable[[list[tuple[int, int]], str], tuple[int, ...]] = field(repr=False)
    known: frozenset[str] = field(default=frozenset(), repr=False)

    def ids(self, words: list[str]) -> list[int]:
        """Return the ids of the words of one text."""
        rows = list(map(self._cache.__getitem__, words))
        if sum(map(WEIGHT, rows)) < min(map(LIMIT, rows), default=0.0):
            return list(chain.from_iterable(map(IDS, rows)))
        return self._rounded_ids(words, rows)

    def _rounded_ids(self, words: list[str], rows: list[Row]) -> list[int]:
        """Return the ids of words, some of which depend on the rounding of the sum before them."""
        ids: list[int] = []
        pending: list[Row] = []
        before, size = array("f", [0.0]), 0.0
        for start in range(0, len(rows), BLOCK):
            block = rows[start : start + BLOCK]
            weight = sum(map(WEIGHT, block))
            if size + weight < min(map(LIMIT, block)):
                size += weight
                pending += block
                ids += chain.from_iterable(map(IDS, block))
                continue
            for word, row in zip(words[start : start + BLOCK], block, strict=True):
                known, _, weight, limit = row
                if size < limit:
                    size += weight
                    pending.append(row)
                    ids += known
                    continue
                _add(pending, before)
                tokens, before[0] = self.model.tokens_after(word, before[0])
                size = abs(before[0])
                ids += self.spell(tokens, word)
        return ids

    @cached_property
    def _cache(self) -> Cache[Row]:
        return Cache(self._row)

    def _row(self, word: str) -> Row:
        if self.known and word[0] not in self.known:
            unknown = (self.model.unknown_score,) * len(word)
            weight = abs(sum(unknown))
            return (self.model.unknown,), unknown, weight, MOST - 1 - weight
        best = self.model.best(word)
        limit = min(best.gap / (PRECISION * (len(word) + 1)), MOST - 1) - best.reach
        scores = tuple(best.scores)
        return self.spell(best.tokens, word), scores, abs(sum(scores)), limit


@dataclass(frozen=True)
class ExactWords:
    """The words of a BPE model, whose tokens do not depend on the text before.

    Attributes:
        encode: Makes the ids of a word.
        unknown: The id of an unknown word.
        known: The characters of pieces, as in :class:`RoundedWords`.

    """

    encode: Callable[[str], tuple[int, ...]] = field(repr=False)
    unknown: int
    known: frozenset[str] = field(default=frozenset(), repr=False)

    def ids(self, words: list[str]) -> list[int]:
        """Return the ids of the words of one text."""
        return list(chain.from_iterable(map(self._cache.__getitem__, words)))

    @cached_property
    def _cache(self) -> Cache[tuple[int, ...]]:
        return Cache(self._ids_of)

    def _ids_of(self, word: str) -> tuple[int, ...]:
        if self.known and word[0] not in self.known:
            return (self.unknown,)
        return self.encode(word)


@dataclass(frozen=True)
class Words:
    """Cuts a normalized text into words, and makes ids of them.

    Attributes:
        find: Returns the words of a text.
        of: The words of the model.
        unknown: The id of an unknown piece, with which neighbours are joined; None to join none.

    """

    find: Callable[[str], list[str]] = field(repr=False)
    of: ExactWords | RoundedWords
    unknown: int | None

    def ids(self, normalized: str) -> list[int]:
        """Return the ids of a normalized text."""
        ids, unknown = self.of.ids(self.find(normalized)), self.unknown
        if unknown is None or unknown not in ids:
            return ids
        pairs = zip(ids, chain((None,), ids), strict=False)
        return [number for number, last in pairs if number != unknown or last != unknown]


def words_of(model: object, vocabulary: Vocabulary, *, joins_unknown: bool) -> Words | None:
    """Return the words of a model; None if its texts cannot be cut, or need no cuts."""
    joins = joins_unknown and not vocabulary.byte_fallback
    known = frozenset(MARK.join(vocabulary.of_text) + MARK) if joins else frozenset()
    pattern = word_pattern(vocabulary.of_text, known)
    unknown = vocabulary.unknown if joins else None

    def spell(tokens: list[tuple[int, int]], word: str) -> tuple[int, ...]:
        if vocabulary.byte_fallback:
            tokens = byte_pieces(tokens, word, vocabulary)
        return tuple(number for number, _ in tokens)

    if pattern is None:
        return None
    if isinstance(model, SentencePieceUnigram):
        return Words(pattern.findall, RoundedWords(model, spell, known), unknown)
    if isinstance(model, SentencePieceBPE) and not vocabulary.unused:
        exact = ExactWords(lambda word: spell(model.tokens(word), word), vocabulary.unknown, known)
        return Words(pattern.findall, exact, unknown)
    return None
