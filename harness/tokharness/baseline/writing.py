"""Write a baseline file: JSON in ASCII, one entry a line, put in its place whole."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import aside, only_writer
from tokharness.baseline import SCHEMA_VERSION, Acceptance, Baseline
from tokharness.errors import UsageError
from tokharness.targets.processes.json_lines import to_ascii_line

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.targets.snapshot import Golden

__all__ = ["digest", "file_stamp", "baseline_text", "write"]


def baseline_text(baseline: Baseline) -> str:
    """Text of the file: JSON, one entry a line.

    ``digest`` is of all but what is accepted, so that a line that is lost is missed.
    """
    parts = {key: _part(key, value) for key, value in _parts(baseline).items()}
    accepted = [_acceptance_record(one) for one in sorted(baseline.accepted, key=_order)]
    head = {key: parts.pop(key) for key in ("schema_version", "name", "target", "against", "run")}
    whole = [
        *head.values(),
        _part("digest", digest(baseline)),
        _part("accepted", accepted),
        *parts.values(),
    ]
    return "{\n" + ",\n".join(whole) + "\n}\n"


def digest(baseline: Baseline) -> str:
    """Hash of all that a baseline says but what is accepted, which people may edit."""
    parts = (_part(key, value) for key, value in _parts(baseline).items())
    return hashlib.sha256("\n".join(parts).encode("ascii")).hexdigest()[:16]


def _parts(baseline: Baseline) -> dict[str, Any]:
    """Everything but what is accepted; lists are those that have an entry a line."""
    head = {
        "schema_version": SCHEMA_VERSION,
        "name": baseline.name,
        "target": baseline.spec,
        "against": baseline.against,
        "run": asdict(baseline.run),
        "versions": dict(sorted(baseline.versions.items())),
    }
    fingerprint = asdict(baseline.fingerprint)
    special = fingerprint.pop("special_tokens")
    return {
        **head,
        "fingerprint": fingerprint,
        "special_tokens": sorted(special.items(), key=lambda item: (item[1], item[0])),
        "capabilities": sorted(baseline.capabilities),
        "checks": sorted(baseline.checks),
        "skips": sorted(baseline.skips.items()),
        "facts": sorted(baseline.facts.items()),
        "metrics": sorted(baseline.metrics.items()),
        "golden": _rows(baseline.golden),
        "entry_points": _rows(baseline.entries),
    }


def _rows(golden: tuple[Golden, ...]) -> list[list[Any]]:
    return [
        [one.group, one.text, one.ids if isinstance(one.ids, str) else list(one.ids)]
        for one in sorted(golden, key=lambda one: (one.group, one.text))
    ]


def _part(key: str, value: Any) -> str:
    if not isinstance(value, list):
        return f"{_line(key)}: {_line(value)}"
    lines = ",\n".join(map(_line, value))
    return f"{_line(key)}: [\n{lines}\n]" if value else f"{_line(key)}: []"


def _line(value: Any) -> str:
    return to_ascii_line(value).rstrip("\n")


def _order(one: Acceptance) -> tuple[str, str, str]:
    return one.kind, one.what, one.fingerprint


def _acceptance_record(one: Acceptance) -> dict[str, Any]:
    dates = {
        "first_seen": one.first_seen.isoformat(),
        "expires": None if one.expires is None else one.expires.isoformat(),
    }
    return asdict(one) | dates


def file_stamp(path: Path) -> str:
    """Say which file this is, "" if there is none: another once anybody has written it.

    A file put in its place has its own number, so that one with the same content is another too.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from error
    return f"{found.st_dev} {found.st_ino} {found.st_mtime_ns} {found.st_size}"


def write(baseline: Baseline, path: Path, before: str) -> None:
    """Put the file in its place whole, if it is still what ``before`` is the :func:`file_stamp` of.

    Raises:
        UsageError: another run has written it meanwhile, or it cannot be written.

    """
    text = baseline_text(baseline)
    try:
        path = path.resolve()  # a link stays, and what it points to is written
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(f"cannot write the baseline {path}: it is no file")
        path.parent.mkdir(parents=True, exist_ok=True)
        with only_writer(path.parent), aside(path) as beside:
            if file_stamp(path) != before:
                raise UsageError(
                    f"{path} was written by another run while this one went on, and is left as it "
                    f"is: run this again"
                )
            beside.write_text(text, encoding="ascii")
            beside.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the baseline {path}: {error.strerror}") from error
