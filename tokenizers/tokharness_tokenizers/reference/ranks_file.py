"""Vocabularies on disk: a ``.tiktoken`` file of ranks, and a side file with everything else.

The ranks are lines as tiktoken reads and writes them (:mod:`.rank_lines`). Every error is one
sentence that names the file.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.unicode import versions
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.rank_lines import parse_ranks, rank_line
from tokharness_tokenizers.reference.side_file import (
    SideFile,
    read_bytes,
    read_side_file,
    side_path,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.rank_lines import Ranks

__all__ = ["load", "read_ranks", "save"]


def load(path: str | Path) -> ByteBPE:
    """Load a vocabulary, even with a defect if it can be read: ranks and side file.

    Raises:
        OSError: one of the files cannot be read.
        ValueError: one of the files is corrupt, or they do not belong together.

    """
    side = read_side_file(path)
    read = read_ranks(path, side)
    version = side.unicode_version or versions.REGEX_VERSION
    special = side.special_tokens
    try:
        return ByteBPE(side.name, side.pattern, read.ranks, special, version, read.other_ids)
    except ValueError as error:
        raise ValueError(f"{path} with its side file is not a vocabulary: {error}") from error


def read_ranks(path: str | Path, side: SideFile) -> Ranks:
    """Read a rank file and compare it with its side file; raises OSError or ValueError."""
    data = read_bytes(Path(path), "vocabulary file")
    if side.sha256 not in {None, hashlib.sha256(data).hexdigest()}:
        raise ValueError(
            f"{path} is not the file that its side file was written for (SHA-256 differs): "
            f"restore it, or remove sha256 from {side_path(path)}"
        )
    return parse_ranks(data, str(path), side.special_tokens, allow_holes=side.allow_holes)


def save(path: str | Path, vocabulary: ByteBPE, made: Mapping[str, Any] | None = None) -> None:
    """Write a vocabulary; equal vocabularies give equal bytes.

    Each file is written under a temporary name and then renamed, ranks first. If only that
    succeeds, the digest in the old side file does not match. Raises OSError.
    """
    data = b"".join(rank_line(token, number) for token, number in _ordered(vocabulary))
    side: dict[str, Any] = {
        "name": vocabulary.name,
        "pattern": vocabulary.pattern,
        "special_tokens": dict(sorted(vocabulary.special_tokens.items(), key=lambda item: item[1])),
        "unicode_version": vocabulary.unicode_version,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    special = vocabulary.special_tokens.values()
    taken = {*vocabulary.ranks.values(), *vocabulary.other_ids, *special}
    if len(taken) < vocabulary.n_vocab:
        side["allow_holes"] = True
    if made:
        side["made"] = dict(made)
    atomic_file.write(Path(path), data)
    atomic_file.write(side_path(path), (json.dumps(side, indent=2) + "\n").encode())


def _ordered(vocabulary: ByteBPE) -> list[tuple[bytes, int]]:
    """Return tokens with their ids, by id; of the ids of a token the one in ``ranks`` is last."""
    ranks = vocabulary.ranks
    others = [(token, number) for number, token in vocabulary.other_ids.items()]

    def place(line: tuple[bytes, int]) -> tuple[int, bool, int]:
        token, number = line
        return min(number, ranks[token]), number == ranks[token], number

    return sorted([*ranks.items(), *others], key=place)
