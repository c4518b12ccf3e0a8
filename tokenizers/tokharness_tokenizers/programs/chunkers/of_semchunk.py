"""semchunk by characters, and by tokens of cl100k_base."""

# chunker: semchunk
# package: semchunk
# names: characters tokens

from functools import cache
from importlib.metadata import version
from typing import Any

import semchunk

LIMIT = 8
"""The limit of the first object, which is made while the target is loaded."""


class Served:
    """A splitter of semchunk; each limit is an object of its own."""

    loses = "white space"

    def __init__(self, name: str) -> None:
        self.name, self.version = name, f"semchunk {version('semchunk')}"
        counter = len if name == "characters" else "cl100k_base"
        self._made = cache(lambda limit: semchunk.chunkerify(counter, limit))
        self._made(LIMIT)
        if name == "characters":
            self.count = len
        else:
            self.counts_with = "tiktoken:cl100k_base"

    def split(self, text: str, limit: int, overlap: int = 0) -> list[dict[str, Any]]:
        """Return the chunks with their spans."""
        chunks, spans = self._made(limit)(text, offsets=True, overlap=overlap or None)
        return [
            {"text": chunk, "start": start, "end": end}
            for chunk, (start, end) in zip(chunks, spans, strict=True)
        ]


def load(_kind: str, name: str) -> Served:
    """Load a splitter."""
    return Served(name)
