"""Progress of a run or a training on the standard error, as a bar or as occasional lines."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, cast

import click

from tokharness.config import Options
from tokharness.engine.events import (
    CauseDiscovered,
    Event,
    FamilyFinished,
    FindingReported,
    RoundFinished,
    ShardScanned,
    SlowTarget,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from rich.progress import Progress, TaskID

    from tokharness.model import Cause

# The standard error, for lines and bars that a run does not need: it may be closed at any time.


def say(line: str) -> None:
    """Write a line, already escaped."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


def optional_output() -> IO[str]:
    """Return the standard error as a stream that never fails, for a console of Rich."""
    return cast("IO[str]", _OptionalOutput())


class _OptionalOutput:
    def __init__(self) -> None:
        self._stream = sys.stderr

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


# The present work of a run, in words that follow its events.

Task: TypeAlias = Literal["checking", "fuzzing", "measuring", "scanning"]

MAX_NAMED = 3
"""Largest number of families that are named."""


class Status:
    """What a run of ``specs`` is doing.

    ``title`` is the target, escaped; ``done`` is the number of families that have run, of
    ``total``, which is None if it is unknown; ``cases`` counts the cases of the target.
    """

    def __init__(self, specs: Sequence[str], task: Task = "checking") -> None:
        self._waiting = list(dict.fromkeys(specs))
        self._task = task
        self._load_next()

    def _load_next(self) -> None:
        self.title = f"loading {terminal(self._waiting[0])}" if self._waiting else "finishing"
        self.cases, self.done, self.total = 0, 0.0, None
        self._source = ""
        self._failing: int | None = None
        self._is_reported = False
        self._is_loaded = False
        self._scanned = _Scanned()
        # Not the events: these have all texts that fail.
        self._cases: dict[str, dict[int, int]] = {}
        self._parts: dict[str, int] = {}

    total: int | None

    def update(self, event: Event) -> None:
        """Follow an event."""
        if isinstance(event, TargetStarted):
            self._start(event)
        elif isinstance(event, UnitFinished):
            self._finish_unit(event)
        elif isinstance(event, ShardScanned):
            if not self._is_loaded:
                self.title, self._is_loaded = terminal(event.spec), True
                self._scanned = _Scanned("read for the sample")
            self._scanned.add(event)
            self.cases += event.documents
            self.done, self.total = self._scanned.size, event.total
        elif isinstance(event, RoundFinished):
            self.cases += event.cases
            self._source = event.source
        elif isinstance(event, FamilyFinished):
            count = event.failing if event.diagnosed is None else event.diagnosed
            self._failing = (self._failing or 0) + count
        elif isinstance(event, FindingReported):
            self._is_reported = True
        elif isinstance(event, TargetFinished):
            self._load_next()

    def _start(self, event: TargetStarted) -> None:
        self.title = terminal(event.spec)
        self._waiting = [spec for spec in self._waiting if spec != event.spec]
        self._is_loaded = True
        self._scanned, self.done = _Scanned(), 0.0
        if self._task == "checking":
            self.total = len(event.families)
            self._cases = {name: {} for name in event.families}

    def _finish_unit(self, event: UnitFinished) -> None:
        """Count a unit; a guarded unit replaces the results of itself and of all later units."""
        cases = self._cases.setdefault(event.family, {})
        later = [number for number in cases if event.guarded and number >= event.number]
        replaced = [cases.pop(number) for number in later]
        cases[event.number], self._parts[event.family] = event.cases, event.units
        self.cases += event.cases - sum(replaced)
        self.done += (1 - len(replaced)) / event.units

    def what(self) -> str:
        """Describe the present work; "" while a target is loaded."""
        if not self._is_loaded:
            return ""
        if self._is_reported:
            return "finishing the report"
        if self._failing is not None:
            texts = f"{self._failing:,} failing text{'' if self._failing == 1 else 's'}"
            if self._task == "scanning":
                return f"diagnosing {texts}" if self._failing else "finishing"
            return f"diagnosing {texts}, auditing" if self._failing else "auditing"
        if self._task == "scanning":
            return str(self._scanned)
        if self._task == "checking":
            left = self._families_left()
            return f"families left: {left}" if left else "auditing"
        return f"{self._task} with texts of {self._source}" if self._source else self._task

    def _families_left(self) -> str:
        left = []
        for name, finished in self._cases.items():
            units = self._parts.get(name, 0)
            if not finished:
                left.append(name)
            elif len(finished) < units:
                left.append(f"{name} ({units - len(finished)} of {units} parts)")
        named = left[:MAX_NAMED]
        more = len(left) - len(named)
        return ", ".join(named) + (f" and {more} more" if more else "")

    def __str__(self) -> str:
        cases = f"{self.cases:,} cases" if self.cases else ""
        words = "; ".join(filter(None, (cases, self.what())))
        return f"{self.title}: {words}" if words else self.title


