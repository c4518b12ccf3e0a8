"""Run a target once, whoever of several processes asks first, and keep what was told."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.engine.events import UnitTried
from tokharness.engine.run.pool import automatic_jobs
from tokharness.engine.run.run import run
from tokharness.errors import TargetError, TokharnessError
from tokharness.results.journal import Journal, read
from tokharness.results.report import Collector
from tokharness.targets.processes.json_lines import to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.results.report import TargetReport

__all__ = ["Runs", "Told"]


@dataclass(frozen=True, slots=True)
class Told:
    """What a run told of its target, and the families with failing texts, by check."""

    report: TargetReport
    failing: Mapping[str, set[str]]


class Runs:
    """Runs targets, each once; ``at_once`` processes may do so with different ones.

    With a ``folder`` each run has a journal in it, under a lock: who asks first runs, the others
    wait and read. If that process dies, the next goes on from its journal.
    """

    def __init__(self, folder: str | None, at_once: int) -> None:
        # A worker on another machine has no such folder, and runs for itself.
        self._folder = Path(folder) if folder and Path(folder).is_dir() else None
        self._jobs = max(automatic_jobs() // at_once, 1)
        self._errors: dict[str, TokharnessError] = {}

    def told(self, spec: str, options: Options) -> Told:
        """Run a target, or read what another process has; raises TokharnessError, again too."""
        if spec in self._errors:
            raise self._errors[spec]
        try:
            if self._folder is None:
                return _told(options, run([spec], options, jobs=self._jobs))
            return self._shared(self._folder, spec, options)
        except TokharnessError as error:
            self._errors[spec] = error
            raise

    def _shared(self, folder: Path, spec: str, options: Options) -> Told:
        identity = to_ascii_line({"target": spec, "options": asdict(options)}).encode()
        path = folder / hashlib.sha256(identity).hexdigest()
        failed = path.with_suffix(".error")
        with _locked(path.with_suffix(".lock")):
            if failed.exists():
                raise TargetError(failed.read_bytes().decode("utf-8", "surrogatepass"))
            before = read(path).events if path.exists() else ()
            journal = Journal.go_on(path) if before else Journal.begin(path, [spec], options)
            events = run([spec], options, jobs=self._jobs, before=before)
            try:
                with closing(journal):
                    return _told(options, chain(before, _written(events, journal)))
            except TokharnessError as error:
                failed.write_bytes(str(error).encode("utf-8", "surrogatepass"))
                raise


def _written(events: Iterable[Event], journal: Journal) -> Iterator[Event]:
    for event in events:
        journal.write(event)
        yield event


def _told(options: Options, events: Iterable[Event]) -> Told:
    collector, failing = Collector(options), defaultdict[str, set[str]](set)
    for event in events:
        collector.add(event)
        if isinstance(event, UnitTried):
            for code, texts in event.failing.items():
                if texts:
                    failing[code].add(event.family)
    # Of a run that was completed, what was told since its last start is the whole.
    return Told(collector.report().targets[-1], failing)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait until nobody else has this lock; it ends with the process that has it."""
    import fcntl

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
