"""A stream parser of the user, loaded as plain_object.py loads an object.

Each stream gets a new parser. What it gives is JSON: a list of pairs, the name of a field and a
text.
"""

import contextlib
import importlib.util
import json
import operator
from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

TAKES = ("text", "bytes", "ids")


class Served:
    """The parsers that a factory makes; ``where`` is for errors."""

    def __init__(self, parser: Any, make: Any, where: str) -> None:
        self._make = make
        for name in ("feed", "finish"):
            if not callable(getattr(parser, name, None)):
                raise TypeError(f"{where} returned a {type(parser).__name__} without {name}()")
        self.takes = getattr(parser, "takes", "text")
        if self.takes not in TAKES:
            raise ValueError(f"takes of {where} is {self.takes!r}: write one of {', '.join(TAKES)}")
        self.examples = [_plain(one, self.takes) for one in getattr(parser, "examples", ())]
        self.markers = list(map(str, getattr(parser, "markers", ())))

    def parse(self, deltas: list[Any], *, between: bool = False) -> str:
        """Return the events of a stream; ``between`` feeds it to another parser meanwhile."""
        parser, events = self._make(), []
        given = list(map(_given, deltas))
        for number, delta in enumerate(given):
            if between and number in {0, len(given) // 2}:
                self._feed_another(given)
            events += _events(parser.feed(delta))
        return json.dumps([*events, *_events(parser.finish())])

    def _feed_another(self, deltas: list[Any]) -> None:
        whole = reduce(operator.add, deltas)
        with contextlib.suppress(Exception):  # it raises for the parser that is asked, too
            self._make().feed(whole)

    def parse_between(self, deltas: list[Any]) -> str:
        """Return the events of a stream that another parser reads, too, between its deltas."""
        return self.parse(deltas, between=True)


def _plain(stream: Any, takes: str) -> Any:
    """Return an example as data; a text for a parser of bytes is encoded as UTF-8."""
    data = stream.encode() if isinstance(stream, str) and takes == "bytes" else stream
    kind = "text" if isinstance(data, str) else "bytes" if isinstance(data, bytes) else "ids"
    if kind != takes:
        raise TypeError(f"the parser takes {takes}, and an example is {kind}: {stream!r:.80}")
    if kind == "bytes":
        return {"bytes": data.hex()}
    return data if kind == "text" else list(map(int, data))


def _given(delta: Any) -> Any:
    return bytes.fromhex(delta["bytes"]) if isinstance(delta, dict) else delta


def _events(events: Any) -> list[list[str]]:
    """Return events as pairs of texts; None are none."""
    if events is None:
        return []
    if isinstance(events, str | bytes | Mapping) or not isinstance(events, Iterable):
        raise TypeError(f"it returned {type(events).__name__} in place of a list of events")
    return [_event(event) for event in events]


def _event(event: Any) -> list[str]:
    if isinstance(event, str) or not isinstance(event, Iterable) or isinstance(event, Mapping):
        raise TypeError(f"it returned a list of {type(event).__name__} in place of pairs")
    pair = list(event)
    if len(pair) != 2 or not all(isinstance(one, str) for one in pair):
        raise TypeError("it returned an event that is no pair of a field and a text")
    return pair


def load(where: str, factory: str) -> Served:
    """Import a file or a module, and call its factory for each stream."""
    path = Path(__file__).parents[1] / "plain_object.py"
    spec: Any = importlib.util.spec_from_file_location("plain_object", path)
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    parser, make = plain.load_with_factory(where, factory)
    return Served(parser, make, f"{factory}() of {where}")
