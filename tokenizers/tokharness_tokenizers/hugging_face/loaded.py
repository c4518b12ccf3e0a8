"""What the library has loaded, compared with what the file says, stage by stage.

The library writes what it has loaded as JSON (``to_str``). Both are described in one form, in which
defaults that are left out make no difference. Of a file that it refuses, the library is asked for
the part and the field.

The Unicode versions of the stages are the release's.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.descriptions import tokenizer_json
from tokharness_tokenizers.reference.tokenizer_json import fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

COMPONENTS = ("normalizer", "pre-tokenizer", "model", "post-processor", "decoder")
LENGTHS = ("truncation", "padding")
ADDED = "added tokens"
MAX_MISSING = 3
"""Most missing fields that a message names."""
NOTHING = "none"
"""What stands for a field or a stage that one side does not have."""

EMPTY_MODEL = {"type": "BPE", "vocab": {}, "merges": []}
PARTS: dict[str, Any] = {
    **dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder")),
    **dict.fromkeys(("truncation", "padding")),
    "added_tokens": [],
    "model": EMPTY_MODEL,
}
"""The parts of a file, each with a content that the library reads."""

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
            tokenizer_json.describe_record(_without_tables(one), tokenizer_json.FORMAT).stages
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


def _without_tables(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of a file without its tokens, which take long to describe.

    The pieces of Unigram stay, since its settings name one of them.
    """
    model = record["model"]
    tables: dict[str, Any] = {"merges": []} if "merges" in model else {}
    if isinstance(model.get("vocab"), dict):
        tables["vocab"] = {}
    return {**record, "model": {**model, **tables}}


def _settings(stage: str, *sides: Mapping[str, Any]) -> list[Any]:
    """Return the settings of a stage on both sides; of added tokens by text, without ids."""
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


def refused_part(record: Any, is_read: Callable[[Mapping[str, Any]], bool]) -> str:
    """Return in a few words which part of a file the library refuses, "" if it is not known.

    ``is_read`` tries a record with the library. A part is the reason if the library reads the file
    without it, and a missing field if the library reads the part with it and not without it.
    """
    if not isinstance(record, dict):
        return ""
    others = {**record, "model": EMPTY_MODEL}
    if is_read(others):
        others, parts = record, ["model"]
    else:
        parts = [part for part in PARTS if is_read({**others, part: PARTS[part]})]
    if len(parts) != 1:
        return ""
    (part,) = parts
    try:
        described = tokenizer_json.describe_record(record, tokenizer_json.FORMAT)
        whole = tokenizer_json.record_of(described)[part]
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"in {part}"
    if not is_read({**others, part: whole}):
        return f"in {part}"
    missing = [
        f"{key} of {place}" if place else key
        for place, key, without in _lacking(record[part], whole)
        if not is_read({**others, part: without})
    ]
    return f"in {part}" + (f", which lacks {', '.join(missing[:MAX_MISSING])}" if missing else "")


def _lacking(given: Any, whole: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield each field that only ``whole`` has, with its component, and ``whole`` without it."""
    if isinstance(given, dict) and isinstance(whole, dict):
        for key, value in whole.items():
            if key not in given:
                place = whole.get("type") or whole.get("content") or ""
                yield place, key, {name: one for name, one in whole.items() if name != key}
            else:
                for place, name, without in _lacking(given[key], value):
                    yield place, name, {**whole, key: without}
    elif isinstance(given, list) and isinstance(whole, list) and len(given) == len(whole):
        for at, (one, other) in enumerate(zip(given, whole, strict=True)):
            for place, name, without in _lacking(one, other):
                yield place, name, [*whole[:at], without, *whole[at + 1 :]]


# The Unicode versions of the tables in releases of ``tokenizers``, as measured.
#
# Each was found by a sweep of all scalar values. A run checks from outside what the texts of a
# vocabulary show; these versions count where they show nothing.

RELEASE_0_20: Final = {
    fields.FORMS: "9.0",
    fields.MARKS: "9.0",
    fields.CATEGORIES: "8.0",
    fields.CLUSTERS: "16.0",
    fields.CASE: "15.1",
    fields.SPLIT: "14.0",
    fields.WHITESPACE: "16.0",
    fields.PUNCTUATION: "8.0",
    fields.NUMBERS: "15.1",
    fields.SCRIPTS: "9.0",
    fields.WORDS: "16.0",
}
RELEASE_0_23: Final = {
    **RELEASE_0_20,
    fields.CLUSTERS: "17.0",
    fields.CASE: "17.0",
    fields.SPLIT: "16.0",
    fields.NUMBERS: "17.0",
}
RELEASE_1_0: Final = {
    **RELEASE_0_23,
    fields.FORMS: "17.0",
    fields.SPLIT: "17.0",
    fields.WHITESPACE: "17.0",
    fields.PUNCTUATION: "17.0",
    fields.WORDS: "17.0",
}


def stage_versions(release: str = "") -> dict[str, str]:
    """Return the versions of a release, or of the one before it that was measured.

    Without a release they are those of the installed one.
    """
    major, minor = (int(part) for part in (release or version("tokenizers")).split(".")[:2])
    if major >= 1:
        return RELEASE_1_0
    return RELEASE_0_20 if minor < 23 else RELEASE_0_23
