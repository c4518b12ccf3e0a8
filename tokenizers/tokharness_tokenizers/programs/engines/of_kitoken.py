"""kitoken, with a ``tokenizer.json``, a SentencePiece model, a ``tekken.json``, or ranks."""

# engine: kitoken
# package: kitoken
# reads: tokenizer_json sentencepiece_model tekken_json
# published: cl100k_base o200k_base p50k_base r50k_base

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kitoken import Kitoken


class Served:
    """A tokenizer of kitoken."""

    def __init__(self, name: str, tokenizer: Any, added: Any = ()) -> None:
        self.name, self.version = name, f"kitoken {version('kitoken')}"
        self._tokenizer = tokenizer
        specials = tokenizer.definition()["specials"]
        ordinary = {one["content"]: one["id"] for one in added if not one["special"]}
        self.added_tokens = ordinary  # as the file says; to the library they are special
        self.special_tokens = {
            text: one["id"]
            for one in specials
            if (text := bytes(one["bytes"]).decode("utf-8", "replace")) not in ordinary
        }

    def encode(self, text: str) -> list[int]:
        """Encode plain text: special tokens in it are text, which is the default."""
        return self._tokenizer.encode(text)  # type: ignore[no-any-return]

    def encode_special(self, text: str) -> list[int]:
        """Encode a text whose special tokens get their ids."""
        return self._tokenizer.encode(text, True)  # type: ignore[no-any-return] # noqa: FBT003

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Encode several plain texts."""
        return self._tokenizer.encode_all(texts)  # type: ignore[no-any-return]

    def decode(self, ids: list[int]) -> bytes:
        """Decode ids, also those of special tokens."""
        return bytes(self._tokenizer.decode(ids, True))  # noqa: FBT003


def load(kind: str, vocabulary: str, path: str = "") -> Served:
    """Load a file, or published ranks at a path."""
    if kind != "file":
        return Served(vocabulary, Kitoken.from_tiktoken_file(path))
    content = Path(vocabulary).read_bytes()
    if content[:64].lstrip()[:1] != b"{":
        return Served(vocabulary, Kitoken.from_sentencepiece(content))
    record = json.loads(content)
    if "vocab" in record:
        return Served(vocabulary, Kitoken.from_tekken(content))
    return Served(vocabulary, Kitoken.from_tokenizers(content), record.get("added_tokens") or ())
