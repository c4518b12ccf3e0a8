"""Read a baseline file; what is wrong with it is told in a sentence."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

from tokharness.baseline import SCHEMA_VERSION, Acceptance, Baseline, Run
from tokharness.errors import UsageError
from tokharness.processes.wire import from_ascii_line
from tokharness.snapshot import Fingerprint, Golden, ids_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["DamagedBaselineError", "read"]


class DamagedBaselineError(UsageError):
    """The file is there, and is no baseline any more."""


AGAIN = "restore it, or write it again with `tokharness baseline`"


def read(path: Path, name: str | None = None) -> Baseline:
    """Read the baseline of this name, or of any.

    Raises:
        UsageError: there is none, it is another's, of a newer schema, cut off, or makes no sense.

    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"there is no baseline {path}: write one with `tokharness baseline`"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from error
    try:
        record = from_ascii_line(data.decode("ascii"))
    except json.JSONDecodeError as error:
        raise DamagedBaselineError(
            f"{path} is no baseline, or is damaged in line {error.lineno}: {AGAIN}"
        ) from error
    except ValueError as error:
        raise DamagedBaselineError(f"{path} is no baseline: it is not ASCII; {AGAIN}") from error
    schema = record.get("schema_version") if isinstance(record, dict) else None
    if type(schema) is not int:
        raise DamagedBaselineError(f"{path} is no baseline: it has no schema_version; {AGAIN}")
    if schema > SCHEMA_VERSION:
        raise UsageError(
            f"{path} has the schema {schema} of a newer tokharness, and this one reads up to "
            f"{SCHEMA_VERSION}: upgrade tokharness"
        )
    try:
        baseline = _baseline(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        wrong = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise DamagedBaselineError(
            f"{path} makes no sense as a baseline: {wrong}; {AGAIN}"
        ) from error
    if name is not None and baseline.name != name:
        raise UsageError(
            f"{path} is the baseline of {baseline.name!r}, not of {name!r}: give the right file, "
            f"or say --name {baseline.name} if this target stands in its place"
        )
    return baseline


def _baseline(record: dict[str, Any]) -> Baseline:
    run = _of(record, "run", dict)
    lists = {key: tuple(_of(run, key, list)) for key in ("select", "ignore", "families")}
    special = {text: _is(number, int) for text, number in _pairs(record, "special_tokens")}
    return Baseline(
        name=_of(record, "name", str),
        spec=_of(record, "target", str),
        against=_of(record, "against", str, None),
        run=Run(
            _of(run, "profile", str),
            _of(run, "seed", int),
            _of(run, "examples", int, None),
            **lists,
        ),
        versions=_of(record, "versions", dict),
        fingerprint=Fingerprint(**_of(record, "fingerprint", dict), special_tokens=special),
        capabilities=_strings(record, "capabilities"),
        checks=_strings(record, "checks"),
        skips={what: _is(reason, str) for what, reason in _pairs(record, "skips")},
        golden=tuple(map(_golden, _of(record, "golden", list))),
        metrics={name: _is(value, int, float) for name, value in _pairs(record, "metrics")},
        facts={what: _is(message, str) for what, message in _pairs(record, "facts")},
        accepted=tuple(map(_acceptance, _of(record, "accepted", list))),
    )


def _golden(row: Any) -> Golden:
    group, text, ids = row
    if not isinstance(ids, str) and not all(type(number) is int for number in ids):
        raise ValueError(f"the ids of the golden text {text!r} are no integers")
    return Golden(_is(group, str), _is(text, str), ids_of(ids))


def _acceptance(row: Any) -> Acceptance:
    words = ("fingerprint", "kind", "what", "reason")
    expires = _of(row, "expires", str, None)
    if not _of(row, "reason", str).strip():
        raise ValueError(f"the acceptance {_of(row, 'fingerprint', str)} has no reason")
    return Acceptance(
        **{key: _of(row, key, str) for key in words},
        verdict=_of(row, "verdict", str, None),
        first_seen=dt.date.fromisoformat(_of(row, "first_seen", str)),
        expires=None if expires is None else dt.date.fromisoformat(expires),
    )


def _of(record: Any, key: str, *kinds: type | None) -> Any:
    return _is(_is(record, dict)[key], *kinds, what=key)


def _is(value: Any, *kinds: type | None, what: str = "") -> Any:
    if (value is None and None in kinds) or (
        isinstance(value, tuple(kind for kind in kinds if kind)) and not isinstance(value, bool)
    ):
        return value
    wanted = " or ".join("null" if kind is None else kind.__name__ for kind in kinds)
    shown = json.dumps(value)[:40]
    raise TypeError(f"{f'{what} is ' if what else ''}{shown}, where {wanted} is expected")


def _pairs(record: dict[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    for row in _of(record, key, list):
        name, value = _is(row, list, what=f"an entry of {key}")
        yield _is(name, str), value


def _strings(record: dict[str, Any], key: str) -> tuple[str, ...]:
    return tuple(_is(one, str, what=f"an entry of {key}") for one in _of(record, key, list))
