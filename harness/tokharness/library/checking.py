"""``tokharness.check``: run the checks on a target."""

from __future__ import annotations

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
from tokharness.engine.run.run import run
from tokharness.errors import UnknownNameError
from tokharness.library.reports import CheckReport
from tokharness.library.running import collect
from tokharness.library.specs import AnyTarget, spec_of, spec_of_reference
from tokharness.parallel.reading import read
from tokharness.results.locations import find_location

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

__all__ = ["check"]


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
            arguments that is at the top of a module. A worker loads the target, so it cannot be
            another object of this process.
        against: The reference, named like a target; None for the automatic one, ``"none"`` for no
            comparison.
        profile: ``quick``, ``standard`` or ``thorough``.
        select: The checks to run: codes, prefixes of codes, or names; empty for all.
        ignore: The checks to leave out.
        families: The case families to run; empty for all.
        seed: The seed of the random cases.
        examples: The number of random cases of each family; None for that of the profile.
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
        TargetError: the target or an explicit reference cannot be loaded. That is a finding if the
            target is there and its reference loads.
        NothingCheckedError: no selected check can run, no text was encoded, or a check that
            ``select`` names saw none.
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
    events = run([spec], options, jobs=parse_jobs(jobs, "jobs"), measures=collected)
    report = collect(events, options, "check")
    return CheckReport(replace(report, locations={spec: find_location(spec, [])}))
