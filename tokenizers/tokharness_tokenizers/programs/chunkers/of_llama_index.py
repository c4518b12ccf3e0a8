"""The splitters of llama-index-core, with their default settings, which count with cl100k_base.

``sentences`` is SentenceSplitter, and ``tokens`` is TokenTextSplitter.
"""

# chunker: llama-index-core
# package: llama-index-core
# names: sentences tokens

from functools import cache, partial
from importlib.metadata import version
from typing import Any

from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter
from llama_index.core.utils import get_tokenizer

SPLITTERS: dict[str, Any] = {"sentences": SentenceSplitter, "tokens": TokenTextSplitter}

LIMIT = 8
"""The limit of the first object, which is made while the target is loaded."""


class Served:
    """A splitter of llama-index; each limit and overlap is an object of its own."""

    loses = "white space"
    counts_with = "tiktoken:cl100k_base"

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"llama-index-core {version('llama-index-core')}"
        self._made = cache(partial(_made, SPLITTERS[name]))
        self._made(LIMIT, 0)
        self._encode = get_tokenizer()

    def split(self, text: str, limit: int, overlap: int = 0) -> list[str]:
        """Return the chunks."""
        chunks: list[str] = self._made(limit, overlap).split_text(text)
        return chunks

    def count(self, text: str) -> int:
        """Return the number of tokens with which it splits."""
        return len(self._encode(text))


def _made(kind: Any, limit: int, overlap: int) -> Any:
    return kind(chunk_size=limit, chunk_overlap=overlap)


def load(_kind: str, name: str) -> Served:
    """Load a splitter."""
    return Served(name)
