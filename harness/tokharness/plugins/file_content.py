"""What a file is that no adapter recognizes, seen from its first bytes, for an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokharness.json_content import parse_json
from tokharness.regular_files import open_file, read_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["content_of"]

HEAD = 1 << 16
MOST_JSON = 1 << 23
"""Bytes of a JSON file that are parsed to say what it is."""
MOST_HEADER = 1 << 26
"""Bytes of the header of a .safetensors file."""

MAX_KEYS = 4
MAGIC = (
    (b"\x1f\x8b", "data that gzip has packed (unpack it first)"),
    (b"BZh", "data that bzip2 has packed (unpack it first)"),
    (b"\xfd7zXZ\0", "data that xz has packed (unpack it first)"),
    (b"(\xb5/\xfd", "data that Zstandard has packed (unpack it first)"),
    (b"PK\x03\x04", "a zip archive, such as a checkpoint of PyTorch"),
    *((bytes([0x80, protocol]), "a pickle of Python objects") for protocol in range(2, 6)),
)


def content_of(path: Path) -> str:
    """Return what a file looks like, such as "a Jupyter notebook". Raises OSError."""
    with open_file(path) as file:
        head = file.read(HEAD)
    for magic, words in MAGIC:
        if head.startswith(magic):
            return words
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < MOST_HEADER:
        return "a .safetensors file, the weights of a model"
    text = head.decode("utf-8", "ignore").removeprefix("\ufeff").lstrip()
    if text[:1] in ("{", "["):
        return _json_content(path)
    if text[:15].lower().startswith(("<!doctype html", "<html")):
        return "a page of HTML, perhaps of a download that failed"
    if b"\0" in head or not _is_utf8(head):
        return "binary data of an unknown format"
    return "plain text"


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return len(head) == HEAD and error.start > HEAD - 4  # a character may be cut
    return True


def _json_content(path: Path) -> str:
    if path.stat().st_size > MOST_JSON:
        return "a large JSON file"
    try:
        value = parse_json(read_file(path, MOST_JSON))
    except json.JSONDecodeError as error:
        return f"JSON that is broken in line {error.lineno} ({error.msg})"
    except UnicodeDecodeError:
        return "JSON that is not UTF-8"
    except ValueError as error:
        return f"JSON that is not read, since {error}"
    if not isinstance(value, dict):
        return "a JSON list"
    if "nbformat" in value:
        return "a Jupyter notebook"
    named = ", ".join(map(repr, [*value][:MAX_KEYS])) or "none"
    more = f" and {len(value) - MAX_KEYS} more" if len(value) > MAX_KEYS else ""
    return f"a JSON object with the keys: {named}{more}"