class _Scanned:
    """How much of a corpus is scanned, how fast, and how long the rest takes at this rate."""

    def __init__(self, work: str = "scanned") -> None:
        self._work = work
        self.size = self._total = self._earlier = 0
        self._begin = time.monotonic()

    def add(self, event: ShardScanned) -> None:
        """Count a shard; those of an earlier scan have no time."""
        self.size, self._total = self.size + event.size, event.total
        self._earlier += event.size if event.is_earlier else 0

    def __str__(self) -> str:
        seconds, size = time.monotonic() - self._begin, self.size - self._earlier
        if not size or not seconds:
            return "scanning"
        rate = size / seconds
        left = _duration((self._total - self.size) / rate)
        done = f"{self.size / 1e6:,.0f} of {self._total / 1e6:,.0f} MB"
        return f"{done} {self._work}, {rate / 1e6:.1f} MB/s, {left} left"


# A line every ten seconds about the present work, if no progress bar is drawn.

SECONDS = 10.0


@contextlib.contextmanager
def heartbeat(what: Callable[[], str], seconds: float | None = None) -> Iterator[None]:
    """Say in every interval of the block, from a thread, how long it has lasted and ``what``."""
    begin, interval = time.monotonic(), SECONDS if seconds is None else seconds
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(interval):
            say(f"tokharness: {time.monotonic() - begin:.0f} s: {what()}")

    thread = threading.Thread(target=beat, name="tokharness-heartbeat", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the system has no room for a thread; the run needs none
        yield
        return
    try:
        yield
    finally:
        ended.set()
        thread.join()


# Progress of a training on the standard error: a bar on a terminal, otherwise occasional lines.

REDRAW_EVERY = 100
"""Tokens, or units of 10,000 bytes, between two redraws, since each takes time."""


class Bar:
    """Callbacks that count bytes read and tokens made; this class draws nothing."""

    def __init__(self, vocab_size: int) -> None:
        self._vocab_size = vocab_size
        self._size = self._tokens = 0

    def read(self, size: int) -> None:
        """Count ``size`` more bytes as read."""
        self._size += size

    def made(self, tokens: int) -> None:
        """Set the number of tokens that the vocabulary has."""
        self._tokens = tokens

    def __str__(self) -> str:
        if self._tokens:
            return f"merging: {self._tokens:,} of {self._vocab_size:,} tokens"
        return f"reading: {self._size / 1e6:,.1f} MB"


class _RichBar(Bar):
    def __init__(self, progress: Progress, task: TaskID, vocab_size: int) -> None:
        super().__init__(vocab_size)
        self._progress, self._task = progress, task
        self._shown = 0

    def read(self, size: int) -> None:
        super().read(size)
        if self._size - self._shown >= REDRAW_EVERY * 10_000:
            self._shown = self._size
            status = f"{self._size / 1e6:,.0f} MB"
            self._progress.update(self._task, completed=self._size, status=status)

    def made(self, tokens: int) -> None:
        if not self._tokens:
            self._progress.reset(
                self._task, description="merging", total=self._vocab_size, status=""
            )
        super().made(tokens)
        if tokens % REDRAW_EVERY == 0:
            self._progress.update(self._task, completed=tokens, status=f"{tokens:,} tokens")


@contextmanager
def training_bar(size: int | None, vocab_size: int) -> Iterator[Bar]:
    """Draw the bytes read, of ``size`` if the size is known, then the tokens made."""
    if not sys.stderr.isatty():
        bar = Bar(vocab_size)
        with heartbeat(lambda: str(bar)):
            yield bar
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[status]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=optional_output()), transient=True) as progress:
        yield _RichBar(progress, progress.add_task("reading", total=size, status=""), vocab_size)


