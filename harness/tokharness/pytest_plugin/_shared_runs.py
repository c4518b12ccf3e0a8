"""Run each target once, even if several processes of pytest-xdist need its result."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.engine.events import UnitFinished
from tokharness.engine.run.pool import automatic_jobs
from tokharness.engine.run.run import run
from tokharness.errors import NothingCheckedError, TargetError, TokharnessError
from tokharness.results.journal import Journal, read
from tokharness.results.report import Collector
from tokharness.targets.processes.json_lines import to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.results.report import TargetReport


@dataclass(frozen=True, slots=True)
class RunResult:
    """The report of a target, and the families with failing texts by code of check."""

    report: TargetReport
    failing: Mapping[str, set[str]]


class SharedRuns:
    """Runs each target once; up to ``concurrent`` processes run different targets.

    With a ``folder``, each run has a journal in it, under a lock: the first process runs, the
    others wait and read the journal. If that process dies, the next continues from the journal.
    """

    def __init__(self, folder: str | None, concurrent: int) -> None:
        # A worker on another machine does not have the folder, and runs by itself.
        self._folder = Path(folder) if folder and Path(folder).is_dir() else None
        self._jobs = max(automatic_jobs() // concurrent, 1)
        self._errors: dict[str, TokharnessError] = {}

    def result(self, spec: str, options: Options) -> RunResult:
        """Return the result of a target: run it, or read the run of another process.

        Raises:
            TokharnessError: the target cannot be checked; repeated on each call.

        """
        if spec in self._errors:
            raise self._errors[spec]
        try:
            if self._folder is None:
                return _collect(options, run([spec], options, jobs=self._jobs))
            return self._run_shared(self._folder, spec, options)
        except TokharnessError as error:
            self._errors[spec] = error
            raise

    def _run_shared(self, folder: Path, spec: str, options: Options) -> RunResult:
        identity = to_ascii_line({"spec": spec, "options": asdict(options)}).encode()
        path = folder / hashlib.sha256(identity).hexdigest()
        error_file = path.with_suffix(".error")
        with _locked(path.with_suffix(".lock")):
            if error_file.exists():
                raise TargetError(error_file.read_bytes().decode("utf-8", "surrogatepass"))
            written = read(path, options.families) if path.exists() else None
            before = written.events if written else ()
            journal = (
                Journal.resume(path, written) if written else Journal.create(path, [spec], options)
            )
            events = run([spec], options, jobs=self._jobs, earlier=before)
            try:
                with closing(journal):
                    return _collect(options, chain(before, _write_events(events, journal)))
            except TokharnessError as error:
                error_file.write_bytes(str(error).encode("utf-8", "surrogatepass"))
                raise


def _write_events(events: Iterable[Event], journal: Journal) -> Iterator[Event]:
    for event in events:
        journal.write(event)
        yield event


def _collect(options: Options, events: Iterable[Event]) -> RunResult:
    collector, failing = Collector(options), defaultdict[str, set[str]](set)
    has_texts = False
    try:
        for event in events:
            collector.add(event)
            if isinstance(event, UnitFinished):
                has_texts |= event.cases > 0
                for code, texts in event.failing.items():
                    if texts:
                        failing[code].add(event.family)
    except NothingCheckedError:
        if has_texts and collector.report().targets[-1].started.checks:
            raise
        # The items of families without a text, and of checks that cannot run, are skipped.
    # In a resumed run, the report since the last start is complete.
    return RunResult(collector.report().targets[-1], failing)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait for the lock, and hold it; a process that dies releases it."""
    import fcntl

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
