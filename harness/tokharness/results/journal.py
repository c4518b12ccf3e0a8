"""The journal: the events of a run in a file of JSON lines, from which the run can be resumed.

The file is created with its first line, which describes the run. Each event is written when it
happens. A truncated last line is ignored. Each line has a checksum; the events after a damaged line
are run again.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from itertools import takewhile
from typing import TYPE_CHECKING, Any, get_args

from tokharness import plugins
from tokharness.atomic_write import check_writable, is_stream, temporary_sibling
from tokharness.config import Options
from tokharness.engine.events import (
    AnswersGiven,
    Event,
    FamilyFinished,
    FindingReported,
    SkipRecorded,
    SlowTarget,
    TargetFinished,
    TargetStarted,
    UnitFinished,
    finding_of,
    finding_record,
    skip_of,
    skip_record,
)
from tokharness.engine.run.selection import regressions_to_replay, select_families
from tokharness.errors import UsageError
from tokharness.regular_files import open_file
from tokharness.results.untrusted import refuse_deep, refuse_invalid, schema, shortened
from tokharness.results.versions import versions
from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

# Lines of a journal: JSON objects in ASCII, each with a checksum of this and all earlier lines.
#
# The checksum is the last key. It covers the bytes of the line before it and the checksum of the
# line before, so that a changed, removed, repeated or moved line does not match.

START = "0" * 16
"""Takes the place of the checksum before the first line."""

SEAL = ', "checksum": "0123456789abcdef"}\n'


def seal(record: dict[str, Any], before: str) -> tuple[bytes, str]:
    """Return the line of a record, and its checksum; ``before`` is the previous line's checksum."""
    return _sealed(to_ascii_line(record).removesuffix("}\n").encode("ascii"), before)


def sealed_record(line: bytes, before: str) -> tuple[bytes, str] | None:
    """Return the JSON of a line, and its checksum; None if the checksum does not match."""
    content = line[: -len(SEAL)]
    sealed, checksum = _sealed(content, before)
    return (content + b"}", checksum) if sealed == line else None


def _sealed(content: bytes, before: str) -> tuple[bytes, str]:
    checksum = hashlib.sha256(before.encode("ascii") + content).hexdigest()[: len(START)]
    return content + f', "checksum": "{checksum}"}}\n'.encode("ascii"), checksum


# Events as records of a journal, which are checked completely before they become events again.
#
# ``schemas/journal.json`` defines the record of each kind of event that a journal can have.


def event_record(event: Event) -> dict[str, Any]:
    """Return an event as plain data."""
    name = {"event": type(event).__name__}
    if isinstance(event, FindingReported):
        return {**name, "finding": finding_record(event.finding)}
    if isinstance(event, SkipRecorded):
        return {**name, "skip": skip_record(event.skip)}
    return {**name, **asdict(event)}


def spec_of(event: Event) -> str:
    """Return the spec of the target of an event."""
    if isinstance(event, FindingReported):
        return event.finding.spec
    return event.skip.spec if isinstance(event, SkipRecorded) else event.spec


class EventReader:
    """Makes events of the records of a journal, in their order.

    ``families`` are the names of the families of the run.
    """

    def __init__(self, specs: Collection[str], families: Collection[str]) -> None:
        self._specs, self._families = specs, families
        self._started: set[str] = set()
        self._units: dict[tuple[str, str], int] = {}

    def event_of(self, record: Any) -> Event:
        """Return the event of a record; raises ValueError if it cannot be an event of this run."""
        event = _event_of(record)
        spec = spec_of(event)
        if spec not in self._specs:
            raise ValueError(f"the run has no target {spec!r}")
        if isinstance(event, TargetStarted):
            self._started.add(spec)
            if unknown := set(event.families).difference(self._families):
                raise ValueError(f"the run has no family {min(unknown)!r}")
        elif spec not in self._started:
            raise ValueError(f"the target {spec!r} has not started")
        if isinstance(event, UnitFinished | FamilyFinished) and event.family not in self._families:
            raise ValueError(f"the run has no family {event.family!r}")
        if isinstance(event, UnitFinished):
            self._check_unit(event)
        return event

    def _check_unit(self, unit: UnitFinished) -> None:
        units = self._units.setdefault((unit.spec, unit.family), unit.units)
        if unit.units != units or unit.number >= units:
            found = f"unit {unit.number} of {unit.units}"
            raise ValueError(f"the family {unit.family!r} has {units} units, and this is {found}")
        for code in (*unit.failing, *unit.failing_left_out):
            if code not in plugins.checks():
                raise ValueError(f"there is no check {code}")


