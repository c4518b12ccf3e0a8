"""outlines-core, with a ``tokenizer.json``.

It reads a model of a hub alone, so that it gets the file as one that is in the hub's cache.
"""

# grammar: outlines-core
# package: outlines_core
# reads: tokenizer_json

import json
import os
import re
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

MODEL = "local/tokenizer"
ROW = re.compile(r"^\[(.*)\] -> \[(.*)\]$", re.MULTILINE)
"""A token and its ids in the text of a vocabulary, such as ``["0x61", "0x62"] -> [3]``."""

NOTHING = 0xFFFF_FFFF
"""An id that no token has: a file alone does not say which token ends a text."""


class Served:
    """The table of tokens of outlines-core, which leaves out special tokens."""

    tokens_alone = True

    def __init__(self, path: str, vocabulary: Any) -> None:
        self.name, self.version = path, f"outlines-core {version('outlines_core')}"
        self._table = {
            int(number): bytes(int(byte.strip('" '), 16) for byte in token.split(",") if byte)
            for token, ids in ROW.findall(str(vocabulary))
            for number in ids.split(",")
        }
        end = vocabulary.get_eos_token_id()
        self.special_tokens = {} if end == NOTHING else {"end of text": end}
        self.n_vocab = max([*self._table, *self.special_tokens.values()], default=-1) + 1

    def decode_single_token_bytes(self, number: int) -> bytes:
        """Return the bytes of a token; raises KeyError if there is none."""
        return self._table[number]


def load(_kind: str, path: str, end_of_text: str = "") -> Served:
    """Load a file; ``end_of_text`` is the id of the token that ends a text, if it is known."""
    with tempfile.TemporaryDirectory() as home:
        cache = Path(home, ".cache", "huggingface")
        # No host answers at this address: nothing is loaded from a network.
        os.environ |= {"HOME": home, "HF_HOME": str(cache), "HF_ENDPOINT": "http://127.0.0.1:9"}
        folder = cache / "hub" / f"models--{MODEL.replace('/', '--')}"
        files, references = folder / "snapshots" / "0", folder / "refs"
        files.mkdir(parents=True)
        references.mkdir()
        (references / "main").write_text("0")
        (files / "tokenizer.json").symlink_to(path)
        end = int(end_of_text) if end_of_text else NOTHING
        (files / "generation_config.json").write_text(json.dumps({"eos_token_id": end}))
        from outlines_core import Vocabulary

        return Served(path, Vocabulary.from_pretrained(MODEL))
