"""Plan a run, from the command line or a journal, and run it; Ctrl-C still gives a report."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokharness import interrupts
from tokharness.cli._progress import say
from tokharness.engine.requests import KnownResults
from tokharness.errors import InternalError, TokharnessError, UsageError
from tokharness.escaping import terminal
from tokharness.plugins.bare_paths import spec_of
from tokharness.results.journal import Journal, read

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from tokharness.baseline import Baseline
    from tokharness.cli._progress import Task
    from tokharness.cli._run_request import RunRequest
    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.engine.run.scheduler import Elsewhere
    from tokharness.parallel.model import ParallelText
    from tokharness.policy import Policy
    from tokharness.results.comparison_cache import ComparisonCache
    from tokharness.results.report import Report
    from tokharness.targets.snapshot import EarlierState, Golden


# Apply the policy to the report of a run, and judge its expectations.


def with_policy(report: Report, request: RunRequest) -> Report:
    """Apply the policy, and locate each target in the repository."""
    from tokharness.policy import apply_policy
    from tokharness.results.locations import find_location

    specs = [target.started.spec for target in report.targets]
    places = {spec: find_location(spec, [request.policy.path]) for spec in specs}
    return replace(apply_policy(report, request.policy), locations=places)


def judge_expectations(report: Report, request: RunRequest) -> tuple[Report, list[str]]:
    """Return the report, which fails if an expectation is unmet, and a sentence for each.

    A run that was interrupted, or that ``--family`` limits to some families, leaves unmet
    expectations open.
    """
    from tokharness.policy import describe_unmet, open_expectations, unmet_expectations

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
            return _with_not_run(replace(report, error=error), specs)
    return collector.report()


def _with_not_run(report: Report, specs: Sequence[str]) -> Report:
    from tokharness.escaping import terminal

    started = {target.started.spec for target in report.targets}
    not_run = tuple(spec for spec in specs if spec not in started)
    if not_run:
        names = ", ".join(map(terminal, not_run))
        word = "interrupted" if report.error is None else "ended"
        say(f"tokharness: {word} before {names}")
    return replace(report, not_run=not_run)


# The specs of the targets that a command line or a policy names.
#
# Each becomes a whole spec here, before anything else uses it: a name of the policy, a spec, or a
# path whose content says what loads it (:mod:`tokharness.plugins.bare_paths`).


def spec_of_target(word: str, policy: Policy) -> str:
    """Return the spec of a target; a name of the policy comes before a path.

    Raises:
        UsageError: the word is neither a name nor a spec nor a path that is recognized.

    """
    if word in policy.targets:
        return _spec_in_policy(policy.targets[word].spec, policy, f"targets.{word}.spec")
    return spec_of(word, before=_command(), names=policy.targets)


def spec_of_against(word: str | None, policy: Policy, explicit: Iterable[str]) -> str | None:
    """Return the spec of ``--against``, which may be missing or come from the policy."""
    if word is None or word == "none":
        return word
    if "against" in explicit:
        return spec_of(word, before="--against")
    return _spec_in_policy(word, policy, "against")


def specs_of_words(words: Iterable[str], *, after: str = "") -> tuple[str, ...]:
    """Return the specs of targets of a command without a policy, ``after`` other arguments."""
    return tuple(spec_of(word, before=f"{_command()}{after}") for word in words)


def _spec_in_policy(word: str, policy: Policy, key: str) -> str:
    try:
        return spec_of(word)
    except UsageError as error:
        raise UsageError(f"{policy.path}: {key}: {error}") from error


def _command() -> str:
    return click.get_current_context().command_path


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A run: its specs and options, its journal, and the events that the journal already has."""

    specs: tuple[str, ...]
    options: Options
    journal: Journal | None = None
    before: Sequence[Event] = ()


def plan_run(
    journal: str | None, resume: str | None, specs: tuple[str, ...], options: Options
) -> RunPlan:
    """Plan a run: open the journal that ``--journal`` or ``--resume`` names, and read its events.

    Raises:
        UsageError: both options are given, or the journal belongs to another run.

    """
    if journal is not None and resume is not None:
        raise UsageError("--journal and --resume exclude each other: use only --resume to continue")
    planned = specs or ("reference",)
    if resume is None:
        if journal is None:
            return RunPlan(planned, options)
        return RunPlan(planned, options, Journal.create(Path(journal), planned, options))
    path = Path(resume)
    if not path.exists() and specs:
        shown = terminal(str(path))
        click.echo(f"the journal {shown} does not exist: starting a new run", err=True)
        return RunPlan(planned, options, Journal.create(path, planned, options))
    written = read(path, options.families)
    _refuse_another_run(path, written.specs, specs, written.options, options)
    # --fail-on only decides the exit code, so a resumed run may change it.
    merged = replace(
        written.options, fail_on=options.fail_on, fail_on_library=options.fail_on_library
    )
    if written.damaged_line:
        click.echo(
            f"line {written.damaged_line} of the journal {terminal(str(path))} is damaged: "
            "what it and the lines after it recorded is run again",
            err=True,
        )
    return RunPlan(written.specs, merged, Journal.resume(path, written), written.events)


def _refuse_another_run(
    path: Path,
    journal_specs: tuple[str, ...],
    specs: tuple[str, ...],
    journal_options: Options,
    options: Options,
) -> None:
    """Raise UsageError if the command line names other targets or options than the journal."""
    if specs and specs != journal_specs:
        raise UsageError(
            f"the journal {path} is of {' '.join(journal_specs)}, not of {' '.join(specs)}"
        )
    context = click.get_current_context()
    names = {"family": "families"}
    for name in context.params:
        field = names.get(name, name)
        source = context.get_parameter_source(name)
        explicit = source not in (click.core.ParameterSource.DEFAULT, None)
        if not explicit or field in ("fail_on", "fail_on_library") or not hasattr(options, field):
            continue
        before, now = getattr(journal_options, field), getattr(options, field)
        if before != now:
            option = "--" + name.replace("_", "-")
            raise UsageError(f"the journal {path} has {option} {_shown(before)}, not {_shown(now)}")


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