def _event_of(record: Any) -> Event:
    refuse_deep(record)
    name = record.get("event") if isinstance(record, dict) else None
    kind = next((one for one in get_args(Event) if one.__name__ == name), None)
    if kind is None or name not in schema("journal")["$defs"]:
        raise ValueError("it is not an event of a journal")
    refuse_invalid(record, "journal", str(name))
    if kind is FindingReported:
        return FindingReported(finding_of(record["finding"]))
    if kind is SkipRecorded:
        return SkipRecorded(skip_of(record["skip"]))
    given = [one for one in fields(kind) if one.name in record]  # the schema has required the rest
    values = {one.name: _value(record[one.name], str(one.type)) for one in given}
    event: Event = kind(**values)
    return event


def _value(value: Any, annotation: str) -> Any:
    return tuple(value) if annotation.startswith("tuple") else value


SCHEMA = 4

MOST_OF_LINE = 1 << 26
"""Most bytes of a line."""


@dataclass(frozen=True, slots=True)
class JournalContents:
    """The run that a journal describes, and its events so far.

    Attributes:
        specs: The targets of the run.
        options: Its options.
        events: The events of the lines before the damaged one.
        damaged_line: The number of the first line whose checksum does not match, from 1; 0 if no
            line is damaged.
        length: Bytes of the lines before the damaged line.
        checksum: The checksum of the last line before the damaged line.

    """

    specs: tuple[str, ...]
    options: Options
    events: Sequence[Event]
    damaged_line: int = 0
    length: int = 0
    checksum: str = START

    @property
    def is_finished(self) -> bool:
        """Whether all targets are finished."""
        finished = {event.spec for event in self.events if isinstance(event, TargetFinished)}
        return finished.issuperset(self.specs)


class Journal:
    """Appends events to a file until writing fails; ``error`` says why, else it is empty.

    ``checksum`` is the checksum of the last line of the file.
    """

    def __init__(self, path: Path, checksum: str) -> None:
        self._path, self._checksum = path, checksum
        self._file = path.open("ab", buffering=0)
        self.error = ""

    @classmethod
    def create(cls, path: Path, specs: Sequence[str], options: Options) -> Journal:
        """Create a journal; an unfinished journal is not overwritten.

        Raises:
            UsageError: the path cannot be written, or has an unfinished journal or another file.

        """
        if path.is_file() and path.stat().st_size and not read(path, options.families).is_finished:
            raise UsageError(
                f"{path} is the journal of an unfinished run: complete it with --resume {path}, "
                "or delete it"
            )
        head = {"journal": SCHEMA, "versions": versions(), "specs": list(specs)}
        head |= {"regressions": _regressions_digest(options), "options": asdict(options)}
        line, checksum = seal(head, START)
        try:
            if is_stream(path):
                path.write_bytes(line)
            else:
                check_writable(path)
                with temporary_sibling(path) as temporary:
                    temporary.write_bytes(line)
                    temporary.replace(path)
            return cls(path, checksum)
        except OSError as error:
            raise _cannot_write(path, error) from error

    @classmethod
    def resume(cls, path: Path, contents: JournalContents) -> Journal:
        """Append to a journal after the last line that :func:`read` has read.

        Raises:
            UsageError: the path cannot be written.

        """
        try:
            journal = cls(path, contents.checksum)
            journal._file.truncate(contents.length)
        except OSError as error:
            raise _cannot_write(path, error) from error
        return journal

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, event: Event) -> None:
        """Append an event; a failure sets ``error`` and does not end the run."""
        if self.error or isinstance(event, SlowTarget | AnswersGiven):
            return
        try:
            line, self._checksum = seal(event_record(event), self._checksum)
            complete = len(line) < MOST_OF_LINE and self._file.write(line) == len(line)
            reason = "" if complete else "a line is too long, or was cut"
        except (OSError, ValueError) as error:  # ValueError: the file is closed
            reason = str(error.strerror if isinstance(error, OSError) else error)
        if reason:
            self.error = f"the journal {self._path} is incomplete: {reason}"


