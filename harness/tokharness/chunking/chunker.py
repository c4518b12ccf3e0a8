"""A chunker in a process of its own, which is never trusted: its answers, each with a limit.

Requests have one item each and are sent many at a time, so that the item that the process does not
survive is known: it is the one whose answer is missing.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import TargetDeath, TargetError
from tokharness.json_content import parse_json
from tokharness.targets.loading import HASH_SEED
from tokharness.targets.processes.limits import Limits
from tokharness.targets.processes.program import RestartedProgram
from tokharness.targets.processes.protocol import read_info, read_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SCHEME = "chunker"
METHODS = ("split", "truncate", "count", "windows")

PANIC = "panic"
RAISES = "raises"
NOT_TRIED = "not tried"
INTERRUPTED = "the run was interrupted"
NO_CHUNKS = "no list of chunks"
NO_RESULT = {
    "split": NO_CHUNKS,
    "truncate": "no text",
    "count": "no length",
    "windows": "no windows",
}
"""What a method did not return, if it returned something else."""
ENDS = ("time limit", "memory limit", "death")

MOST_ENDED = 3
"""Items that may exceed a limit or end the process; then no further item is tried."""

AT_ONCE = 100
"""Requests that are sent before their answers are read."""

MOST_BYTES = 1 << 23
"""Bytes of an answer; the longest texts that are split have some 100,000 characters."""

SHORT, BYTES_OF_A_CHARACTER = 200, 1_000
"""Characters by which a text counts as longer, and of each the most bytes of an answer.

An overlap repeats a character in up to 32 chunks, with 12 bytes of JSON and a span.
"""

CHUNKS_OF_A_CHARACTER, FEW_CHUNKS = 4, 16
"""Most chunks of an answer for each character and text: a chunk may be a token of one byte."""

MOST_KEPT, CHUNK_BYTES = 1 << 28, 150
"""Bytes of the answers that are kept, and of each chunk; then no further item is tried.

