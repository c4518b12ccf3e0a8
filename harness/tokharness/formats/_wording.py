"""Words that the formats share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.escaping import Shown
from tokharness.model import Verdict
from tokharness.results.detectors import (
    CONVERSATIONS,
    PLACES,
    is_audit,
    is_of_conversations,
    is_of_splits,
    is_of_streams,
    seen_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.model import Finding
    from tokharness.results.report import Report, TargetReport


def incomplete(report: Report, the: str = "the") -> Shown:
    """Return why a report is incomplete, in one sentence; "" if it is complete."""
    if report.interrupted:
        how = "was interrupted" if report.error is None else "ended with an error"
        return Shown("{} run {}: the report is incomplete").format(the, how)
    if not report.unfinished:
        return Shown("")
    first, *rest = report.unfinished
    more = Shown(" (and {})").format(pluralize(len(rest), "other part")) if rest else ""
    why = Shown("{} run is not finished: {} of {}{}: {}")
    why = why.format(the, first.what, first.spec, more, first.reason)
    if all(skip.what == PLACES for skip in report.unfinished):
        return Shown("{}; more time does not help").format(why)
    return Shown("{}; run it again with more time, or leave this out").format(why)


def pluralize(count: int, noun: str, plural: str = "") -> Shown:
    """Return a count with its noun: "1 case", "2,000 cases"."""
    return Shown("{:,} {}").format(count, noun if count == 1 else plural or f"{noun}s")


def library_counts(findings: Iterable[Finding]) -> list[Shown]:
    """Return a sentence for each library that has findings of its own."""
    by_library: dict[str, Counter[Verdict]] = {}
    for finding in findings:
        if finding.is_of_library:
            by_library.setdefault(finding.library, Counter())[finding.verdict] += 1
    return [
        Shown("{}: {}").format(
            library_title(library),
            Shown(", ").join(pluralize(counts[one], one.value) for one in Verdict if counts[one]),
        )
        for library, counts in by_library.items()
    ]


def library_title(library: str) -> Shown:
    """Return the title of the findings of a library."""
    return Shown("{}, whatever the file").format(library)


def what_was_run(target: TargetReport) -> Shown:
    """Return how many cases were run, or how many tokens an audit has seen."""
    if is_audit(target):
        ids, tokens = seen_tokens(target)
        return Shown("{}, {}").format(pluralize(ids, "id"), pluralize(tokens, "token"))
    noun = "conversation" if is_of_conversations(target) else "case"
    noun = "split" if is_of_splits(target) else noun
    noun = "stream" if is_of_streams(target) else noun
    noun = "document" if "corpus" in (target.measures or {}) else noun
    cases = pluralize(sum(family.cases for family in target.families), noun)
    ran, chosen = len(target.families), len(target.started.families)
    if not ran or ran >= chosen:
        return cases
    return Shown("{} of {} of {} families").format(cases, ran, chosen)


WORST = {"costs of families", "decomposed text", "more tokens than bytes", "inflation"}
"""Kinds of causes whose text is not the smallest but costs most. Old reports have the last kind."""


def text_label(finding: Finding) -> str:
    """Return a label for the text of a finding: the smallest text that shows it, or the worst."""
    if finding.families == (CONVERSATIONS,):
        return "smallest conversation"
    return "worst text" if finding.cause.kind in WORST else "smallest text"
