"""Find the files of a vocabulary: ours next to this module, tiktoken's in its cache.

Nothing is downloaded here.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness.errors import UnknownNameError, VocabularyError
from tokharness.home import expand_user
from tokharness.regular_files import read_file
from tokharness_tokenizers.reference.published_ranks import PUBLISHED, PublishedVocabulary
from tokharness_tokenizers.reference.ranks_file import parse_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.ranks_file import Ranks

__all__ = [
    "EMBEDDED_PATH",
    "HEALTHY_FOLDER",
    "NAMES",
    "PUBLISHED",
    "SMALL",
    "WITHOUT_BYTES",
    "PublishedVocabulary",
    "healthy_files",
    "path_of",
    "read_published",
    "read_published_ranks",
]

EMBEDDED_PATH = Path(__file__).with_name("embedded.tiktoken")
"""The default vocabulary, made by :mod:`.make_embedded`."""


SMALL: Mapping[str, Path] = MappingProxyType(
    {
        name: Path(__file__).with_name("small") / f"{name}.json"
        for name in ("byte-level-bpe", "character-bpe", "sentencepiece-bpe", "unigram", "wordpiece")
    }
)
"""A ``tokenizer.json`` of each of five algorithms, by name, made by :mod:`.make_small`."""


HEALTHY_FOLDER = Path(__file__).with_name("healthy")
"""A small healthy file of each kind, made by :mod:`.make_healthy`."""
WITHOUT_BYTES = "unknown-"
"""Start of the name of a healthy SentencePiece model in which characters may be unknown."""

NAMES = ("embedded", *PUBLISHED)
"""The names of the lists of ranks."""


def healthy_files(pattern: str) -> list[str]:
    """Return the paths of the small healthy files with a name of this pattern."""
    return [str(file) for file in sorted(HEALTHY_FOLDER.glob(pattern))]


def path_of(rest: str) -> Path | None:
    """Return the path of the rank file of ``rest``, which has a side file; None if published.

    ``embedded`` is our vocabulary. A string that ends in ``.tiktoken`` or has a path separator is a
    path, which need not exist. Raises UnknownNameError for any other string.
    """
    if rest == "embedded":
        return EMBEDDED_PATH
    if rest in PUBLISHED:
        return None
    if rest.endswith(".tiktoken") or "/" in rest or os.sep in rest:
        return expand_user(rest)
    raise UnknownNameError("vocabulary", rest, NAMES)


def read_published(published: PublishedVocabulary) -> bytes:
    """Read a published rank file from tiktoken's cache; raises VocabularyError if it differs."""
    path = published.cache_path
    command = f"`python -c \"import tiktoken; tiktoken.get_encoding('{published.name}')\"`"
    try:
        data = read_file(path)
    except OSError:
        raise VocabularyError(
            f"vocabulary {published.name!r} is not in tiktoken's cache ({path}): run {command} "
            "once with a network connection, or set TIKTOKEN_CACHE_DIR to a folder that has it"
        ) from None
    if hashlib.sha256(data).hexdigest() != published.sha256:
        raise VocabularyError(
            f"{path} is not the published vocabulary {published.name!r} (SHA-256 differs; "
            f"{len(data)} bytes): delete it and run {command} once with a network connection"
        )
    return data


def read_published_ranks(published: PublishedVocabulary) -> Ranks:
    """Return the ranks of a vocabulary in tiktoken's cache; raises VocabularyError."""
    return _parsed(published.name, read_published(published))


@functools.lru_cache(maxsize=1)
def _parsed(name: str, data: bytes) -> Ranks:
    """Parse a file that is read to be loaded, and then to be described."""
    published = PUBLISHED[name]
    # The digest proves the content; cl100k_base has holes between its special tokens.
    return parse_ranks(data, str(published.cache_path), published.special_tokens, allow_holes=True)
