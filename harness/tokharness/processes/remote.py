r"""A tokenizer in a process of its own, spoken to in lines of JSON.

One object a line, ASCII, answers in order, lone surrogates as ``\udXXX`` escapes::

    {"op": "info"}                      -> {"name", "version", "n_vocab", "special_tokens",
                                            "normalizer", "unicode_version", "ops"}
    {"op": "encode", "texts": [...]}    -> {"results": [[ids] | {"error": "..."}, ...]}
    {"op": "decode", "ids": [[...]]}    -> {"results": ["text" | {"bytes": "hex"} | {"error"}, ...]}
    {"op": "token_bytes", "ids": [...]} -> {"results": ["hex" | null, ...]}       (if in "ops")
    {"op": "encode_ordinary" | "encode_special" | "encode_batch", "texts"}  as encode (if in "ops")
    {"op": "normalize", "texts": [...]} -> {"results": ["text", ...]}             (if in "ops")

An ``error`` may have a ``type`` (the exception's name) and ``panic``: true, for what is no ordinary
exception. Everything in ``info`` is optional. A process that ends, answers too late or answers
nonsense is started anew; the text it had is told, by asking about one text at a time.
"""

from __future__ import annotations

import contextlib
import functools
import json
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetDeath, TargetError
from tokharness.processes.deadly import Deadly
from tokharness.processes.limits import CURRENT, LOAD_SECONDS, signal_name
from tokharness.processes.line_process import LineProcess
from tokharness.processes.wire import from_line, to_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["Remote"]

MOST_TEXTS = 250
MOST_CHARACTERS = 50_000
"""In one question; a text that is longer is asked about alone."""

MANY = 4
"""Share of the time for one text in which many are to be answered, before each is asked alone."""

GRACE = 1.0
"""Seconds that a process of ours, which holds itself to the limit, may be late."""

SHOWN = 80
TEXT_OPS = ("encode_ordinary", "encode_special", "encode_batch")

Result = Any  # what a row became, or the exception that it raised


