"""Vocabularies on disk: the lines of a ``.tiktoken`` file, and a side file with everything else.

The ranks are lines as tiktoken reads and writes them. Every error is one
sentence that names the file.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.json_content import parse_json
from tokharness.regular_files import read_lines, require_inside_folder
from tokharness.unicode import versions
from tokharness_tokenizers.reference import atomic_file
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.published_ranks import published_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# Parse the lines of a ``.tiktoken`` file as tiktoken does, and detect damaged files.
#
# A line is ``base64-of-the-bytes rank``. A defect of the *vocabulary* is loaded, so that it can be
# reported: a byte without a token, a token with two ids, a special token with the id of a line, ids
# without a token. A defect of the *file* is an error: an invalid line, two tokens with one id, a
# number that is not an id, and missing lines at the end.

LARGEST_ID = 2**32 - 1
"""tiktoken's ids have 32 bits."""

_PLAIN_LINES = re.compile(rb"(?:[A-Za-z0-9+/]+={0,2} [0-9]{1,10}\n)+")
_decode = partial(binascii.a2b_base64, strict_mode=True)


@dataclass(frozen=True)
class Ranks:
    """The lines of a file: the id of each token, and additional ids of tokens.

    Of several lines with the same token, the last line counts, as in ``tiktoken.load``, which reads
    them into a dict. ``other_ids`` maps the ids of the other lines to the bytes of the token.
    """

    ranks: Mapping[bytes, int]
    other_ids: Mapping[int, bytes] = field(default_factory=dict)


def parse_ranks(
    data: bytes, where: str, special_tokens: Mapping[str, int], *, allow_holes: bool = False
) -> Ranks:
    """Parse the lines of a rank file; ``where`` is its name in errors.

    Raises:
        ValueError: a line is not ``base64 rank``, an id has two tokens, there are no lines, or,
            unless ``allow_holes``, so many ids have no token that the file must be truncated.

    """
    ranks, other_ids = _plain_ranks(data), dict[int, bytes]()
    if not ranks:
        ranks, other_ids = _ranks_of_lines(data, where)
    if not ranks:
        raise ValueError(f"{where} is empty: it has no token")
    if not allow_holes and (
        defect := _missing_lines({*ranks.values(), *other_ids}, ranks, special_tokens)
    ):
        raise ValueError(
            f"{where} {defect}; restore the lines, or set "
            '"allow_holes": true in the side file if this is intended'
        )
    return Ranks(ranks, other_ids)


def _plain_ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks, quickly, if all lines are valid and different, as usual; otherwise {}."""
    if not _PLAIN_LINES.fullmatch(data):
        return {}
    fields = data.split()
    try:
        tokens = list(map(_decode, fields[::2]))
    except binascii.Error:
        return {}
    ids = list(map(int, fields[1::2]))
    ranks = dict(zip(tokens, ids, strict=True))
    is_plain = len(ranks) == len(set(ids)) == len(ids) and max(ids) <= LARGEST_ID
    return ranks if is_plain else {}


def _ranks_of_lines(data: bytes, where: str) -> tuple[dict[bytes, int], dict[int, bytes]]:
    """Return the ranks and other ids of any lines; raises ValueError for an invalid line."""
    ranks: dict[bytes, int] = {}
    other_ids: dict[int, bytes] = {}
    line_of: dict[int, int] = {}
    for number, token, rank in _lines(data, where):
        if ranks.get(token) == rank:  # the same line, as tiktoken reads it
            continue
        if rank in line_of:
            # A truncated number at the end of the file may equal the number of another line.
            last = number == len(data.splitlines()) and not data.endswith(b"\n")
            hint = " (truncated?)" if last else ""
            message = f"rank {rank} is already on line {line_of[rank]}: each line needs its own"
            raise ValueError(f"{where}, line {number}: {message}{hint}")
        if token in ranks:
            other_ids[ranks[token]] = token
        ranks[token] = rank
        line_of[rank] = number
    return ranks, other_ids


def rank_line(token: bytes, number: int) -> bytes:
    """Return the line of a token and its rank."""
    return b"%s %d\n" % (base64.b64encode(token), number)


def _lines(data: bytes, where: str) -> Iterator[tuple[int, bytes, int]]:
    """Yield the number of each line, from 1, with its token and its rank."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line:
            try:
                yield number, *_parse_line(line)
            except ValueError as error:
                raise ValueError(f"{where}, line {number}: {error}") from None


def _parse_line(line: bytes) -> tuple[bytes, int]:
    fields = line.split(None, 2)
    if len(fields) != 2:
        raise ValueError(f"{line[:80]!r} is not a base64 token and a rank (truncated?)")
    encoded, rank = fields
    number = _whole_number(rank)
    if not 0 <= number <= LARGEST_ID:
        raise ValueError(f"the rank {rank[:80]!r} is not a whole number from 0 to {LARGEST_ID:,}")
    try:
        token = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        token = b""
    if not token:
        raise ValueError(f"the token {encoded[:80]!r} is not base64")
    return token, number


def _whole_number(rank: bytes) -> int:
    """Return a number as tiktoken reads it, with ``int``, also ``+5`` or ``0_5``; -1 for none."""
    try:
        return int(rank.lstrip(b"0") or b"0") if rank.isdigit() else int(rank)
    except ValueError:
        return -1


