"""Run targets for a command, with progress and a journal; Ctrl-C still gives a report."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokharness import interrupts
from tokharness.cli._progress import say
from tokharness.engine.requests import KnownResults
from tokharness.errors import InternalError, TokharnessError
from tokharness.policy import apply_policy, describe_unmet, open_expectations, unmet_expectations
from tokharness.results.locations import find_location

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from tokharness.baseline import Baseline
    from tokharness.cli._progress import Task
    from tokharness.cli._run_plan import RunPlan
    from tokharness.cli._run_request import RunRequest
    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.engine.run.scheduler import Elsewhere
    from tokharness.parallel.model import ParallelText
    from tokharness.results.comparison_cache import ComparisonCache
    from tokharness.results.journal import Journal
    from tokharness.results.report import Report
    from tokharness.targets.snapshot import EarlierState, Golden

# Apply the policy to the report of a run, and judge its expectations.


def with_policy(report: Report, request: RunRequest) -> Report:
    """Apply the policy, and locate each target in the repository."""
    specs = [target.started.spec for target in report.targets]
    places = {spec: find_location(spec, [request.policy.path]) for spec in specs}
    return replace(apply_policy(report, request.policy), locations=places)


def judge_expectations(report: Report, request: RunRequest) -> tuple[Report, list[str]]:
    """Return the report, which fails if an expectation is unmet, and a sentence for each.

    A run that was interrupted, or that ``--family`` limits to some families, leaves unmet
    expectations open.
    """
    unmet = unmet_expectations(report, request.policy)
    left_open = open_expectations(report, request.policy)
    if report.interrupted or "family" in request.explicit:
        unmet, left_open = (), (*unmet, *left_open)
    sentences = [describe_unmet(report, one) for one in unmet]
    sentences += [f"this run does not show whether {one!r} is still found" for one in left_open]
    if unmet:
        policy = {**(report.policy or {}), "unmet_expectations": list(unmet)}
        report = replace(report, policy=policy)
    return report, sentences


def run_checks(
    plan: RunPlan,
    jobs: int,
    golden: Sequence[Golden] | None = None,
    *,
    compare_with: EarlierState | None = None,
    measures: bool | ParallelText = False,
    before: Baseline | None = None,
    cached: bool = True,
    elsewhere: Callable[[str], Elsewhere] | None = None,
) -> Report:
    """Run a plan; take a snapshot if ``golden`` is not None, and metrics if ``measures``.

    Results that differ from the baseline ``before`` are reported. If the baseline or, if
    ``cached``, the user's cache has compared results with the reference, they are not compared
    again, and the reference is not asked again for known answers. The units of a target run on what
    ``elsewhere`` returns for it. The checks of chat templates run
    last; a baseline that has none is not compared with them.
    """
    from tokharness.conversations.checked_targets import of_conversations, with_conversations
    from tokharness.engine.run.run import run
    from tokharness.engine.run.selection import is_of_chat_alone
    from tokharness.results.comparison_cache import ComparisonCache, cache_folder

    if golden is None and is_of_chat_alone(plan.options):
        return of_conversations(plan.specs, plan.options)
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
        elsewhere=elsewhere,
    )
    report = collect_report(cache.watched(events), plan.options, plan.specs, journal=plan.journal)
    if before is not None and not before.templates:
        return report
    return with_conversations(report, keep_states=golden is not None)


def _known(before: Baseline | None, cache: ComparisonCache, comparison: str) -> KnownResults:
    """Return the known results; a baseline's comparisons count for the same reference and code."""
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
    """Collect events into a report; it is interrupted after Ctrl-C or an error of a plugin.

    An interrupted report lists the ``specs`` that were not reached; so does standard error. From
    now on, a first signal does not end the process.
    """
    from tokharness.cli._progress import Status, show_progress
    from tokharness.results.report import Collector

    interrupts.defer()
    collector = Collector(options)
    shown = show_progress(events, Status(specs, task), options)
    # The output of a target is not part of the report.
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
