"""A tokenizer in a process of its own, and what is known of the texts that end that.

Each method sends a request to a :class:`~tokharness.targets.processes.program.Program`. After a
crash the program is restarted, and the crashing text is found by sending one text at a time.
"""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetDeath
from tokharness.targets.processes.crashers import Deadly
from tokharness.targets.processes.limits import CURRENT
from tokharness.targets.processes.program import Program
from tokharness.targets.processes.protocol import ITEM_OPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.targets.processes.protocol import Result

__all__ = ["Remote"]

MOST_TEXTS = 250
MOST_CHARACTERS = 50_000
"""In one question; a text that is longer is asked about alone."""

MANY = 4
"""Share of the time for one text in which many are to be answered, before each is asked alone."""


class Remote:
    """The methods of a tokenizer, each a question to a program.

    Raises:
        TargetError: the program cannot be started or does not say what it is.

    """

    def __init__(self, argv: Sequence[str], *, serving: str = "") -> None:
        self._program = Program(argv, serving=serving)
        self._limits = CURRENT.get()
        self.deadly = Deadly()
        info = self._program.info
        self.name = info.get("name")
        self.version = info.get("version")
        self.n_vocab = info.get("n_vocab")
        self.special_tokens = info.get("special_tokens") or {}
        self.normalizer = info.get("normalizer")
        self.unicode_version = info.get("unicode_version")
        # Only a target of ours that has read a vocabulary file tells this.
        told = info.get("contested", {}) if serving else {}
        self.contested = {int(number): bytes.fromhex(data) for number, data in told.items()}
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
        self._program.close()

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
        share = self.deadly.patience
        if len(items) > 1:
            share = min(share, 1 / MANY)
        seconds = self._limits.seconds_for(sum(map(_length, items))) * share
        return self._program.ask(op, items, seconds)

    def _encode_bytes(self, data: bytes) -> list[int]:
        return self._one("encode_bytes", data.hex())  # type: ignore[no-any-return]

    def _offer(self, ops: Iterable[str]) -> None:
        """Give the methods that the program has."""
        for op in ITEM_OPS:
            if op in ops:
                setattr(self, op, functools.partial(self._one, op))
        if "encode_batch" in ops:
            self.encode_batch = functools.partial(self.column, "encode_batch")
        if "encode_bytes" in ops:
            self.encode_bytes = self._encode_bytes
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


def _length(item: Any) -> int:
    return 1 if isinstance(item, int) else len(item)
