"""WordPiece training: words as BERT splits them, and the merges that are learned of them.

Schuster and Nakajima 2012 add the word unit that increases the likelihood of the corpus most. As
the Hugging Face course ("WordPiece tokenization") describes it, this is the pair with the greatest
count(ab) / (count(a) count(b)), so a pair of rare pieces goes before a frequent pair whose pieces
are also frequent elsewhere. Google has not published its trainer.

Words have no ``#`` next to another character, as BERT splits at punctuation: a piece at the start
of a word never looks like a piece inside a word.

Hugging Face's ``WordPieceTrainer`` is another algorithm: it wraps its ``BpeTrainer`` with the
prefix ``##`` (``models/wordpiece/trainer.rs``), and so merges the most frequent pair.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reference.normalizers.forms import BertNormalizer
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert
from tokharness_tokenizers.reference.word_pairs import WordPairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# Count the words of texts as BERT splits them: cleaned, then at white space and punctuation.
#
# Devlin et al. 2019, ``tokenization.py``, in the form of :mod:`.normalizers.forms`.

_REMOVED: Final = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
"""Characters that ``str.split`` treats as white space and BERT removes as controls."""


def count_words(texts: Iterable[str], *, lowercase: bool) -> Counter[str]:
    """Count the words of texts; if ``lowercase``, without accents and in lower case.

    White space is split first, and each distinct part is normalized once.
    """
    parts: Counter[str] = Counter()
    for text in texts:
        parts.update(_REMOVED.sub("", text).split())
    normalizer, pre_tokenizer = BertNormalizer(lowercase=lowercase), Bert()
    words: Counter[str] = Counter()
    for part, count in parts.items():
        for word in pre_tokenizer.words(normalizer.normalize(part)):
            words[word] += count
    return words


PREFIX = "##"

Merge: TypeAlias = "tuple[str, str]"

_Entry: TypeAlias = "tuple[float, str, str, str]"


def pieces_of(word: str) -> tuple[str, ...]:
    """Return the characters of a word, all but the first with the prefix."""
    return (word[0], *(PREFIX + char for char in word[1:]))


def join(left: str, right: str) -> str:
    """Return the piece that two pieces become."""
    return left + right.removeprefix(PREFIX)


def alphabet_of(words: Iterable[str]) -> list[str]:
    """Return the first characters of words, then all other characters with the prefix, sorted."""
    words = list(words)
    inside = {char for word in words for char in word[1:]}
    return [*sorted({word[0] for word in words}), *(PREFIX + char for char in sorted(inside))]


def merges(counts: Mapping[str, int], minimum: int = 2) -> Iterator[Merge]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    Pairs that occur less than ``minimum`` times are not merged. Of several pairs with the same
    score, a 64-bit float, the least pair of strings is merged, compared left, then right.

    A merge changes the counts of its two pieces, and thereby the scores of all pairs with one of
    the pieces. These pairs get new entries in a heap; an old entry is dropped when it comes up and
    its score differs from the score of its pair. Rare pieces are merged first and have few
    neighbours, so that few entries are made. Raises ValueError for more tokens than
    ``word_pairs.MAX_TOKENS``.
    """
    names = alphabet_of(counts)
    scored = _scored(counts, names, minimum)
    heap = [scored.entry(pair) for pair, count in scored.words.pairs.items() if count >= minimum]
    heapq.heapify(heap)
    while heap:
        negative, left, right, pair = heapq.heappop(heap)
        if scored.words.pairs.get(pair, 0) < minimum or scored.entry(pair)[0] != negative:
            continue
        yield left, right
        names.append(join(left, right))
        for other in scored.merge(pair, chr(len(names) - 1)):
            heapq.heappush(heap, scored.entry(other))


@dataclass(frozen=True, slots=True)
class _Scored:
    """Words with the scores of their pairs.

    Attributes:
        words: The words; a piece is a character.
        names: The texts of the pieces.
        occurs: How often each piece occurs.
        partners: The pairs with a piece that occur often enough, or did earlier.
        minimum: How often a pair has to occur.

    """

    words: WordPairs
    names: list[str]
    occurs: dict[str, int]
    partners: defaultdict[str, set[str]]
    minimum: int

    def entry(self, pair: str) -> _Entry:
        """Return an entry of the heap: the negative score of a pair, and a key for ties."""
        left, right = pair[0], pair[1]
        score = self.words.pairs[pair] / (self.occurs[left] * self.occurs[right])
        return -score, self.names[ord(left)], self.names[ord(right)], pair

    def merge(self, pair: str, made: str) -> list[str]:
        """Merge a pair everywhere; return the pairs whose scores changed."""
        left, right = pair[0], pair[1]
        pairs, occurs, partners = self.words.pairs, self.occurs, self.partners
        number = self._merged(pair, made)
        occurs[left] -= number
        occurs[right] -= number
        occurs[made] = number
        changed = []
        for other in partners[left] | partners[right] | partners[made]:
            if pairs.get(other, 0) >= self.minimum:
                changed.append(other)
            else:
                partners[other[0]].discard(other)
                partners[other[1]].discard(other)
        return changed

    def _merged(self, pair: str, made: str) -> int:
        """Merge a pair in the words; return the number of merges."""
        words = self.words
        number = words.pairs[pair]
        repeated = set(words.where[pair]) if pair[0] == pair[1] else ()
        for other, change in words.merge(pair, made).items():
            if change > 0 and words.pairs[other] >= self.minimum:
                self.partners[other[0]].add(other)
                self.partners[other[1]].add(other)
        if not repeated:
            return number
        # Pairs of equal pieces overlap: "aaa" has two, and one merge.
        return sum(words.texts[index].count(made) * words.occurs[index] for index in repeated)


def _scored(counts: Mapping[str, int], names: list[str], minimum: int) -> _Scored:
    tokens = {name: chr(number) for number, name in enumerate(names)}
    first = {name: token for name, token in tokens.items() if len(name) == 1}
    inside = {ord(name[-1]): token for name, token in tokens.items() if len(name) > 1}
    strings = [(first[word[0]] + word[1:].translate(inside), n) for word, n in counts.items()]
    occurs: defaultdict[str, int] = defaultdict(int)
    for text, count in strings:
        for token in text:
            occurs[token] += count
    words = WordPairs.of(strings)
    partners: defaultdict[str, set[str]] = defaultdict(set)
    for pair, count in words.pairs.items():
        if count >= minimum:
            partners[pair[0]].add(pair)
            partners[pair[1]].add(pair)
    return _Scored(words, names, occurs, partners, minimum)
