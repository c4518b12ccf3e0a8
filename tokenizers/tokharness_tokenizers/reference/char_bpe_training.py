r"""The merges of BPE over the characters of words; the last character has ``</w>``.

Sennrich et al. 2016, as in the authors' program ``subword-nmt`` since version 0.2 of its codes: the
end of a word is part of its last character, whereas it is a separate symbol in the listing of the
paper. Spaces and line ends delimit words.

The program departs from the paper in one respect, which its codes show: it merges a pair by a
regular expression over the word with spaces between its symbols, so a symbol that holds other white
space, such as a tab or U+00A0, is also seen as an end of symbols, and a pair may be merged inside
it or across it. This module does not do that.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

from tokharness_tokenizers.reference.word_pairs import WordPairs, merge_most_frequent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

END = "</w>"

Merge: TypeAlias = "tuple[str, str]"

Ties: TypeAlias = Literal["greatest", "ids"]
"""The rule for which of several equally frequent pairs is merged first.

``greatest``, the rule of ``subword-nmt``: the greatest pair of strings, compared left, then right,
with ``</w>``. ``ids``, the rule of Hugging Face's ``BpeTrainer``: the least pair of ids. Tokens are
numbered as they are made, after the alphabet. That library numbers characters with ``</w>`` in the
order of a hash table, which differs from run to run, and so do its merges.

The paper's listing takes the pair that a dictionary has first.
"""


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Count the words of texts: what spaces and line ends delimit.

    Line ends are as in ``str.splitlines``, by which ``subword-nmt`` reads a file.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        lines = text.splitlines()
        counts.update(chain.from_iterable(line.split(" ") for line in lines))
    del counts[""]
    return counts


def alphabet_of(counts: Mapping[str, int]) -> list[str]:
    """Return the characters inside words, then the last characters with ``</w>``, each sorted."""
    inside = {char for word in counts for char in word[:-1]}
    return [*sorted(inside), *sorted({word[-1] + END for word in counts})]


def merges(
    counts: Mapping[str, int], ties: Ties = "greatest", alphabet: Sequence[str] | None = None
) -> Iterator[Merge]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    The merges end when no pair occurs at least twice. The order of ``alphabet``, by default that of
    :func:`alphabet_of`, decides ties by ``ids``. Raises ValueError for more tokens than
    ``word_pairs.MAX_TOKENS``.
    """
    names = list(alphabet or alphabet_of(counts))
    return _merges(_word_pairs(counts, names), names, ties)


@dataclass(frozen=True, slots=True)
class Learned:
    """A finished training.

    Attributes:
        merges: The merges in order.
        tokens: How often each token occurs in the words after the last merge: the alphabet, then
            the tokens that the merges make, some of which no longer occur.

    """

    merges: list[Merge]
    tokens: dict[str, int]


def learn(counts: Mapping[str, int], size: int, progress: Callable[[int], object]) -> Learned:
    """Learn merges until there are ``size`` tokens; call ``progress`` with their number."""
    names = alphabet_of(counts)
    words = _word_pairs(counts, names)
    learned: list[Merge] = []
    letters = len(names)
    for merge in _merges(words, names, "greatest"):  # each is made on request
        if letters + len(learned) >= size:
            break
        learned.append(merge)
        progress(letters + len(learned))
    occurs = dict.fromkeys(names, 0)
    for text, count in zip(words.texts, words.occurs, strict=True):
        for token in text:
            occurs[names[ord(token)]] += count
    for word, count in counts.items():
        if len(word) == 1:
            occurs[word + END] += count
    return Learned(learned, occurs)


def _word_pairs(counts: Mapping[str, int], names: Sequence[str]) -> WordPairs:
    tokens = {name: chr(number) for number, name in enumerate(names)}
    inside = {ord(name): token for name, token in tokens.items() if len(name) == 1}
    return WordPairs.of(
        (word[:-1].translate(inside) + tokens[word[-1] + END], count)
        for word, count in counts.items()
    )


def _merges(words: WordPairs, names: list[str], ties: Ties) -> Iterator[Merge]:
    order = _descending if ties == "greatest" else None
    return merge_most_frequent(words, names, operator.add, order)


def _descending(name: str) -> tuple[int, ...]:
    """Return a key by which the greatest name is the least."""
    return (*(-ord(char) for char in name), 1)  # after longer names that begin with it
