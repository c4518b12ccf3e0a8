"""tokharness as a library: ``check``, ``audit`` and ``compare`` run targets and return reports."""

from __future__ import annotations

import os
import sys
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from tokharness.config import FailOn, Options
from tokharness.engine.option_values import (
    names_of,
    parse_examples,
    parse_jobs,
    parse_seconds,
    parse_size,
)
from tokharness.engine.responses import NotLoadedError
from tokharness.engine.run.run import compare as compare_events
from tokharness.engine.run.run import comparison_options, run
from tokharness.engine.run.selection import (
    OF_VOCABULARY,
    is_of_chat_alone,
    refuse_other_checks,
)
from tokharness.errors import TargetError, TokharnessError, UnknownNameError, UsageError
from tokharness.library.reports import AuditReport, CheckReport, ComparisonReport
from tokharness.library.specs import AnyTarget, spec_of, spec_of_reference
from tokharness.parallel.reading import read
from tokharness.results.comparison import MEASURES
from tokharness.results.locations import find_location
from tokharness.results.report import DEFAULT_EMBEDDING_WIDTH, Collector

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from os import PathLike

    from tokharness.engine.events import Event
    from tokharness.results.report import Report

WORKERS = ("tokharness.engine.worker.main", "tokharness.targets.processes.serve")
"""The programs of the processes that load a target."""

_is_running: ContextVar[bool] = ContextVar("is_running", default=False)


def collect(events: Generator[Event], options: Options, function: str) -> Report:
    """Run what yields the events of a function of the library, and return the report.

    Raises:
        UsageError: this process is a worker, or the call is within another run.
        TargetError: a target cannot be loaded.

    """
    collector = Collector(options)
    with outermost(function), closing(events):
        try:
            for event in events:
                collector.add(event)
        except NotLoadedError as error:
            raise TargetError(str(error), failure=error.failure) from None
        except TokharnessError as error:
            if type(error) is not TokharnessError:
                raise
            # A worker reports an error without its class; a worker only refuses the target.
            raise TargetError(str(error)) from None
    return collector.report()


@contextmanager
def outermost(function: str) -> Iterator[None]:
    """Refuse a run within a run: the module of a target would start workers without end."""
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    if _is_running.get() or getattr(main, "name", None) in WORKERS:
        raise UsageError(
            f"the file of a target calls tokharness.{function} when it is imported: put the call "
            'under `if __name__ == "__main__":`'
        )
    token = _is_running.set(True)
    try:
        yield
    finally:
        _is_running.reset(token)


# ``tokharness.check``: run the checks on a target.


