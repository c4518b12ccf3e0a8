"""``--model unigram`` and ``--model sentencepiece-bpe``: models that SentencePiece loads."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokharness.errors import UnknownNameError, UsageError
from tokharness.training import TrainingOptions
from tokharness_tokenizers.reference.sentencepiece import model_file, reading
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.trainers import sentencepiece_bpe, unigram

if TYPE_CHECKING:
    from types import ModuleType

    from sentencepiece import SentencePieceProcessor

    from tokharness.training import TrainingResult
    from tokharness_tokenizers.reference.sentencepiece.model_file import ModelFile

TRAINERS = [unigram, sentencepiece_bpe]
NAMES = {unigram: "unigram", sentencepiece_bpe: "bpe"}
TEXT = "Hugs and pugs, hugging\u00a0pugs; \ufb01ne buns!\n" * 5 + "caf\u00e9 12 \u4e2d\u6587\n"
HOSTILE = [
    "",
    " ",
    "hug",
    "  pugs  hugs\t\u4e2d",
    "e\u0301\u200b\ud7ff",
    "<s>\u2581\u2585\U0001f600",
]


def train(trainer: ModuleType, path: Path, text: str, size: int, **options: Any) -> TrainingResult:
    result: TrainingResult = trainer.train([text], path, TrainingOptions(size, **options), str)
    return result


def trained(trainer: ModuleType, folder: Path, text: str, size: int, **options: Any) -> ModelFile:
    train(trainer, folder / "m.model", text, size, **options)
    return model_file.load(folder / "m.model")


def library_model(name: str, text: str, size: int, **options: Any) -> SentencePieceProcessor:
    """Return what the library trains on the same text."""
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

    written = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")),
        model_writer=written,
        model_type=name,
        vocab_size=size + 3,
        num_threads=1,
        minloglevel=2,
        **options,
    )
    return SentencePieceProcessor(model_proto=written.getvalue())


def botchan(lines: int) -> str:
    folder = os.environ.get("TOKHARNESS_TEST_VOCABULARIES")
    if folder is None:
        pytest.skip("TOKHARNESS_TEST_VOCABULARIES does not name a folder")
    path = Path(folder) / "sentencepiece" / "botchan.txt"
    return "\n".join(path.read_text("utf-8").split("\n")[:lines])


@pytest.mark.parametrize("trainer", TRAINERS)
def test_special_pieces_and_bytes_come_first(trainer: ModuleType, tmp_path: Path) -> None:
    options = {"special_tokens": ("<x>",), "byte_fallback": True}
    model = trained(trainer, tmp_path, "ab<x>ab ab", 261, **options)
    kinds = [piece.kind for piece in model.pieces]
    assert kinds[:4] == [PieceKind.UNKNOWN, *[PieceKind.CONTROL] * 3]
    assert kinds[4:260] == [PieceKind.BYTE] * 256
    assert set(kinds[260:]) == {PieceKind.NORMAL}
    assert [piece.text for piece in model.pieces[:5]] == ["<unk>", "<s>", "</s>", "<x>", "<0x00>"]
    assert len({piece.text for piece in model.pieces}) == len(model.pieces)


def test_the_scores_of_bpe_are_ranks_and_characters_come_last(tmp_path: Path) -> None:
    model = trained(sentencepiece_bpe, tmp_path, "ab ab b", 5)
    expected = [("ab", 0.0), ("\u2581ab", -1.0), ("b", -2.0), ("\u2581", -3.0), ("a", -4.0)]
    assert [(piece.text, piece.score) for piece in model.pieces[3:]] == expected


@pytest.mark.needs("sentencepiece", "0.2")
@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize(
    "options", [{}, {"byte_fallback": True, "normalization": "identity", "max_piece_length": 4}]
)
def test_the_library_encodes_with_the_model_as_our_reference_does(
    trainer: ModuleType, tmp_path: Path, options: dict[str, Any]
) -> None:
    from sentencepiece import SentencePieceProcessor

    path = tmp_path / "m.model"
    train(trainer, path, TEXT, 300, **options)
    library = SentencePieceProcessor(model_file=str(path))
    ours = reading.load(path)
    for text in (*TEXT.split("\n"), *HOSTILE):
        assert library.encode(text) == ours.encode(text)


@pytest.mark.needs("sentencepiece", "0.2.3")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({}, {}),
        ({"normalization": "identity"}, {"normalization_rule_name": "identity"}),
        ({"byte_fallback": True}, {"byte_fallback": True}),
        ({"max_piece_length": 3}, {"max_sentencepiece_length": 3}),
        ({"character_coverage": 0.99}, {"character_coverage": 0.99}),
        ({"special_tokens": ("the",)}, {"control_symbols": "the"}),
    ],
)
def test_bpe_learns_the_pieces_of_the_library(
    tmp_path: Path, ours: dict[str, Any], theirs: dict[str, Any]
) -> None:
    text = (
        botchan(400) + "\n\ufb01ve <s> caf\u00e9 e\u0301a \u2581x\ry\n\u4e2d\u6587 \u3042\u30a2 1a2"
    )
    special = len(ours.get("special_tokens", ()))
    model = trained(sentencepiece_bpe, tmp_path, text, 600, **ours)
    library = library_model("bpe", text, 600 + special, **theirs)
    expected = [(library.id_to_piece(n), library.get_score(n)) for n in range(len(library))]
    assert [(piece.text, piece.score) for piece in model.pieces] == expected


@pytest.mark.needs("sentencepiece", "0.2.3")
@pytest.mark.parametrize(
    "lines", [300, pytest.param(5000, marks=pytest.mark.slow)], ids=["part", "all"]
)
def test_unigram_shares_most_pieces_and_the_likelihood_with_the_library(
    tmp_path: Path, lines: int
) -> None:
    from sentencepiece import SentencePieceProcessor

    text, size = botchan(lines), min(997, lines)
    path = tmp_path / "m.model"
    train(unigram, path, text, size)
    ours = SentencePieceProcessor(model_file=str(path))
    library = library_model("unigram", text, size)
    pieces = [{one.id_to_piece(n) for n in range(len(one))} for one in (ours, library)]
    assert len(pieces[0] & pieces[1]) >= 0.9 * len(library)
    ours_likely, library_likely = (
        sum(
            -20 if n == 0 else one.get_score(n)
            for line in text.split("\n")
            for n in one.encode(line)
        )
        for one in (ours, library)
    )
    assert ours_likely == pytest.approx(library_likely, rel=0.01)


@pytest.mark.parametrize("trainer", TRAINERS)
def test_what_is_not_covered_is_a_note(trainer: ModuleType, tmp_path: Path) -> None:
    text = "ab " * 99 + "q\nx\u2585\n"
    notes = train(trainer, tmp_path / "m.model", text, 50, character_coverage=0.99).notes
    assert "not in the vocabulary: 1 character of the corpus, which become <unk>" in notes
    assert any("1 line with U+2585 or of more than 4,192 bytes" in note for note in notes)
    assert any(note.startswith("fewer than 50 tokens") for note in notes)


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize(
    ("size", "options", "message"),
    [
        (0, {}, "--vocab-size is at least 1, not 0"),
        (256, {"byte_fallback": True}, "at least 257 with --byte-fallback, not 256"),
        (9, {"character_coverage": 0.0}, "--character-coverage is a fraction up to 1"),
        (9, {"max_piece_length": 0}, "--max-piece-length is 1 or more, not 0"),
        (9, {"special_tokens": ("<s>",)}, "'<s>' by default: remove --special-token '<s>'"),
        (9, {"special_tokens": ("<a>", "<a>")}, "'<a>' is given twice"),
        (9, {"special_tokens": ("",)}, "'' cannot be a piece"),
        (9, {"special_tokens": ("\ud800",)}, "cannot be a piece"),
    ],
)
def test_an_invalid_option_is_an_error_before_the_first_text_is_read(
    trainer: ModuleType, tmp_path: Path, size: int, options: dict[str, Any], message: str
) -> None:
    texts = iter(["abc"])
    with pytest.raises(UsageError, match=message):
        trainer.train(texts, tmp_path / "m.model", TrainingOptions(size, **options), str)
    assert list(texts) == ["abc"]


def test_an_unknown_normalization_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="nmt_nfc"):
        train(unigram, tmp_path / "m.model", "abc", 9, normalization="nmt_nfc")


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("abcd", "use --vocab-size 5 or more, or a smaller --character-coverage"),
        ("\u200b", "the corpus has no words"),
        ("", "the corpus is empty"),
    ],
)
def test_texts_that_cannot_be_trained_on_are_an_error(
    trainer: ModuleType, tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        train(trainer, tmp_path / "m.model", text, 4)
