"""Trainers of libraries learn the same merges with their rules for ties, on real texts."""

from __future__ import annotations

import contextlib
import io
import os
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tokharness_tokenizers.reference import char_bpe_training as char_bpe
from tokharness_tokenizers.reference import wordpiece_training as wordpiece
from tokharness_tokenizers.reference.word_pairs import WordPairs, merge_most_frequent
from tokharness_tokenizers.reference.wordpiece_training import count_words as count_bert_words

FOLDER = os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "")
BOTCHAN = Path(FOLDER, "sentencepiece", "botchan.txt")

pytestmark = pytest.mark.skipif(
    not FOLDER or not BOTCHAN.is_file(),
    reason="TOKHARNESS_TEST_VOCABULARIES has no sentencepiece/botchan.txt",
)


@pytest.fixture(scope="module")
def text() -> str:
    return BOTCHAN.read_text(encoding="utf-8")[:30_000]


@pytest.mark.slow
@pytest.mark.needs("subword-nmt", "0.3")
def test_subword_nmt_learns_the_same_codes(text: str) -> None:
    from subword_nmt.learn_bpe import learn_bpe

    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):  # its progress bar
        learn_bpe(io.StringIO(text), codes, 500)
    expected = [tuple(line.split(" ")) for line in codes.getvalue().split("\n")[1:-1]]
    assert list(islice(char_bpe.merges(char_bpe.count_words([text])), 500)) == expected


@pytest.mark.needs("tokenizers", "0.23")
def test_hugging_faces_bpe_with_a_suffix_differs_in_ties_only(text: str) -> None:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("[ \n]+"), "removed")
    trainer = trainers.BpeTrainer(
        vocab_size=700, min_frequency=2, end_of_word_suffix="</w>", show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    expected = merges_of(tokenizer)
    counts = char_bpe.count_words([text])
    alphabet = alphabet_of(tokenizer, char_bpe.alphabet_of(counts))
    assert list(islice(char_bpe.merges(counts, "ids", alphabet), len(expected))) == expected


@pytest.mark.needs("tokenizers", "0.23")
def test_hugging_faces_wordpiece_is_bpe_by_counts_and_not_by_likelihood(text: str) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece())
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=700, min_frequency=2, show_progress=False)
    tokenizer.train_from_iterator([text], trainer)
    counts = count_bert_words([text], lowercase=False)
    alphabet = alphabet_of(tokenizer, wordpiece.alphabet_of(counts))
    by_id = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    expected = by_id[-(700 - len(alphabet)) :]
    tokens = {name: chr(number) for number, name in enumerate(alphabet)}
    words = WordPairs.of(
        ("".join(map(tokens.__getitem__, wordpiece.pieces_of(word))), count)
        for word, count in counts.items()
    )
    by_count = merge_most_frequent(words, list(alphabet), wordpiece.join, None)
    made = [wordpiece.join(*merge) for merge in islice(by_count, len(expected))]
    assert made == expected
    by_likelihood = islice(wordpiece.merges(counts), len(expected))
    assert [wordpiece.join(*merge) for merge in by_likelihood] != expected


def merges_of(tokenizer: Any) -> list[tuple[str, str]]:
    import json

    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(left, right) for left, right in merges]


def alphabet_of(tokenizer: Any, alphabet: list[str]) -> list[str]:
    """Return an alphabet in the order of the library's ids, with what it has in addition.

    The library numbers all characters in order, then those with a suffix or prefix in the order of
    a hash table.
    """
    vocabulary = tokenizer.get_vocab()
    alone = {name for name in vocabulary if len(name) == 1}
    return sorted(alone.union(alphabet), key=vocabulary.__getitem__)
