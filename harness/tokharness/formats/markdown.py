"""Markdown for a comment or a wiki: a verdict, a table of findings, facts and skips a target.

Of a gate it is a comment on a pull request, no longer than GitHub takes: the verdict, a table of
the changes that fail, and, folded up, those that do not and what was not run.

All hostile text is shown as code with its dangerous characters escaped; nothing in it acts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.escaping import markdown
from tokharness.formats._campaign import campaign_lines
from tokharness.formats._gate_comment import comment
from tokharness.model import Finding, Verdict
from tokharness.results.comparison import told_value
from tokharness.results.report import compared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.results.comparison import Comparison, Row
    from tokharness.results.report import Report, TargetReport

__all__ = ["COMPARES", "NAME", "render"]

NAME = "markdown"
COMPARES = True

LONGEST_TEXT = 80
_PLAIN = re.compile(r"[A-Za-z0-9 .,:+()/%-]+")


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report as Markdown."""
    if report.judgement is not None:
        return comment(report, report.judgement)
    found = compared(report)
    if report.width is not None and found is not None:
        return "\n".join(["# Tokenizers compared", "", *_comparison(found)]) + "\n"
    lines = ["# tokharness report", ""]
    if report.interrupted:
        lines += ["**Interrupted: what follows is what was found until then.**", ""]
    if report.not_reached:
        lines += [f"Not reached: {', '.join(map(markdown, report.not_reached))}.", ""]
    for target in report.targets:
        lines += _target(target)
    if found is not None:
        lines += ["## Targets compared", "", *_comparison(found), ""]
    profile = PROFILES[report.options.profile]
    lines += [f"Profile {profile.name}: {profile.page}.", ""]
    packages = report.versions["packages"]
    lines.append(
        f"tokharness {_words(report.versions['tokharness'])}, "
        f"Python {_words(report.versions['python'])}, "
        + ", ".join(f"{_words(name)} {_words(version)}" for name, version in packages.items())
    )
    return "\n".join(lines) + "\n"


def _words(text: str) -> str:
    """Leave plain words as they are; anything else, which a read report may have, is code."""
    return text if _PLAIN.fullmatch(text) else markdown(text)


def _comparison(found: Comparison) -> Iterator[str]:
    yield f"| | | {' | '.join(map(markdown, found.targets))} |"
    yield f"|---|---|{'--:|' * len(found.targets)}"
    for row in found.rows:
        unit = f", {row.unit}" if row.unit else ""
        values = [_value(row, at) for at in range(len(row.values))]
        yield f"| {row.group} | {_words(row.name)}{unit} | {' | '.join(values)} |"


def _value(row: Row, at: int) -> str:
    value = row.values[at]
    told = _words(told_value(value))
    return f"**{told}**" if at in row.best else told


def _target(target: TargetReport) -> Iterator[str]:
    counts = ", ".join(_counted(target.count(verdict), verdict) for verdict in Verdict)
    yield f"## {markdown(target.started.target)}"
    yield ""
    cases = sum(tried.cases for tried in target.families)
    against = target.started.against
    compared = f", compared with {markdown(against)}" if against else ""
    yield f"{counts}; {cases:,} cases{compared}."
    yield ""
    if target.campaign is not None:
        for label, told in campaign_lines(target.campaign):
            yield from (f"{label.capitalize()}: {markdown(told)}.", "")
    counted = [f for f in target.findings if f.verdict is not Verdict.BY_DESIGN]
    if counted:
        yield "| verdict | check | cause | smallest text | cases | families |"
        yield "|---|---|---|---|--:|---|"
        yield from map(_row, counted)
        yield ""
    for title, rows in (
        ("By design", [_fact(f) for f in target.findings if f not in counted]),
        ("Not run", [f"- {markdown(s.what)}: {markdown(s.reason)}" for s in target.skips]),
    ):
        if rows:
            yield from (f"### {title}", "", *rows, "")


def _counted(count: int, verdict: Verdict) -> str:
    """Say how many: "1 bug", "2 risks", "3 by design"."""
    many = count != 1 and verdict is not Verdict.BY_DESIGN
    return f"{count} {verdict.value}{'s' if many else ''}"


def _row(finding: Finding) -> str:
    families = ", ".join(finding.families)
    cells = (
        finding.verdict.value,
        f"{finding.code} {finding.name}",
        f"{markdown(str(finding.cause))}: {markdown(finding.message)}",
        _code(finding),
        f"{finding.count:,}",
        families,
    )
    return f"| {' | '.join(cells)} |"


def _fact(finding: Finding) -> str:
    return f"- {finding.code}: {markdown(finding.message)}"


def _code(finding: Finding) -> str:
    if finding.text is None:
        return ""
    length = len(finding.text)
    of = f" of {length:,} characters" if length > LONGEST_TEXT else ""
    return markdown(finding.text, most=LONGEST_TEXT) + of
