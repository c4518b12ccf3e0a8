"""What the library has loaded, compared with what the file says, stage by stage.

The library writes what it has loaded as JSON (``to_str``). Both are described in one form, in which
defaults that are left out make no difference.
"""

from __future__ import annotations

import json
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.descriptions import tokenizer_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

COMPONENTS = ("normalizer", "pre-tokenizer", "model", "post-processor", "decoder")
LENGTHS = ("truncation", "padding")
ADDED = "added tokens"
NOTHING = "none"
"""What stands for a field or a stage that one side does not have."""

Row = tuple[str, str, str, str]
"""The stage, the path of a field in it, what the file has there, and what is loaded."""


def load_differences(
    record: Mapping[str, Any],
    loaded: str,
    most: int,
    stages: Sequence[str] = (*COMPONENTS, *LENGTHS),
) -> list[Row]:
    """Return so many differences at most between a file and what the library has loaded.

    ``record`` is the JSON of the file and ``loaded`` that of the library. Of added tokens that both
    have the flags are compared, not the ids. Nothing is returned for a file with a component that
    we do not know.
    """
    try:
        written, own = (
            tokenizer_json.describe_record(one, tokenizer_json.FORMAT).stages
            for one in (record, json.loads(loaded))
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
    rows = (
        (stage, path, _shown(one), _shown(other))
        for stage in (*stages, ADDED)
        for path, one, other in _differing(*_settings(stage, written, own))
    )
    return list(islice(rows, most))


def _settings(stage: str, *sides: Mapping[str, Any]) -> list[Any]:
    """Return the settings of a stage on both sides; those of added tokens by text, without ids."""
    if stage != ADDED:
        return [side[stage] for side in sides]
    rows = [{row["text"]: {**row, "id": None} for row in side[ADDED]} for side in sides]
    shared = set(rows[0]).intersection(*rows)
    return [{text: row for text, row in side.items() if text in shared} for side in rows]


def _differing(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each value that differs, with both; of another type nothing else."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.get("type") != other.get("type"):
            yield f"{path}type", one.get("type"), other.get("type")
            return
        for key in [*one, *(key for key in other if key not in one)]:
            yield from _differing(one.get(key), other.get(key), f"{path}{key}.")
    elif isinstance(one, list) and isinstance(other, list):
        for at, (left, right) in enumerate(zip_longest(one, other)):
            yield from _differing(left, right, f"{path}{at}.")
    elif one != other:
        yield path.removesuffix(".") or "type", _kind(one), _kind(other)


def _kind(value: Any) -> Any:
    """Return the type of a whole component, or any other value."""
    return value.get("type", value) if isinstance(value, dict) else value


def _shown(value: Any) -> str:
    return NOTHING if value is None else json.dumps(value)[:60]
