"""Write a baseline file: JSON in ASCII, one entry a line, put in its place whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.aside import aside
from tokharness.baseline import SCHEMA_VERSION, Acceptance, Baseline
from tokharness.errors import UsageError
from tokharness.processes.wire import to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["stamp", "text_of", "write"]


def text_of(baseline: Baseline) -> str:
    """Text of the file: JSON, one entry a line."""
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
    lists: dict[str, list[Any]] = {
        "accepted": [_acceptance_record(one) for one in sorted(baseline.accepted, key=_order)],
        "special_tokens": sorted(special.items(), key=lambda item: (item[1], item[0])),
        "capabilities": sorted(baseline.capabilities),
        "checks": sorted(baseline.checks),
        "skips": sorted(baseline.skips.items()),
        "facts": sorted(baseline.facts.items()),
        "metrics": sorted(baseline.metrics.items()),
        "golden": [
            [one.group, one.text, one.ids if isinstance(one.ids, str) else list(one.ids)]
            for one in sorted(baseline.golden, key=lambda one: (one.group, one.text))
        ],
    }
    parts = [_entry(key, value) for key, value in {**head, "fingerprint": fingerprint}.items()]
    for key, rows in lists.items():
        lines = ",\n".join(_line(row) for row in rows)
        parts.append(f"{_line(key)}: [\n{lines}\n]" if rows else f"{_line(key)}: []")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _entry(key: str, value: Any) -> str:
    return f"{_line(key)}: {_line(value)}"


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


def stamp(path: Path) -> str:
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
    """Put the file in its place whole, if it is still what ``before`` is the :func:`stamp` of.

    Raises:
        UsageError: another run has written it meanwhile, or it cannot be written.

    """
    text = text_of(baseline)
    try:
        path = path.resolve()  # a link stays, and what it points to is written
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(f"cannot write the baseline {path}: it is no file")
        path.parent.mkdir(parents=True, exist_ok=True)
        with _only_writer(path), aside(path) as beside:
            if stamp(path) != before:
                raise UsageError(
                    f"{path} was written by another run while this one went on, and is left as it "
                    f"is: run this again"
                )
            beside.write_text(text, encoding="ascii")
            beside.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the baseline {path}: {error.strerror}") from error


@contextlib.contextmanager
def _only_writer(path: Path) -> Iterator[None]:
    """Keep other writers of this folder out, for the moment between looking and renaming."""
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
