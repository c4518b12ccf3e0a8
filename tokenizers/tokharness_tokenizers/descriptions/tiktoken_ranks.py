"""A ``.tiktoken`` file of ranks with its side file, and the encodings that tiktoken downloads.

The ids are the ranks, so there is no list of merges. Of two lines with one token the later one
counts; the type of the other one is ``replaced``. The Unicode version that a side file asks for is
one of the options: the reference reads it, and tiktoken does not.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import (
    REPLACED,
    replaced_first,
    special_rows,
    unique,
    write_json,
)
from tokharness_tokenizers.file_errors import named_file_errors
from tokharness_tokenizers.reference.ranks_file import (
    rank_line,
    read_ranks,
    read_side_file,
    side_path,
)
from tokharness_tokenizers.vocabularies import locate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokharness_tokenizers.reference.ranks_file import Ranks

__all__ = ["FORMAT", "describe", "describe_ranks", "describe_vocabulary", "write"]

FORMAT: Final = "tiktoken"


def describe(path: Path) -> Description:
    """Describe a file of ranks; raises OSError, or ValueError if it or its side file is damaged."""
    side = read_side_file(path)
    ranks = read_ranks(path, side)
    return describe_ranks(ranks, side.pattern, side.special_tokens, side.unicode_version)


def describe_vocabulary(rest: str) -> Description:
    """Describe a file of ranks, or one that tiktoken has downloaded, by its name.

    Raises VocabularyError or UnknownNameError.
    """
    path = locate.path_of(rest)
    if path is None:
        published = locate.PUBLISHED[rest]
        ranks = locate.read_published_ranks(published)
        return describe_ranks(ranks, published.pattern, published.special_tokens)
    with named_file_errors(path):
        return describe(path)


def describe_ranks(
    ranks: Ranks, pattern: str, special: Mapping[str, int], unicode_version: str | None = None
) -> Description:
    """Describe ranks with their pattern and their special tokens."""
    rows = [TokenEntry(number, token) for token, number in ranks.ranks.items()]
    others = ranks.other_ids.items()
    rows += [TokenEntry(number, token, type=REPLACED) for number, token in others]
    stages: dict[str, Any] = {
        "added tokens": special_rows(special),
        "pre-tokenizer": {"pattern": pattern, "type": "Split"},
        "model": {"type": "byte-level BPE"},
    }
    if unicode_version is not None:
        stages["options"] = {"unicode_version": unicode_version}
    return Description(FORMAT, stages, tuple(sorted(rows)))


def write(description: Description, folder: Path) -> Path:
    """Write a file of ranks and its side file into a folder, and return the path of the first.

    Raises:
        OSError: it cannot be written.
        ValueError: the format cannot have this content.

    """
    stages, path = description.stages, folder / "vocabulary.tiktoken"
    rows = replaced_first(description.tokens)
    data = b"".join(rank_line(token, number) for number, token in rows)
    path.write_bytes(data)
    side: dict[str, Any] = {
        "name": path.stem,
        "pattern": stages["pre-tokenizer"]["pattern"],
        "special_tokens": unique(
            ((row["text"], row["id"]) for row in stages["added tokens"]), "text"
        ),
        "unicode_version": stages.get("options", {}).get("unicode_version"),
        "sha256": hashlib.sha256(data).hexdigest(),
        "allow_holes": True,
    }
    write_json(side_path(path), side)
    return path
