"""The texts of the files of a corpus: pieces of a text, or JSON lines.

A file is read in pieces, so that it need not fit into memory. A piece ends before a space that
follows another character than white space: there the known patterns cut whatever stands around.
"""

from __future__ import annotations

import codecs
import json
import re
from itertools import chain
from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["json_texts", "text_pieces"]

_BORDER = re.compile(r"(?s:.*)\S(?= )")


def text_pieces(blocks: Iterable[bytes], where: str) -> Iterator[str]:
    """Decode the blocks of a UTF-8 file into pieces of about their size; ``where`` is its name.

    A byte order mark at the start is left out. Raises UsageError for what is not UTF-8.
    """
    kept: list[str] = []
    for text in _decoded(blocks, where):
        border = _BORDER.match(text)
        if border is None:
            kept.append(text)
            continue
        yield "".join([*kept, border[0]])
        kept = [text[border.end() :]]
    if rest := "".join(kept):
        yield rest


def json_texts(lines: Iterable[bytes], where: str, text_key: str) -> Iterator[str]:
    """Read the texts of JSON lines: strings, or objects that have one under ``text_key``.

    Empty lines are skipped. Raises UsageError, with its number, for a line that is neither.
    """
    at = 0
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode().removeprefix("\ufeff" if number == 1 else "")
        except UnicodeDecodeError as error:
            raise UsageError(_not_utf8(f"{where}:{number}", error, at)) from error
        at += len(line)
        if text.strip():
            yield _json_text(text, f"{where}:{number}", text_key)


def _json_text(line: str, where: str, text_key: str) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        # Its own text says "line 1", which it is of what it was given.
        told = getattr(error, "msg", error)
        raise UsageError(f"{where} is not JSON: {told}") from error
    if isinstance(value, dict):
        if text_key not in value:
            keys = ", ".join(map(repr, [*value][:9])) or "none"
            raise UsageError(
                f"{where} has no key {text_key!r}; it has {keys}: name one with --text-key"
            )
        value = value[text_key]
        where = f"{text_key!r} of {where}"
    if not isinstance(value, str):
        raise UsageError(f"{where} is no JSON string, but {json.dumps(value)[:60]}")
    return value


def _decoded(blocks: Iterable[bytes], where: str) -> Iterator[str]:
    """Decode UTF-8, without a byte order mark at the start."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    at = 0
    for block in chain(blocks, [b""]):
        kept, _ = decoder.getstate()
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            raise UsageError(_not_utf8(where, error, at - len(kept))) from error
        yield text if at else text.removeprefix("\ufeff")
        at += len(block)


def _not_utf8(where: str, error: UnicodeDecodeError, at: int) -> str:
    byte = error.object[error.start]
    return (
        f"{where} is not UTF-8: there is a byte 0x{byte:02X} at offset {at + error.start}; "
        "convert the file, or leave it out"
    )
