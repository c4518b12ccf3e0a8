"""Renderings by other engines of Jinja, and by renderers written by hand.

A renderer is a program of its own (``renderer_command`` of the package of adapters), which gets one
template in a file when it starts, and then lines of JSON: ``messages`` and ``options`` in, text and
perhaps ids out. It has limits of time and memory, and a conversation that ends it costs no other.
"""

from __future__ import annotations

import contextlib
import json
import operator
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.conversations.rendering import MEMORY, NOW, Rendered, Request
from tokharness.conversations.serve import MOST_CHARACTERS
from tokharness.errors import TargetDeath, TargetError
from tokharness.json_content import parse_json
from tokharness.targets.processes.deadlines import crowding
from tokharness.targets.processes.line_process import LineProcess
from tokharness.targets.processes.program import OwnedProcess

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LOAD_SECONDS, SECONDS, EACH_SECONDS = 30.0, 2.0, 0.02
"""Time limits for the start of a program, for a request, and for each conversation of it."""

MOST_ROWS = 100
"""Conversations of a request."""

MOST_DEATHS = 3
"""Conversations that may end the program; then no further one is tried."""

MOST_VALUES = 1 << 21
"""Values of an answer, most of them ids."""

MOST_KEPT = 1 << 27
"""Bytes of the texts and ids that are kept; then no further conversation is tried."""

MOST_MESSAGE = 2_000
"""Characters of the message of an exception."""


class OtherRenderer(OwnedProcess):
    """A renderer of a name, with one template at a time; as a context it ends its program.

    Attributes:
        name: Its name, as the user writes it.
        version: What it says of its version; "" if it says nothing.
        refusal: Why it cannot load the template; None if it has loaded it.

    """

    def __init__(self, name: str) -> None:
        self.name, self.version = name, ""
        self.refusal: Rendered | None = None
        self._command = plugins.renderer_command(name)
        self._folder = tempfile.TemporaryDirectory(prefix="tokharness-renderer-")
        self._known: dict[bytes, Rendered] = {}
        self._deaths = self._kept = 0

    def load(self, source: str, variables: Mapping[str, Any]) -> None:
        """Start the program with a template; raises TargetError if it cannot be started."""
        super().close()
        self._known, self.refusal = {}, None
        self._deaths = self._kept = 0
        given = {"template": source, "variables": dict(variables), "now": NOW}
        self._file.write_text(json.dumps(given), "ascii")
        self._started()

    @property
    def shown(self) -> str:
        """Its name, or its version, which names it."""
        return self.version or self.name

    @property
    def is_full(self) -> bool:
        """Whether its texts and ids take so much memory that no further conversation is tried."""
        return self._kept > MOST_KEPT

    @property
    def _file(self) -> Path:
        return Path(self._folder.name) / "template.json"

    def _started(self) -> LineProcess:
        if self._process is not None:
            return self._process
        try:
            self._process = LineProcess([*self._command, str(self._file)], memory=MEMORY)
            info = parse_json(self._process.call(_line({"op": "info"}), LOAD_SECONDS * crowding()))
            self.version = str(info.get("version") or "")[:100]
            failure = info.get("failure")
            self.refusal = _failed(failure) if failure else self.refusal
        except (ValueError, AttributeError) as error:
            super().close()
            raise TargetError(f"the renderer {self.name} answers nonsense: {error}") from error
        except OSError as error:
            raise TargetError(f"cannot start {self._command[0]}: {error.strerror}") from error
        except TargetDeath as death:
            super().close()
            raise TargetError(f"the renderer {self.name} cannot be loaded: {death}") from death
        if "error" in info:
            super().close()
            raise TargetError(f"the renderer {self.name} cannot be loaded: {info['error']}")
        return self._process

    def render_all(self, requests: Iterable[Request]) -> list[Rendered]:
        """Return the rendering of each conversation."""
        rows = [(request.key, request) for request in requests]
        asked = dict(rows)
        unknown = [key for key in asked if key not in self._known]
        for start in range(0, len(unknown), MOST_ROWS):
            keys = unknown[start : start + MOST_ROWS]
            results = self._ask([asked[key] for key in keys])
            self._known |= dict(zip(keys, results, strict=True))
        return [self._known[key] for key, _ in rows]

    def _ask(self, requests: Sequence[Request]) -> list[Rendered]:
        if self.refusal is not None:
            return [self.refusal] * len(requests)
        if self._deaths >= MOST_DEATHS or self.is_full:
            return [Rendered(None, failure="not tried")] * len(requests)
        rows = [{"messages": list(one.messages), "options": dict(one.options)} for one in requests]
        seconds = (SECONDS + EACH_SECONDS * len(rows)) * crowding()
        try:
            process = self._started()
            line = process.call(_line({"op": "render", "conversations": rows}), seconds)
            results = _results(line, len(rows))
        except (ValueError, TypeError) as error:
            super().close()
            raise TargetError(f"the renderer {self.name} answers nonsense: {error}") from error
        except TargetDeath as death:
            super().close()
            if len(requests) > 1:
                middle = len(requests) // 2
                return [*self._ask(requests[:middle]), *self._ask(requests[middle:])]
            self._deaths += 1
            return [Rendered(None, failure=death.reason, message=str(death))]
        self._kept += sum(map(_size, results))
        return results

    def close(self) -> None:
        """End the program, and remove the file of its template."""
        super().close()
        with contextlib.suppress(OSError):
            self._folder.cleanup()


def _line(value: Any) -> bytes:
    return json.dumps(value).encode("ascii") + b"\n"


def _results(line: bytes, number: int) -> list[Rendered]:
    """Return the results of an answer; raises ValueError if it has none for each conversation."""
    answer = parse_json(line, MOST_VALUES)
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list) or len(results) != number:
        raise ValueError("an answer that has no result for each conversation")
    if not all(isinstance(one, dict) for one in results):
        raise ValueError("a result that is no object")
    return [_rendered(one) for one in results]


def _rendered(answer: Mapping[str, Any]) -> Rendered:
    if "text" not in answer:
        return _failed(answer)
    text, ids = answer["text"], answer.get("ids")
    if not isinstance(text, str) or not (ids is None or isinstance(ids, list)):
        raise ValueError("a text that is none")
    if len(text) > MOST_CHARACTERS:
        return Rendered(None, failure="memory limit", message=f"{len(text):,} characters")
    return Rendered(text, ids=None if ids is None else tuple(map(operator.index, ids)))


def _size(one: Rendered) -> int:
    """Return the bytes that a rendering takes, nearly all of them for its text and its ids."""
    return sys.getsizeof(one.text) + sys.getsizeof(one.ids) + sum(map(sys.getsizeof, one.ids or ()))


def _failed(answer: Mapping[str, Any]) -> Rendered:
    message = answer.get("message") or answer.get("error") or ""
    failure, line = str(answer.get("failure") or "crash"), answer.get("line")
    return Rendered(
        None, (), failure, str(message)[:MOST_MESSAGE], line if type(line) is int else 0
    )
