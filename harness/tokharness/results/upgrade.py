"""Upgrade of the JSON of reports that older releases wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from tokharness.changes import RENAMED_KINDS

Renames: TypeAlias = Mapping[str, "tuple[str, Renames]"]
"""New name of each key that has one, and the renames inside its value or each of its items."""

_SPEC: Renames = {"target": ("spec", {})}
_COST: Renames = {"same": ("lossless", {}), "kept": ("single_token_words", {})}
_ENCODING: Renames = {"back": ("decoded_if_different", {})}
_LABELLED: Renames = {**_ENCODING, "why": ("label", {})}
_TESTED: Renames = {"tried": ("tested", {})}

_MEASURES: Renames = {
    "code": ("code", _COST),
    "coverage": ("coverage", _TESTED),
    "invisible": ("invisible", _LABELLED),
    "languages": ("languages", {**_COST, "english": ("english_tokens", {})}),
    "leading_space": ("leading_space", {"before": ("encodings", _ENCODING)}),
    "numbers": ("numbers", {"encodings": ("encodings", _ENCODING)}),
    "prose": ("prose", _COST),
    "special_tokens": (
        "special_tokens",
        {
            "families": ("families", _TESTED),
            "kinds": ("kinds", _TESTED),
            "astray": ("not_read_as_text", {}),
        },
    ),
    "texts": ("texts", {**_ENCODING, "reference": ("reference", _ENCODING)}),
    "throughput": (
        "throughput",
        {key: (f"{key}_mb_per_second", {}) for key in ("encode", "decode", "reference")},
    ),
    "vocabulary": (
        "vocabulary",
        {"special": ("special_tokens", {}), "lengths": ("byte_lengths", {})},
    ),
    "white_space": ("white_space", _LABELLED),
}

_CAMPAIGN: Renames = {
    **_SPEC,
    "first": ("first_round", {}),
    "end": ("end_round", {}),
    "reached": ("features", {}),
    "remembered": ("initial_corpus", {}),
    "kept": ("resumable", {}),
    "sighted": ("discovered", {}),
}

_CHANGE: dict[str, tuple[str, Renames]] = {"changed": ("changed_texts", {})}
_CHANGE["with_it"] = ("related", _CHANGE)

_REPORT: Renames = {
    "not_reached": ("not_run", {}),
    "targets": (
        "targets",
        {**_SPEC, "campaign": ("campaign", _CAMPAIGN), "measures": ("measures", _MEASURES)},
    ),
    "findings": (
        "findings",
        {**_SPEC, "parameters": ("cause_parameters", {}), "also": ("other_checks", {})},
    ),
    "skips": ("skips", _SPEC),
    "timings": ("timings", {**_SPEC, "seconds_observing": ("tokenizer_seconds", {})}),
    "judgement": (
        "gate",
        {"golden": ("golden_texts", {}), "changes": ("changes", _CHANGE)},
    ),
    "places": ("locations", {}),
    "width": ("embedding_width", {}),
    "comparison": (
        "comparison",
        {"targets": ("specs", {}), "width": ("embedding_width", {})},
    ),
}


_FACT = {"by design": "fact"}
_SUMMARY = {"summary": _FACT}
_KIND: dict[str, Any] = {"kind": RENAMED_KINDS}
_KIND["related"] = _KIND

_VALUES: Mapping[str, Any] = {
    **_SUMMARY,
    "targets": _SUMMARY,
    "findings": {"verdict": _FACT},
    "gate": {"changes": _KIND},
}
"""New value of each string that has one, and of each key of a summary."""


def upgrade(record: Any) -> Any:
    """Return the record of a report with the keys and values of the current schema version.

    Keys are renamed in a record of version 1, and values also in one of version 2, which early
    builds wrote. The record may be malformed: it is validated afterwards.
    """
    if not isinstance(record, dict) or record.get("schema_version") not in (1, 2):
        return record
    if record["schema_version"] == 1:
        record = {**_rename(record, _REPORT), "schema_version": 2}
    return _replace(record, _VALUES)


def _replace(value: Any, new: Mapping[str, Any]) -> Any:
    """Replace strings and keys of an object, or of each object of a list."""
    if isinstance(value, list):
        return [_replace(item, new) for item in value]
    if isinstance(value, str):
        return new[value] if isinstance(new.get(value), str) else value
    if not isinstance(value, dict):
        return value
    replaced = {}
    for key, item in value.items():
        inner = new.get(key)
        name = inner if isinstance(inner, str) else key
        replaced[name] = _replace(item, inner) if isinstance(inner, dict) else item
    return replaced


def _rename(value: Any, renames: Renames) -> Any:
    """Rename the keys of an object, or of each object of a list."""
    if not renames:
        return value
    if isinstance(value, list):
        return [_rename(item, renames) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {}
    for key, item in value.items():
        name, inner = renames.get(key, (key, {}))
        renamed[name] = _rename(item, inner)
    return renamed
