"""Models of a ``tokenizer.json``: BPE, WordPiece, WordLevel and Unigram."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece
from tokharness_tokenizers.reference.tokenizer_json.alterations import MERGE_GONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields

AnyModel = BPE | Unigram | WordLevel | WordPiece

MODELS: Final[dict[str, dict[str, Any]]] = {
    "BPE": {
        "byte_fallback": False,
        "continuing_subword_prefix": "",
        "dropout": None,
        "end_of_word_suffix": "",
        "fuse_unk": False,
        "ignore_merges": False,
        "unk_token": None,
    },
    "Unigram": {"byte_fallback": False, "unk_id": None},
    "WordPiece": {
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "unk_token": "[UNK]",
    },
    "WordLevel": {"unk_token": "<unk>"},
}
"""The settings of each model with their defaults, which descriptions leave out."""


def read_model(fields: Fields) -> AnyModel:
    """Make the model; raises ValueError if it is damaged or not known.

    Files that are older than the field ``type`` are recognized by their other fields. The
    ``dropout`` of BPE is read but not applied: it leaves out merges at random, which is for
    training (Provilkov et al. 2020). The library applies it to each text, so that its ids are
    random.
    """
    kind = kind_of(fields)
    if kind == "BPE":
        return _bpe(fields)
    if kind == "Unigram":
        return _unigram(fields)
    if kind == "WordPiece":
        return WordPiece(
            read_vocabulary(fields),
            fields.get("unk_token", str, "[UNK]"),
            fields.short("continuing_subword_prefix", "##"),
            fields.natural("max_input_chars_per_word", 100),
        )
    if kind == "WordLevel":
        return WordLevel(read_vocabulary(fields), fields.get("unk_token", str, "<unk>"))
    raise fields.unknown("model")


def kind_of(fields: Fields) -> str:
    """Return the type of the model."""
    return fields.get("type", str, _guessed(fields))


def _guessed(fields: Fields) -> str:
    if "merges" in fields.record:
        return "BPE"
    if isinstance(fields.record.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "continuing_subword_prefix" in fields.record else "WordLevel"


def _bpe(fields: Fields) -> BPE:
    vocabulary = read_vocabulary(fields)
    dropout = fields.record.get("dropout") or 0
    if type(dropout) not in (int, float) or not 0 <= dropout <= 1:
        raise ValueError(f"{fields.where}.dropout is {start_of(dropout):.60}, not from 0 to 1")
    pairs = read_merges(fields)
    model = BPE(
        vocabulary,
        list(pairs.values()),
        unknown=fields.get("unk_token", str, None),
        prefix=fields.short("continuing_subword_prefix", ""),
        suffix=fields.short("end_of_word_suffix", ""),
        fuse_unknown=fields.get("fuse_unk", bool, False),
        byte_fallback=fields.get("byte_fallback", bool, False),
        ignore_merges=fields.get("ignore_merges", bool, False),
    )
    for at, (left, right) in pairs.items():
        merged = left + right[len(model.prefix) :]
        missing = next((one for one in (left, right, merged) if one not in vocabulary), None)
        if missing is not None:
            raise ValueError(f"model.merges[{at}] names {missing!r}, which is no token")
    return model


def read_merges(fields: Fields) -> dict[int, tuple[str, str]]:
    """Return the merges by their places; raises ValueError for an item that is not a pair.

    Old files may have the first line of ``merges.txt``, which is not a merge.
    """
    return {
        at: _pair(merge, at)
        for at, merge in enumerate(fields.get("merges", list))
        if not (isinstance(merge, str) and merge.startswith("#version"))
    }


def _pair(merge: Any, at: int) -> tuple[str, str]:
    parts = merge.split(" ", 2) if isinstance(merge, str) else merge
    if not isinstance(parts, list) or [type(part) for part in parts] != [str, str]:
        raise ValueError(f"model.merges[{at}] is {start_of(merge):.60}, not a pair of tokens")
    return parts[0], parts[1]


def read_pieces(fields: Fields) -> list[tuple[str, float]]:
    """Return the pieces of Unigram with their scores; raises ValueError for an invalid piece."""
    pieces = []
    for at, piece in enumerate(fields.get("vocab", list)):
        if not _is_piece(piece):
            raise ValueError(
                f"model.vocab[{at}] is {start_of(piece):.60}, not a piece and its score"
            )
        pieces.append((piece[0], float(piece[1])))
    return pieces


def _unigram(fields: Fields) -> Unigram:
    pieces = read_pieces(fields)
    unknown = fields.natural("unk_id", None)
    if unknown is not None and unknown >= len(pieces):
        raise ValueError(f"model.unk_id is {unknown}, and there are {len(pieces)} pieces")
    return Unigram(pieces, unknown, fields.get("byte_fallback", bool, False))


def _is_piece(piece: Any) -> bool:
    return (
        isinstance(piece, list)
        and len(piece) == 2
        and isinstance(piece[0], str)
        and type(piece[1]) in (int, float)
        and _is_finite(piece[1])
    )


def _is_finite(number: float) -> bool:
    """Whether a number fits into 64 bits; JSON may have an integer of thousands of digits."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def read_vocabulary(fields: Fields) -> dict[str, int]:
    """Return the id of each token; raises ValueError for a number that cannot be an id."""
    vocabulary = fields.get("vocab", dict)
    for token, number in vocabulary.items():
        if type(number) is not int or not 0 <= number < 1 << 32:
            raise ValueError(
                f"model.vocab has the id {start_of(number):.60} of the token {token!r}"
            )
    return vocabulary


def with_flags(model: AnyModel, record: Mapping[str, Any]) -> AnyModel:
    """Return the model with the settings of a file; the vocabulary and the merges stay.

    It is the same object if the settings are equal, since its tables take time and memory.
    """
    altered = model
    if isinstance(model, BPE):
        altered = replace(
            model,
            fuse_unknown=bool(record.get("fuse_unk")),
            byte_fallback=bool(record.get("byte_fallback")),
            ignore_merges=bool(record.get("ignore_merges")),
            shared=model.table,
        )
        if gone := record.get(MERGE_GONE):
            merges = model.merges[1:] if gone == "first" else model.merges[:-1]
            altered = replace(altered, merges=merges)
    elif isinstance(model, Unigram):
        altered = replace(
            model, byte_fallback=bool(record.get("byte_fallback")), shared=model.tables
        )
    # Dataclasses are compared by their fields; the vocabulary is the same object in both.
    return model if altered == model else altered
