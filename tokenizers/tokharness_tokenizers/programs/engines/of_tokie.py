"""tokie, with a ``tokenizer.json``.

Its ``encode_bytes`` and ``decode_bytes`` leave out normalizer and decoder: they are not called.
"""

# engine: tokie
# package: tokie
# reads: tokenizer_json

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tokie import Tokenizer


class Served:
    """A tokenizer of tokie, which reads special tokens from every text."""

    def __init__(self, path: str) -> None:
        self.name, self.version = path, f"tokie {version('tokie')}"
        self._tokenizer: Any = Tokenizer.from_json(path)
        added = json.loads(Path(path).read_bytes()).get("added_tokens") or []
        self.special_tokens = {one["content"]: one["id"] for one in added if one["special"]}
        self.added_tokens = {one["content"]: one["id"] for one in added if not one["special"]}
        self.n_vocab = max(self._tokenizer.get_vocab().values(), default=-1) + 1

    def encode(self, text: str) -> list[int]:
        """Encode a text without the tokens of the post-processor."""
        return self._tokenizer.encode(text, add_special_tokens=False).ids  # type: ignore[no-any-return]

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Encode several texts."""
        return [one.ids for one in self._tokenizer.encode_batch(texts, add_special_tokens=False)]

    def decode(self, ids: list[int]) -> str:
        """Decode ids; raises ValueError for bytes that are no text."""
        text = self._tokenizer.decode(ids)
        if text is None:
            raise ValueError("the bytes of the ids are not UTF-8")
        return str(text)

    def token_text(self, number: int) -> str:
        """Return the text of a token; raises KeyError if there is none."""
        text = self._tokenizer.id_to_token(number)
        if text is None:
            raise KeyError(f"no token has the id {number}")
        return str(text)


def load(_kind: str, path: str) -> Served:
    """Load a ``tokenizer.json``."""
    return Served(path)
