"""Events as records of a journal, which are checked completely before they become events again.

``schemas/journal.json`` defines the record of each kind of event that a journal can have.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, get_args

from tokharness import plugins
from tokharness.engine.events import (
    Event,
    FamilyFinished,
    FindingReported,
    SkipRecorded,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.finding_records import finding_of, finding_record, skip_of, skip_record
from tokharness.results.untrusted import refuse_deep, refuse_invalid, schema

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["EventReader", "event_record", "spec_of"]


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

    ``families`` are the names of those that the run has.
    """

    def __init__(self, specs: Collection[str], families: Collection[str]) -> None:
        self._specs, self._families = specs, families
        self._started: set[str] = set()
        self._units: dict[tuple[str, str], int] = {}

    def event_of(self, record: Any) -> Event:
        """Return the event of a record; raises ValueError if it cannot be one of this run."""
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
    values = {one.name: _value(record[one.name], str(one.type)) for one in fields(kind)}
    event: Event = kind(**values)
    return event


def _value(value: Any, annotation: str) -> Any:
    return tuple(value) if annotation.startswith("tuple") else value
