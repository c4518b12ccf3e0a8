"""The byte-level BPE reference of this project, as a target: plain Python, no library's encoder.

``reference``           the embedded vocabulary of 16,384 tokens
``reference:NAME``      ``embedded``, ``r50k_base``, ``p50k_base``, ``cl100k_base``, ``o200k_base``;
                        all but the first from tiktoken's cache of downloaded files
``reference:PATH``      a ``.tiktoken`` file with its side file ``PATH.json``

It has every optional method except ``normalize``, as it normalizes nothing. Compared with
tiktoken's engine on the same ranks and pattern. Pre-tokens are cut at the Unicode version of the
side file, else at that of the installed ``regex``; ``with_unicode_version`` gives another, for
which nothing is read again.

A vocabulary with a defect is a target all the same: a byte without a token raises KeyError where it
is left over, of two ids of one token the one on the later line is given and both are decoded, and
an id that an ordinary token shares with a special one is decoded as the ordinary one.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from tokharness.errors import VocabularyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokharness.training import Trained, Training
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE

__all__ = ["GUARDED", "SCHEME", "load", "names", "reference", "train", "versions"]

SCHEME = "reference"
GUARDED = True


def load(rest: str) -> ByteBPE:
    """Load a vocabulary into the reference; raises VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.reference import ranks_file
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE
    from tokharness_tokenizers.reference.rank_lines import parse_ranks
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
        read = parse_ranks(data, str(known.cache_path), special, allow_holes=True)
        return ByteBPE(known.name, known.pattern, read.ranks, special)
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


def train(
    texts: Iterable[str], path: Path, training: Training, progress: Callable[[int], object]
) -> Trained:
    """Train a vocabulary on texts and write it, with its side file, to ``path``.

    Patterns have the names ``r50k``, ``cl100k`` and ``o200k``. Raises UsageError for what cannot be
    trained, before it asks for a text, and where the texts have no pre-token.
    """
    from tokharness_tokenizers.vocabularies import train_file

    return train_file.train_file(texts, path, training, progress)
