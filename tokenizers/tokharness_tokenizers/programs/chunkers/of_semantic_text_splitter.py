"""The splitters of semantic-text-splitter, by characters and by tokens of cl100k_base.

``characters``, ``tokens`` and ``markdown`` trim white space, and ``untrimmed`` does not.
"""

# chunker: semantic-text-splitter
# package: semantic-text-splitter
# names: characters markdown tokens untrimmed

from functools import cache
from importlib.metadata import version
from typing import Any

from semantic_text_splitter import MarkdownSplitter, TextSplitter

PACKAGE = "semantic-text-splitter"
MODEL = "gpt-4"
"""A model whose vocabulary is cl100k_base."""

LIMIT = 8
"""The limit of the first object, which is made while the target is loaded."""


class Served:
    """A splitter of semantic-text-splitter; each limit and overlap is an object of its own."""

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"{PACKAGE} {version(PACKAGE)}"
        self._made = cache(lambda limit, overlap: _made(name, limit, overlap))
        self._made(LIMIT, 0)
        if name == "tokens":
            self.counts_with = "tiktoken:cl100k_base"
        else:
            self.count = len
        if name != "untrimmed":
            self.loses = "white space"

    def split(self, text: str, limit: int, overlap: int = 0) -> list[dict[str, Any]]:
        """Return the chunks with their spans."""
        return [
            {"text": chunk, "start": at, "end": at + len(chunk)}
            for at, chunk in self._made(limit, overlap).chunk_indices(text)
        ]


def _made(name: str, limit: int, overlap: int) -> Any:
    if name == "tokens":
        return TextSplitter.from_tiktoken_model(MODEL, limit, overlap=overlap)
    if name == "markdown":
        return MarkdownSplitter(limit, overlap=overlap)
    return TextSplitter(limit, overlap=overlap, trim=name != "untrimmed")


def load(_kind: str, name: str) -> Served:
    """Load a splitter."""
    return Served(name)
