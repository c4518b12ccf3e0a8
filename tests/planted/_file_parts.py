"""The parts of small ``tokenizer.json`` files, as parsed JSON."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from planted import _small_models as models

if TYPE_CHECKING:
    from collections.abc import Iterable

Record = dict[str, Any]

MARK = "\u2581"
BYTE_DECODER: Record = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": False,
    "use_regex": False,
}
BYTES = BYTE_DECODER
GPT2: Record = {**BYTES, "use_regex": True}
ENDS_DECODER: Record = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": "</w>"}, "content": ""},
        BYTE_DECODER,
    ],
}
SPACES_DECODER: Record = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": MARK}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ],
}
BERT: Record = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def file_of(model: Record, *, added: Iterable[tuple[str, str]] = (), **parts: Any) -> Record:
    """Make a file; ``added`` are the texts of added tokens, each with the names of its flags.

    A token that the model does not have gets the next id, as in the library whatever the file says.
    The unknown token is a special one, as in most files.
    """
    names = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    next_ids = count(len(model["vocab"]))
    vocab = model["vocab"]
    known = vocab if isinstance(vocab, dict) else {piece: at for at, (piece, _) in enumerate(vocab)}
    tokens = [
        {
            "id": known[text] if text in known else next(next_ids),
            "content": text,
            **dict.fromkeys(FLAGS, False),
            **dict.fromkeys(flags.split(), True),
        }
        for text, flags in (*((one, "special") for one in _unknown(model)), *added)
    ]
    file = {"version": "1.0", **dict.fromkeys(names), "added_tokens": tokens, **parts}
    return {**file, "model": model}


def _unknown(model: Record) -> list[str]:
    if model["type"] == "Unigram":
        return [model["vocab"][model["unk_id"]][0]]
    return [model["unk_token"]] if model["unk_token"] else []


def normalizing(*normalizers: Record, **parts: Any) -> Record:
    """Make a file with normalizers and a byte-level BPE."""
    whole = {"type": "Sequence", "normalizers": list(normalizers)}
    normalizer = normalizers[0] if len(normalizers) == 1 else whole
    parts = {"normalizer": normalizer, "pre_tokenizer": GPT2, "decoder": BYTE_DECODER, **parts}
    return file_of(models.byte_bpe(), **parts)


def splitting(*pre_tokenizers: Record) -> Record:
    """Make a file with pre-tokenizers and a model that shows the end of each word."""
    whole = {"type": "Sequence", "pretokenizers": [*pre_tokenizers, BYTES]}
    return file_of(models.word_ends(), pre_tokenizer=whole, decoder=ENDS_DECODER)


def split_by(pattern: Record, behavior: str, *, invert: bool = False) -> Record:
    """Make a pre-tokenizer that splits by a pattern."""
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def metaspace(scheme: str, **settings: Any) -> Record:
    """Make a Metaspace, as a pre-tokenizer or a decoder."""
    return {"type": "Metaspace", "replacement": MARK, "prepend_scheme": scheme, **settings}
