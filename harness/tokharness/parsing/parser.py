"""A stream parser in a process of its own, which is never trusted: its events, with limits."""

from __future__ import annotations

import json
import operator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.errors import TargetDeath, TargetError
from tokharness.json_content import parse_json, parse_json_text
from tokharness.targets.processes.limits import Limits
from tokharness.targets.processes.program import RestartedProgram
from tokharness.targets.processes.protocol import read_info, read_object

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ENDS", "SCHEME", "Deltas", "Event", "Parsed", "Parser", "Stream"]

SCHEME = "parser"
ENDS = ("time limit", "death")
KINDS = ("text", "bytes", "ids")
NO_EVENTS = "no list of events"
NOT_TRIED = "not tried"
INTERRUPTED = "the run was interrupted"

EACH_SECONDS = 0.05
"""Time for each of many streams that are parsed in one request, which is not divided."""

MOST_ENDED = 3
"""Streams on which a parser may exceed a limit or end; then no further one is tried."""

MOST_VALUES, MOST_KEPT = 1 << 21, 1 << 26
"""Values in the events of a stream, and bytes of all answers; then no further stream is tried."""

MOST_DECLARED, MOST_LENGTH = 1_000, 1 << 20
"""Markers, or examples, that a parser declares, and characters of them all."""

Stream: TypeAlias = str | bytes | tuple[int, ...]
"""The output of a model as a parser takes it: text, its bytes, or ids."""

Deltas: TypeAlias = tuple[Stream, ...]
"""A stream in the parts that are fed to a parser."""

Event: TypeAlias = tuple[str, str]
"""The name of a field, such as ``reasoning``, and a part of its text."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser makes of a stream.

    Attributes:
        events: The events, of which neighbours of one field are joined; None if it fails.
        failure: The name of what it raises, ``no list of events``, ``time limit``, ``death`` or
            ``not tried``; "" if it does not fail.
        message: The message of the exception, or how the process ended.

    """

    events: tuple[Event, ...] | None
    failure: str = ""
    message: str = ""

    @property
    def text(self) -> str:
        """The texts of all fields, in the order of the events."""
        return "".join(text for _, text in self.events or ())

    def by_field(self) -> dict[str, str]:
        """Return the text of each field."""
        texts: dict[str, str] = {}
        for name, text in self.events or ():
            texts[name] = texts.get(name, "") + text
        return texts