def _missing_lines(
    ids: set[int], ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]
) -> str:
    """Describe lines that seem to be missing; "" if no line is missing."""
    largest = max(ids)
    special_ids = special_tokens.values()
    next_special = min((number for number in special_ids if number > largest), default=0)
    unused = max(next_special - largest - 1, 0)
    # A renumbered vocabulary without the lines of some bytes has as many unused ids at this place.
    if unused > sum(bytes([byte]) not in ranks for byte in range(256)):
        return (
            f"seems to be truncated: its last id is {largest:,}, the id of the next special token "
            f"{next_special:,}, and no line has an id between"
        )
    holes = largest + 1 - len(ids.union(number for number in special_ids if number < largest))
    if holes > len(ids):
        return f"has {len(ids):,} ids and {holes:,} holes between them, so a rank must be wrong"
    return ""


# The side file of a vocabulary: ``PATH.json`` next to the ``.tiktoken`` file PATH.
#
# It is one JSON object with the keys ``name``, ``pattern`` and ``special_tokens`` (text to id), and
# optionally ``unicode_version``, ``sha256`` (of the rank file), ``allow_holes`` (many ids without a
# token, or some before the special tokens, are intended) and ``made`` (how it was made). Every
# error is one sentence that names the file.


@dataclasses.dataclass(frozen=True)
class SideFile:
    """The content of a side file: everything of a vocabulary except its ranks."""

    name: str
    pattern: str
    special_tokens: Mapping[str, int]
    unicode_version: str | None = None
    sha256: str | None = None
    allow_holes: bool = False
    made: Mapping[str, Any] = dataclasses.field(default_factory=dict)


EXAMPLE = '{"name": "mine", "pattern": "...", "special_tokens": {"<|end|>": 50000}}'


def side_path(path: str | Path) -> Path:
    """Return the path of the side file of a rank file."""
    return Path(f"{path}.json")


def read_side_file(path: str | Path) -> SideFile:
    """Read the side file of a rank file; raises OSError or ValueError.

    Ranks that tiktoken publishes need no side file: their digest says which vocabulary they are.
    """
    where = side_path(path)
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no vocabulary file {path}: check the path")
    require_inside_folder(where.parent, [where])
    what = f"side file of {Path(path).name} with its pattern and special tokens"
    if not where.exists():
        if published := published_as(read_bytes(Path(path), "vocabulary file")):
            pattern, special = published.pattern, published.special_tokens
            # cl100k_base has holes between its special tokens.
            return SideFile(published.name, pattern, special, allow_holes=True)
        raise FileNotFoundError(f"there is no {where}, the {what}: write {EXAMPLE}")
    data = read_bytes(where, what)
    try:
        content = parse_json(data, object_pairs_hook=_without_duplicates)
    except ValueError as error:  # of JSON or of UTF-8
        raise ValueError(f"{where} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{where} is not a JSON object")  # noqa: TRY004 - like all file errors
    keys = {field.name for field in dataclasses.fields(SideFile)}
    if unknown := sorted(content.keys() - keys):
        known = ", ".join(sorted(keys))
        raise ValueError(f"{where} has an unknown key {unknown[0]!r}; known: {known}")
    for key, (accepts, expected) in _TYPES.items():
        value = content.get(key)
        if not accepts(value):
            raise ValueError(f"{where}: {key} must be {expected}, not {json.dumps(value)[:80]}")
    return SideFile(**{key: value for key, value in content.items() if value is not None})


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"it has the key {key[:80]!a} twice")
    return content


def _is_text(value: object) -> bool:
    """Whether a value is a text: not empty, and without lone surrogates, which UTF-8 lacks."""
    return isinstance(value, str) and value != "" and not SURROGATE.search(value)


def _is_special_tokens(value: object) -> bool:
    return isinstance(value, dict) and all(
        _is_text(text) and type(token) is int and 0 <= token <= LARGEST_ID
        for text, token in value.items()
    )


def _is_version(value: object) -> bool:
    try:
        return value is None or (isinstance(value, str) and bool(versions.canonical(value)))
    except ValueError:
        return False


SURROGATE = re.compile("[\ud800-\udfff]")
SPECIAL_TOKENS = (
    f"an object from text to id, each text not empty and each id from 0 to {LARGEST_ID:,}"
)

_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (lambda value: isinstance(value, str), "a string"),
    "pattern": (_is_text, "a non-empty string without lone surrogates"),
    "special_tokens": (_is_special_tokens, SPECIAL_TOKENS),
    "unicode_version": (_is_version, f"one of {', '.join(versions.VERSIONS)}, or null"),
    "sha256": (lambda value: isinstance(value, str | None), "a string or null"),
    "allow_holes": (lambda value: isinstance(value, bool | None), "true or false"),
    "made": (lambda value: isinstance(value, dict | None), "an object"),
}


def read_bytes(path: Path, what: str, read: Callable[[Path], bytes] = read_lines) -> bytes:
    """Read a file; raises OSError with a message that says ``what`` the file is."""
    try:
        return read(path)
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no {path}, the {what}") from None
    except OSError as error:
        raise OSError(f"cannot read {path}, the {what}: {error.strerror}") from error


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

    Each file is written under a temporary name and then renamed, ranks first. If only the ranks are
    renamed, the digest in the old side file does not match. Raises OSError.
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
    """Return tokens with their ids, by id; of a token's ids, the id in ``ranks`` is last."""
    ranks = vocabulary.ranks
    others = [(token, number) for number, token in vocabulary.other_ids.items()]

    def place(line: tuple[bytes, int]) -> tuple[int, bool, int]:
        token, number = line
        return min(number, ranks[token]), number == ranks[token], number

    return sorted([*ranks.items(), *others], key=place)
