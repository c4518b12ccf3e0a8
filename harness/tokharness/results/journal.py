"""A run's events in a file, a line each, from which a run that was cut off goes on.

The file appears with its first line, which says what the run is of; each event is written as it
happens. A line that was cut off with the run is left out.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import temporary_sibling, is_stream, check_writable
from tokharness.config import Options
from tokharness.engine import events as kinds
from tokharness.engine.events import (
    Event,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.records import finding_of, finding_record, skip_of, skip_record
from tokharness.engine.run.selection import regressions_to_replay, select_families
from tokharness.errors import UsageError
from tokharness.results.versions import versions
from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Journal", "JournalContents", "read"]

SCHEMA = 2


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a journal holds: the run it is of, and the events so far."""

    targets: tuple[str, ...]
    options: Options
    events: Sequence[Event]

    @property
    def is_finished(self) -> bool:
        """Whether every target is done."""
        done = {event.spec for event in self.events if isinstance(event, TargetFinished)}
        return done.issuperset(self.targets)


class Journal:
    """Appends events to a file; ``error`` is why it no longer does."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab", buffering=0)
        self.error = ""

    @classmethod
    def begin(cls, path: Path, targets: Sequence[str], options: Options) -> Journal:
        """Start a journal; an unfinished one of before is not written over.

        Raises:
            UsageError: the path cannot be written, or has something else.

        """
        if path.is_file() and path.stat().st_size and not read(path).is_finished:
            raise UsageError(
                f"{path} is the journal of a run that was cut off: complete it with --resume "
                f"{path}, or delete it"
            )
        head = {"journal": SCHEMA, "versions": versions(), "targets": list(targets)}
        head |= {"regressions": _digest(options), "options": asdict(options)}
        line = to_ascii_line(head).encode()
        try:
            if is_stream(path):
                path.write_bytes(line)
            else:
                check_writable(path)
                with temporary_sibling(path) as beside:
                    beside.write_bytes(line)
                    beside.replace(path)
            return cls(path)
        except OSError as error:
            raise _cannot_write(path, error) from error

    @classmethod
    def go_on(cls, path: Path) -> Journal:
        """Append to a journal, after its last whole line; raises UsageError as begin does."""
        try:
            data = path.read_bytes()
            journal = cls(path)
            journal._file.truncate(data.rfind(b"\n") + 1)
        except OSError as error:
            raise _cannot_write(path, error) from error
        return journal

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def write(self, event: Event) -> None:
        """Append an event; a failure is kept, and loses the rest of the journal only."""
        if self.error:
            return
        try:
            self._file.write(to_ascii_line(_record(event)).encode())
        except (OSError, ValueError) as error:  # ValueError: it is closed
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.error = f"the journal {self._path} is incomplete: {reason}"


def _digest(options: Options) -> str:
    """Tell what a run replays from what another does, "" for nothing.

    A unit is a number in a journal, and its texts would be others.
    """
    texts = [text for text, _ in regressions_to_replay(options, select_families(options))]
    line = to_ascii_line(texts).encode("ascii")
    return hashlib.sha256(line).hexdigest()[:16] if texts else ""


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write the journal {path}: {error.strerror}")


def read(path: Path) -> JournalContents:
    """Read a journal.

    Raises:
        UsageError: it cannot be read, is no journal, is damaged, is of other versions, or is of a
            run that was cut off and tried other regressions.

    """
    try:
        lines = path.read_bytes().decode("ascii", "replace").split("\n")[:-1]
    except OSError as error:
        raise UsageError(f"cannot read the journal {path}: {error.strerror}") from error
    number = 1
    try:
        head = from_ascii_line(lines[0])
        if head["journal"] != SCHEMA:
            raise UsageError(f"the journal {path} has the schema {head['journal']}, not {SCHEMA}")
        options = {key: _tuple(value) for key, value in head["options"].items()}
        events = []
        for line in lines[1:]:
            number += 1
            events.append(_event(from_ascii_line(line)))
        written = JournalContents(tuple(head["targets"]), Options(**options), events)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise UsageError(f"{path} is no journal, or is damaged in line {number}") from error
    if head["versions"] != versions():
        raise UsageError(f"the journal {path} was written with other versions: start a new one")
    if not written.is_finished and head.get("regressions", "") != _digest(written.options):
        raise UsageError(f"the journal {path} was written with other regressions: start a new one")
    return written


def _record(event: Event) -> dict[str, Any]:
    name = {"event": type(event).__name__}
    if isinstance(event, FindingReported):
        return {**name, "finding": finding_record(event.finding)}
    if isinstance(event, SkipRecorded):
        return {**name, "skip": skip_record(event.skip)}
    return {**name, **asdict(event)}


def _event(record: dict[str, Any]) -> Event:
    kind = getattr(kinds, record.pop("event"))
    if kind is FindingReported:
        return FindingReported(finding_of(record["finding"]))
    if kind is SkipRecorded:
        return SkipRecorded(skip_of(record["skip"]))
    if kind is TargetStarted:
        record = {key: _tuple(value) for key, value in record.items()}
    if kind not in (
        TargetStarted,
        UnitFinished,
        kinds.FamilyFinished,
        kinds.MetricsCollected,
        TargetFinished,
    ):
        raise ValueError(f"no event is called {kind}")
    event: Event = kind(**{field.name: record[field.name] for field in fields(kind)})
    return event


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
