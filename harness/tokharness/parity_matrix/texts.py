"""Texts that are made once, and what each form makes of them, as digests of each result."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.config import PROFILES
from tokharness.diagnosis.special.default_entry_point import FAMILY as SPECIAL_TOKENS
from tokharness.engine.requests import ColumnsRequest, TextsRequest
from tokharness.engine.run.selection import select_families
from tokharness.engine.worker.operations.columns import METHODS, NOT_ASKED, OFFSETS, RAISED, SPECIAL
from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import TargetDeath
from tokharness.model import Skip
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.run.pool import AnyWorker
    from tokharness.engine.run.processor_time import ProcessorTime
    from tokharness.parity_matrix.opened import Opened
    from tokharness.plugins import Family

IDS, DECODED = "ids", "decoded"
WIDTH = len(RAISED)
"""Hex digits of a digest."""

MAX_UNPACKED = 64
"""Most packed texts of a unit whose parts run alone; the packed texts are compared themselves."""

MAX_KEPT = 8192
"""Most texts of a unit that differ and are kept; all are counted."""

REFUSED, NONE = -1, -2
"""Numbers in a pattern of a form that raises, and of a form that was not asked."""


@dataclass
class Unit:
    """Texts of a family, and the digests of each form by its place and the column."""

    family: str
    number: int
    texts: Sequence[str]
    is_packed: bool = False
    digests: dict[int, dict[str, str]] = field(default_factory=dict)

    def row(self, column: str, row: int, forms: int) -> tuple[str, ...]:
        """Return the digest of each form for a text."""
        return tuple(
            columns.get(column, "")[row * WIDTH : (row + 1) * WIDTH] or NOT_ASKED
            for columns in (self.digests.get(place, {}) for place in range(forms))
        )


@dataclass(frozen=True, slots=True)
class Differing:
    """A text for which not all forms have the same result; its pattern in each column."""

    text: str
    family: str
    patterns: Mapping[str, tuple[int, ...]]


@dataclass
class Results:
    """What the forms made of all texts.

    ``patterns`` counts, for each column, the texts by how their digests group the forms: a number
    for each form, equal for equal results, ``REFUSED`` or ``NONE``. A pattern of offsets is
    followed by that of the ids. ``differing`` has texts that differ in a column.
    """

    patterns: dict[str, Counter[tuple[int, ...]]] = field(default_factory=dict)
    differing: list[Differing] = field(default_factory=list)
    families: list[str] = field(default_factory=list)
    texts: int = 0
    skips: list[Skip] = field(default_factory=list)


def pattern_of(digests: Sequence[str]) -> tuple[int, ...]:
    """Return a number for each digest, equal for equal results."""
    numbers = {RAISED: REFUSED, NOT_ASKED: NONE}
    return tuple(numbers.setdefault(digest, len(numbers)) for digest in digests)


def differs(pattern: Iterable[int]) -> bool:
    """Whether two forms have different results, or one refuses what another takes."""
    return len({number for number in pattern if number != NONE}) > 1


def are_same(own: Sequence[int], others: Sequence[int]) -> bool:
    """Whether two forms have the same result for each text that both were asked for."""
    pairs = zip(own, others, strict=True)
    return all(one == other or NONE in (one, other) for one, other in pairs)


def are_apart(pattern: Sequence[int], first: int, second: int) -> bool:
    """Whether two forms were both asked for a text, and have different results."""
    one, other = pattern[first], pattern[second]
    return one != other and NONE not in (one, other)


def shows_by_itself(aspect: str, one: Differing, place: int, hub: int) -> bool:
    """Whether a text shows this aspect by itself: its ids are the same in both classes."""
    if aspect == IDS or IDS not in one.patterns:
        return True
    ids = one.patterns[IDS]
    return ids[place] == ids[hub]


def _unasked(texts: Sequence[str], response: Mapping[str, Any]) -> int:
    """Return the number of texts that a form was not given, though it can receive them."""
    row = response["columns"][IDS]
    digests = (row[at : at + WIDTH] for at in range(0, len(row), WIDTH))
    return sum(
        digest == NOT_ASKED and is_scalar(text)
        for text, digest in zip(texts, digests, strict=False)
    )


def _of_each_pattern(differing: Sequence[Differing], most: int) -> list[str]:
    """Return an even sample of the texts of each pattern, so that none hides another."""
    groups: dict[tuple[tuple[int, ...], ...], list[str]] = {}
    for one in differing:
        groups.setdefault(tuple(one.patterns.values()), []).append(one.text)
    chosen: list[str] = []
    for left, group in zip(
        range(len(groups), 0, -1), sorted(groups.values(), key=len), strict=True
    ):
        chosen += sample_evenly(group, (most - len(chosen)) // left)
    return chosen


class Runner:
    """Runs all forms on the texts of families, at most ``jobs`` at once."""

    def __init__(
        self,
        forms: Sequence[Opened],
        options: Options,
        time: ProcessorTime,
        jobs: int,
        progress: Callable[[str], object],
    ) -> None:
        self._forms, self._options, self._time = forms, options, time
        self._jobs, self._progress = max(jobs, 1), progress
        self._families: list[Family] = [one for one in select_families(options) if one.compared]
        self.results = Results(families=[one.name for one in self._families])
        self.results.skips += [
            Skip("", f"family {one.name}", "its texts are too long for a reference in plain Python")
            for one in select_families(options)
            if not one.compared
        ]
        self._units: list[Unit] = []
        self._next = dict.fromkeys(range(len(forms)), 0)
        self._packed: list[tuple[Unit, list[str]]] = []
        self._pending = iter(self._numbered())
        self._count: dict[str, int] = {}
        self._lacking: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._known: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._busy: dict[AnyWorker, tuple[int, ColumnsRequest, int]] = {}

    def run(self) -> Results:
        """Run everything; what was run before an interrupt is in ``results``."""
        self._time.begin_texts()
        try:
            while True:
                while self._send() or self._busy:
                    if self._busy:
                        self._receive()
                self._collect_rest()
                if not self._packed or not any(form.is_running for form in self._forms):
                    break
        finally:
            self._collect_rest()
        return self.results

    def _collect_rest(self) -> None:
        for number in range(len(self._units)):
            self._collect(number)

    # Texts.

    def _numbered(self) -> Iterator[tuple[Family, int]]:
        for family in self._families:
            number = 0
            while number == 0 or number < self._count.get(family.name, 0):
                yield family, number
                number += 1

    def _makers(self) -> list[Opened]:
        """Return the forms that can make texts, a reference first."""
        running = [form for form in self._forms if form.is_running]
        return sorted(running, key=lambda form: form.reference != form.spec)

    def _make(self, maker: Opened) -> bool:
        """Make the next unit; False if there is none, or no time for it."""
        if self._packed:
            self._units.append(self._parts(maker, *self._packed.pop(0)))
            return True
        if not self._time.texts_left():
            reason = "no time is left for them; --run-limit SECONDS allows more"
            left = list(dict.fromkeys(family.name for family, _ in self._pending))
            if left:
                what = f"further texts of {', '.join(left)}"
                self.results.skips.append(Skip("", what, reason, unfinished=True))
            return False
        following = next(self._pending, None)
        if following is None:
            return False
        family, number = following
        tokens, added = self._lacking_in(maker)
        response = maker.call(TextsRequest(family.name, number, tokens, added))
        if response is None:
            return False
        self._count[family.name] = response["units"]
        packed = family.unpack is not None
        self._units.append(Unit(family.name, number, response["texts"], packed))
        self._progress(f"comparing the texts of {family.name}")
        return True

    def _lacking_in(self, maker: Opened) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tokens of other forms that the maker lacks, and their special tokens."""
        if maker.spec not in self._lacking:
            own = {row.content for row in maker.rows}
            others = [form for form in self._forms if form is not maker]
            rows = chain.from_iterable(form.rows for form in others)
            tokens = dict.fromkeys(row.content for row in rows if row.content not in own)
            added = dict.fromkeys(
                text
                for form in others
                for kind in ("special", "added")
                for text in form.outline.get(kind, ())
            )
            texts = tuple(one for one in tokens if isinstance(one, str) and one)
            self._lacking[maker.spec] = (texts, tuple(added))
        return self._lacking[maker.spec]

    def _parts(self, maker: Opened, unit: Unit, packed: Sequence[str]) -> Unit:
        """Return the parts of packed texts that differ, as far as the profile allows."""
        most = PROFILES[self._options.profile].max_parts
        response = maker.call(TextsRequest(unit.family, unit.number, packed=packed))
        texts = () if response is None else response["texts"]
        return Unit(unit.family, unit.number, list(sample_evenly(texts, most)))

    # Requests.

    def _send(self) -> bool:
        """Send requests to idle forms; False if nothing is left to send."""
        sent = False
        busy = {place for place, _, _ in self._busy.values()}
        order = sorted(
            (place for place, form in enumerate(self._forms) if form.is_running),
            key=lambda place: self._next[place],
        )
        for place in order:
            if len(self._busy) >= self._jobs:
                break
            form, number = self._forms[place], self._next[place]
            if place in busy:
                continue
            if number >= len(self._units) and not self._make_for(number):
                continue
            if self._time.limit is not None and not self._time.texts_left():
                form.problem = (
                    form.problem or "--run-limit leaves no time for the rest of its texts"
                )
                continue
            self._request(place, form, number)
            sent = True
        return sent

    def _make_for(self, number: int) -> bool:
        """Make units until there is one with this number; the maker must be idle."""
        while number >= len(self._units):
            makers = self._makers()
            if not makers or makers[0].workers is None:
                return False
            if any(worker in self._busy for worker in makers[0].workers.workers):
                return False
            if not self._make(makers[0]):
                return False
        return True

    def _request(self, place: int, form: Opened, number: int) -> None:
        unit = self._units[number]
        columns = [IDS, DECODED]
        if METHODS[OFFSETS] in form.capabilities and not unit.is_packed:
            columns.append(OFFSETS)
        if METHODS[SPECIAL] in form.capabilities and unit.family == SPECIAL_TOKENS:
            columns.append(SPECIAL)
        every = PROFILES[self._options.profile].recheck_every
        request = ColumnsRequest(
            unit.texts, tuple(columns), form.crashers, every, self._time.of_unit()
        )
        self._next[place] = number + 1
        unguarded = form.workers.unguarded if form.workers is not None else []
        if form.is_guarded or not unguarded:
            self._add(place, number, form.call(request))
            return
        unguarded[0].send(request)
        self._busy[unguarded[0]] = (place, request, number)

    def _receive(self) -> None:
        first = next(iter(self._busy))
        pool = next(
            form.workers.pool
            for form in self._forms
            if form.workers is not None and first in form.workers.workers
        )
        worker = pool.next_ready(list(self._busy))
        place, request, number = self._busy.pop(worker)
        form = self._forms[place]
        try:
            response: dict[str, Any] | None = worker.receive()
        except TargetDeath as death:
            if form.workers is not None:
                form.workers.drop(worker)
            form.is_guarded, form.death = True, str(death)
            response = form.call(request)
        self._add(place, number, response)

    def _add(self, place: int, number: int, response: dict[str, Any] | None) -> None:
        form = self._forms[place]
        if response is not None:
            self._units[number].digests[place] = response["columns"]
            form.texts += response["texts"]
            form.crashers = response["crashers"] or form.crashers
            form.unasked += _unasked(self._units[number].texts, response) if form.crashers else 0
            self._time.reported += response["processor_seconds"]
            for name, count in response["raised"].items():
                form.raised[name] = form.raised.get(name, 0) + count
        places = [p for p, one in enumerate(self._forms) if one.is_running]
        if places and all(self._next[p] > number for p in places):
            waiting = {n for _, _, n in self._busy.values()}
            if number not in waiting:
                self._collect(number)

    # Results.

    def _collect(self, number: int) -> None:
        """Count the texts of a unit by how they group the forms, and forget the others."""
        unit = self._units[number]
        if not unit.digests:
            return
        columns = list(dict.fromkeys(name for one in unit.digests.values() for name in one))
        differing = []
        for row, text in enumerate(unit.texts):
            patterns = {name: self._pattern(unit, name, row, text) for name in columns}
            if any(map(differs, patterns.values())):
                differing.append(Differing(text, unit.family, patterns))
            self.results.texts += 1
            for name, pattern in patterns.items():
                key = pattern + patterns[IDS] if name == OFFSETS else pattern
                self.results.patterns.setdefault(name, Counter())[key] += 1
        if unit.is_packed and differing:
            self._packed.append((unit, _of_each_pattern(differing, MAX_UNPACKED)))
        self.results.differing += sample_evenly(differing, MAX_KEPT)
        unit.digests, unit.texts = {}, ()

    def _pattern(self, unit: Unit, column: str, row: int, text: str) -> tuple[int, ...]:
        """Return the pattern of a text; a text that is no Unicode may be refused."""
        digests = unit.row(column, row, len(self._forms))
        if RAISED in digests and not is_scalar(text):
            digests = tuple(NOT_ASKED if one == RAISED else one for one in digests)
        pattern = pattern_of(digests)
        return self._known.setdefault(pattern, pattern)  # of very many texts, few are different