def _regressions_digest(options: Options) -> str:
    """Return a hash of the regressions that a run replays, "" for none.

    A journal only has the numbers of units, and different regressions make different units.
    """
    texts = [text for text, _ in regressions_to_replay(options, select_families(options))]
    line = to_ascii_line(texts).encode("ascii")
    return hashlib.sha256(line).hexdigest()[:16] if texts else ""


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write the journal {path}: {error.strerror}")


def read(path: Path, families: Collection[str] = ()) -> JournalContents:
    """Read a journal up to the first line that is damaged.

    Args:
        path: The file, which may be a stranger's.
        families: The families that the user names; only theirs may be modules to import.

    Raises:
        UsageError: the file cannot be read, is not a journal, is damaged in its first line, names a
            module that the user does not, or was written with other versions; a line is not an
            event of the run although its checksum matches; or the run is unfinished and was started
            with other regressions.

    """
    try:
        with open_file(path) as file:
            lines = iter(lambda: file.readline(MOST_OF_LINE), b"")
            whole = takewhile(lambda line: line.endswith(b"\n"), lines)
            return _contents(path, whole, {*families, *plugins.families()})
    except OSError as error:
        raise UsageError(f"cannot read the journal {path}: {error.strerror}") from error


def _contents(path: Path, lines: Iterator[bytes], families: Collection[str]) -> JournalContents:
    """Return the contents of the complete lines of a journal, whose families are among these."""
    first = next(lines, b"")
    head, checksum = _head(path, first)
    options = Options(**{key: _tuple(value) for key, value in head["options"].items()})
    if unknown := [name for name in options.families if name not in families]:
        raise UsageError(
            f"the journal {path} names the family {shortened(unknown[0])}, which is unknown: if it "
            "is a module that you trust, name it yourself, with --family"
        )
    reader = EventReader(head["specs"], [family.name for family in select_families(options)])
    events: list[Event] = []
    length, damaged_line = len(first), 0
    for number, line in enumerate(lines, 2):
        sealed = sealed_record(line, checksum)
        if sealed is None:
            damaged_line = number
            break
        content, checksum = sealed
        length += len(line)
        try:
            events.append(reader.event_of(from_ascii_line(content.decode("ascii"))))
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"line {number} of the journal {path} is not an event of its run: {error}: "
                "start a new one"
            ) from error
    specs = tuple(head["specs"])
    contents = JournalContents(specs, options, events, damaged_line, length, checksum)
    if not contents.is_finished and head["regressions"] != _regressions_digest(options):
        raise UsageError(f"the journal {path} was written with other regressions: start a new one")
    return contents


def _head(path: Path, line: bytes) -> tuple[dict[str, Any], str]:
    """Return the content of the first line, and its checksum."""
    sealed = sealed_record(line, START)
    try:
        head = from_ascii_line((sealed[0] if sealed else line).decode("ascii"))
        version = head.get("journal") if isinstance(head, dict) else None
        if type(version) is int and version != SCHEMA and (sealed or "checksum" not in head):
            raise UsageError(
                f"the journal {path} has schema version {version}, not {SCHEMA}: start a new one"
            )
        refuse_deep(head)
        refuse_invalid(head, "journal", "head")
    except (ValueError, RecursionError):
        sealed = None
    if sealed is None:
        raise UsageError(f"{path} is not a journal, or is damaged in line 1: start a new one")
    if head["versions"] != versions():
        raise UsageError(f"the journal {path} was written with other versions: start a new one")
    return head, sealed[1]


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
