"""The splitters of langchain-text-splitters, with their default settings.

``characters`` and ``recursive-tokens`` are RecursiveCharacterTextSplitter by characters and by
tokens of cl100k_base; ``tokens`` is TokenTextSplitter.
"""

# chunker: langchain-text-splitters
# package: langchain-text-splitters
# names: characters recursive-tokens tokens

from functools import cache, partial
from importlib.metadata import version
from typing import Any

from langchain_text_splitters import RecursiveCharacterTextSplitter, TokenTextSplitter

VOCABULARY = "cl100k_base"
SPLITTERS: dict[str, Any] = {
    "characters": RecursiveCharacterTextSplitter,
    "recursive-tokens": partial(
        RecursiveCharacterTextSplitter.from_tiktoken_encoder, encoding_name=VOCABULARY
    ),
    "tokens": partial(TokenTextSplitter, encoding_name=VOCABULARY),
}

LIMIT = 8
"""The limit of the first object, which is made while the target is loaded."""


class Served:
    """A splitter of langchain; each limit and overlap is an object of its own."""

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"langchain-text-splitters {version(PACKAGE)}"
        self._made = cache(partial(_made, SPLITTERS[name]))
        self._made(LIMIT, 0)
        if name == "characters":
            self.count = len
        else:
            self.counts_with = f"tiktoken:{VOCABULARY}"
        if name != "tokens":
            self.loses = "white space"

    def split(self, text: str, limit: int, overlap: int = 0) -> list[dict[str, Any]]:
        """Return the chunks with their starts, which are -1 for a chunk that it does not find."""
        documents = self._made(limit, overlap).create_documents([text])
        starts = [one.metadata["start_index"] for one in documents]
        return [
            {"text": one.page_content, "start": at, "end": at + len(one.page_content)}
            for one, at in zip(documents, starts, strict=True)
        ]


PACKAGE = "langchain-text-splitters"


def _made(kind: Any, limit: int, overlap: int) -> Any:
    return kind(chunk_size=limit, chunk_overlap=overlap, add_start_index=True)


def load(_kind: str, name: str) -> Served:
    """Load a splitter."""
    return Served(name)
