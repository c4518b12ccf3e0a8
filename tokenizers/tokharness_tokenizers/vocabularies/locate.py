"""Find the files of a vocabulary: ours next to this module, tiktoken's in its cache.

Nothing is downloaded here. tiktoken caches a downloaded file under the SHA-1 of its URL, in
``TIKTOKEN_CACHE_DIR``, else ``DATA_GYM_CACHE_DIR``, else ``data-gym-cache`` in the temporary
directory (``tiktoken.load``). The published digests are those of ``tiktoken_ext.openai_public``.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
import tempfile
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness.errors import UnknownNameError, VocabularyError
from tokharness.home import expand_user
from tokharness.regular_files import read_file
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K
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


@dataclasses.dataclass(frozen=True)
class PublishedVocabulary:
    """A vocabulary that tiktoken downloads: everything except its ranks, and their digest."""

    name: str
    pattern: str
    special_tokens: Mapping[str, int]
    sha256: str
    n_vocab: int

    @property
    def cache_path(self) -> Path:
        """The path of the rank file in tiktoken's cache, where it may be missing."""
        url = f"https://openaipublic.blob.core.windows.net/encodings/{self.name}.tiktoken"
        key = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
        return _cache_directory() / key


_END = "<|endoftext|>"
_PROMPT_END = "<|endofprompt|>"
_FIM = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")

PUBLISHED: Mapping[str, PublishedVocabulary] = MappingProxyType(
    {
        published.name: published
        for published in (
            PublishedVocabulary(
                "r50k_base",
                R50K,
                {_END: 50256},
                "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
                50257,
            ),
            PublishedVocabulary(
                "p50k_base",
                R50K,
                {_END: 50256},
                "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
                50281,
            ),
            PublishedVocabulary(
                "cl100k_base",
                CL100K,
                {_END: 100257}
                | {text: 100258 + index for index, text in enumerate(_FIM)}
                | {_PROMPT_END: 100276},
                "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
                100277,
            ),
            PublishedVocabulary(
                "o200k_base",
                O200K,
                {_END: 199999, _PROMPT_END: 200018},
                "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
                200019,
            ),
        )
    }
)
"""Vocabularies that tiktoken downloads and that our reference can also read, by name."""

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


def _cache_directory() -> Path:
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable])
    return Path(tempfile.gettempdir(), "data-gym-cache")
