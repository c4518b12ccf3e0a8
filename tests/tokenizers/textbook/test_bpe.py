"""Byte-pair encoding as it is published: the merge tables, with their ties.

Sources: Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword
Units"; the program ``subword-nmt``; the Hugging Face course, "Byte-Pair Encoding tokenization".
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import textbook

from tokharness_tokenizers.reference import byte_bpe_training, char_bpe_training
from tokharness_tokenizers.reference.models.bpe import BPE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Pairs: TypeAlias = Mapping[tuple[str, str], int]
    Choose: TypeAlias = Callable[[Pairs, Mapping[str, int]], tuple[str, str] | None]

LOW = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
"""The vocabulary of algorithm 1 of the paper."""

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
"""The words of the course."""

COURSE = (
    "This _is _the _Hugging _Face _Course . _chapter _about _tokenization _section _shows "
    "_several _tokenizer _algorithms Hopefully , _you _will _be _able _to _understand _how _they "
    "_are _trained _and _generate _tokens"
)
"""The pre-tokens of its four sentences, in the order in which it counts them; _ is a space."""


def first_of(minimum: int = 2) -> Choose:
    """Choose the first of the most frequent pairs, as ``max`` of a dictionary does."""

    def choose(pairs: Pairs, _: object) -> tuple[str, str] | None:
        return next(iter(textbook.most_frequent(pairs, minimum)), None)

    return choose


def test_algorithm_1_merges_the_first_of_the_most_frequent_pairs() -> None:
    # The listing marks the end of a word by a symbol of its own.
    words = {(*word, "</w>"): count for word, count in LOW.items()}
    assert list(islice(textbook.learn(words, first_of()), 10)) == [
        ("e", "s"),  # 9, as often as ("s", "t") and ("t", "</w>")
        ("es", "t"),
        ("est", "</w>"),
        ("l", "o"),  # 7, as often as ("o", "w")
        ("lo", "w"),
        ("n", "e"),  # 6, as often as ("e", "w") and ("w", "est</w>")
        ("ne", "w"),
        ("new", "est</w>"),
        ("low", "</w>"),  # 5
        ("w", "i"),  # 3, as often as ("i", "d") and ("d", "est</w>")
    ]


def test_the_merges_of_figure_1_are_each_among_the_most_frequent() -> None:
    # The dictionary low, lowest, newer, wider; the figure gives no counts.
    figure = iter([("r", "</w>"), ("l", "o"), ("lo", "w"), ("e", "r</w>")])

    def choose(pairs: Pairs, _: object) -> tuple[str, str] | None:
        merge = next(figure, None)
        assert merge is None or merge in textbook.most_frequent(pairs)
        return merge

    words = {(*word, "</w>"): 1 for word in ("low", "lowest", "newer", "wider")}
    assert len(list(textbook.learn(words, choose))) == 4


def test_subword_nmt_merges_the_greatest_of_the_most_frequent_pairs() -> None:
    # Since version 0.2 of its codes the end of a word is part of the last character.
    assert list(islice(char_bpe_training.merges(LOW), 8)) == [
        ("s", "t</w>"),  # 9, as often as ("e", "s")
        ("e", "st</w>"),
        ("l", "o"),  # 7
        ("w", "est</w>"),  # 6, as often as ("n", "e") and ("e", "w")
        ("n", "e"),  # 6, as often as ("e", "west</w>")
        ("ne", "west</w>"),
        ("lo", "w</w>"),  # 5
        ("w", "i"),  # 3, as often as ("i", "d") and ("d", "est</w>")
    ]


def test_our_byte_level_training_merges_the_least_of_the_most_frequent_pairs() -> None:
    # The counts are those above: "lo" goes before "ow", and "e" + "w" before "n" + "e".
    words = {f"{word}_": count for word, count in LOW.items()}
    assert list(islice(byte_bpe_training.merges(words), 7)) == [
        *((b"e", b"s"), (b"es", b"t"), (b"est", b"_")),
        *((b"l", b"o"), (b"lo", b"w")),
        *((b"e", b"w"), (b"ew", b"est_")),
    ]


def test_the_first_merges_of_the_course() -> None:
    counts: list[int] = []

    def choose(pairs: Pairs, symbols: Mapping[str, int]) -> tuple[str, str] | None:
        counts.append(max(pairs.values()))
        return first_of()(pairs, symbols)

    words = {tuple(word): count for word, count in HUG.items()}
    merges = list(islice(textbook.learn(words, choose), 3))
    assert merges == [("u", "g"), ("u", "n"), ("h", "ug")]
    assert counts == [20, 16, 15]


def test_the_words_of_the_course_are_tokenized_by_these_merges() -> None:
    merges = [("u", "g"), ("u", "n"), ("h", "ug")]
    names = ["[UNK]", *"bghnpsu", *(left + right for left, right in merges)]
    vocabulary = {name: number for number, name in enumerate(names)}
    model = BPE(vocabulary, merges, unknown="[UNK]")

    def tokens(word: str) -> list[str]:
        return [names[number] for number, _ in model.tokens(word)]

    assert tokens("bug") == ["b", "ug"]
    assert tokens("mug") == ["[UNK]", "ug"]
    assert tokens("thug") == ["[UNK]", "hug"]
    assert tokens("unhug") == ["un", "hug"]


def test_the_course_learns_19_merges_from_its_four_sentences() -> None:
    counts = {"This": 3, "_is": 2, ".": 4}
    learned = textbook.learn(
        {tuple(word): counts.get(word, 1) for word in COURSE.split()}, first_of()
    )
    tokens = " ".join(left + right for left, right in islice(learned, 19))
    assert tokens == "_t is er _a _to en Th This ou se _tok _token nd _is _th _the in _ab _tokeni"