class Remote:
    """The methods of a tokenizer, each a question to a process.

    A program of ours, ``serving`` the target of a spec, gets and gives surrogates as
    :mod:`tokharness.processes.wire` says.

    Raises:
        TargetError: the program cannot be started or does not say what it is.

    """

    def __init__(self, argv: Sequence[str], *, serving: str = "") -> None:
        self._argv = list(argv)
        self._what = serving or " ".join(self._argv)[:300]
        self._ours = ours = bool(serving)
        self._from_line = from_line if ours else json.loads
        self._limits = CURRENT.get()
        self._process: LineProcess | None = None
        self.deadly = Deadly()
        info = self._start()
        self.name = info.get("name")
        self.version = info.get("version")
        self.n_vocab = info.get("n_vocab")
        self.special_tokens = info.get("special_tokens") or {}
        self.normalizer = info.get("normalizer")
        self.unicode_version = info.get("unicode_version")
        self._offer(info.get("ops") or ())

    def encode(self, text: str) -> list[int]:
        """Ids of a text."""
        return self._one("encode", text)  # type: ignore[no-any-return]

    def decode(self, ids: Sequence[int]) -> str | bytes:
        """Text, or bytes, of some ids."""
        return self._one("decode", list(ids))  # type: ignore[no-any-return]

    def column(self, op: str, items: Sequence[Any]) -> list[Result]:
        """A result, or the exception it raised, for each item; raises TargetDeath of any."""
        results: list[Result] = []
        for part in _parts(items):
            results += self._ask(op, part)
        return results

    def column_of_each(self, op: str, items: Sequence[Any]) -> list[Result]:
        """As :meth:`column`, with the death of each item that is deadly in its place.

        An item that resembles a deadly one closely is not tried: its place has NotTriedError.
        """
        results: list[Result] = []
        for part in _parts(items):
            left_out = {
                place: why
                for place, item in enumerate(part)
                if (why := self.deadly.not_tried(op, item)) is not None
            }
            tried = [item for place, item in enumerate(part) if place not in left_out]
            found = iter(self._each(op, tried))
            results += [left_out[n] if n in left_out else next(found) for n in range(len(part))]
        return results

    def _each(self, op: str, items: list[Any]) -> list[Result]:
        """Ask about all at once, and about each alone where one may be deadly, or was."""
        if not any(self.deadly.concerns(op, item) for item in items):
            try:
                results = self._ask(op, items)
            except TargetDeath:
                pass
            else:
                for item in items:
                    self.deadly.lived(op, item)
                return results
        return [self._careful(op, item) for item in items]

    @contextlib.contextmanager
    def fresh(self) -> Iterator[None]:
        """Within this a fresh process is asked, of which no death is known, with all its time."""
        known, self.deadly = self.deadly, Deadly()
        self.close()
        try:
            yield
        finally:
            self.deadly = known

    def know(self, rows: Iterable[Sequence[Any]]) -> None:
        """Take over what another process has found to be deadly."""
        if self.deadly.rows != list(rows):
            self.deadly = Deadly(rows)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _careful(self, op: str, item: Any) -> Result:
        if not_tried := self.deadly.not_tried(op, item):
            return not_tried
        try:
            result = self._one(op, item)
        except KeyboardInterrupt:
            raise
        except TargetDeath as death:
            return death
        except BaseException as error:
            result = error
        self.deadly.lived(op, item)
        return result

    def _one(self, op: str, item: Any) -> Result:
        """Ask about one item, and keep how the process died of it."""
        if (death := self.deadly.death(op, item)) is not None:
            raise death
        try:
            (result,) = self._ask(op, [item])
        except TargetDeath as died:
            self.deadly.add(op, item, died)
            raise
        if isinstance(result, BaseException):
            raise result
        return result

    def _ask(self, op: str, items: Sequence[Any]) -> list[Result]:
        """Ask about some items at once; raises TargetDeath if no right answer comes."""
        if self._process is None:
            self._start()
        process: LineProcess = self._process  # type: ignore[assignment] # just started
        field, parse = _READERS[op]
        share = self.deadly.patience
        if len(items) > 1:
            share = min(share, 1 / MANY)
        seconds = self._limits.seconds_for(sum(map(_length, items))) * share
        try:
            process.renew_memory()
            early = process.line()
            if early is not None:
                raise _nonsense("before it was asked", early)
            question = {"op": op, field: items}
            if self._ours:
                line = process.ask(to_line({**question, "seconds": seconds}), seconds + GRACE)
            else:
                line = process.ask(_ascii(question), seconds)
            answer = _read(line, self._from_line)
            if not self._ours or "died" not in answer:
                return _results(answer, line, len(items), parse)
        except TargetDeath:
            self.close()
            raise
        raise TargetDeath(signal_name(answer["died"]), process.last_words())

    def _start(self) -> dict[str, Any]:
        """Start the program and hear what it is; one of ours that dies of a first text starts cold.

        What a tokenizer does at its first text only may take long, so it has one before the rest.
        """
        try:
            self._process = self._fresh()
            line = self._process.ask(_ascii({"op": "info"}), LOAD_SECONDS)
            info = _read(line, self._from_line)
        except OSError as error:
            raise TargetError(f"cannot start {self._what}: {error.strerror}") from error
        except TargetDeath as death:
            self.close()
            if self._ours and "cold" not in self._argv and death.how != "time limit":
                self._argv.append("cold")
                return self._start()
            raise TargetError(f"{self._what} cannot be loaded: {_said(death)}") from death
        if "error" in info:
            self.close()
            raise TargetError(str(info["error"]))
        if not self._ours:
            self._warm_up()
        return info

    def _fresh(self) -> LineProcess:
        return LineProcess(self._argv, memory=self._limits.memory, ours=self._ours)

    def _warm_up(self) -> None:
        process: LineProcess = self._process  # type: ignore[assignment] # just started
        try:
            process.ask(_ascii({"op": "encode", "texts": ["a"]}), LOAD_SECONDS)
        except TargetDeath:  # of this text: it is told when its turn comes
            self._process = self._fresh()

    def _offer(self, ops: Iterable[str]) -> None:
        """Give the methods that the program has."""
        for op in TEXT_OPS:
            if op in ops:
                setattr(self, op, functools.partial(self._one, op))
        if "encode_batch" in ops:
            self.encode_batch = functools.partial(self.column, "encode_batch")
        if "normalize" in ops:
            self.normalize = functools.partial(self._one, "normalize")
        if "token_bytes" in ops:
            self.decode_single_token_bytes = functools.partial(self._one, "token_bytes")


