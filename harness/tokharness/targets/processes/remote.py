"""A tokenizer in a separate process, and the texts that crash it.

Each method sends a request to a :class:`~tokharness.targets.processes.program.Program`. After a
crash the program is restarted, and the crashing text is found by sending one text at a time.
"""

from __future__ import annotations

import contextlib
import functools
import time
import weakref
from typing import TYPE_CHECKING, Any

from tokharness.boundary.entry_points import BY_NAME, ENTRY_POINTS, Argument
from tokharness.boundary.tokenizer import OwnProcess
from tokharness.errors import TargetDeath
from tokharness.targets.processes.crashers import DEATHS_OF_LIMIT, LOST_SECONDS, Crashers
from tokharness.targets.processes.deadlines import crowding
from tokharness.targets.processes.death_shapes import find_limit
from tokharness.targets.processes.limits import CURRENT_LIMITS
from tokharness.targets.processes.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from tokharness.targets.processes.protocol import Answer

# The number of items in a request.

MAX_TEXTS = 250
MAX_CHARACTERS = 50_000
"""Most characters of a request; a longer text has a request of its own."""


def request_parts(items: Sequence[Any]) -> list[list[Any]]:
    """Split items into requests of at most ``MAX_TEXTS`` and ``MAX_CHARACTERS``."""
    parts: list[list[Any]] = []
    room = 0
    for item in items:
        if not parts or len(parts[-1]) >= MAX_TEXTS or room < item_length(item):
            parts.append([])
            room = MAX_CHARACTERS
        parts[-1].append(item)
        room -= item_length(item)
    return parts


def item_length(item: Any) -> int:
    """Return the number of characters, ids or bytes of an item; 1 for a number."""
    return 1 if isinstance(item, int) else len(item)


BATCH_TIME_DIVISOR = 4
"""A request of several items gets this part of the time limit; after it, items are sent alone."""


MOST_DEATHS_OF_FETCHES = 3
"""Requests of :meth:`Remote.fetch` that may end the process; each may take its whole time limit."""


def _answer_of(function: Callable[[Any], Any], item: Any) -> Answer:
    try:
        return function(item)
    except Exception as error:
        return error


