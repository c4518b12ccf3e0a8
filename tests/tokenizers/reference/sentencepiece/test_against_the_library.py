"""Random small models, with every setting and type of piece: the library agrees on all of them."""

from __future__ import annotations

import random

import pytest

from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
    model_bytes,
    parse,
)
from tokharness_tokenizers.reference.sentencepiece.reading import read

pytestmark = pytest.mark.needs("sentencepiece", "0.2")

MODELS = 90
TEXTS = 12
RULES = charsmap_bytes(
    {
        "\ufb01": "fi",
        "\t": " ",
        "\u00a8": " \u0308",
        "\u200b": "",
        "ab": "x",
        "abc": "y  z",
        "\u3000": "  ",
        "e\u0301": "\u00e9",
        "\uff3b": "[",
        "\u0378": "\u2581",
    }
)
SHORTER = charsmap_bytes({"a": "A", "x": ""})
CHARACTERS = (
    "abcxyz  \u2581[]<>sep\0\u00a9\u00e9\u0308\u0301\U0001f600"
    "\ufb01\t\u00a8\u200b\u3000\uff3b\u0378"
)
USER_DEFINED = ("[sep]", "\u2581[x]", "a\u2581b", " q", "  ", "\u00a9", "e\u0301", "[s", "<unk>x")
SCORES = (-1.0, -2.0, -3.5, -0.1, -2.25, -4.7)


def random_pieces(chosen: random.Random, *, byte_fallback: bool) -> tuple[Piece, ...]:
    pieces = {
        "<unk>": PieceKind.UNKNOWN,
        "<s>": PieceKind.CONTROL,
        "</s>": PieceKind.CONTROL,
        **({f"<0x{byte:02X}>": PieceKind.BYTE for byte in range(256)} if byte_fallback else {}),
        **{text: PieceKind.USER_DEFINED for text in USER_DEFINED if chosen.random() < 0.25},
    }
    for char in "abcxyz\u2581[]sep\u00e9fi<>":
        if chosen.random() < 0.8:
            pieces.setdefault(char, PieceKind.NORMAL)
    for _ in range(chosen.randrange(40)):
        text = "\u2581" * chosen.choice((0, 0, 1, 2))
        text += "".join(chosen.choices("abcxyz\u2581[se]\u00e9", k=chosen.randrange(1, 5)))
        pieces.setdefault(text, chosen.choice((PieceKind.NORMAL,) * 4 + (PieceKind.UNUSED,)))
    return tuple(
        Piece(text, chosen.choice((*SCORES, chosen.uniform(-8, 0))), kind)
        for text, kind in pieces.items()
    )


def random_model(chosen: random.Random) -> ModelFile:
    def flag() -> bool:
        return chosen.random() < 0.5

    fallback = flag()
    surface = chosen.choice((" \u2047 ", "", "?", "\u2581u"))
    trainer = TrainerSpec(chosen.choice(list(ModelKind)), flag(), fallback, surface)
    normalizer = NormalizerSpec("x", RULES if flag() else b"", flag(), flag(), flag() or flag())
    flags = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")
    plain = NormalizerSpec("d", SHORTER, **dict.fromkeys(flags, False))
    others = (None, None, plain, NormalizerSpec())
    pieces = random_pieces(chosen, byte_fallback=fallback)
    return parse(model_bytes(ModelFile(pieces, trainer, normalizer, chosen.choice(others))))


def random_text(chosen: random.Random) -> str:
    alphabets = (CHARACTERS, "ab \u2581", "[sep] <unk>x")
    parts = (chosen.choice(chosen.choice(alphabets)) for _ in range(chosen.randrange(14)))
    return "".join(parts)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_random_models_give_the_same_ids_texts_and_offsets(part, tmp_path):
    from tokharness_tokenizers.adapters import sentencepiece_processor

    path = tmp_path / "x.model"
    for seed in range(part, MODELS, 3):
        chosen = random.Random(seed)
        model = random_model(chosen)
        path.write_bytes(model_bytes(model))
        library, ours = sentencepiece_processor.load(str(path)), read(model, "x")
        for text in (random_text(chosen) for _ in range(TEXTS)):
            ids = library.encode(text)
            stages = dict(library.stages(text))
            assert ours.normalizing.normalize(text) == stages["normalizer"][0], (seed, ascii(text))
            assert ours.encode(text) == ids, (seed, ascii(text))
            assert ours.decode(ids) == library.decode(ids), (seed, ascii(text))
            spans = ours.encode_with_offsets(text)
            assert spans == library.encode_with_offsets(text), (seed, ascii(text))
            others = [chosen.randrange(ours.n_vocab) for _ in range(6)]
            assert ours.decode(others) == library.decode(others), (seed, others)


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ((Piece("a"),), "no unknown piece"),
        ((Piece("a"), Piece("a")), "the piece 1 has the text 'a' of another piece"),
        ((Piece("a", kind=PieceKind.UNKNOWN), Piece("b", kind=PieceKind.UNKNOWN)), "are both"),
        ((Piece("a", kind=PieceKind.UNKNOWN), Piece("")), "the piece 1 is empty"),
        (
            (Piece("<unk>", kind=PieceKind.UNKNOWN), Piece("<0x00>", kind=PieceKind.BYTE)),
            "is false",
        ),
    ],
)
def test_what_the_library_refuses_is_an_error(pieces, message):
    from sentencepiece import SentencePieceProcessor

    model = ModelFile(pieces, TrainerSpec(ModelKind.BPE))
    with pytest.raises(ValueError, match=message):
        read(model, "x")
    with pytest.raises(RuntimeError):
        SentencePieceProcessor(model_proto=model_bytes(model))
