"""The byte-level BPE reference of this project, as a target: plain Python, no library's encoder.

``reference``           the embedded vocabulary of 16,384 tokens
``reference:NAME``      ``embedded``, ``r50k_base``, ``p50k_base``, ``cl100k_base``, ``o200k_base``;
                        all but the first from tiktoken's cache of downloaded files
``reference:PATH``      a ``.tiktoken`` file with its side file ``PATH.json``

It has every optional method except ``normalize``, as it normalizes nothing. Compared with
tiktoken's engine on the same ranks and pattern. Pre-tokens are cut at the Unicode version of the
side file, else at that of the installed ``regex``; ``with_unicode_version`` gives another, for
which nothing is read again.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from tokharness.errors import VocabularyError

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE

__all__ = ["GUARDED", "SCHEME", "load", "names", "reference", "versions"]

SCHEME = "reference"
GUARDED = True


def load(rest: str) -> ByteBPE:
    """Load a vocabulary into the reference; raises VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.reference import ranks_file
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE
    from tokharness_tokenizers.vocabularies import locate

    rest = rest or "embedded"
    path = locate.path_of(rest)
    try:
        if path is not None:
            return ranks_file.load(path)
        known = locate.PUBLISHED[rest]
        data = locate.published_bytes(known)
        special = known.special_tokens
        # The digest has settled what is in it: between its special tokens cl100k_base has holes.
        ranks = ranks_file.parse_ranks(data, str(known.cache_path), special, allow_holes=True)
        return ByteBPE(known.name, known.pattern, ranks, special)
    except (ValueError, OSError) as error:
        raise VocabularyError(str(error)) from error


def reference(rest: str) -> str | None:
    """Name tiktoken's engine with the same vocabulary."""
    return f"tiktoken:{rest or 'embedded'}"


def names() -> tuple[str, ...]:
    """Name the vocabularies."""
    from tokharness_tokenizers.vocabularies import locate

    return locate.NAMES


def versions() -> dict[str, str]:
    """Name the version of the regular expression engine."""
    return {"regex": version("regex")}
