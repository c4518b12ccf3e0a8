"""Texts that crash or hang the target's process, and which texts to skip because of them.

A hang costs its whole time limit and a crash costs a new process. A text that contains a crashing
text is therefore skipped, and, after several crashes, a text of the same shape as a crashing text.
A skipped text is reported as a skip, never as a failure or a pass. Each hang divides the time limit
of later texts by four; a finding is only made of a text that crashed or hung in a fresh process
with the full limit.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.targets.processes.death_shapes import FatalSizes, measure_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The shape of a text: runs of characters of one major category, with their lengths.
#
# Texts with the same shape as a text that ends or hangs a process are likely to do so too.

MAX_RUNS, MAX_STARTS = 64, 4096
"""Most runs of a shape to compare, and most places in another shape to compare them with."""

Shape = tuple[tuple[str, int], ...]


class _Majors(dict[int, str]):
    """Major category of each code point, looked up on first use."""

    def __missing__(self, point: int) -> str:
        from tokharness.unicode.properties import category

        return self.setdefault(point, category(chr(point))[0])


_MAJORS = _Majors()
_RUN = re.compile(r"(.)\1*", re.DOTALL)


def shape_of(text: str) -> Shape:
    """Return the runs of characters of one major category, with their lengths."""
    runs = (run.group() for run in _RUN.finditer(text.translate(_MAJORS)))
    return tuple((run[0], len(run)) for run in runs)


def shape_contains(shape: Shape, part: Shape) -> bool:
    """Whether a shape has runs of the same categories as ``part`` in a row, each at least as long.

    Only the first runs are compared, since a repetitive text would compare all runs at each place.
    """
    runs = part[:MAX_RUNS]
    starts = range(min(len(shape) - len(part) + 1, MAX_STARTS))
    return any(
        all(
            category == part_category and length >= part_length
            for (part_category, part_length), (category, length) in zip(
                runs, shape[start : start + len(runs)], strict=True
            )
        )
        for start in starts
    )


SHORTEST_SHARE = 1 / 20
"""Least share of the time limit, after many hangs."""

PROOFS = 2
"""Number of crashing texts with a crashing text in them, after which all such texts are skipped."""

MAX_HANGS, MAX_DEATHS = 3, 100
"""Hangs, or deaths, after which texts of a crashing shape are skipped until one survives."""

LOST_SECONDS = 15.0
"""Seconds spent on deaths and hangs, after which no further text is run."""

SHORTENED = "stopped after a part of the time limit, as others hung before"
"""The detail of a hang that is only a guess: the text may end within the whole limit."""

LIMIT, LOST = "limit", "lost"
"""First items of rows that are not calls: a limit, and the end of the time for deaths."""

DEATHS_OF_LIMIT = frozenset({4, 8, 16, 32, 64})
"""Numbers of deaths after which a limit is searched for."""


Key = tuple[str, str | tuple[int, ...] | int]


def is_spent(rows: Iterable[Sequence[Any]]) -> bool:
    """Whether deaths took so much time that only a diagnosis may still run."""
    return any(row[0] == LOST for row in rows)


class Crashers:
    """Items that crashed or hung the process, by operation.

    ``rows`` replay the history of another instance: ``[op, item, reason, detail]`` in the order of
    the calls; ``reason`` is None if an item survived although a similar item crashed. Rows that
    begin with ``LIMIT`` have a limit and the name of its measure in place of item and reason, and a
    detail if the limit is dropped. ``unanswered`` counts the calls without a result by the name of
    the reason and its message.
    """

    def __init__(self, rows: Iterable[Sequence[Any]] = ()) -> None:
        self._deaths: dict[Key, TargetDeath] = {}
        self._hangs = self._out_of_memory = 0
        # By first character: crashing text -> number of crashing texts that contain it.
        self._contained: dict[str, dict[str, int]] = defaultdict(dict)
        self._crashing_shapes: dict[Shape, bool] = {}  # False: a text of this shape survived
        # Characters that all hanging texts of a shape share. None: a text of this shape survived.
        self._hanging_shapes: dict[Shape, set[str] | None] = {}
        self.sizes, self.limit, self.is_spent = FatalSizes(), ("", 0), False
        self.refuted: set[str] = set()
        self._above_limit = 0
        self.unanswered: Counter[tuple[str, str]] = Counter()
        self.rows: list[list[Any]] = []
        for op, item, reason, detail in rows:
            if op == LIMIT and detail:
                self.drop_limit()
            elif op == LIMIT:
                self.set_limit(str(reason), item)
            elif op == LOST:
                self.stop()
            elif reason is None:
                self.add_survivor(op, item)
            else:
                self.add(op, item, TargetDeath(reason, detail))

    @property
    def time_share(self) -> float:
        """Share of the time limit that the next text gets."""
        return max(0.25**self._hangs, SHORTEST_SHARE)

    @property
    def failures(self) -> int:
        """Number of items that ended the process, and of texts on which it ran out of memory."""
        return len(self._deaths) + self._out_of_memory

    @property
    def deaths(self) -> int:
        """Number of items that ended the process."""
        return len(self._deaths)

    def add(self, op: str, item: Any, death: TargetDeath) -> None:
        """Record that an item ended the process."""
        hung = death.reason == "time limit"
        if hung and self.time_share < 1:
            death = TargetDeath(death.reason, SHORTENED)
        self.rows.append([op, item, death.reason, death.detail])
        self._deaths[_key(op, item)] = death
        self._hangs += hung
        if not isinstance(item, str):
            return
        self.sizes.add(item, died=True)
        crashing_texts = self._crashing_texts_in(item)
        for text in crashing_texts:
            self._contained[text[:1]][text] += 1
        if not crashing_texts:
            self._contained[item[:1]][item] = 0
        shape = shape_of(item)
        if not hung:
            self._crashing_shapes.setdefault(shape, True)
            return
        for hanging, common in self._hanging_shapes.items():
            if common is not None and shape_contains(shape, hanging):
                common &= set(item)
        self._hanging_shapes.setdefault(shape, set(item))

    def add_out_of_memory(self, item: Any) -> None:
        """Record that the process ran out of memory on an item, and survived."""
        if isinstance(item, str):
            self._out_of_memory += 1
            self.sizes.add(item, died=True)

    def add_survivor(self, op: str, item: Any) -> None:
        """Record that an item survived, so that texts which resemble it are not skipped."""
        if not isinstance(item, str) or not self.failures:
            return
        self.sizes.add(item, died=False)
        crashing_texts = self._crashing_texts_in(item)
        shape = shape_of(item)
        hanging_shapes = self._hanging_shapes_in(shape, item)
        if not crashing_texts and not hanging_shapes and not self._crashing_shapes.get(shape):
            return
        self.rows.append([op, item, None, ""])
        for text in crashing_texts:
            del self._contained[text[:1]][text]
        for hanging in hanging_shapes:
            self._hanging_shapes[hanging] = None
        if shape in self._crashing_shapes:
            self._crashing_shapes[shape] = False

    def death_of(self, op: str, item: Any) -> TargetDeath | None:
        """Return how exactly this item ended the process; None if it did not."""
        return self._deaths.get(_key(op, item)) if self._deaths else None

    def assumed_error(self, item: Any) -> BaseException | None:
        """Return the expected death for a text above the limit, as of such texts that were run."""
        if not isinstance(item, str) or not self.exceeds_limit(item):
            return None
        for (_, text), death in self._deaths.items():
            if isinstance(text, str) and self.exceeds_limit(text):
                return death
        return MemoryError(f"the text is {self.limit_in_words()}, and such texts exceed the limit")

    def must_isolate(self, op: str, item: Any) -> bool:
        """Whether an item crashed, or contains a crashing text, so that it is sent alone."""
        if not self._deaths:
            return False
        if self.death_of(op, item) is not None:
            return True
        return isinstance(item, str) and bool(self._crashing_texts_in(item))

    def reason_to_skip(self, op: str, item: Any) -> SkippedTextError | None:
        """Return why a text is skipped; None if it is not skipped."""
        if not isinstance(item, str) or self.death_of(op, item):
            return None
        if self.is_spent:
            return SkippedTextError("too much time was spent on texts that end or hang the target")
        if self.exceeds_limit(item):
            return SkippedTextError(f"it is {self.limit_in_words()}, and such texts end the target")
        if not self._deaths:
            return None
        texts = self._crashing_texts_in(item)
        if any(self._contained[text[:1]][text] >= PROOFS for text in texts):
            return SkippedTextError("it contains a text that crashes or hangs the target")
        crashes, hangs = len(self._deaths) >= MAX_DEATHS, self._hangs >= MAX_HANGS
        if crashes or hangs:
            shape = shape_of(item)
            if (crashes and self._crashing_shapes.get(shape)) or (
                hangs and self._hanging_shapes_in(shape, item)
            ):
                return SkippedTextError("it resembles several texts that crash or hang the target")
        return None

    def set_limit(self, name: str, limit: int) -> None:
        """Record that texts above the limit of a measure end or hang the process."""
        self.limit = name, limit
        self.rows.append([LIMIT, limit, name, ""])

    def leave_unanswered(self, item: Any, error: TargetDeath | SkippedTextError) -> None:
        """Count a text that has no result, since it is skipped or ends the process."""
        if isinstance(error, SkippedTextError):
            self.unanswered[str(error), f"not run, since {error}"] += 1
        elif isinstance(item, str):
            self.unanswered[error.reason, f"the target's process ends with {error}"] += 1

    def stop(self) -> None:
        """Record that the time for deaths is spent: no further text is run."""
        self.is_spent = True
        self.rows.append([LOST, 0, None, ""])

    def go_on(self) -> None:
        """Run texts again after :meth:`stop`."""
        self.is_spent = False
        self.rows = [row for row in self.rows if row[0] != LOST]

    def drop_limit(self) -> None:
        """Record that a text above the limit survived: drop the limit, and do not find it again."""
        name, limit = self.limit
        self.refuted.add(name)
        self.limit = "", 0
        self.rows.append([LIMIT, limit, name, "a text above it survived"])

    def must_recheck(self, text: Any) -> bool:
        """Whether a text above the limit is still run: the first, the fourth, and so on."""
        if self.is_spent or not isinstance(text, str) or not self.exceeds_limit(text):
            return False
        self._above_limit += 1
        number = self._above_limit
        return number & (number - 1) == 0 and number.bit_length() % 2 == 1

    def exceeds_limit(self, text: str) -> bool:
        """Whether a text is above the limit."""
        name, limit = self.limit
        return bool(name) and measure_of(name).of(text) > limit

    def limit_in_words(self) -> str:
        """Return the limit, such as "longer than 200 characters", or ""."""
        name, limit = self.limit
        return measure_of(name).words.format(limit) if name else ""

    def simplest_above_limit(self) -> str:
        """Return the simplest text above the limit, or ""."""
        name, limit = self.limit
        return measure_of(name).makers[-1]("", limit + 1) if name else ""

    def is_excluded(self, op: str, item: Any) -> bool:
        """Whether exactly this item ended the process, or it is skipped."""
        return self.death_of(op, item) is not None or self.reason_to_skip(op, item) is not None

    def _crashing_texts_in(self, item: str) -> list[str]:
        contained = self._contained
        return [
            text
            for char in set(item)
            if char in contained
            for text in contained[char]
            if text in item
        ]

    def _hanging_shapes_in(self, shape: Shape, item: str) -> list[Shape]:
        """Return shapes of hanging texts that this text has at the same or a greater length.

        The text must also have the characters that all hanging texts of a shape share, since such a
        character may be the cause.
        """
        return [
            hanging
            for hanging, common in self._hanging_shapes.items()
            if common is not None and common <= set(item) and shape_contains(shape, hanging)
        ]


def _key(op: str, item: Any) -> Key:
    return op, tuple(item) if isinstance(item, list) else item
