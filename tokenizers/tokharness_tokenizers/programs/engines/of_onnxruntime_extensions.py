"""The tokenizers of onnxruntime-extensions, with a ``tokenizer.json``."""

# engine: onnxruntime-extensions
# package: onnxruntime-extensions
# reads: tokenizer_json

import json
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from onnxruntime_extensions.pp_api import Tokenizer


class Served:
    """A tokenizer, which reads special tokens from every text."""

    def __init__(self, path: str, tokenizer: Any) -> None:
        self.name = path
        self.version = f"onnxruntime-extensions {version('onnxruntime-extensions')}"
        self._tokenizer = tokenizer
        added = json.loads(Path(path).read_bytes()).get("added_tokens") or []
        self.special_tokens = {one["content"]: one["id"] for one in added if one["special"]}
        self.added_tokens = {one["content"]: one["id"] for one in added if not one["special"]}

    def encode(self, text: str) -> list[int]:
        """Encode a text."""
        return list(map(int, self._tokenizer.tokenize(text)))

    def decode(self, ids: list[int]) -> str:
        """Decode ids; the library refuses an empty list, and leaves special tokens out."""
        return str(self._tokenizer.detokenize(ids)[0]) if ids else ""


def load(_kind: str, path: str) -> Served:
    """Load a file in its folder, or in one that has a configuration."""
    file = Path(path)
    if file.name == "tokenizer.json" and file.with_name("tokenizer_config.json").is_file():
        return Served(path, Tokenizer(str(file.parent)))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tokenizer.json").symlink_to(file)
        config = {"tokenizer_class": "PreTrainedTokenizerFast"}
        (Path(folder) / "tokenizer_config.json").write_text(json.dumps(config))
        return Served(path, Tokenizer(folder))
