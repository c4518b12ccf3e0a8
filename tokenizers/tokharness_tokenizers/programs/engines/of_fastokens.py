"""fastokens, with a ``tokenizer.json``, or a ``.tiktoken`` file and its side file."""

# engine: fastokens
# package: fastokens
# reads: tokenizer_json tiktoken_ranks

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastokens import Tokenizer


class Served:
    """A tokenizer of fastokens."""

    plain_setting = "split_special_tokens=True"

    def __init__(self, path: str) -> None:
        self.name, self.version = path, f"fastokens {version('fastokens')}"
        if path.endswith(".tiktoken"):
            side = json.loads(Path(f"{path}.json").read_bytes())
            special = side.get("special_tokens", {})
            self._tokenizer: Any = Tokenizer.from_tiktoken(path, side["pattern"], special)
        else:
            self._tokenizer = Tokenizer.from_file(path)
        added = self._tokenizer.added_tokens()
        self.special_tokens = {one["content"]: one["id"] for one in added if one["special"]}
        self.added_tokens = {one["content"]: one["id"] for one in added if not one["special"]}

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: special tokens in it are text."""
        return self._tokenizer.encode(text, split_special_tokens=True).ids  # type: ignore[no-any-return]

    def encode(self, text: str) -> list[int]:
        """Encode a text with what the post-processor adds, as other libraries do by default."""
        return self._tokenizer.encode(text, add_special_tokens=True).ids  # type: ignore[no-any-return]

    def encode_special(self, text: str) -> list[int]:
        """Encode as the library does by default: special tokens are read, and nothing is added."""
        return self._tokenizer.encode(text).ids  # type: ignore[no-any-return]

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Encode several plain texts."""
        rows = self._tokenizer.encode_batch(texts, split_special_tokens=True)
        return [one.ids for one in rows]

    def decode(self, ids: list[int]) -> str:
        """Decode ids, also those of special tokens."""
        return self._tokenizer.decode(ids)  # type: ignore[no-any-return]

    def decode_batch(self, rows: list[list[int]]) -> list[str]:
        """Decode several rows of ids."""
        return self._tokenizer.decode_batch(rows)  # type: ignore[no-any-return]

    def token_text(self, number: int) -> str:
        """Return the text of a token; raises KeyError if there is none."""
        text = self._tokenizer.id_to_token(number)
        if text is None:
            raise KeyError(f"no token has the id {number}")
        return str(text)


def load(_kind: str, path: str) -> Served:
    """Load a file."""
    return Served(path)