class Remote(OwnProcess):
    """A tokenizer whose methods are requests to a program.

    With a ``spec`` the program is our own, serving this target.

    Raises:
        TargetError: the program cannot be started, or sends no valid info.

    """

    def __init__(self, argv: Sequence[str], *, spec: str = "") -> None:
        self._program = Program(argv, spec=spec)
        weakref.finalize(self, self._program.close)
        self.joins_pairs = not spec
        self._limits = CURRENT_LIMITS.get()
        self.crashers, self._lost_seconds = Crashers(), 0.0
        self._fetched: dict[tuple[str, Any], list[Answer]] = {}
        self._deaths_of_fetches = 0
        self._assumes = True
        self._here: dict[str, Callable[[Any], Any]] = {}
        info = self._program.info
        self.name = info.get("name")
        self.version = info.get("version")
        self.n_vocab = info.get("n_vocab")
        self.algorithm, self.unknown_id = info.get("algorithm"), info.get("unknown_id")
        self.special_tokens = info.get("special_tokens") or {}
        self.added_tokens = info.get("added_tokens") or {}
        self.plain_setting = info.get("plain_setting")
        self.tokens_alone = info.get("tokens_alone")
        self.trims_offsets = info.get("trims_offsets")
        self.stage_versions = info.get("stage_versions") or {}
        self.normalizer = info.get("normalizer")
        self.unicode_version = info.get("unicode_version")
        # Only our own program sends this, for a target that has read a vocabulary file.
        conflicts = info.get("conflicting_tokens", {}) if spec else {}
        self.conflicting_tokens = {
            int(number): bytes.fromhex(data) for number, data in conflicts.items()
        }
        self._add_methods(info.get("ops") or ())

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text."""
        return self._call("encode", text)  # type: ignore[no-any-return]

    def decode(self, ids: Sequence[int]) -> str | bytes:
        """Return the text, or bytes, of ids."""
        return self._call("decode", list(ids))  # type: ignore[no-any-return]

    def add_here(self, method: str, function: Callable[[Any], Any]) -> None:
        """Add a method that needs no request, such as what a file declares.

        It takes the place of an operation of the program.
        """
        self._here[method] = function
        setattr(self, method, function)

    def call_batch(self, method: str, items: Sequence[Any]) -> list[Answer]:
        """Return the result of a method for each item, or the exception that it raised.

        Raises:
            TargetDeath: an item ended the process.

        """
        if method in self._here:
            return [_answer_of(self._here[method], item) for item in items]
        results: list[Answer] = []
        for part in request_parts(items):
            results += self._send(BY_NAME[method].operation, part)
        return results

    def call_each(self, method: str, items: Sequence[Any]) -> list[Answer]:
        """Return the result for each item, or the exception or TargetDeath that it caused.

        An item that closely resembles a crashing item is skipped: its result is a SkippedTextError.
        """
        if method in self._here:
            return self.call_batch(method, items)
        op = BY_NAME[method].operation
        results: list[Answer] = []
        for part in request_parts(items):
            for item in part:
                if self.crashers.must_recheck(item):
                    self._recheck(op, item)
            skipped = {
                index: reason
                for index, item in enumerate(part)
                if (reason := self.crashers.reason_to_skip(op, item)) is not None
            }
            for index, reason in skipped.items():
                self.crashers.leave_unanswered(part[index], reason)
            rest = [item for index, item in enumerate(part) if index not in skipped]
            rest_results = iter(self._call_each(op, rest))
            results += [
                skipped[index] if index in skipped else next(rest_results)
                for index in range(len(part))
            ]
        return results

    def _call_each(self, op: str, items: list[Any]) -> list[Answer]:
        """Send all items at once; send each item alone if an item may crash the process, or did."""
        if not any(self.crashers.must_isolate(op, item) for item in items):
            try:
                results = self._send(op, items)
            except TargetDeath:
                pass
            else:
                for item in items:
                    self.crashers.add_survivor(op, item)
                return results
        return [self._call_isolated(op, item) for item in items]

    def fetch(self, method: str, texts: Sequence[str], *, decoded: bool = False) -> None:
        """Send texts in few requests, so that the next call with each text needs no request.

        With ``decoded``, so does the next ``decode`` of the ids of each text. Texts that may end
        the process are left out. All texts are left out once several requests ended it.
        """
        self._fetched = {}
        crashers = self.crashers
        safe = [
            text
            for text in texts
            if not crashers.must_isolate(method, text)
            and crashers.reason_to_skip(method, text) is None
        ]
        rows = self._fetch(method, safe, safe)
        if decoded:
            sequences = [row for row in rows if isinstance(row, list)]
            self._fetch("decode", sequences, map(tuple, sequences))

    def _fetch(self, op: str, items: Sequence[Any], keys: Iterable[Hashable]) -> Sequence[Answer]:
        """Keep and return the results of items; () if an item ends the process."""
        if self._deaths_of_fetches >= MOST_DEATHS_OF_FETCHES:
            return ()
        try:
            results = self.call_batch(op, items)
        except TargetDeath:
            self._deaths_of_fetches += 1
            return ()
        for key, result in zip(keys, results, strict=True):
            self._fetched.setdefault((op, key), []).append(result)
        return results

    def _next_fetched(self, op: str, item: Any) -> list[Answer]:
        """Return the result that was fetched for a call, as a list of one; [] if there is none."""
        if not self._fetched or not isinstance(item, str | list):
            return []
        fetched = self._fetched.get((op, item if isinstance(item, str) else tuple(item)))
        return [fetched.pop()] if fetched else []

    @contextlib.contextmanager
    def fresh(self) -> Iterator[None]:
        """Use a new process, without recorded crashes and with the full time limit, in this block.

        A limit that was found stays. The recorded crashes come back afterwards.
        """
        crashers, self.crashers = self.crashers, Crashers()
        self._fetched = {}
        self._assumes = False
        self.crashers.limit = crashers.limit
        self.close()
        try:
            yield
        finally:
            self.crashers = crashers
            self._assumes = True

    @property
    def lost_seconds(self) -> float:
        """Seconds that deaths and hangs took, since the process started or in :meth:`own_time`."""
        return self._lost_seconds

    @contextlib.contextmanager
    def own_time(self) -> Iterator[None]:
        """Count, in this block, only the time that is lost in this block.

        Otherwise the texts of an audit would be skipped if an earlier audit often ended the
        process, which takes more time on a busy machine.
        """
        lost, is_spent = self._lost_seconds, self.crashers.is_spent
        self._lost_seconds = 0.0
        self.crashers.go_on()
        try:
            yield
        finally:
            self._lost_seconds = lost
            self.crashers.go_on()
            if is_spent:
                self.crashers.stop()

    def set_crashers(self, rows: Iterable[Sequence[Any]]) -> None:
        """Take over the crashing texts that another process has found."""
        if self.crashers.rows != list(rows):
            self.crashers = Crashers(rows)

    def close(self) -> None:
        """End the process."""
        self._program.close()

    def _call_isolated(self, op: str, item: Any) -> Answer:
        """Return the result for one item, or the exception, death or reason to skip it."""
        if self._lost_seconds > LOST_SECONDS and not self.crashers.is_spent:
            self.crashers.stop()
        if reason := self.crashers.reason_to_skip(op, item):
            self.crashers.leave_unanswered(item, reason)
            return reason
        try:
            result = self._call(op, item)
        except KeyboardInterrupt:
            raise
        except TargetDeath as death:
            result = death
        except MemoryError as error:
            self.crashers.add_out_of_memory(item)
            result = error
        except BaseException as error:
            self.crashers.add_survivor(op, item)
            return error
        else:
            self.crashers.add_survivor(op, item)
            return result
        if isinstance(item, str) and self.crashers.failures in DEATHS_OF_LIMIT:
            self._look_for_a_limit(op, item)
        return result

    def _look_for_a_limit(self, op: str, text: str) -> None:
        """Search for a size above which texts end the process, if all fatal texts are larger."""

        def dies(probe: str) -> bool:
            try:
                (result,) = self._send(op, [probe])
            except TargetDeath:
                return True
            return isinstance(result, MemoryError)

        for name in list(self.crashers.sizes.separated()):
            if self._lost_seconds > LOST_SECONDS:
                return
            if name in self.crashers.refuted:
                continue
            limit = find_limit(name, text, self.crashers.sizes, dies)
            if limit is not None:
                self.crashers.set_limit(name, limit)
                self._lost_seconds = 0.0  # few texts will cost time from now on
                return

    def _recheck(self, op: str, text: str) -> None:
        """Run a text above the limit; if it survives, the limit is dropped."""
        lost = self._lost_seconds
        try:
            self._run(op, text)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, TargetDeath | MemoryError):
                self._lost_seconds = lost  # few texts are run again, and each may cost a second
                return
        self.crashers.drop_limit()
        self.crashers.add_survivor(op, text)

    def _call(self, op: str, item: Any) -> Answer:
        """Send one item; a text above the limit gets the error of earlier such texts."""
        try:
            if self._assumes and (error := self.crashers.assumed_error(item)) is not None:
                raise error
            return self._run(op, item)
        except TargetDeath as death:
            self.crashers.leave_unanswered(item, death)
            raise

    def _run(self, op: str, item: Any) -> Answer:
        """Send one item; record how it ended the process, if it did."""
        if (death := self.crashers.death_of(op, item)) is not None:
            raise death
        try:
            (result,) = self._next_fetched(op, item) or self._send_again_if_killed(op, item)
        except TargetDeath as new_death:
            self.crashers.add(op, item, new_death)
            raise
        if isinstance(result, BaseException):
            raise result
        return result

    def _send_again_if_killed(self, op: str, item: Any) -> list[Answer]:
        """Send one item; repeat it if the process may have been ended from outside."""
        try:
            return self._send(op, [item])
        except TargetDeath as death:
            if not death.is_external:
                raise
        return self._send(op, [item])

    def _send(self, op: str, items: Sequence[Any]) -> list[Answer]:
        """Send items in one request; raises TargetDeath if no valid response comes in time."""
        share = self.crashers.time_share
        if len(items) > 1:
            share = min(share, 1 / BATCH_TIME_DIVISOR)
        seconds = self._limits.seconds_for(sum(map(item_length, items))) * share
        begin = time.monotonic()
        try:
            results = self._program.call(op, items, seconds)
        except TargetDeath:
            self._lost_seconds += (time.monotonic() - begin) / crowding()
            raise
        if len(items) == 1 and isinstance(results[0], MemoryError):
            self._lost_seconds += (time.monotonic() - begin) / crowding()
        return results

    def _in_batch(self, op: str, items: Sequence[Any]) -> list[Any]:
        """Return the results of items that the program gets in few requests.

        The exception of an item is raised, as by a tokenizer in this process.
        """
        try:
            rows = self.call_batch(op, items)
        except TargetDeath as death:
            if len(items) == 1:  # the texts of a longer batch are sent alone
                self.crashers.leave_unanswered(items[0], death)
            raise
        for row in rows:
            if isinstance(row, BaseException):
                raise row
        return rows

    def _encode_bytes(self, data: bytes) -> list[int]:
        return self._call("encode_bytes", data.hex())  # type: ignore[no-any-return]

    def _add_methods(self, ops: Iterable[str]) -> None:
        """Add the optional methods that the program supports."""
        for one in ENTRY_POINTS[2:]:
            if one.operation not in ops:
                continue
            if one.takes is Argument.BYTES:
                call: Any = self._encode_bytes
            else:
                send = self._in_batch if one.takes.is_batch else self._call
                call = functools.partial(send, one.operation)
            setattr(self, one.name, call)