class Parser(RestartedProgram):
    """The parser of a spec; as a context it ends its process.

    Attributes:
        spec: The spec.
        takes: ``text``, ``bytes`` or ``ids``: what it is fed with.
        examples: Streams that it declares.
        markers: Texts that it declares to recognize, such as ``</think>``.
        is_interrupted: Whether a signal has ended a request; then no further stream is tried.

    Raises:
        TargetError: it cannot be loaded, or has no ``feed`` and ``finish``.

    """

    def __init__(self, spec: str) -> None:
        super().__init__(spec, plugins.adapter(spec).alone(spec.partition(":")[2]), Limits())
        self._known: dict[Deltas, Parsed] = {}
        self._ended = self._kept = 0
        self.is_interrupted = False
        info = self._info()
        self.takes: str = info["takes"]
        self.examples: tuple[Stream, ...] = info["examples"]
        self.markers: tuple[str, ...] = tuple(dict.fromkeys(info.get("markers") or ()))
        self._refuse_many()

    def _info(self) -> dict[str, Any]:
        try:
            line = self.started().call(_request("info", []), None)
            info = read_info(read_object(line), line, "markers")
            failure = info.get("error", "")
            row = {} if failure else {**info, "examples": tuple(map(_stream, info["examples"]))}
            KINDS.index("text" if failure else info["takes"])
        except TargetDeath as death:
            self.close()
            raise TargetError(f"{self.spec} cannot be loaded: {death}") from death
        except (ValueError, KeyError, TypeError) as error:
            self.close()
            raise TargetError(f"{self.spec} does not answer as a parser does") from error
        if failure:
            self.close()
            raise TargetError(f"{self.spec} cannot be loaded: {failure}")
        return row

    def _refuse_many(self) -> None:
        """Raise TargetError for declared texts whose streams would take hours."""
        for name, texts in (("markers", self.markers), ("examples", self.examples)):
            if len(texts) > MOST_DECLARED or sum(map(len, texts)) > MOST_LENGTH:
                self.close()
                few = f"more than {MOST_DECLARED:,}, or {MOST_LENGTH:,} characters"
                raise TargetError(f"{self.spec} declares {len(texts):,} {name}: {few}")

    @property
    def gave_up(self) -> bool:
        """Whether streams were not tried, as it exceeded a limit or ended, or was interrupted."""
        exceeds = self._ended >= MOST_ENDED or self._kept > MOST_KEPT
        return self.is_interrupted or exceeds

    def parse(self, deltas: Deltas) -> Parsed:
        """Return what a new parser makes of a stream in these parts."""
        return self.parse_all([deltas])[0]

    def parse_all(self, rows: Sequence[Deltas]) -> list[Parsed]:
        """Return what a new parser makes of each stream."""
        asked = [row for row in dict.fromkeys(rows) if row not in self._known]
        self._known |= dict(zip(asked, self._ask(asked), strict=True))
        return [self._known[row] for row in rows]

    def parse_in_order(self, rows: Sequence[Deltas], *, between: bool = False) -> list[Parsed]:
        """Return what new parsers make of streams, one after another, in a new process.

        No stream is tried if their time exceeds a limit, or one of them ends the process. With
        ``between`` another parser reads each stream, too, between its deltas.
        """
        self.close()
        if self.is_interrupted:
            return [Parsed(None, NOT_TRIED, INTERRUPTED)] * len(rows)
        operation, more = "parse_between" if between else "parse", EACH_SECONDS * len(rows)
        try:
            line = self._line_of(operation, rows, more)
        except TargetDeath as death:
            return [Parsed(None, NOT_TRIED, str(death))] * len(rows)
        except KeyboardInterrupt:
            self.is_interrupted = True
            return [Parsed(None, NOT_TRIED, INTERRUPTED)] * len(rows)
        finally:
            self.close()
        return _answers(line, len(rows))

    def _line_of(self, operation: str, rows: Sequence[Deltas], more: float = 0.0) -> bytes:
        items = [[list(map(_delta, row))] for row in rows]
        if self._process is None:  # what it imports has a limit of its own
            self.started().call(_request("info", []), None)
        process = self.started()
        process.reset_memory_limit()
        size = sum(len(delta) + 1 for row in rows for delta in row)
        line = process.call(_request(operation, items), self.limits.seconds_for(size) + more)
        self._kept += len(line)
        return line

    def _ask(self, rows: Sequence[Deltas]) -> list[Parsed]:
        if not rows:
            return []
        if self.gave_up:
            return [Parsed(None, NOT_TRIED)] * len(rows)
        try:
            line = self._line_of("parse", rows)
        except KeyboardInterrupt:
            self.close()
            self.is_interrupted = True
            return [Parsed(None, NOT_TRIED, INTERRUPTED)] * len(rows)
        except TargetDeath as death:
            self.close()
            if len(rows) > 1:  # halves would exceed the limit again and again
                return [one for row in rows for one in self._ask([row])]
            self._ended += 1
            reason = "time limit" if death.reason == "time limit" else "death"
            return [Parsed(None, reason, str(death))]
        return _answers(line, len(rows))


def _request(operation: str, items: list[Any]) -> bytes:
    return json.dumps({"op": operation, "texts": items}).encode() + b"\n"


def _delta(delta: Stream) -> Any:
    if isinstance(delta, bytes):
        return {"bytes": delta.hex()}
    return delta if isinstance(delta, str) else list(delta)


def _stream(given: Any) -> Stream:
    if isinstance(given, dict):
        return bytes.fromhex(given["bytes"])
    return given if isinstance(given, str) else tuple(map(operator.index, given))


def _answers(line: bytes, number: int) -> list[Parsed]:
    """Read the answers, which may be anything."""
    try:
        results = parse_json(line)["results"]
    except (ValueError, KeyError, TypeError):
        results = None
    if not isinstance(results, list) or len(results) != number:
        return [Parsed(None, NO_EVENTS, "its answer is not of the protocol")] * number
    return list(map(_parsed, results))


def _parsed(result: Any) -> Parsed:
    if isinstance(result, dict) and "error" in result:
        message = str(result["error"])
        is_ours = message.startswith("it returned ")
        return Parsed(None, NO_EVENTS if is_ours else str(result.get("type")), message)
    try:
        rows = [(str(name), str(text)) for name, text in parse_json_text(result, MOST_VALUES)]
    except (ValueError, TypeError) as error:
        return Parsed(None, NO_EVENTS, str(error))
    return Parsed(_joined(rows))


def _joined(rows: Sequence[Event]) -> tuple[Event, ...]:
    """Join neighbouring events of one field, and leave out those without a text."""
    of_fields = groupby((row for row in rows if row[1]), operator.itemgetter(0))
    return tuple((name, "".join(text for _, text in group)) for name, group in of_fields)
