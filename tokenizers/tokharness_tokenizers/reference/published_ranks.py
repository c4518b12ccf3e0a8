"""Vocabularies that tiktoken downloads: all but their ranks, and the digest of these.

tiktoken caches a downloaded file under the SHA-1 of its URL, in ``TIKTOKEN_CACHE_DIR``, else
``DATA_GYM_CACHE_DIR``, else ``data-gym-cache`` in the temporary directory (``tiktoken.load``). The
digests are those of ``tiktoken_ext.openai_public``.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
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


def published_as(data: bytes) -> PublishedVocabulary | None:
    """Return the vocabulary that is published with these bytes as its ranks; None if none is."""
    digest = hashlib.sha256(data).hexdigest()
    return next((one for one in PUBLISHED.values() if one.sha256 == digest), None)


def _cache_directory() -> Path:
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable])
    return Path(tempfile.gettempdir(), "data-gym-cache")
