"""The splitters of chonkie that need no model.

``token``, ``sentence`` and ``recursive`` count tokens of cl100k_base, ``characters`` is
RecursiveChunker by characters, and ``fast`` is FastChunker, whose limit is in bytes.
"""

# chunker: chonkie
# package: chonkie
# names: characters fast recursive sentence token
#
# Their names of vocabularies are fetched, so that they get the object of tiktoken.

from functools import cache, partial
from importlib.metadata import version
from typing import Any

import chonkie
import tiktoken

VOCABULARY = "cl100k_base"
OF_TOKENS: dict[str, Any] = {
    "recursive": partial(chonkie.RecursiveChunker, min_characters_per_chunk=1),
    "sentence": chonkie.SentenceChunker,
    "token": chonkie.TokenChunker,
}
OTHERS: dict[str, Any] = {
    "characters": partial(chonkie.RecursiveChunker, min_characters_per_chunk=1),
    "fast": chonkie.FastChunker,
}
LIMIT = 8
"""The limit of the first object, which is made while the target is loaded."""

WITH_OVERLAP = ("sentence", "token")


class Served:
    """A splitter of chonkie; each limit and overlap is an object of its own."""

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"chonkie {version('chonkie')}"
        self.has_overlap = name in WITH_OVERLAP
        self._made = cache(partial(_made, name))
        self._made(LIMIT, 0)
        if name == "characters":
            self.count = _characters
        elif name == "fast":
            self.count = _bytes
        else:
            self.counts_with = f"tiktoken:{VOCABULARY}"

    def split(self, text: str, limit: int, overlap: int = 0) -> list[dict[str, Any]]:
        """Return the chunks with their spans."""
        return [
            {"text": one.text, "start": one.start_index, "end": one.end_index}
            for one in self._made(limit, overlap).chunk(text)
        ]


def _characters(text: str) -> int:
    return len(text)


def _bytes(text: str) -> int:
    return len(text.encode())


def _made(name: str, limit: int, overlap: int) -> Any:
    with_overlap = {"chunk_overlap": overlap} if name in WITH_OVERLAP else {}
    if name in OTHERS:
        return OTHERS[name](chunk_size=limit)
    vocabulary = tiktoken.get_encoding(VOCABULARY)
    return OF_TOKENS[name](vocabulary, chunk_size=limit, **with_overlap)


def load(_kind: str, name: str) -> Served:
    """Load a splitter."""
    return Served(name)
