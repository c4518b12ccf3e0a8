"""Golden files: what a target makes of texts, in a format that a program without Python reads.

A file has one JSON object a line, in ASCII. The first one is the header, each further one a text.
The order of keys is fixed, and there is no white space between them, so that a program in C++ finds
the keys it needs without a JSON library. ``docs/goldens.md`` is the specification.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import LONGEST_NAME
from tokharness.errors import UsageError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness.results.untrusted import shortened
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FORMAT, VERSION = "tokharness golden", 1
MOST_BYTES = 1 << 28
KEYS = ("utf8", "ids", "bytes", "decoded", "error", "text")


@dataclass(frozen=True, slots=True)
class Row:
    """What a target makes of a text.

    Attributes:
        text: The text.
        ids: Its ids, or None if the target refuses it.
        bytes: The bytes of its tokens, joined; None if the target does not show them.
        decoded: The text that the ids are decoded to; None if there is none.
        error: The name of the exception with which encoding or decoding fails; "" if none does.

    """

    text: str
    ids: tuple[int, ...] | None
    bytes: bytes | None = None
    decoded: str | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Golden:
    """The rows of a golden file, and what its header says of the target."""

    rows: tuple[Row, ...]
    target: str
    tokharness: str = ""
    vocabulary: str | None = None
    n_vocab: int | None = None
    unicode_version: Mapping[str, str] = field(default_factory=dict)
    families: tuple[str, ...] = ()


def golden_text(golden: Golden) -> str:
    """Return the content of a golden file."""
    lines = "".join(f"{_line(_record(row))}\n" for row in golden.rows)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "count": len(golden.rows),
        "crc32": f"{zlib.crc32(lines.encode()):08x}",
        "target": golden.target,
        "vocabulary": golden.vocabulary,
        "n_vocab": golden.n_vocab,
        "unicode_version": dict(golden.unicode_version),
        "families": list(golden.families),
        "tokharness": golden.tokharness,
    }
    return f"{_line(header)}\n{lines}"


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":"))


def _record(row: Row) -> dict[str, Any]:
    return {
        "utf8": _utf8(row.text),
        "ids": None if row.ids is None else list(row.ids),
        "bytes": None if row.bytes is None else row.bytes.hex(),
        "decoded": None if row.decoded is None else row.decoded.encode(*WITH_SURROGATES).hex(),
        "error": row.error or None,
        "text": row.text,
    }


WITH_SURROGATES = ("utf-8", "surrogatepass")


def _utf8(text: str) -> str | None:
    """Return the text in UTF-8, in hex; None if a lone surrogate has no UTF-8."""
    try:
        return text.encode().hex()
    except UnicodeEncodeError:
        return None


def read_golden(path: Path) -> Golden:
    """Read a golden file.

    Raises:
        UsageError: it cannot be read, is no golden file, of another version, or damaged.

    """
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read the golden file {path}: {error.strerror}") from error
    first, _, rest = data.partition(b"\n")
    header = _object(first)
    if header.get("format") != FORMAT:
        raise UsageError(
            f"{path} is no golden file: write one with `tokharness golden TARGET --out FILE`"
        )
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        found = f"version {version}" if type(version) is int else "no version"
        raise UsageError(
            f"{path} has {shortened(found)} of the format, and this release of tokharness reads "
            f"version {VERSION}: write the file again"
        )
    if header.get("count") != rest.count(b"\n"):
        raise UsageError(f"{path} is damaged: its header has another number of texts")
    if header.get("crc32") != f"{zlib.crc32(rest):08x}":
        raise UsageError(f"{path} is damaged: its checksum is not that of its lines")
    try:
        rows = tuple(_row(_object(line)) for line in rest.removesuffix(b"\n").split(b"\n") if rest)
        return _golden(rows, header)
    except (KeyError, TypeError, ValueError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path} is damaged: {shortened(problem)}") from error


def _golden(rows: tuple[Row, ...], header: Mapping[str, Any]) -> Golden:
    versions, families = header["unicode_version"], header["families"]
    if not isinstance(versions, dict) or not isinstance(families, list):
        raise TypeError("its header has no Unicode versions or families")
    texts = (header["target"], header["tokharness"], *versions.values(), *families)
    own = [header["vocabulary"]] if header["vocabulary"] is not None else []
    size = header["n_vocab"]
    if not all(isinstance(one, str) for one in (*texts, *own)):
        raise TypeError("its header has a value that is not a text")
    if not (size is None or type(size) is int):
        raise TypeError("its header has a size of the vocabulary that is not a number")
    return Golden(
        rows,
        header["target"],
        header["tokharness"],
        header["vocabulary"],
        size,
        versions,
        tuple(families),
    )


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = parse_json(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _row(record: Mapping[str, Any]) -> Row:
    if set(record) != {*KEYS}:
        raise ValueError("a line has a key that no text has, or lacks one")
    text, ids = record["text"], record["ids"]
    is_list = isinstance(ids, list) and all(type(number) is int for number in ids)
    if not isinstance(text, str) or not (ids is None or is_list):
        raise TypeError("a line has no text, or ids that are no numbers")
    if record["utf8"] != _utf8(text):
        raise ValueError("a line has another text in UTF-8 than as text")
    error = record["error"]
    is_name = isinstance(error, str) and error.isidentifier() and len(error) <= LONGEST_NAME
    if not (error is None or is_name):
        raise TypeError("a line has an error that is no name")
    return Row(
        text,
        None if ids is None else tuple(ids),
        _hex(record, "bytes"),
        _decoded(record),
        error or "",
    )


def _hex(record: Mapping[str, Any], key: str) -> bytes | None:
    """Return the bytes of a key; None if it is null. Raises ValueError."""
    try:
        return None if record[key] is None else bytes.fromhex(record[key])
    except (TypeError, ValueError):
        raise ValueError(f"the {key} of a line are not in hex") from None


def _decoded(record: Mapping[str, Any]) -> str | None:
    data = _hex(record, "decoded")
    try:
        return None if data is None else data.decode(*WITH_SURROGATES)
    except UnicodeDecodeError:
        raise ValueError("the decoded text of a line is not UTF-8") from None


@dataclass(frozen=True, slots=True)
class Difference:
    """A text with another result than in a golden file.

    Attributes:
        aspect: ``ids``, ``decoded text``, ``token bytes`` or ``error``.
        golden: The row of the file.
        now: What the target makes of the text.
        cause: Why, as far as it is known; else where the results part.

    """

    aspect: str
    golden: Row
    now: Row
    cause: str


def difference(golden: Row, now: Row) -> Difference | None:
    """Return how a result differs; bytes that one side does not show are not compared.

    A lone surrogate is no Unicode text, which a target may refuse.
    """
    if (golden.ids is None) != (now.ids is None):
        if not is_scalar(golden.text):
            return None
        cause = f"it raises {now.error}" if now.ids is None else f"it raised {golden.error} before"
        return Difference("error", golden, now, cause)
    if golden.ids != now.ids:
        return Difference("ids", golden, now, _where(golden.ids or (), now.ids or ()))
    if golden.decoded != now.decoded:
        return Difference("decoded text", golden, now, _decoding(golden, now))
    both = None not in (golden.bytes, now.bytes)
    if both and golden.bytes != now.bytes:
        return Difference("token bytes", golden, now, "the same ids stand for other bytes")
    return None


def _decoding(golden: Row, now: Row) -> str:
    if now.decoded is None:
        return f"decoding the same ids raises {now.error}"
    if golden.decoded is None:
        return f"decoding the same ids raised {golden.error} before"
    return "the same ids are decoded to another text"


def _where(before: Sequence[int], after: Sequence[int]) -> str:
    place = next(
        (at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
        min(len(before), len(after)),
    )
    return f"the ids differ from token {place + 1} on"
