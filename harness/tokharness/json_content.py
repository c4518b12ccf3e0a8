"""The one way to parse JSON of a file that a user or another file names.

Parsed JSON takes up to 100 bytes of memory for each value, of which two bytes of a file may be one.
So the values are counted before they are made.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["MOST_VALUES", "parse_json"]

MOST_VALUES = 10_000_000
"""Values and keys of JSON that is parsed; the largest tokenizer.json in use has two million."""


def parse_json(data: bytes, **options: Any) -> Any:
    """Parse JSON; ``options`` are those of ``json.loads``.

    Raises:
        ValueError: it is not JSON or not UTF-8, is nested too deep, or has too many values; the
            message goes on from a name, as in "tokenizer.json is not JSON: ...".

    """
    if len(data) > MOST_VALUES:
        # Each value but the first follows one of these; those inside texts count, too.
        values = sum(map(data.count, (b",", b":", b"[", b"{")))
        if values > MOST_VALUES:
            raise ValueError(f"it has {values:,} values, more than {MOST_VALUES:,}")
    try:
        text = data.decode(json.detect_encoding(data), "surrogatepass")  # as json.loads does
        del data  # the bytes are not needed with the values
        return json.loads(text, **options)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
