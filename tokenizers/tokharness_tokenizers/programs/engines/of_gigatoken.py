"""gigatoken, with a ``tokenizer.json``, a SentencePiece model, or published ranks."""

# engine: gigatoken
# package: gigatoken
# reads: tokenizer_json sentencepiece_model
# published: cl100k_base o200k_base r50k_base

import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gigatoken import Tokenizer


class Served:
    """A tokenizer of gigatoken, which reads special tokens from every text."""

    def __init__(self, name: str, tokenizer: Any) -> None:
        self.name, self.version = name, f"gigatoken {version('gigatoken')}"
        self._tokenizer = tokenizer
        self.special_tokens: dict[str, int] = tokenizer.as_tiktoken()._special_tokens  # noqa: SLF001

    def encode(self, text: str) -> list[int]:
        """Encode a text."""
        return self._tokenizer.encode(text).tolist()  # type: ignore[no-any-return]

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Encode several texts."""
        return self._tokenizer.encode_batch_list(texts)  # type: ignore[no-any-return]

    def decode(self, ids: list[int]) -> bytes:
        """Decode ids."""
        return bytes(self._tokenizer.decode(ids))


def load(kind: str, vocabulary: str, path: str = "") -> Served:
    """Load a file, or published ranks at a path, whose file must have the name of the encoding."""
    if kind == "file":
        is_json = Path(vocabulary).read_bytes()[:64].lstrip()[:1] == b"{"
        make = Tokenizer if is_json else Tokenizer.from_sentencepiece
        return Served(vocabulary, make(vocabulary))
    with tempfile.TemporaryDirectory() as folder:
        named = os.path.join(folder, f"{vocabulary}.tiktoken")  # noqa: PTH118
        os.symlink(path, named)  # noqa: PTH211
        return Served(vocabulary, Tokenizer.from_tiktoken(named))
