"""A release of ``transformers``, with the folder of a tokenizer, through ``AutoTokenizer``."""

# scheme: transformers
# library: transformers
# pip: transformers==RELEASE

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Further entry points of the tokenizers of ``transformers``, with the options of a call.

NOT_CALLED = {
    "encode_message_with_chat_template": "it takes a message of a chat, not a text",
    "convert_tokens_to_string": "it takes tokens, and ends with the decoder",
}
LONGER_THAN_ALL = 1 << 20
"""A ``max_length`` in tokens that no text of a family has."""


def encoders_of(tokenizer: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """Return the entry points that give the ids of plain texts."""
    plain = {"add_special_tokens": False}
    found: dict[str, Callable[[list[str]], Any]] = {
        "encode with truncation": lambda texts: [
            tokenizer.encode(text, truncation=True, max_length=LONGER_THAN_ALL, **plain)
            for text in texts
        ],
        "tokenize": lambda texts: [
            tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text, **plain)) for text in texts
        ],
    }
    if encode_plus := getattr(tokenizer, "encode_plus", None):
        found["encode_plus"] = lambda texts: [
            encode_plus(text, **plain).input_ids for text in texts
        ]
    if batch_encode_plus := getattr(tokenizer, "batch_encode_plus", None):
        found["batch_encode_plus"] = lambda texts: batch_encode_plus(texts, **plain).input_ids
    if _has("numpy"):
        found["return_tensors='np'"] = lambda texts: [
            tokenizer(text, return_tensors="np", **plain).input_ids[0].tolist() for text in texts
        ]
    if tokenizer.pad_token is not None:
        found["padding=True"] = lambda texts: _without_padding(
            tokenizer(texts, padding=True, **plain)
        )
    return found


def _without_padding(encoded: Any) -> list[list[int]]:
    """Return the ids of each row at which its attention mask is 1."""
    return [
        [number for number, used in zip(row, mask, strict=True) if used]
        for row, mask in zip(encoded.input_ids, encoded.attention_mask, strict=True)
    ]


def trims_offsets(backend: Any) -> bool:
    """Whether a post-processor leaves out the spaces around a token.

    What the objects of ``tokenizers`` leave to pickle is their JSON.
    """
    found = [json.loads(backend.post_processor.__getstate__())] if backend.post_processor else []
    for one in found:
        found += one.get("processors", [])
    return any(one.get("trim_offsets") is True for one in found)


class Library:
    """A tokenizer of ``transformers`` with the method names of tokharness.

    ``plain`` treats special tokens as text and ``reading`` reads them. They are two objects, as the
    setting is part of the object and threads would disturb each other.
    """

    plain_setting = "split_special_tokens=True"

    def __init__(self, folder: str, plain: Any, reading: Any) -> None:
        self.name = folder
        self._plain, self._reading = plain, reading
        tokens = reading.added_tokens_decoder.items()
        self.special_tokens = {str(token): number for number, token in tokens if token.special}
        self.added_tokens = {str(token): number for number, token in tokens if not token.special}
        self.n_vocab = max(reading.get_vocab().values(), default=-1) + 1
        self.encode_with_offsets = self._with_offsets if reading.is_fast else None
        self.trims_offsets = reading.is_fast and trims_offsets(reading.backend_tokenizer)
        self.encoders = encoders_of(plain)
        self.version = _version_below() if reading.is_fast else None

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: special tokens in it are text."""
        return self._plain(text, add_special_tokens=False).input_ids  # type: ignore[no-any-return]

    def encode(self, text: str) -> list[int]:
        """Encode as the library does by default."""
        return self._reading.encode(text)  # type: ignore[no-any-return]

    def encode_special(self, text: str) -> list[int]:
        """Encode text whose special tokens get their ids; nothing is added."""
        return self._reading.encode(text, add_special_tokens=False)  # type: ignore[no-any-return]

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Encode plain texts."""
        return self._plain(texts, add_special_tokens=False).input_ids  # type: ignore[no-any-return]

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids, also those of special tokens."""
        return self._reading.decode(list(ids), skip_special_tokens=False)  # type: ignore[no-any-return]

    def decode_batch(self, rows: Sequence[Sequence[int]]) -> list[str]:
        """Decode sequences of ids, also those of special tokens."""
        return self._reading.batch_decode(list(map(list, rows)), skip_special_tokens=False)  # type: ignore[no-any-return]

    def token_text(self, number: int) -> str:
        """Return the text of a token; raises KeyError for an unknown id."""
        try:
            text = self._reading.convert_ids_to_tokens(number)
        except OverflowError:  # more than 32 bits, or negative
            text = None
        if not isinstance(text, str):
            raise KeyError(f"no token has the id {number!r}")
        return text

    def _with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        encoded = self._plain(text, add_special_tokens=False, return_offsets_mapping=True)
        return encoded.input_ids, encoded.offset_mapping


def _version_below() -> str:
    """Return the release of ``tokenizers``, which encodes for a fast tokenizer."""
    return version("tokenizers")


def make(folder: str, **options: Any) -> Any:
    """Load a folder, without a network and without code of the folder."""
    from transformers import AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()
    return AutoTokenizer.from_pretrained(
        folder, local_files_only=True, trust_remote_code=False, **options
    )


def load(kind: str, folder: str) -> Any:
    """Load a folder; raises what the library raises.

    Of the kind ``loaded``, ``name`` is the JSON of the tokenizer below it, or "" if there is none.
    """
    reading = make(folder, split_special_tokens=False)
    if kind == "loaded":
        return Loaded(reading.backend_tokenizer.to_str() if reading.is_fast else "")
    return Library(folder, make(folder, split_special_tokens=True), reading)


class Loaded:
    """What the library has loaded, as its ``name``; it encodes nothing."""

    def __init__(self, content: str) -> None:
        self.name = content

    def encode(self, _text: str) -> list[int]:
        """Return no ids."""
        return []

    def decode(self, _ids: Sequence[int]) -> str:
        """Return no text."""
        return ""


def _has(library: str) -> bool:
    try:
        return bool(version(library))
    except PackageNotFoundError:
        return False
