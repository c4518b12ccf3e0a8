"""The journal: the events of a run in a file of JSON lines, from which the run can be resumed.

The file is created with its first line, which describes the run. Each event is written when it
happens. A truncated last line is ignored.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import check_writable, is_stream, temporary_sibling
from tokharness.config import Options
from tokharness.engine import events
from tokharness.engine.events import (
    Event,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.finding_records import finding_of, finding_record, skip_of, skip_record
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
    """The run that a journal describes, and its events so far."""

    specs: tuple[str, ...]
    options: Options
    events: Sequence[Event]

    @property
    def is_finished(self) -> bool:
        """Whether all targets are finished."""
        finished = {event.spec for event in self.events if isinstance(event, TargetFinished)}
        return finished.issuperset(self.specs)


class Journal:
    """Appends events to a file until writing fails; ``error`` says why, else it is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab", buffering=0)
        self.error = ""

    @classmethod
    def create(cls, path: Path, specs: Sequence[str], options: Options) -> Journal:
        """Create a journal; an unfinished journal is not overwritten.

        Raises:
            UsageError: the path cannot be written, or has an unfinished journal or another file.

        """
        if path.is_file() and path.stat().st_size and not read(path).is_finished:
            raise UsageError(
                f"{path} is the journal of an unfinished run: complete it with --resume {path}, "
                "or delete it"
            )
        head = {"journal": SCHEMA, "versions": versions(), "specs": list(specs)}
        head |= {"regressions": _regressions_digest(options), "options": asdict(options)}
        line = to_ascii_line(head).encode()
        try:
            if is_stream(path):
                path.write_bytes(line)
            else:
                check_writable(path)
                with temporary_sibling(path) as temporary:
                    temporary.write_bytes(line)
                    temporary.replace(path)
            return cls(path)
        except OSError as error:
            raise _cannot_write(path, error) from error

    @classmethod
    def resume(cls, path: Path) -> Journal:
        """Append to a journal after its last complete line.

        Raises:
            UsageError: the path cannot be written.

        """
        try:
            data = path.read_bytes()
            journal = cls(path)
            journal._file.truncate(data.rfind(b"\n") + 1)
        except OSError as error:
            raise _cannot_write(path, error) from error
        return journal

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, event: Event) -> None:
        """Append an event; a failure sets ``error`` and does not end the run."""
        if self.error:
            return
        try:
            self._file.write(to_ascii_line(_record(event)).encode())
        except (OSError, ValueError) as error:  # ValueError: the file is closed
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.error = f"the journal {self._path} is incomplete: {reason}"


def _regressions_digest(options: Options) -> str:
    """Return a hash of the regressions that a run replays, "" for none.

    A journal has the numbers of units only, and other regressions make other units.
    """
    texts = [text for text, _ in regressions_to_replay(options, select_families(options))]
    line = to_ascii_line(texts).encode("ascii")
    return hashlib.sha256(line).hexdigest()[:16] if texts else ""


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write the journal {path}: {error.strerror}")


def read(path: Path) -> JournalContents:
    """Read a journal.

    Raises:
        UsageError: the file cannot be read, is not a journal, is damaged, or was written with
            other versions, or it is unfinished and was written with other regressions.

    """
    try:
        lines = path.read_bytes().decode("ascii", "replace").split("\n")[:-1]
    except OSError as error:
        raise UsageError(f"cannot read the journal {path}: {error.strerror}") from error
    number = 1
    try:
        head = from_ascii_line(lines[0])
        if head["journal"] != SCHEMA:
            raise UsageError(
                f"the journal {path} has schema version {head['journal']}, not {SCHEMA}: "
                "start a new one"
            )
        options = {key: _tuple(value) for key, value in head["options"].items()}
        journaled = []
        for line in lines[1:]:
            number += 1
            journaled.append(_event(from_ascii_line(line)))
        contents = JournalContents(tuple(head["specs"]), Options(**options), journaled)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise UsageError(f"{path} is not a journal, or is damaged in line {number}") from error
    if head["versions"] != versions():
        raise UsageError(f"the journal {path} was written with other versions: start a new one")
    if not contents.is_finished and head["regressions"] != _regressions_digest(contents.options):
        raise UsageError(f"the journal {path} was written with other regressions: start a new one")
    return contents


def _record(event: Event) -> dict[str, Any]:
    name = {"event": type(event).__name__}
    if isinstance(event, FindingReported):
        return {**name, "finding": finding_record(event.finding)}
    if isinstance(event, SkipRecorded):
        return {**name, "skip": skip_record(event.skip)}
    return {**name, **asdict(event)}


def _event(record: dict[str, Any]) -> Event:
    kind = getattr(events, record.pop("event"))
    if kind is FindingReported:
        return FindingReported(finding_of(record["finding"]))
    if kind is SkipRecorded:
        return SkipRecorded(skip_of(record["skip"]))
    if kind is TargetStarted:
        record = {key: _tuple(value) for key, value in record.items()}
    if kind not in (
        TargetStarted,
        UnitFinished,
        events.FamilyFinished,
        events.MetricsCollected,
        TargetFinished,
    ):
        raise ValueError(f"unknown event {kind}")
    event: Event = kind(**{field.name: record[field.name] for field in fields(kind)})
    return event


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
