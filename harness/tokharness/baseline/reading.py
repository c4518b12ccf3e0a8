"""Read and validate a baseline file."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.baseline import SCHEMA_VERSION, Acceptance, Baseline, RunOptions
from tokharness.baseline.writing import keys_and_digest
from tokharness.config import PROFILES
from tokharness.errors import UsageError
from tokharness.model import Verdict
from tokharness.plugins.kinds import CODE, NAME
from tokharness.results.untrusted import read_bounded, refuse_deep, shortened
from tokharness.targets.comparison import check_answers
from tokharness.targets.packed_digests import unpack
from tokharness.targets.processes.json_lines import from_ascii_line
from tokharness.targets.snapshot import FileState, Fingerprint, Golden, TemplateState, ids_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FINGERPRINT = re.compile("[0-9a-f]{16}")
FIX = "restore it, or delete it and write it again with `tokharness baseline`"


def read(path: Path, name: str | None = None) -> Baseline:
    """Read a baseline, which must have this name if one is given.

    Raises:
        UsageError: the file is missing, truncated or invalid, has a newer schema or another name.

    """
    record = _record(path)
    schema = record.get("schema_version") if isinstance(record, dict) else None
    if type(schema) is not int or schema < 1:
        raise UsageError(f"{path} is not a baseline: it has no schema_version; {FIX}")
    if schema < SCHEMA_VERSION:
        raise UsageError(
            f"{path} has schema version {schema}, which knows nothing of merges and patterns: "
            "write it again with `tokharness baseline`"
        )
    if schema > SCHEMA_VERSION:
        raise UsageError(
            f"{path} has schema version {schema} of a newer tokharness, and this one reads "
            f"version {SCHEMA_VERSION}: upgrade tokharness"
        )
    try:
        baseline = _baseline(record)
        _check_digest(record, baseline)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path} is not a valid baseline: {shortened(problem)}; {FIX}") from error
    if name is not None and baseline.name != name:
        own = shortened(baseline.name)
        raise UsageError(
            f"{path} is the baseline of {own!r}, not of {name!r}: pass the right file, "
            f"or --name {own} if this target replaces it"
        )
    return baseline


def _record(path: Path) -> Any:
    """Parse the JSON of the file."""
    try:
        data = read_bounded(path)
    except FileNotFoundError:
        raise UsageError(
            f"there is no baseline {path}: write one with `tokharness baseline`"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from error
    try:
        record = from_ascii_line(data.decode("ascii"))
        refuse_deep(record)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a baseline: it is not ASCII; {FIX}") from error
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{path} is not a baseline, or is damaged in line {error.lineno}: {FIX}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a baseline: {error}; {FIX}") from error
    return record


def _baseline(record: dict[str, Any]) -> Baseline:
    return Baseline(
        name=_value(record, "name", str),
        spec=_value(record, "target", str),
        against=_value(record, "against", str, None),
        run=_run(_value(record, "run", dict)),
        versions={
            name: _typed(version, str, what=name)
            for name, version in _value(record, "versions", dict).items()
        },
        fingerprint=_fingerprint(record),
        capabilities=_strings(record, "capabilities"),
        checks=tuple(_matching(CODE, code, "the code") for code in _strings(record, "checks")),
        skips={what: _typed(reason, str) for what, reason in _pairs(record, "skips")},
        golden=_all_golden(_value(record, "golden", list)),
        entries=tuple(map(_golden, _value(record, "entry_points", list))),
        file=_file(_value(record, "file", dict, None)),
        bodies=dict(_body(row) for row in _value(record, "bodies", list)),
        metrics={name: _metric(name, value) for name, value in _pairs(record, "metrics")},
        facts={what: _typed(message, str) for what, message in _pairs(record, "facts")},
        comparison=_comparison(record),
        digests=_all_digests(record),
        answers=_all_answers(record),
        templates=_all_templates(record),
        accepted=_all_accepted(_value(record, "accepted", list)),
    )


def _comparison(record: dict[str, Any]) -> str:
    if not {"digests", "answers"} & record.keys():
        return ""
    comparison: str = _value(record, "comparison", str)
    return comparison and _matching(FINGERPRINT, comparison, "comparison")


def _all_templates(record: dict[str, Any]) -> tuple[TemplateState, ...]:
    if "templates" not in record:  # of an earlier release, or of a target without a template
        return ()
    renderings: dict[str, dict[str, tuple[str, str]]] = {}
    for row in _value(record, "renderings", list):
        name, shape, one, other = _row(row, 4, "an entry of renderings")
        digests = tuple(
            _matching(FINGERPRINT, _typed(digest, str), shape) for digest in (one, other)
        )
        renderings.setdefault(_typed(name, str), {})[_typed(shape, str)] = digests[0], digests[1]
    found = [_template(row, renderings) for row in _value(record, "templates", list)]
    _refuse_duplicates("templates", (one.name for one in found))
    if unknown := renderings.keys() - {one.name for one in found}:
        raise ValueError(f"renderings of {json.dumps(min(unknown))[:40]}, which is no template")
    return tuple(found)


def _template(row: Any, renderings: dict[str, dict[str, tuple[str, str]]]) -> TemplateState:
    name, syntax = _value(row, "name", str), _value(row, "syntax", str)
    fields = _value(row, "open_fields", list, None)
    return TemplateState(
        name=name,
        source=_value(row, "source", str),
        syntax=syntax and _matching(FINGERPRINT, syntax, "syntax"),
        variables={
            key: _typed(value, str, what=key)
            for key, value in _value(row, "variables", dict).items()
        },
        renderings=renderings.get(name, {}),
        open_fields=None if fields is None else tuple(_typed(one, str) for one in fields),
    )


def _all_answers(record: dict[str, Any]) -> dict[str, str]:
    if "answers" not in record:  # of an earlier release, or of a run that asked no reference
        return {}
    answers = {question: _typed(one, str) for question, one in _pairs(record, "answers")}
    check_answers(answers)
    return answers


def _all_digests(record: dict[str, Any]) -> dict[tuple[str, int], str]:
    if "digests" not in record:  # of a run without cases
        return {}
    rows = [_row(row, 3, "an entry of digests") for row in _value(record, "digests", list)]
    digests = {
        (_typed(family, str), _typed(number, int)): _typed(packed, str)
        for family, number, packed in rows
    }
    if len(digests) < len(rows):
        raise ValueError("digests has a unit twice")
    for packed in digests.values():
        unpack(packed)
    return digests


def _check_digest(record: dict[str, Any], baseline: Baseline) -> None:
    """Raise ValueError if anything but the acceptances was removed, added or changed."""
    keys, expected = keys_and_digest(baseline)
    if unknown := sorted(record.keys() - keys):
        raise ValueError(f"unknown key {json.dumps(unknown[0])[:40]}")
    if _value(record, "digest", str) != expected:
        raise ValueError("its digest does not match: only the acceptances may be edited")


def _run(record: dict[str, Any]) -> RunOptions:
    profile, examples = _value(record, "profile", str), _value(record, "examples", int, None)
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}")
    if examples is not None and examples < 0:
        raise ValueError(f"the number of examples is {examples}")
    return RunOptions(
        profile,
        _value(record, "seed", int),
        examples,
        **{key: _strings(record, key) for key in ("select", "ignore", "families")},
    )


def _fingerprint(record: dict[str, Any]) -> Fingerprint:
    fingerprint = _value(record, "fingerprint", dict)
    keys = ["vocabulary", "pattern", "unicode_version", "normalizer", "normalizer_version"]
    if "case_version" in fingerprint:  # only written if a version is known
        keys.append("case_version")
    return Fingerprint(
        **{key: _value(fingerprint, key, str, None) for key in keys},
        n_vocab=_value(fingerprint, "n_vocab", int, None),
        special_tokens={
            text: _typed(number, int) for text, number in _pairs(record, "special_tokens")
        },
    )


def _file(record: dict[str, Any] | None) -> FileState | None:
    if record is None:
        return None
    stages = {
        _typed(name, str): _typed(digest, str, what=name)
        for name, digest in _value(record, "stages", dict).items()
    }
    # Unpacked only if the file differs: unpacking takes as long as the rest of reading.
    return FileState(_value(record, "format", str), stages, _value(record, "packed", str))


def _body(row: Any) -> tuple[str, tuple[int, str]]:
    name, size, packed = _row(row, 3, "an entry of bodies")
    if unpack(_typed(packed, str)).count != _typed(size, int):
        raise ValueError(f"the body {json.dumps(name)[:40]} does not have {size} texts")
    return _typed(name, str), (size, packed)


def _metric(name: str, value: Any) -> float:
    metric: float = _typed(value, int, float, what=name)
    if not 0 <= float(metric) < math.inf:
        raise ValueError(f"the metric {name} is {value}")
    return metric


def _all_golden(rows: list[Any]) -> tuple[Golden, ...]:
    golden = tuple(map(_golden, rows))
    if not golden:
        raise ValueError("it has no golden texts")
    _refuse_duplicates("golden", (one.text for one in golden))
    return golden


def _golden(row: Any) -> Golden:
    group, text, ids = _row(row, 3, "a golden text")
    if not isinstance(ids, str) and not all(type(one) is int for one in _typed(ids, list)):
        raise ValueError(f"the ids of the golden text {json.dumps(text)[:40]} are not integers")
    return Golden(_typed(group, str), _typed(text, str), ids_of(ids))


def _all_accepted(rows: list[Any]) -> tuple[Acceptance, ...]:
    accepted = tuple(map(_acceptance, rows))
    _refuse_duplicates("accepted", (one.fingerprint for one in accepted))
    return accepted


def _acceptance(row: Any) -> Acceptance:
    keys = ("fingerprint", "kind", "what", "reason")
    expires = _value(row, "expires", str, None)
    if not _value(row, "reason", str).strip():
        raise ValueError(f"the acceptance {_value(row, 'fingerprint', str)} has no reason")
    values = {key: _value(row, key, str) for key in keys}
    _matching(FINGERPRINT, values["fingerprint"], "the fingerprint")
    _matching(NAME, values["kind"], "the kind")
    verdict = _value(row, "verdict", str, None)
    return Acceptance(
        **values,
        verdict=None if verdict is None else Verdict(verdict).value,
        first_seen=dt.date.fromisoformat(_value(row, "first_seen", str)),
        expires=None if expires is None else dt.date.fromisoformat(expires),
        library=_typed(row.get("library", ""), str, what="library"),
    )


def _matching(pattern: re.Pattern[str], value: str, what: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(f"{what} is {json.dumps(value)[:40]}, not like {pattern.pattern}")
    return value


def _value(record: Any, key: str, *kinds: type | None) -> Any:
    return _typed(_typed(record, dict)[key], *kinds, what=key)


def _typed(value: Any, *kinds: type | None, what: str = "") -> Any:
    if (value is None and None in kinds) or (
        isinstance(value, tuple(kind for kind in kinds if kind)) and not isinstance(value, bool)
    ):
        return value
    expected = " or ".join("null" if kind is None else kind.__name__ for kind in kinds)
    shown = json.dumps(value)[:40]
    raise TypeError(f"{f'{what} is ' if what else ''}{shown}, expected {expected}")


def _row(value: Any, length: int, what: str) -> list[Any]:
    row: list[Any] = _typed(value, list, what=what)
    if len(row) != length:
        raise ValueError(f"{what} has {len(row)} values, not {length}")
    return row


def _pairs(record: dict[str, Any], key: str) -> list[tuple[str, Any]]:
    rows = [_row(row, 2, f"an entry of {key}") for row in _value(record, key, list)]
    pairs = [(_typed(name, str), value) for name, value in rows]
    _refuse_duplicates(key, (name for name, _ in pairs))
    return pairs


def _refuse_duplicates(key: str, names: Iterable[str]) -> None:
    """Raise ValueError if a name occurs twice, since either of its values may be meant."""
    for name, count in Counter(names).most_common(1):
        if count > 1:
            raise ValueError(f"{key} has {json.dumps(name)[:40]} {count} times")


def _strings(record: dict[str, Any], key: str) -> tuple[str, ...]:
    return tuple(_typed(one, str, what=f"an entry of {key}") for one in _value(record, key, list))
