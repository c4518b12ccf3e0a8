"""Models are read as they were written, and what is damaged is an error that says where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
    field_bytes,
    load,
    model_bytes,
    parse,
)

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=4)
PIECES = st.builds(Piece, TEXTS, st.floats(width=32, allow_nan=False), st.sampled_from(PieceKind))
SPECS = st.builds(
    NormalizerSpec, TEXTS, st.binary(max_size=5), st.booleans(), st.booleans(), st.booleans()
)
NAMES = st.text("ab<>", min_size=1, max_size=3)
MODELS = st.builds(
    ModelFile,
    st.lists(PIECES, min_size=1, max_size=4).map(tuple),
    st.builds(
        TrainerSpec,
        *(st.sampled_from(ModelKind), st.booleans(), st.booleans(), TEXTS),
        *(NAMES, NAMES, NAMES, NAMES),
    ),
    SPECS,
    st.none() | SPECS,
)
PIECE = field_bytes(1, field_bytes(1, "a"))


@pytest.mark.slow
@given(model=MODELS)
def test_a_model_is_read_as_it_was_written(model):
    assert parse(model_bytes(model)) == model


def test_what_a_file_leaves_out_has_the_defaults_of_the_format():
    assert parse(PIECE) == ModelFile((Piece("a"),))


def test_a_field_that_is_not_known_is_skipped():
    others = field_bytes(200, 3) + field_bytes(201, "x") + field_bytes(202, 1.0)
    assert parse(others + PIECE + others) == ModelFile((Piece("a"),))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "has no pieces"),
        (b"\x0a\x05a", "the field at byte 0 exceeds its end"),
        (PIECE + b"\x0a\xff", "the number at byte 6 does not end"),
        (PIECE + b"\x0b", "unknown wire type 3 at byte 5"),
        (field_bytes(1, 7), "field 1 of the wrong wire type 0"),
        (field_bytes(1, field_bytes(1, b"\xff")), "the piece 0 has a text in its field 1"),
        (field_bytes(1, field_bytes(3, 9)), "the piece 0 has the unknown type 9"),
        (PIECE + field_bytes(2, field_bytes(3, 9)), "the trainer's settings has the unknown type"),
    ],
)
def test_a_damaged_model_is_an_error_that_says_where(data, message):
    with pytest.raises(ValueError, match=message):
        parse(data)


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "x.model"
    path.write_bytes(b"\x0b")
    with pytest.raises(ValueError, match=r"x\.model: the SentencePiece model has a field"):
        load(path)


@given(data=st.binary(max_size=40))
def test_any_bytes_are_a_model_or_an_error(data):
    try:
        parse(data)
    except ValueError:
        return