def check(
    target: AnyTarget,
    *,
    against: AnyTarget | None = None,
    profile: str = "standard",
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    families: str | Iterable[str] = (),
    seed: int = 0,
    examples: int | None = None,
    time_limit: float = 5.0,
    load_limit: float = 60.0,
    run_limit: float | None = None,
    memory_limit: int | str = "2G",
    jobs: int | Literal["auto"] = "auto",
    fail_on: FailOn = "bug",
    fail_on_library: bool = False,
    measures: bool = False,
    parallel: str | PathLike[str] | None = None,
) -> CheckReport:
    """Check a target on hostile Unicode text, and compare it with a reference.

    ::

        report = tokharness.check("tiktoken:cl100k_base", profile="quick")
        report.bugs

    The target runs in worker processes, as with ``tokharness check``: a crash, a hang or exhausted
    memory is a finding. No policy is read. A script needs ``if __name__ == "__main__":`` around the
    call if it also defines the target, since the workers import its file.

    Args:
        target: A spec such as ``tiktoken:cl100k_base``, a path whose content says what loads it,
            the result of :func:`tokharness.load`, or a factory: a class or function without
            arguments at the top level of a module. It cannot be any other object of this process,
            since a worker loads the target.
        against: The reference, named like a target; None for the automatic reference, ``"none"``
            for no comparison.
        profile: ``quick``, ``standard`` or ``thorough``.
        select: The checks to run: codes, prefixes of codes, or names; empty for all.
        ignore: The checks to leave out.
        families: The case families to run; empty for all.
        seed: The seed of the random cases.
        examples: The number of random cases of each family; None for the profile's number.
        time_limit: Seconds for one text; long texts get more.
        load_limit: Seconds for loading the target; a busy machine gives it more time.
        run_limit: Processor seconds of the run on a usual machine, 0 for no limit; None for the
            limit of the profile.
        memory_limit: Memory that a worker may use for texts: bytes, or a size such as ``"512M"``.
        jobs: The number of worker processes; ``"auto"`` for one for each core, 0 to run the target
            in this process, without protection.
        fail_on: The least severe verdict with which the report is not ``ok``: ``bug``, ``risk`` or
            ``never``.
        fail_on_library: Whether what is the library's, whatever the file, counts for that too.
        measures: Whether to collect metrics too, which the HTML report shows.
        parallel: A parallel text of yours, in which to measure what languages cost: a folder with a
            file for each language, or a table with a column for each. Metrics are collected too.

    Raises:
        UsageError: an argument is invalid. It is an UnknownNameError, with similar names, for the
            name of a check, a family, a profile or a scheme that does not exist.
        TargetError: the target or an explicit reference cannot be loaded. This is a finding if the
            target exists and its reference loads.
        NothingCheckedError: no selected check can run, no text was encoded, or a check that
            ``select`` names saw no text.
        PluginError: a plugin failed.
        InternalError: a worker failed because of a bug in tokharness.

    """
    if fail_on not in get_args(FailOn):
        raise UnknownNameError("value of fail_on", fail_on, get_args(FailOn))
    spec = spec_of(target)
    options = Options(
        against=spec_of_reference(against),
        select=names_of(select, "select"),
        ignore=names_of(ignore, "ignore"),
        families=names_of(families, "families"),
        fail_on=fail_on,
        fail_on_library=fail_on_library,
        profile=profile,
        seed=index(seed),
        examples=None if examples is None else parse_examples(examples, "examples"),
        time_limit=parse_seconds(time_limit, "time_limit"),
        load_limit=parse_seconds(load_limit, "load_limit"),
        run_limit=parse_seconds(run_limit, "run_limit") if run_limit else run_limit,
        memory_limit=parse_size(memory_limit, "memory_limit"),
    )
    collected = measures if parallel is None else read(Path(parallel))
    from tokharness.conversations.checked_targets import of_conversations, with_conversations

    number = parse_jobs(jobs, "jobs")
    if is_of_chat_alone(options):
        with outermost("check"):
            return CheckReport(of_conversations([spec], options))
    events = run([spec], options, jobs=number, measures=collected)
    report = with_conversations(collect(events, options, "check"))
    return CheckReport(replace(report, locations={spec: find_location(spec, [])}))


# ``tokharness.audit``: examine the vocabulary of a target.


