"""llguidance, with a ``tokenizer.json``, or a ``.tiktoken`` file and its side file."""

# grammar: llguidance
# package: llguidance
# reads: tokenizer_json tiktoken_ranks

import base64
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llguidance import LLTokenizer


class Served:
    """The table of tokens of llguidance."""

    tokens_alone = True

    def __init__(self, path: str, tokenizer: Any) -> None:
        self.name, self.version = path, f"llguidance {version('llguidance')}"
        self._tokenizer = tokenizer
        self.n_vocab: int = tokenizer.vocab_size
        special = filter(tokenizer.is_special_token, range(self.n_vocab))
        self.special_tokens = {_text_of(tokenizer, number): number for number in special}

    def decode_single_token_bytes(self, number: int) -> bytes:
        """Return the bytes of a token; raises KeyError if it has none."""
        data = bytes(self._tokenizer.decode_bytes([number]))
        if not data:
            raise KeyError(f"the id {number} has no bytes")
        return data


def _text_of(tokenizer: Any, number: int) -> str:
    """Return what the library shows for a special token, which may be nothing."""
    shown = bytes(tokenizer.decode_bytes([number])).decode("utf-8", "replace")
    return shown or f"<[{number}]>"


def load(_kind: str, path: str, end_of_text: str = "") -> Served:
    """Load a file; ``end_of_text`` is the id of the token that ends a text, if it is known."""
    end = int(end_of_text) if end_of_text else None
    if not path.endswith(".tiktoken"):
        return Served(path, LLTokenizer(Path(path).read_text("utf-8"), eos_token=end))
    side = json.loads(Path(f"{path}.json").read_bytes())
    rows = [line.split() for line in Path(path).read_bytes().splitlines() if line.strip()]
    special = side.get("special_tokens", {})
    tokenizer = LLTokenizer.from_tiktoken(
        encoder={base64.b64decode(token): int(rank) for token, rank in rows},
        special_tokens=special,
        pattern=side["pattern"],
        eos_token=max(special.values(), default=0) if end is None else end,
        n_vocab=None,
        slices=None,
    )
    return Served(path, tokenizer)