A chunker that cuts at each character has 64 million.
"""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a text, as a chunker returns it.

    Attributes:
        text: The text; of bytes that are not UTF-8 what is left of them.
        span: Its start and end in the text, as the chunker says; None for a place that it omits.
        is_broken: It has bytes that are not UTF-8.

    """

    text: str
    span: tuple[int | None, int | None] = (None, None)
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """The ids of a part of a text, as a tokenizer gives them.

    Attributes:
        ids: All ids, with special tokens and padding.
        parts: For each id 0 for the text, 1 for the other text of a pair, None for what is added.
        offsets: For each id the start and the end in its text; None for unknown ones.
        mask: For each id whether it is no padding.

    """

    ids: tuple[int, ...]
    parts: tuple[int | None, ...]
    offsets: tuple[tuple[int, int] | None, ...]
    mask: tuple[bool, ...]

    def part(self, number: int) -> list[int]:
        """Return the ids of a text."""
        return [one for one, part in zip(self.ids, self.parts, strict=True) if part == number]

    def offsets_of(self, number: int) -> list[tuple[int, int] | None]:
        """Return the offsets of a text."""
        return [one for one, part in zip(self.offsets, self.parts, strict=True) if part == number]

    @property
    def special(self) -> list[int]:
        """The special tokens, without padding."""
        rows = zip(self.ids, self.parts, self.mask, strict=True)
        return [one for one, part, is_text in rows if part is None and is_text]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a chunker returns for an item, or how it fails.

    Attributes:
        value: A tuple of chunks or of windows, a text, or a number; None if it fails.
        failure: ``raises``, ``panic``, ``no list of chunks``, ``no text``, ``no length``,
            ``no windows``, ``time limit``, ``memory limit``, ``death``, ``not tried``, or "".
        kind: The name of the exception.
        message: The message of the exception, or how the process ended.

    """

    value: Any = None
    failure: str = ""
    kind: str = ""
    message: str = ""

    @property
    def size(self) -> int:
        """The number of chunks or windows."""
        return len(self.value) if isinstance(self.value, tuple) else 1


class Chunker(RestartedProgram):
    """The chunker of a spec; as a context it ends its process.

    Its process has a fixed seed of Python's hashes, ``hash_seed``, so that two runs give the same
    chunks.

    Attributes:
        spec: The spec.
        methods: Names of its methods among ``split``, ``truncate``, ``count`` and ``windows``.
        window_options: The parameters of ``windows``.
        version: The name and the version of its package, or "".
        loses: What it declares to lose between chunks, or "".
        counts_with: The spec of the tokenizer with which it declares to count, or "".
        truncates: ``"left"`` if it keeps the end of a text, else ``"right"``.
        has_overlap: Whether ``split`` takes an overlap.
        is_interrupted: Whether a signal has ended a request; then no further item is tried.
        refused: How many items were asked for after that, and have no answer.
        why_not_loaded: Why it does not load again after its process has ended, or "".

    Raises:
        TargetError: it cannot be loaded, or has no ``split``.

    """

    def __init__(
        self,
        spec: str,
        *,
        seconds: float | None = None,
        most_ended: int = MOST_ENDED,
        hash_seed: int = 0,
    ) -> None:
        argv = plugins.adapter(spec).alone(spec.partition(":")[2])
        environment = {**os.environ, HASH_SEED: str(hash_seed)}
        limits = Limits() if seconds is None else Limits(seconds)
        super().__init__(spec, argv, limits, environment)
        self._most_ended = most_ended
        self._known: dict[tuple[str, str], Answer] = {}
        self._ended = self._kept = 0
        self.is_interrupted = False
        self.refused = 0
        self.why_not_loaded = ""
        info = self._info()
        self.methods = tuple(name for name in METHODS if name in (info.get("ops") or ()))
        self.version = _word(info, "version") or _word(info, "name")
        self.loses, self.counts_with = _word(info, "loses"), _word(info, "counts_with")
        self.truncates = _word(info, "truncates") or "right"
        self.has_overlap = info.get("has_overlap") is not False
        self.window_options = tuple(info.get("window_options") or ())

    def _info(self) -> dict[str, Any]:
        try:
            line = self.started().call(_line("info", None), None)
            info = read_info(read_object(line), line, "window_options")
        except TargetDeath as death:
            self.close()
            raise TargetError(f"{self.spec} cannot be loaded: {death}") from death
        if "error" in info:
            self.close()
            kind = f"{info['type']}: " if "type" in info else ""
            raise TargetError(f"{self.spec} cannot be loaded: {kind}{info['error']}")
        return info

    @property
    def gave_up(self) -> bool:
        """Whether items were not tried: it was interrupted, exceeded limits, or loads no more."""
        ended = self._ended >= self._most_ended or self._kept > MOST_KEPT
        return self.is_interrupted or bool(self.why_not_loaded) or ended

    def interrupt(self) -> None:
        """End its process, which may be in the middle of an answer, and try no further item."""
        self.close()
        self.is_interrupted = True

    def ask(self, method: str, *item: Any) -> Answer:
        """Return the answer for one item: a text, a limit and an overlap, as the method takes."""
        return self.ask_all(method, [item])[0]

    def ask_all(self, method: str, items: Iterable[Sequence[Any]]) -> list[Answer]:
        """Return the answer for each item; the same item is asked once."""
        rows = [(method, json.dumps(list(item))) for item in items]
        values = dict.fromkeys(row for row in rows if row not in self._known)
        waiting = list(values)
        while waiting:
            batch, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            done = self._ask(method, [json.loads(key) for _, key in batch])
            self._known |= dict(zip(batch, done, strict=False))
            waiting = [*batch[len(done) :], *waiting]
        answers = [self._known[row] for row in rows]
        if self.is_interrupted:
            self.refused += sum(one.failure == NOT_TRIED for one in answers)
        return answers

    def again(self, method: str, *item: Any) -> Answer:
        """Return the answer for an item that is asked now, also if it is known."""
        return self._ask(method, [list(item)])[0]

    def _ask(self, method: str, items: Sequence[Sequence[Any]]) -> list[Answer]:
        """Return the answers for the first items, at least for one; others are to be asked again.

        An item whose answer is missing is asked alone before it counts as failed.
        """
        if self.gave_up:
            return [Answer(failure=NOT_TRIED)] * len(items)
        if self._process is None and not self._is_loaded_again():
            return [Answer(failure=NOT_TRIED, message=self.why_not_loaded)] * len(items)
        answers: list[Answer] = []
        try:
            process = self.started()
            process.reset_memory_limit()
            process.send(b"".join(_line(method, item) for item in items), self._seconds(items))
            for item in items:
                line = process.receive(self._seconds([item]))
                answers.append(_answer(method, line, item))
                self._kept += len(line) + CHUNK_BYTES * answers[-1].size
                if self._kept > MOST_KEPT:
                    self.close()
                    break
        except KeyboardInterrupt:
            self.interrupt()
            return [*answers, *[Answer(failure=NOT_TRIED)] * (len(items) - len(answers))]
        except TargetDeath as death:
            self.close()
            reason = "time limit" if death.reason == "time limit" else "death"
            ended = Answer(failure=reason, message=str(death))
            if len(items) == 1:
                self._ended += 1
                return [ended]
            if not self._is_loaded_again():
                return [*answers, ended]
            return answers or self._ask(method, items[:1])
        return answers

    def _is_loaded_again(self) -> bool:
        """Start its process again; if it does not load then, no further item is tried."""
        try:
            self._info()
        except TargetError as error:
            self.why_not_loaded = str(error)
        except KeyboardInterrupt:
            self.interrupt()
        return not (self.why_not_loaded or self.is_interrupted)

    def _seconds(self, items: Sequence[Sequence[Any]]) -> float:
        return sum(self.limits.seconds_for(len(item[0])) for item in items)


def _word(info: dict[str, Any], name: str) -> str:
    value = info.get(name)
    return value if isinstance(value, str) else ""


def _line(method: str, item: Any) -> bytes:
    """Return a request; JSON in ASCII, in which no text has a high surrogate before a low one."""
    only = item[0] if method == "count" else item
    return json.dumps({"op": method, "texts": [only]}).encode() + b"\n"


def _answer(method: str, line: bytes, item: Sequence[Any]) -> Answer:
    """Read an answer for an item, which may be anything."""
    size = len(item[0])
    most = min(MOST_BYTES, BYTES_OF_A_CHARACTER * (size + SHORT))
    if len(line) > most:
        message = f"its answer has {len(line):,} bytes, more than {most:,}"
        return Answer(failure=NO_RESULT[method], message=message)
    try:
        result = parse_json(line)["results"][0]
        if isinstance(result, dict) and "error" in result:
            return _failure(method, result)
        if method == "split" and len(result) > CHUNKS_OF_A_CHARACTER * size + FEW_CHUNKS:
            message = f"its answer has {len(result):,} chunks for a text of length {size:,}"
            return Answer(failure=NO_RESULT[method], message=message)
        value = _value(method, result)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        message = f"its answer is not of the protocol: {error}"
        return Answer(failure=NO_RESULT[method], message=message)
    return Answer(value)


def _failure(method: str, result: dict[str, Any]) -> Answer:
    kind, message = _word(result, "type"), _word(result, "error")
    if message.startswith("it returned "):  # said by the program, and raised by nothing of the user
        return Answer(failure=NO_RESULT[method], message=message)
    if kind == "MemoryError":
        return Answer(None, "memory limit", kind, message)
    return Answer(None, PANIC if result.get("panic") is True else RAISES, kind, message)


def _value(method: str, result: Any) -> Any:
    if method == "split":
        return tuple(map(_chunk, result))
    if method == "truncate":
        return _chunk(result)
    if method == "windows":
        return tuple(map(_window, result))
    if type(result) is not int or result < 0:
        raise TypeError(f"the count is {json.dumps(result)[:100]}")
    return result


def _window(given: Any) -> Window:
    size = len(given["ids"])
    offsets = given["offsets"] or [None] * size
    rows = (
        map(index, given["ids"]),
        given["parts"] or [0] * size,
        [one and (index(one[0]), index(one[1])) for one in offsets],
        map(bool, given["mask"] or [True] * size),
    )
    window = Window(*map(tuple, rows))
    if not len(window.parts) == len(window.offsets) == len(window.mask) == size:
        raise ValueError("a window has other numbers of ids, parts, offsets and masks")
    return window


def _chunk(given: Any) -> Chunk:
    if isinstance(given, str):
        return Chunk(given)
    if "bytes" in given:
        content = bytes.fromhex(given["bytes"])
        text = content.decode("utf-8", "ignore")
        return Chunk(text, is_broken=text.encode() != content)
    start, end = (at if type(at) is int else None for at in given["span"])
    return Chunk(str(given["text"]), (start, end))
