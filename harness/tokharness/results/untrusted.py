"""Files that a stranger may have made: bounds of size and depth, and validation by JSON Schema."""

from __future__ import annotations

import errno
import json
import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import UsageError
from tokharness.regular_files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema.protocols import Validator

SCHEMAS = Path(__file__).parents[1] / "schemas"

MAX_BYTES = 1 << 28
"""Bytes of a report or a baseline; a report has a few megabytes."""

MAX_DEPTH = 32
"""Lists and objects in each other; a report has ten."""

MAX_SHOWN = 200
"""Most characters of a validation error, which quotes the value."""


def read_bounded(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        OSError: the file cannot be read.
        UsageError: the file is longer than :data:`MAX_BYTES`, after which reading stops.

    """
    try:
        return read_file(path, MAX_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise UsageError(
                f"{path} is longer than {MAX_BYTES >> 20} MB: pass a file of tokharness"
            ) from None
        raise


def refuse_deep(value: Any) -> None:
    """Raise ValueError if plain data is nested deeper than :data:`MAX_DEPTH`."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise ValueError(f"it has more than {MAX_DEPTH} lists and objects in each other")


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of this name, such as ``report``."""
    text = (SCHEMAS / f"{name}.json").read_text(encoding="utf-8")
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def refuse_invalid(record: Any, name: str, definition: str = "") -> None:
    """Raise ValueError, with the place of the wrong value, if a record does not meet a schema.

    ``definition`` is the name of one of the schema's ``$defs``, if not the whole schema is meant.
    """
    from jsonschema.exceptions import best_match

    for error in _validator(name, definition).iter_errors(record):
        cause = best_match([error]) or error  # of several alternatives, the one that is meant
        raise ValueError(f"{shortened(cause.json_path)}: {shortened(cause.message)}")


@cache
def _validator(name: str, definition: str) -> Validator:
    from jsonschema import Draft202012Validator, validators
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    # JSON Schema takes 1.0 for an integer, and Python's "$" matches before a last line feed.
    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: type(value) is int,
            "number": lambda _, value: type(value) is int or _is_finite(value),
        }
    )
    keywords = {"pattern": _pattern, "sameLength": _same_length}
    strict = validators.extend(Draft202012Validator, keywords, type_checker=types)
    registry = Registry().with_resources(
        (path.name, DRAFT202012.create_resource(_without_draft(schema(path.stem))))
        for path in SCHEMAS.glob("*.json")
    )
    reference = f"{name}.json#/$defs/{definition}" if definition else f"{name}.json"
    validator: Validator = strict({"$ref": reference}, registry=registry)
    return validator


def _without_draft(of: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without the name of its draft, whose validator would otherwise be used."""
    return {key: value for key, value in of.items() if key != "$schema"}


def _is_finite(value: Any) -> bool:
    return type(value) is float and math.isfinite(value)


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[Exception]:
    from jsonschema import ValidationError

    if isinstance(value, str) and not _compiled(pattern).search(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _same_length(_: Any, keys: list[str], value: Any, __: Any) -> Iterator[Exception]:
    """Check our own keyword for lists of an object whose items belong together."""
    from jsonschema import ValidationError

    lists = [value.get(key) for key in keys] if isinstance(value, dict) else []
    if len({len(one) for one in lists if isinstance(one, list)}) > 1:
        yield ValidationError(f"{' and '.join(keys)} differ in length")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("$", r"\Z"))


def shortened(message: str) -> str:
    """Return the start and the end of a message that quotes a value of a file."""
    half = MAX_SHOWN // 2
    return message if len(message) <= MAX_SHOWN else f"{message[:half]}...{message[-half:]}"
