"""Read a baseline file; what is wrong with it is told in a sentence."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.baseline import SCHEMA_VERSION, Acceptance, Baseline, RunOptions
from tokharness.baseline.writing import digest, baseline_text
from tokharness.config import PROFILES
from tokharness.errors import UsageError
from tokharness.targets.processes.json_lines import from_ascii_line
from tokharness.targets.snapshot import Fingerprint, Golden, ids_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["read"]

AGAIN = "restore it, or delete it and write it again with `tokharness baseline`"


def read(path: Path, name: str | None = None) -> Baseline:
    """Read the baseline of this name, or of any.

    Raises:
        UsageError: there is none, it is another's, of a newer schema, cut off, or makes no sense.

    """
    record = _record(path)
    schema = record.get("schema_version") if isinstance(record, dict) else None
    if type(schema) is not int or schema < 1:
        raise UsageError(f"{path} is no baseline: it has no schema_version; {AGAIN}")
    if schema > SCHEMA_VERSION:
        raise UsageError(
            f"{path} has the schema {schema} of a newer tokharness, and this one reads up to "
            f"{SCHEMA_VERSION}: upgrade tokharness"
        )
    try:
        baseline = _baseline(record)
        _refuse_edited(record, baseline)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        wrong = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path} makes no sense as a baseline: {wrong}; {AGAIN}") from error
    if name is not None and baseline.name != name:
        raise UsageError(
            f"{path} is the baseline of {baseline.name!r}, not of {name!r}: give the right file, "
            f"or say --name {baseline.name} if this target stands in its place"
        )
    return baseline


def _record(path: Path) -> Any:
    """Read the JSON of the file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"there is no baseline {path}: write one with `tokharness baseline`"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from error
    try:
        return from_ascii_line(data.decode("ascii"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no baseline: it is not ASCII; {AGAIN}") from error
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{path} is no baseline, or is damaged in line {error.lineno}: {AGAIN}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no baseline: {error}; {AGAIN}") from error


def _baseline(record: dict[str, Any]) -> Baseline:
    return Baseline(
        name=_of(record, "name", str),
        spec=_of(record, "target", str),
        against=_of(record, "against", str, None),
        run=_run(_of(record, "run", dict)),
        versions={
            what: _is(one, str, what=what) for what, one in _of(record, "versions", dict).items()
        },
        fingerprint=_fingerprint(record),
        capabilities=_strings(record, "capabilities"),
        checks=_strings(record, "checks"),
        skips={what: _is(reason, str) for what, reason in _pairs(record, "skips")},
        golden=_all_golden(_of(record, "golden", list)),
        entries=tuple(map(_golden, _of(record, "entry_points", list))),
        metrics={name: _metric(name, value) for name, value in _pairs(record, "metrics")},
        facts={what: _is(message, str) for what, message in _pairs(record, "facts")},
        accepted=_all_accepted(_of(record, "accepted", list)),
    )


def _refuse_edited(record: dict[str, Any], baseline: Baseline) -> None:
    """Raise ValueError where lines were taken out, added or changed beside what is accepted."""
    known = from_ascii_line(baseline_text(baseline)).keys()
    if unknown := sorted(record.keys() - known):
        raise ValueError(f"nothing in it is called {json.dumps(unknown[0])[:40]}")
    if _of(record, "digest", str) != digest(baseline):
        raise ValueError("it was edited beside what is accepted, so that its digest is another's")


def _run(record: dict[str, Any]) -> RunOptions:
    profile, examples = _of(record, "profile", str), _of(record, "examples", int, None)
    if profile not in PROFILES:
        raise ValueError(f"no profile is called {profile!r}")
    if examples is not None and examples < 0:
        raise ValueError(f"{examples} examples are asked for")
    return RunOptions(
        profile,
        _of(record, "seed", int),
        examples,
        **{key: _strings(record, key) for key in ("select", "ignore", "families")},
    )


def _fingerprint(record: dict[str, Any]) -> Fingerprint:
    fingerprint = _of(record, "fingerprint", dict)
    words = ("vocabulary", "pattern", "unicode_version", "normalizer", "normalizer_version")
    return Fingerprint(
        **{key: _of(fingerprint, key, str, None) for key in words},
        n_vocab=_of(fingerprint, "n_vocab", int, None),
        special_tokens={
            text: _is(number, int) for text, number in _pairs(record, "special_tokens")
        },
    )


def _metric(name: str, value: Any) -> float:
    metric: float = _is(value, int, float, what=name)
    if not 0 <= float(metric) < math.inf:
        raise ValueError(f"the metric {name} is {value}")
    return metric


def _all_golden(rows: list[Any]) -> tuple[Golden, ...]:
    golden = tuple(map(_golden, rows))
    if not golden:
        raise ValueError("there are no golden texts")
    _once("golden", (one.text for one in golden))
    return golden


def _golden(row: Any) -> Golden:
    group, text, ids = _is(row, list, what="a golden text")
    if not isinstance(ids, str) and not all(type(one) is int for one in _is(ids, list)):
        raise ValueError(f"the ids of the golden text {json.dumps(text)[:40]} are no integers")
    return Golden(_is(group, str), _is(text, str), ids_of(ids))


def _all_accepted(rows: list[Any]) -> tuple[Acceptance, ...]:
    accepted = tuple(map(_acceptance, rows))
    _once("accepted", (one.fingerprint for one in accepted))
    return accepted


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


def _pairs(record: dict[str, Any], key: str) -> list[tuple[str, Any]]:
    rows = [_is(row, list, what=f"an entry of {key}") for row in _of(record, key, list)]
    found = [(_is(name, str), value) for name, value in rows]
    _once(key, (name for name, _ in found))
    return found


def _once(key: str, names: Iterable[str]) -> None:
    """Raise ValueError if a name is there twice: which of the two counts cannot be known."""
    for name, times in Counter(names).most_common(1):
        if times > 1:
            raise ValueError(f"{key} has {json.dumps(name)[:40]} {times} times")


def _strings(record: dict[str, Any], key: str) -> tuple[str, ...]:
    return tuple(_is(one, str, what=f"an entry of {key}") for one in _of(record, key, list))