def audit(
    target: AnyTarget,
    *,
    against: AnyTarget | None = None,
    select: str | Iterable[str] = OF_VOCABULARY,
    ignore: str | Iterable[str] = (),
    corpus: str | PathLike[str] | None = None,
    embeddings: str | PathLike[str] | None = None,
    time_limit: float = 5.0,
    load_limit: float = 60.0,
    memory_limit: int | str = "2G",
    jobs: int | Literal["auto"] = "auto",
    fail_on: FailOn = "bug",
    fail_on_library: bool = False,
) -> AuditReport:
    """Run the checks of the vocabulary on a target, and list its tokens.

    ::

        report = tokharness.audit("tiktoken:o200k_base")
        [row for row in report.tokens if row.state == "unreachable"]

    Args:
        target: A target, named as for :func:`tokharness.check`.
        against: The reference, as for :func:`tokharness.check`.
        select: Checks of the vocabulary: codes, prefixes of codes, or names.
        ignore: The checks to leave out.
        corpus: A file or folder of texts in which to count the tokens.
        embeddings: A ``.safetensors`` file or its index, perhaps with the name of a tensor after a
            colon, in which to look for untrained rows.
        time_limit: Seconds for one text.
        load_limit: Seconds for loading the target; a busy machine gives it more time.
        memory_limit: Memory that a worker may use: bytes, or a size such as ``"512M"``.
        jobs: 0 to run the target in this process, without protection; else one process runs it.
        fail_on: The least severe verdict with which the report is not ``ok``.
        fail_on_library: Whether what is the library's, whatever the file, counts for that too.

    Raises:
        UsageError: an argument is invalid.
        TargetError: the target or an explicit reference cannot be loaded.
        NothingCheckedError: the target shows no vocabulary.
        PluginError: a plugin failed.

    """
    if fail_on not in get_args(FailOn):
        raise UnknownNameError("value of fail_on", fail_on, get_args(FailOn))
    spec = spec_of(target)
    options = Options(
        against=spec_of_reference(against),
        select=names_of(select, "select") or (OF_VOCABULARY,),
        ignore=names_of(ignore, "ignore"),
        fail_on=fail_on,
        fail_on_library=fail_on_library,
        time_limit=parse_seconds(time_limit, "time_limit"),
        load_limit=parse_seconds(load_limit, "load_limit"),
        memory_limit=parse_size(memory_limit, "memory_limit"),
        corpus=None if corpus is None else os.fspath(corpus),
        embeddings=None if embeddings is None else os.fspath(embeddings),
    )
    refuse_other_checks(options.select)
    events = run([spec], options, jobs=min(parse_jobs(jobs, "jobs"), 1), tokens=True)
    report = collect(events, options, "audit")
    return AuditReport(replace(report, locations={spec: find_location(spec, [])}))


# ``tokharness.compare``: the cost of vocabularies, side by side.


def compare(
    *targets: AnyTarget,
    width: int = DEFAULT_EMBEDDING_WIDTH,
    time_limit: float = 5.0,
    load_limit: float = 60.0,
    jobs: int | Literal["auto"] = "auto",
    parallel: str | PathLike[str] | None = None,
) -> ComparisonReport:
    """Compare the token costs of several targets; no check is run.

    ::

        comparison = tokharness.compare("tiktoken:cl100k_base", "tiktoken:o200k_base")
        for row in comparison.rows:
            print(row.group, row.name, row.unit, row.values)
        for target in comparison.lengths:
            print(target.name, target.vocabulary, target.of("English prose"))

    All targets encode the same texts: names from CLDR in nearly 300 languages, and pages of English
    and of source code.

    Args:
        targets: Targets, named as for :func:`tokharness.check`.
        width: The embedding dimension, for the memory that the vocabulary takes.
        time_limit: Seconds for one text; long texts get more.
        load_limit: Seconds for loading a target; a busy machine gives it more time.
        jobs: The number of worker processes, as for :func:`tokharness.check`.
        parallel: A parallel text of yours, in which to measure what languages cost: a folder with a
            file for each language, or a table with a column for each.

    Raises:
        UsageError: an argument is invalid.
        TargetError: a target cannot be loaded.

    """
    if not targets:
        raise UsageError("there is no target: pass one or more")
    if width < 1:
        raise UsageError(f"width is a positive number, not {width}")
    specs = [spec_of(target) for target in targets]
    options = comparison_options(
        parse_seconds(time_limit, "time_limit"), parse_seconds(load_limit, "load_limit")
    )
    text = None if parallel is None else read(Path(parallel))
    events = compare_events(specs, options, MEASURES, jobs=parse_jobs(jobs, "jobs"), parallel=text)
    report = collect(events, options, "compare")
    return ComparisonReport(replace(report, embedding_width=width))
