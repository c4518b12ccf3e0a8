"""The ``TextIteratorStreamer`` of transformers, with a ``tokenizer.json``."""

# engine: transformers-streamer
# package: transformers
# reads: tokenizer_json

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from transformers import PreTrainedTokenizerFast, TextIteratorStreamer


class Served:
    """A tokenizer of transformers with its streamer, which takes arrays of numpy for tensors."""

    def __init__(self, path: str) -> None:
        self.name, self.version = path, f"transformers {version('transformers')}"
        self._tokenizer: Any = PreTrainedTokenizerFast(tokenizer_file=path)
        added = json.loads(Path(path).read_bytes()).get("added_tokens") or []
        self.special_tokens = {one["content"]: one["id"] for one in added if one["special"]}
        self.added_tokens = {one["content"]: one["id"] for one in added if not one["special"]}
        self.n_vocab = len(self._tokenizer)

    def encode(self, text: str) -> list[int]:
        """Encode a text without the tokens of the post-processor."""
        return self._tokenizer.encode(text, add_special_tokens=False)  # type: ignore[no-any-return]

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: special tokens in it are text."""
        encode = self._tokenizer.encode
        return encode(text, add_special_tokens=False, split_special_tokens=True)  # type: ignore[no-any-return]

    def decode(self, ids: list[int]) -> str:
        """Decode ids, also those of special tokens."""
        return self._tokenizer.decode(ids)  # type: ignore[no-any-return]

    def decode_stream(self, ids: list[int]) -> Iterator[str]:
        """Yield the texts that the streamer gives for each id, and at the end."""
        streamer = TextIteratorStreamer(self._tokenizer)
        for number in ids:
            streamer.put(np.array([number]))
        streamer.end()
        yield from streamer


def load(_kind: str, path: str) -> Served:
    """Load a ``tokenizer.json``."""
    return Served(path)
