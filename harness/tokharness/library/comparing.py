"""``tokharness.compare``: the cost of vocabularies, side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tokharness.engine.option_values import parse_jobs, parse_seconds
from tokharness.engine.run.comparison import compare as compare_events
from tokharness.engine.run.comparison import comparison_options
from tokharness.errors import UsageError
from tokharness.library.reports import ComparisonReport
from tokharness.library.running import collect
from tokharness.library.specs import AnyTarget, spec_of
from tokharness.parallel.reading import read
from tokharness.results.comparison import MEASURES
from tokharness.results.report import DEFAULT_EMBEDDING_WIDTH

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["compare"]


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
