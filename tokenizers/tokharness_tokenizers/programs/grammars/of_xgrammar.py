"""xgrammar, with a ``tokenizer.json`` that transformers loads for it.

It is installed with PyTorch, which its table of tokens does not need: without PyTorch, an empty
module takes its place.
"""

# grammar: xgrammar
# package: xgrammar
# reads: tokenizer_json

import os
import sys
import types
import warnings
from importlib.metadata import version
from typing import Any


class _Empty(types.ModuleType):
    """A module in which each name that the package reads while it is imported does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None


os.environ["TRANSFORMERS_VERBOSITY"] = "error"
try:
    import torch  # noqa: F401
except ImportError:
    import transformers  # noqa: F401 - these look for PyTorch themselves
    import tvm_ffi  # noqa: F401

    sys.modules["torch"] = _Empty("torch")

from transformers import PreTrainedTokenizerFast  # noqa: E402
from xgrammar import TokenizerInfo  # noqa: E402


class Served:
    """The table of tokens of xgrammar."""

    tokens_alone = True

    def __init__(self, path: str, end_of_text: int | None) -> None:
        self.name, self.version = path, f"xgrammar {version('xgrammar')}"
        tokenizer: Any = PreTrainedTokenizerFast(tokenizer_file=path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it finds the token that ends a text itself
            info = TokenizerInfo.from_huggingface(
                tokenizer, stop_token_ids=None if end_of_text is None else [end_of_text]
            )
        self._table = [bytes(token) for token in info.decoded_vocab]
        self.n_vocab = len(self._table)
        special = sorted({*info.stop_token_ids, *info.special_token_ids})
        self.special_tokens = {
            self._table[number].decode("utf-8", "replace") or f"<[{number}]>": number
            for number in special
        }

    def decode_single_token_bytes(self, number: int) -> bytes:
        """Return the bytes of a token; raises KeyError if it has none."""
        if not self._table[number]:
            raise KeyError(f"the id {number} has no bytes")
        return self._table[number]


def load(_kind: str, path: str, end_of_text: str = "") -> Served:
    """Load a file; ``end_of_text`` is the id of the token that ends a text, if it is known."""
    return Served(path, int(end_of_text) if end_of_text else None)
