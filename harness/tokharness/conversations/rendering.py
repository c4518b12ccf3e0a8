"""Renderings of one template, made in a worker process and kept.

A template may loop, allocate, or raise anything: each of these is a result here. A worker that dies
is started again, and what it was asked is asked again one by one, so that one conversation costs no
other.
"""

from __future__ import annotations

import marshal
import sys
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.conversations.serve import LIMITS, MOST_EXCEEDED, NOT_TRIED, SECONDS
from tokharness.errors import TargetDeath
from tokharness.targets.processes.deadlines import crowding
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.line_process import LineProcess
from tokharness.targets.processes.program import OwnedProcess

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MEMORY = 512 << 20
"""Bytes that a template may allocate for a conversation."""

MOST_KEPT = 1 << 25
"""Bytes of the renderings of a template that are kept; then no further one is tried.

The renderings of a public template have up to 4 MB together.
"""

LOAD_SECONDS = 10.0
"""Seconds until the worker has compiled a template."""

NOW = "2026-01-02T03:04:05"
"""The local time of the clocks of all renderers that are compared, so that a date is the same."""

GRACE = 3.0
"""Factor of the time limits after which the worker is killed, as it has not ended by itself."""


@dataclass(frozen=True, slots=True)
class Request:
    """A conversation to render.

    Attributes:
        messages: The messages, plain data.
        options: Variables of the template, such as ``tools`` and ``add_generation_prompt``.
        now: The local time of the template's clock, in ISO 8601; "" for that of the machine.
        altered: Names of alterations of the environment.

    """

    messages: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]
    now: str = ""
    altered: tuple[str, ...] = ()

    @property
    def key(self) -> bytes:
        """What two requests share if they are equal, with the order of keys.

        In a format without references, which is written faster than JSON.
        """
        data = [list(self.messages), dict(self.options), self.now, self.altered]
        return marshal.dumps(data, 2)


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a template makes of a conversation.

    Attributes:
        text: The text, or None if there is none.
        spans: The parts of the text that the tag ``generation`` has, by characters.
        failure: How it failed: ``refusal`` (``raise_exception``), ``crash``, ``forbidden`` (the
            sandbox), ``not tried`` (too many others exceeded a limit), ``time limit``,
            ``memory limit`` or ``death``; "" if there is a text.
        message: The message of the exception.
        line: The line of the template that raised; 0 if it is unknown.
        ids: The ids, of a renderer that makes ids.

    """

    text: str | None
    spans: tuple[tuple[int, int], ...] = ()
    failure: str = ""
    message: str = ""
    line: int = 0
    ids: tuple[int, ...] | None = None


class Renderer(OwnedProcess):
    """The renderings of one template at a time; as a context it ends its worker.

    ``hash_seed`` is the seed of Python's hashes in the worker. A template that does not compile
    renders nothing, and each rendering says why. ``code`` is what a template is compiled to.
    """

    def __init__(self, hash_seed: int = 0) -> None:
        self._hash_seed = hash_seed
        self._source: tuple[str, dict[str, Any]] = ("", {})
        self.code = ""
        self._known: dict[bytes, Rendered] = {}
        self._kept = 0
        self._invalid: Rendered | None = None
        self._exceeded = 0

    def load(self, source: str, variables: Mapping[str, Any], code: str = "") -> None:
        """Compile a template, with the variables that all conversations get, and forget others.

        ``code`` is :attr:`code` of another renderer that has loaded the template.
        """
        self._source, self._known = (source, dict(variables)), {}
        self._exceeded = self._kept = 0
        self.code = code
        self._compile()

    def syntax_of(self, source: str) -> str:
        """Return the digest of the syntax tree of any template; "" if it cannot be parsed."""
        return str(self._shown("syntax", source).get("digest", ""))

    def facts_of(self, source: str) -> Mapping[str, Any]:
        """Return what the syntax tree of any template shows; nothing if it cannot be parsed."""
        return dict(self._shown("facts", source).get("facts", {}))

    def _shown(self, what: str, source: str) -> Mapping[str, Any]:
        try:
            answer = self._started().call(to_line({what: source}), LOAD_SECONDS * crowding())
        except TargetDeath:
            self.close()
            return {}
        return dict(from_line(answer))

    def _compile(self) -> None:
        source, variables = self._source
        self._invalid = None
        try:
            line = to_line({"template": source, "variables": variables, "code": self.code})
            process = self._started()
            process.reset_memory_limit()
            answer = from_line(process.call(line, LOAD_SECONDS * crowding()))
        except TargetDeath as death:
            self.close()
            answer = {"failure": "time limit", "message": f"it cannot be compiled: {death}"}
        self.code = answer.get("code", "")
        if "failure" in answer:
            self._invalid = _rendered(answer)

    def _started(self) -> LineProcess:
        if self._process is None:
            argv = [sys.executable, "-P", "-m", "tokharness.conversations.serve"]
            self._process = LineProcess(
                argv,
                memory=MEMORY,
                internal=True,
                environment=_environment(self._hash_seed),
            )
        return self._process

    @property
    def variables(self) -> Mapping[str, Any]:
        """The variables that all conversations get, such as ``bos_token``."""
        return self._source[1]

    @property
    def gave_up(self) -> bool:
        """Whether conversations were not tried, as others, or all together, exceeded a limit."""
        return self._exceeded >= MOST_EXCEEDED or self._kept > MOST_KEPT

    def render(self, request: Request) -> Rendered:
        """Return the rendering of one conversation."""
        known = self._known.get(request.key)
        return self.render_all([request])[0] if known is None else known

    def render_all(self, requests: Iterable[Request]) -> list[Rendered]:
        """Return the rendering of each conversation, in one request to the worker."""
        rows = [(request.key, request) for request in requests]
        unknown = {key: request for key, request in rows if key not in self._known}
        if unknown:
            results = self._ask(list(unknown.values()))
            self._known |= dict(zip(unknown, results, strict=True))
        return [self._known[key] for key, _ in rows]

    def _ask(self, requests: Sequence[Request]) -> list[Rendered]:
        rows = [b64encode(one.key).decode() for one in requests]
        limit = SECONDS * GRACE * min(len(rows), MOST_EXCEEDED)
        seconds = (limit + 0.01 * len(rows)) * crowding()
        if self._process is None and self._invalid is None:
            self._compile()
        if self._invalid is not None:
            return [self._invalid] * len(requests)
        if self.gave_up:
            return [Rendered(None, failure=NOT_TRIED)] * len(requests)
        try:
            answer = from_line(self._started().call(to_line({"render": rows}), seconds))
        except TargetDeath as death:
            self.close()
            if len(requests) > 1:
                middle = len(requests) // 2
                return [*self._ask(requests[:middle]), *self._ask(requests[middle:])]
            reason = "time limit" if death.reason == "time limit" else "death"
            self._exceeded += 1  # before the other half is asked
            return [Rendered(None, failure=reason, message=str(death))]
        results = [_rendered(one) for one in answer["results"]]
        self._exceeded += sum(one.failure in LIMITS for one in results)
        self._kept += sum(sys.getsizeof(one.text) for one in results)
        return results


def _environment(hash_seed: int) -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONHASHSEED": str(hash_seed)}


def _rendered(answer: Mapping[str, Any]) -> Rendered:
    if "text" in answer:
        spans = tuple((start, end) for start, end in answer["spans"])
        return Rendered(answer["text"], spans)
    return Rendered(None, (), answer["failure"], answer["message"], answer.get("line", 0))
