"""Run targets for a command, with progress and a journal; Ctrl-C still gives a report."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokharness import interrupts
from tokharness.cli._stderr import say
from tokharness.engine.known_results import KnownResults
from tokharness.errors import InternalError, TokharnessError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tokharness.baseline import Baseline
    from tokharness.cli._run_plan import RunPlan
    from tokharness.cli._status import Task
    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.parallel.model import ParallelText
    from tokharness.results.comparison_cache import ComparisonCache
    from tokharness.results.journal import Journal
    from tokharness.results.report import Report
    from tokharness.targets.snapshot import EarlierState, Golden

__all__ = ["collect_report", "run_checks"]


def run_checks(
    plan: RunPlan,
    jobs: int,
    golden: Sequence[Golden] | None = None,
    *,
    compare_with: EarlierState | None = None,
    measures: bool | ParallelText = False,
    before: Baseline | None = None,
    cached: bool = True,
) -> Report:
    """Run a plan; take a snapshot if ``golden`` is not None, and metrics if ``measures``.

    Results that differ from those of a baseline, ``before``, are reported. What the baseline and,
    if ``cached``, the user's cache have compared with the reference is not compared again, nor is
    the reference asked again what it answered.
    """
    from tokharness.engine.run.run import run
    from tokharness.results.comparison_cache import ComparisonCache, cache_folder

    cache = ComparisonCache(cache_folder() if cached else None, plan.options)
    events = run(
        plan.specs,
        plan.options,
        jobs=jobs,
        earlier=plan.before,
        golden=golden,
        compare_with=compare_with,
        measures=measures,
        known=partial(_known, before, cache),
    )
    return collect_report(cache.watched(events), plan.options, plan.specs, journal=plan.journal)


def _known(before: Baseline | None, cache: ComparisonCache, comparison: str) -> KnownResults:
    """Return what is known; what a baseline compared counts for the same reference and code."""
    from tokharness.targets.comparison import comparison_key

    cached = cache.read(comparison)
    if before is None:
        return cached
    if not comparison or comparison_key(comparison) != before.comparison:
        return replace(cached, before=before.digests)
    return KnownResults(
        before.digests,
        compared={**cached.compared, **before.digests},
        answers={**cached.answers, **before.answers},
    )


def collect_report(
    events: Generator[Event],
    options: Options,
    specs: Sequence[str],
    *,
    journal: Journal | None = None,
    task: Task = "checking",
) -> Report:
    """Collect events into a report; after Ctrl-C or an error of a plugin, an interrupted one.

    An interrupted report lists those of ``specs`` that were not reached; so does standard error.
    From now on, until the process ends, a first signal does not end it.
    """
    from tokharness.cli._progress import show_progress
    from tokharness.cli._status import Status
    from tokharness.results.report import Collector

    interrupts.defer()
    collector = Collector(options)
    shown = show_progress(events, Status(specs, task), options)
    # What a target prints is not part of the report.
    with contextlib.redirect_stdout(sys.stderr), contextlib.closing(events):
        try:
            with contextlib.closing(shown):
                for event in shown:
                    collector.add(event)
                    if journal is not None:
                        journal.write(event)
        except KeyboardInterrupt:
            return _with_not_run(collector.report(interrupted=True), specs)
        except (TokharnessError, InternalError, OSError) as error:  # after a report of the rest
            report = collector.report(interrupted=True)
            if not report.targets:
                raise
            return replace(_with_not_run(report, specs), error=error)
    return collector.report()


def _with_not_run(report: Report, specs: Sequence[str]) -> Report:
    from tokharness.escaping import terminal

    started = {target.started.spec for target in report.targets}
    not_run = tuple(spec for spec in specs if spec not in started)
    if not_run:
        names = ", ".join(map(terminal, not_run))
        say(f"tokharness: interrupted before {names}")
    return replace(report, not_run=not_run)
