"""Vocabularies on disk: a ``.tiktoken`` file of ranks, and its side file with all the rest.

The ranks are lines ``base64-of-the-bytes rank``, as tiktoken reads and writes them
(``tiktoken.load``). Every error is one sentence that says where.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.side_file import (
    SideFile,
    read_bytes,
    read_side_file,
    side_path,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["load", "parse_ranks", "read_ranks", "save"]


def load(path: str | Path) -> ByteBPE:
    """Load a vocabulary: ranks and side file.

    Raises OSError if one of the files cannot be read, ValueError if one is corrupt or the two do
    not belong together.
    """
    side = read_side_file(path)
    ranks = read_ranks(path, side)
    version = side.unicode_version or versions.REGEX_VERSION
    try:
        return ByteBPE(side.name, side.pattern, ranks, side.special_tokens, version)
    except ValueError as error:
        raise ValueError(f"{path} and its side file make no vocabulary: {error}") from error


def read_ranks(path: str | Path, side: SideFile) -> dict[bytes, int]:
    """Read a rank file and hold it against its side file; raises OSError or ValueError."""
    data = read_bytes(Path(path), "vocabulary file")
    if side.sha256 not in {None, hashlib.sha256(data).hexdigest()}:
        raise ValueError(
            f"{path} is not the file its side file was written for (SHA-256 differs): "
            f"restore it, or remove sha256 from {side_path(path)}"
        )
    return parse_ranks(data, str(path), side.special_tokens, allow_holes=side.allow_holes)


def parse_ranks(
    data: bytes, where: str, special_tokens: Mapping[str, int], *, allow_holes: bool = False
) -> dict[bytes, int]:
    """Parse the lines of a rank file; ``where`` names it in errors.

    Raises ValueError for a line that is not ``base64 rank``, a rank or token given twice, no
    lines at all, and, unless ``allow_holes``, an id below the largest that nothing has.
    """
    ranks: dict[bytes, int] = {}
    line_of: dict[int, int] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line:
            continue
        try:
            token, rank = _parsed(line)
        except ValueError as error:
            raise ValueError(f"{where}, line {number}: {error}") from None
        if rank in line_of:
            raise ValueError(f"{where}, line {number}: rank {rank} is on line {line_of[rank]} too")
        if token in ranks:
            first = line_of[ranks[token]]
            raise ValueError(f"{where}, line {number}: token {token!r} is on line {first} too")
        ranks[token] = rank
        line_of[rank] = number
    if not ranks:
        raise ValueError(f"{where} is empty: it has no token")
    holes = set(range(max(line_of))).difference(line_of, special_tokens.values())
    if holes and not allow_holes:
        raise ValueError(
            f"{where} has {len(holes)} holes: no token has id {min(holes)}, but one has "
            f'{max(line_of)}; if that is meant, put "allow_holes": true into the side file'
        )
    return ranks


def _parsed(line: bytes) -> tuple[bytes, int]:
    fields = line.split()
    if len(fields) != 2:
        raise ValueError(f"{line[:80]!r} is not a base64 token and a rank (cut off?)")
    encoded, rank = fields
    if not rank.isdigit():
        raise ValueError(f"the rank {rank[:80]!r} is not a whole number")
    try:
        token = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        token = b""
    if not token:
        raise ValueError(f"the token {encoded[:80]!r} is not base64")
    return token, int(rank)


def save(path: str | Path, vocabulary: ByteBPE, made: Mapping[str, Any] | None = None) -> None:
    """Write a vocabulary: the same one always as the same bytes.

    Each file is written aside and then put in place, ranks first; if only that succeeds the
    digest in the side file tells. Raises OSError.
    """
    ordered = sorted(vocabulary.ranks.items(), key=lambda item: item[1])
    lines = [b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in ordered]
    data = b"".join(lines)
    side: dict[str, Any] = {
        "name": vocabulary.name,
        "pattern": vocabulary.pattern,
        "special_tokens": dict(sorted(vocabulary.special_tokens.items(), key=lambda item: item[1])),
        "unicode_version": vocabulary.unicode_version,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    taken = {*vocabulary.ranks.values(), *vocabulary.special_tokens.values()}
    if ordered[-1][1] >= len(taken):
        side["allow_holes"] = True
    if made:
        side["made"] = dict(made)
    _write(Path(path), data)
    _write(side_path(path), (json.dumps(side, indent=2) + "\n").encode())


def _write(path: Path, data: bytes) -> None:
    aside = path.with_name(path.name + ".partial")
    try:
        aside.write_bytes(data)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
