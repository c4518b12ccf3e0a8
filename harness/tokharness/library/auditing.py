"""``tokharness.audit``: examine the vocabulary of a target."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from tokharness.config import FailOn, Options
from tokharness.engine.option_values import names_of, parse_jobs, parse_seconds, parse_size
from tokharness.engine.run.run import run
from tokharness.engine.run.selection import OF_VOCABULARY, refuse_other_checks
from tokharness.errors import UnknownNameError
from tokharness.library.reports import AuditReport
from tokharness.library.running import collect
from tokharness.library.specs import AnyTarget, spec_of, spec_of_reference
from tokharness.results.locations import find_location

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

__all__ = ["audit"]


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