def _parts(items: Sequence[Any]) -> list[list[Any]]:
    """Cut a column where a question gets too long."""
    parts: list[list[Any]] = []
    room = 0
    for item in items:
        if not parts or len(parts[-1]) >= MOST_TEXTS or room < _length(item):
            parts.append([])
            room = MOST_CHARACTERS
        parts[-1].append(item)
        room -= _length(item)
    return parts


def _ascii(question: dict[str, Any]) -> bytes:
    return json.dumps(question, ensure_ascii=True).encode() + b"\n"


def _length(item: Any) -> int:
    return 1 if isinstance(item, int) else len(item)


def _said(death: TargetDeath) -> str:
    words = f": {death.words}" if death.words else ""
    if death.how == "time limit":
        return f'it did not answer {{"op": "info"}} within {LOAD_SECONDS:.0f} seconds{words}'
    return death.words if death.how == "nonsense" else f"its process ended with {death.how}{words}"


def _nonsense(what: str, line: bytes) -> TargetDeath:
    shown = line[:SHOWN].decode("ascii", "backslashreplace")
    return TargetDeath("nonsense", f"it answered {what}: {shown}")


def _read(line: bytes, read: Callable[[bytes], Any]) -> dict[str, Any]:
    try:
        answer = read(line)
    except ValueError:
        raise _nonsense("what is no JSON", line) from None
    if not isinstance(answer, dict):
        raise _nonsense("what is no object", line)
    return answer


def _results(
    answer: dict[str, Any], line: bytes, number: int, parse: Callable[[Any], Result]
) -> list[Result]:
    results = answer.get("results")
    if not isinstance(results, list):
        raise _nonsense('without a list of "results"', line)
    if len(results) != number:
        raise _nonsense(f"with {len(results)} results for {number}", line)
    try:
        return [_raised(one) if _is_error(one) else parse(one) for one in results]
    except (TypeError, ValueError, KeyError):
        raise _nonsense("with results of another kind", line) from None


def _is_error(result: Any) -> bool:
    return isinstance(result, dict) and "error" in result


def _raised(record: dict[str, Any]) -> BaseException:
    """Make the exception that the program tells of."""
    name, message = str(record.get("type") or "Error"), str(record["error"])
    if name == "MemoryError":
        return MemoryError(message)
    return _exception(name, bool(record.get("panic")))(message)


@functools.cache
def _exception(name: str, panic: bool) -> type[BaseException]:
    return type(name, (BaseException if panic else Exception,), {})


def _ids(result: Any) -> list[int]:
    if type(result) is not list or not all(type(number) is int for number in result):
        raise TypeError("no list of ids")
    return result


def _text(result: Any) -> str | bytes:
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return bytes.fromhex(result["bytes"])
    raise TypeError("no text")


def _bytes(result: Any) -> Result:
    return KeyError("no such token") if result is None else bytes.fromhex(result)


_READERS: dict[str, tuple[str, Callable[[Any], Result]]] = {
    "encode": ("texts", _ids),
    **dict.fromkeys(TEXT_OPS, ("texts", _ids)),
    "normalize": ("texts", _text),
    "decode": ("ids", _text),
    "token_bytes": ("ids", _bytes),
}
