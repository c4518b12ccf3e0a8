"""Small files of every kind, written for a test."""

from __future__ import annotations

import base64
import gzip
import json
from typing import TYPE_CHECKING

import pytest
from planted import (
    _byte_lists,
    _gguf_files,
    _sentencepiece_models,
    _subword_nmt_codes,
    _tekken_records,
    _tokenizer_files,
)

from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def tokenizer_json(name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "tokenizer.json"
        path.write_text(json.dumps(_tokenizer_files.RECORDS[name]))
        return path

    return write


def gguf(name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "x.gguf"
        path.write_bytes(_gguf_files.gguf_bytes(_gguf_files.RECORDS[name]))
        return path

    return write


def sentencepiece(name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "x.model"
        path.write_bytes(model_bytes(_sentencepiece_models.MODELS[name]))
        return path

    return write


def tiktoken(folder: Path) -> Path:
    tokens = [*(bytes([byte]) for byte in range(256)), b"th", b"the", b" t", b"he", b"th"]
    lines = [f"{base64.b64encode(token).decode()} {at}\n" for at, token in enumerate(tokens)]
    side = {"name": "x", "pattern": r"\w+|\W+", "special_tokens": {"<|end|>": 261, "<|a|>": 300}}
    path = folder / "x.tiktoken"
    path.write_text("".join(lines))
    path.with_name("x.tiktoken.json").write_text(json.dumps({**side, "unicode_version": "15.0"}))
    return path


def tekken(folder: Path) -> Path:
    path = folder / "tekken.json"
    path.write_text(json.dumps(_tekken_records.record()))
    return path


def rwkv(folder: Path) -> Path:
    path = folder / "x.txt"
    path.write_text("\n".join([*_byte_lists.lines(), "999 b'the' 3"]))
    return path


def subword_nmt(folder: Path) -> Path:
    path = folder / "codes"
    path.write_text(_subword_nmt_codes.file(), "utf-8")
    return path


def wordpiece(folder: Path) -> Path:
    path = folder / "vocab.txt"
    path.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nun\n##aff\na\na")
    path.with_name("tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
    return path


def vocabulary_and_merges(folder: Path) -> Path:
    model = _tokenizer_files.RECORDS["byte_level"]["model"]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *model["merges"]]), "utf-8")
    return folder


def clip(folder: Path) -> Path:
    path = folder / "bpe.txt.gz"
    path.write_bytes(
        gzip.compress(b'"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\nt h\nth e</w>\n')
    )
    return path


FILES: dict[str, Callable[[Path], Path]] = {
    "tiktoken": tiktoken,
    "tekken": tekken,
    "rwkv": rwkv,
    "subword_nmt": subword_nmt,
    "wordpiece": wordpiece,
    "vocabulary_and_merges": vocabulary_and_merges,
    "clip": clip,
    **{name: tokenizer_json(name) for name in _tokenizer_files.RECORDS},
    **{f"gguf_{name}": gguf(name) for name in _gguf_files.RECORDS},
    **{name: sentencepiece(name) for name in _sentencepiece_models.MODELS},
}
"""A function for each kind of file, and each component of one, that writes it into a folder."""


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file, or a folder of files, of each kind."""
    folder = tmp_path / "given"
    folder.mkdir()
    return FILES[request.param](folder)


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes the file of a name."""
    return lambda name: FILES[name](tmp_path)
