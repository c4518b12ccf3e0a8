"""Markdown for a comment or a wiki: a table of findings, the facts and the skips of each target.

For a gate, this is a comment on a pull request, within GitHub's length limit: the verdict, a table
of failing changes, and, collapsed, the other changes and the skips.

Hostile text is shown as code, with its dangerous characters escaped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.escaping import markdown
from tokharness.formats._campaign import campaign_lines
from tokharness.formats._gate_comment import gate_comment
from tokharness.formats._wording import pluralize
from tokharness.model import Finding, Verdict
from tokharness.results.comparison import format_value
from tokharness.results.report import compare_targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.results.comparison import Comparison, Row
    from tokharness.results.report import Report, TargetReport

__all__ = ["COMPARES", "NAME", "render"]

NAME = "markdown"
COMPARES = True

MAX_TEXT = 80
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 .,:+()/%-]+")


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render the report as Markdown."""
    if report.gate is not None:
        return gate_comment(report, report.gate)
    comparison = compare_targets(report)
    if report.embedding_width is not None and comparison is not None:
        return "\n".join(["# Tokenizer comparison", "", *_comparison(comparison)]) + "\n"
    lines = ["# tokharness report", ""]
    if report.interrupted:
        lines += ["**The run was interrupted: the report is incomplete.**", ""]
    if report.not_run:
        lines += [f"Targets not run: {', '.join(map(markdown, report.not_run))}.", ""]
    for target in report.targets:
        lines += _target(target)
    if comparison is not None:
        lines += ["## Comparison", "", *_comparison(comparison), ""]
    profile = PROFILES[report.options.profile]
    lines += [f"Profile {profile.name}: {profile.page}.", ""]
    packages = report.versions["packages"]
    lines.append(
        f"tokharness {_plain(report.versions['tokharness'])}, "
        f"Python {_plain(report.versions['python'])}, "
        + ", ".join(f"{_plain(name)} {_plain(version)}" for name, version in packages.items())
    )
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return plain words unchanged, and anything else, from an edited report, as code."""
    return text if _PLAIN_TEXT.fullmatch(text) else markdown(text)


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield f"| | | {' | '.join(map(markdown, comparison.specs))} |"
    yield f"|---|---|{'--:|' * len(comparison.specs)}"
    for row in comparison.rows:
        unit = f", {row.unit}" if row.unit else ""
        values = [_value(row, column) for column in range(len(row.values))]
        yield f"| {row.group} | {_plain(row.name)}{unit} | {' | '.join(values)} |"


def _value(row: Row, column: int) -> str:
    value = _plain(format_value(row.values[column]))
    return f"**{value}**" if column in row.best else value


def _target(target: TargetReport) -> Iterator[str]:
    counts = ", ".join(pluralize(target.count(verdict), verdict.value) for verdict in Verdict)
    yield f"## {markdown(target.started.spec)}"
    yield ""
    cases = pluralize(sum(family.cases for family in target.families), "case")
    against = target.started.against
    compared = f", compared with {markdown(against)}" if against else ""
    yield f"{counts}; {cases}{compared}."
    yield ""
    if target.campaign is not None:
        for label, line in campaign_lines(target.campaign):
            yield from (f"{label.capitalize()}: {markdown(line)}.", "")
    problems = [f for f in target.findings if f.verdict is not Verdict.FACT]
    if problems:
        yield "| verdict | check | cause | smallest text | cases | families |"
        yield "|---|---|---|---|--:|---|"
        yield from map(_row, problems)
        yield ""
    for title, rows in (
        ("Facts", [_fact(f) for f in target.findings if f not in problems]),
        ("Skipped", [f"- {markdown(s.what)}: {markdown(s.reason)}" for s in target.skips]),
    ):
        if rows:
            yield from (f"### {title}", "", *rows, "")


def _row(finding: Finding) -> str:
    families = ", ".join(finding.families)
    cells = (
        finding.verdict.value,
        f"{finding.code} {finding.name}",
        f"{markdown(str(finding.cause))}: {markdown(finding.message)}",
        _text(finding),
        f"{finding.count:,}",
        families,
    )
    return f"| {' | '.join(cells)} |"


def _fact(finding: Finding) -> str:
    return f"- {finding.code}: {markdown(finding.message)}"


def _text(finding: Finding) -> str:
    if finding.text is None:
        return ""
    length = len(finding.text)
    of = f" of {length:,} characters" if length > MAX_TEXT else ""
    return markdown(finding.text, most=MAX_TEXT) + of
