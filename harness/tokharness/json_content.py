"""The one way to parse JSON of a file that a user or another file names.

Parsed JSON takes up to 100 bytes of memory for each value, of which two bytes of a file may be one.
So the values are counted before they are made.
"""

from __future__ import annotations

import gc
import json
import re
from typing import Any

MOST_VALUES = 10_000_000
"""Values and keys of JSON that is parsed; the largest tokenizer.json in use has two million."""


def parse_json(data: bytes, most: int = MOST_VALUES, **options: Any) -> Any:
    """Parse JSON in UTF-8, 16 or 32; ``options`` are those of ``json.loads``.

    Raises:
        ValueError: it is not JSON or not Unicode, is nested too deep, has more than ``most``
            values, or needs too much memory; the message goes on from a name, as in
            "tokenizer.json is not JSON: ...".

    """
    _refuse_many(data, (b",", b":", b"[", b"{"), most)
    try:
        text = data.decode(json.detect_encoding(data), "surrogatepass")  # as json.loads does
    except UnicodeDecodeError as error:
        raise ValueError(not_unicode(error)) from error
    del data  # the bytes are not needed with the values
    return _parse(text, options)


def parse_json_text(text: str, most: int = MOST_VALUES, **options: Any) -> Any:
    """Parse JSON that is decoded; as :func:`parse_json`."""
    _refuse_many(text, (",", ":", "[", "{"), most)
    return _parse(text, options)


def parse_json_row(text: str, most: int) -> Any:
    """Parse a line of JSON lines whose texts are wanted; as :func:`parse_json_text`.

    Commas and brackets inside texts count as no values, and an integer with more digits than Python
    reads is a number without end: it is no reason to lose the row.
    """
    try:
        _refuse_many(text, (",", ":", "[", "{"), most)
    except ValueError:
        _refuse_many(_TEXT.sub("", text), (",", ":", "[", "{"), most)
    try:
        return _parse(text, {})
    except LongIntegerError:
        return _parse(text, {"parse_int": float})


_TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
"""A text in JSON; without its end, which it need not have, a search would be quadratic."""


class LongIntegerError(ValueError):
    """JSON has an integer with more digits than Python reads."""


def not_unicode(error: UnicodeDecodeError) -> str:
    """Say from which byte on a file has no Unicode; goes on from a name."""
    return f"it is not {error.encoding.upper()} from byte {error.start:,} on"


def _refuse_many(content: Any, signs: tuple[Any, ...], most: int) -> None:
    """Raise ValueError for too many values; ``content`` and ``signs`` are bytes, or texts."""
    if len(content) > most:
        # Each value but the first follows one of these; those inside texts count, too.
        values = sum(map(content.count, signs))
        if values > most:
            raise ValueError(f"it has {values:,} values, more than {most:,}")


def _parse(text: str, options: dict[str, Any]) -> Any:
    collects = gc.isenabled()
    gc.disable()  # parsed JSON has no cycles; the collector takes more time than the parser
    try:
        return json.loads(text, **options)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    except ValueError as error:
        if str(error).startswith("Exceeds the limit"):  # Python's, for integers
            raise LongIntegerError("it has a number of more than 4,300 digits") from error
        raise
    except MemoryError as error:
        raise ValueError("its values need more memory than this process may have") from error
    finally:
        if collects:
            gc.enable()