DEFAULTS = Options()
MAX_CAUSES_PER_CHECK = 8
"""Most causes of a check that are printed during a campaign."""


def show_progress(
    events: Iterator[Event], status: Status, options: Options = DEFAULTS
) -> Generator[Event]:
    """Yield the events, show the progress of the run, and print urgent news at once."""
    discoveries = _Discoveries()
    if not sys.stderr.isatty():
        with heartbeat(lambda: str(status)):
            for event in events:
                status.update(event)
                for line in [*slow_lines(event, options), *discoveries.lines(event)]:
                    say(line)
                yield event
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TimeElapsedColumn(),
        TextColumn("{task.fields[status]}", markup=False),
    )
    with Progress(*columns, console=Console(file=optional_output()), transient=True) as progress:
        bar = _Bar(progress, status)
        for event in events:
            bar.update(event)
            for line in [*slow_lines(event, options), *discoveries.lines(event)]:
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
            yield event


def slow_lines(event: Event, options: Options) -> list[str]:
    """Return the lines to print for a slow target: how long it takes, and what to do."""
    if not isinstance(event, SlowTarget):
        return []
    takes, usual = _duration(event.seconds), _duration(event.usual_seconds)
    what = f"{terminal(event.spec)} is slow: {event.texts:,} texts take about {takes}"
    unset = {"--profile quick": options.profile != "quick", "--family": not options.families}
    advice = " or ".join(name for name, helps in unset.items() if helps)
    fewer = f"; to run fewer, use {advice}" if advice else ""
    return [f"tokharness: {what}, not {usual} as usual{fewer}"]


def _duration(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


class _Discoveries:
    """The causes that a campaign discovers: a line for each cause, up to a limit per check."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._causes: set[Cause] = set()

    def lines(self, event: Event) -> list[str]:
        """Return the lines to print for an event."""
        if not isinstance(event, CauseDiscovered) or event.cause in self._causes:
            return []
        self._causes.add(event.cause)  # printed once, also if several checks see it
        self._counts[event.code] += 1
        if self._counts[event.code] > MAX_CAUSES_PER_CHECK:
            return []
        what = f"{event.code} {event.name}: {terminal(str(event.cause))}"
        lines = [f"{event.seconds:7.1f} s  {what}"]
        if self._counts[event.code] == MAX_CAUSES_PER_CHECK:
            lines.append(f"{'':10} see the report for further causes of {event.code}")
        return lines


class _Bar:
    """The progress bar, reset for each target."""

    def __init__(self, progress: Progress, status: Status) -> None:
        self._progress, self._status = progress, status
        self._task = progress.add_task(status.title, total=None, status="")

    def update(self, event: Event) -> None:
        """Redraw the bar for an event."""
        title = self._status.title
        self._status.update(event)
        status = self._status
        if status.title != title:
            self._progress.reset(self._task, description=status.title, total=status.total)
        words = [f"{status.cases:,} cases", status.what()] if status.cases else [status.what()]
        self._progress.update(self._task, completed=status.done, status=", ".join(words))
