"""``--model wordpiece``: BERT's vocab.txt, learned by likelihood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokharness.errors import UsageError
from tokharness.training import TrainingOptions
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.token_files import wordpiece_list
from tokharness_tokenizers.trainers import wordpiece

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.training import TrainingResult

TEXT = "Caf\u00e9s hug, hugs; pug. bun! " * 5 + "\u4e2d\u6587 "


def train(path: Path, texts: list[str], vocab_size: int, **options: Any) -> TrainingResult:
    return wordpiece.train(texts, path, TrainingOptions(vocab_size, **options), str)


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().split("\n")[:-1]


def test_special_tokens_come_first_then_characters_then_merges(tmp_path: Path) -> None:
    result = train(tmp_path / "vocab.txt", ["ab ab b"], 5, special_tokens=("[NEW]",))
    expected = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[NEW]", "a", "b", "##b", "ab"]
    assert lines_of(tmp_path / "vocab.txt") == expected
    assert (result.tokens, result.special_tokens) == (4, 6)
    assert result.notes == ("fewer than 5 tokens: no pair of tokens occurs twice now",)


@pytest.mark.parametrize("lowercase", [False, True])
def test_the_reader_knows_the_settings_of_the_training(tmp_path: Path, lowercase: bool) -> None:
    path = tmp_path / "pieces"
    result = train(path, ["ab ab b"], 5, special_tokens=("NEW", "<|x|>"), lowercase=lowercase)
    loaded = wordpiece_list.load(path)
    assert loaded.special_tokens == {text: i for i, text in enumerate(lines_of(path)[:7])}
    assert len(loaded.special_tokens) == result.special_tokens
    assert wordpiece_list.read_record(path)["normalizer"]["lowercase"] is lowercase


@pytest.mark.needs("transformers")
def test_transformers_reads_the_special_tokens_from_the_side_file(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    train(tmp_path / "vocab.txt", ["ab ab b"], 5, special_tokens=("<|x|>",), lowercase=True)
    (tmp_path / "vocab.txt.json").rename(tmp_path / "tokenizer_config.json")
    loaded = AutoTokenizer.from_pretrained(str(tmp_path))
    assert "<|x|>" in loaded.all_special_tokens
    assert loaded.encode("<|x|>AB", add_special_tokens=False) == [5, 9]


@pytest.mark.needs("tokenizers")
@pytest.mark.parametrize("lowercase", [False, True])
def test_the_library_loads_the_file_and_encodes_as_our_reference(
    tmp_path: Path, lowercase: bool
) -> None:
    from tokenizers import BertWordPieceTokenizer

    path = tmp_path / "vocab.txt"
    train(path, [TEXT], 50, lowercase=lowercase)
    loaded = BertWordPieceTokenizer(str(path), lowercase=lowercase)
    model = WordPiece({line: number for number, line in enumerate(lines_of(path))})
    for word in ("Cafes" if lowercase else "Caf\u00e9s", "hugs", "pugs", "buns", "xyz", "\u4e2d"):
        ids = [number for number, _ in model.tokens(word.lower() if lowercase else word)]
        assert loaded.encode(word, add_special_tokens=False).ids == ids
        assert (ids == [1]) == (word == "xyz")


def test_a_lower_case_vocabulary_has_no_accents(tmp_path: Path) -> None:
    train(tmp_path / "vocab.txt", ["\u00c9t\u00e9"] * 2, 9, lowercase=True)
    assert "ete" in lines_of(tmp_path / "vocab.txt")


def test_words_with_rare_characters_are_left_out(tmp_path: Path) -> None:
    result = train(tmp_path / "vocab.txt", ["aa " * 99 + "ab"], 9, character_coverage=0.99)
    assert lines_of(tmp_path / "vocab.txt")[5:] == ["a", "##a", "aa"]
    assert "left out: 1 rare character; a word that has one is [UNK]" in result.notes


@pytest.mark.parametrize(
    ("minimum", "merged", "note"), [(1, "ab cd", "occurs now"), (3, "ab", "occurs 3 times now")]
)
def test_a_pair_that_occurs_less_often_is_not_merged(
    tmp_path: Path, minimum: int, merged: str, note: str
) -> None:
    result = train(tmp_path / "vocab.txt", ["ab ab ab cd"], 9, min_frequency=minimum)
    assert lines_of(tmp_path / "vocab.txt")[9:] == merged.split()[::-1]
    assert result.notes == (f"fewer than 9 tokens: no pair of tokens {note}",)


def test_words_that_are_always_unknown_are_left_out(tmp_path: Path) -> None:
    train(tmp_path / "vocab.txt", ["a b " + "xy" * 60], 9)
    assert lines_of(tmp_path / "vocab.txt")[5:] == ["a", "b"]


@pytest.mark.parametrize(
    ("size", "options", "message"),
    [
        (0, {}, "--vocab-size is at least 1, not 0"),
        (9, {"character_coverage": 0.0}, "--character-coverage is a fraction up to 1, not 0.0"),
        (9, {"character_coverage": 1.5}, "--character-coverage is a fraction"),
        (9, {"min_frequency": 0}, "--min-frequency is at least 1, not 0"),
        (9, {"special_tokens": ("[PAD]",)}, r"'\[PAD\]' by default: remove --special-token"),
        (9, {"special_tokens": ("[A]", "[A]")}, r"'\[A\]' is given twice"),
        (9, {"special_tokens": ("a b",)}, "cannot be a line of vocab.txt"),
        (9, {"special_tokens": ("",)}, "cannot be a line of vocab.txt"),
        (9, {"special_tokens": ("\ud800",)}, "cannot be a line of vocab.txt"),
    ],
)
def test_an_invalid_option_is_an_error_before_the_first_text_is_read(
    tmp_path: Path, size: int, options: dict[str, Any], message: str
) -> None:
    texts = iter(["abc"])
    with pytest.raises(UsageError, match=message):
        wordpiece.train(texts, tmp_path / "vocab.txt", TrainingOptions(size, **options), str)
    assert list(texts) == ["abc"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["abcd"], "use --vocab-size 4 or more, or a smaller --character-coverage"),
        (["\u200b"], "the corpus has no words"),
    ],
)
def test_texts_that_cannot_be_trained_on_are_an_error(
    tmp_path: Path, texts: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        train(tmp_path / "vocab.txt", texts, 3)
