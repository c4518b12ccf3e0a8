"""Text for a terminal: the worst findings first, each cause with its smallest text.

Bugs and risks have the command that reproduces them; facts and skips take a line each.
"""

from __future__ import annotations

import io
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.escaping import shorten, terminal
from tokharness.formats._campaign import campaign_lines
from tokharness.formats._comparison_table import print_comparison
from tokharness.formats._gate_lines import change_lines, headline, verdict
from tokharness.formats._wording import pluralize
from tokharness.model import Finding, Verdict
from tokharness.results.report import Report, TargetReport, compare_targets, exit_code

if TYPE_CHECKING:
    from rich.console import Console

    from tokharness.changes import GateResult

__all__ = ["COMPARES", "NAME", "render"]

NAME = "terminal"
COMPARES = True

STYLES = {Verdict.BUG: "bold red", Verdict.RISK: "bold yellow", Verdict.FACT: "dim"}
MAX_TEXT = 60
MAX_FAMILIES = 4
MAX_RISKS = 3
"""Risks of one check that are listed."""
UNLIMITED = 10_000


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render the report for a terminal of this width."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width or UNLIMITED,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    if report.embedding_width is not None:
        print_comparison(console, compare_targets(report))
        return _output(stream)
    if report.gate is not None:
        _gate(console, report, report.gate)
    else:
        for target in report.targets:
            _target(console, target, brief=not report.options.select)
    campaigns = [target.campaign for target in report.targets if target.campaign is not None]
    if any(campaign.resumable for campaign in campaigns):
        _line(console, "next", "dim", "run the same command again to continue this campaign", "dim")
    if not campaigns:
        profile = PROFILES[report.options.profile]
        _line(console, "profile", "dim", f"{profile.name}: {profile.page}", "dim")
    _summary(console, report)
    return _output(stream)


def _output(stream: io.StringIO) -> str:
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _target(console: Console, target: TargetReport, *, brief: bool) -> None:
    started = target.started
    cases = pluralize(sum(family.cases for family in target.families), "case")
    against = f" against {terminal(started.against)}" if started.against else ""
    seconds = f" in {target.finished.seconds:.1f}s" if target.finished else ", not finished"
    console.print(_text((terminal(started.spec), "bold"), (f"{against}: {cases}{seconds}", "")))
    if target.campaign is not None:
        for label, line in campaign_lines(target.campaign):
            _line(console, label, "dim", line)
    problems = [finding for finding in target.findings if finding.verdict is not Verdict.FACT]
    for (_, _), group in groupby(problems, lambda finding: (finding.verdict, finding.code)):
        findings = list(group)
        if len(findings) > MAX_RISKS and findings[0].verdict is Verdict.RISK:
            _risks(console, findings, MAX_RISKS if brief else len(findings))
        else:
            for finding in findings:
                _finding(console, finding)
    for finding in target.findings:
        if finding.verdict is Verdict.FACT:
            _line(
                console,
                finding.verdict.value,
                STYLES[finding.verdict],
                f"{finding.code} {terminal(finding.message)}",
            )
    _skips(console, target)
    console.print()


def _skips(console: Console, target: TargetReport) -> None:
    for reason in dict.fromkeys(skip.reason for skip in target.skips):
        what = ", ".join(skip.what for skip in target.skips if skip.reason == reason)
        _line(console, "skip", "cyan", f"{terminal(what)}: {terminal(reason)}")


def _gate(console: Console, report: Report, gate: GateResult) -> None:
    """Print the changes since the baseline, failing ones first."""
    console.print(_text((headline(gate), "bold")))
    for change in gate.changes:
        style = "bold red" if change.fails else "dim"
        label = "fail" if change.fails else "note"
        first, *rest = change_lines(change)
        _line(console, label, style, first, "bold" if change.fails else "")
        for line in rest:
            _line(console, "", "", line)
        if change.fails and change.finding is not None:
            command = change.finding.reproduce
            console.print(_text(("        $ ", "dim"), (command, "dim")), soft_wrap=True)
    for target in report.targets:
        _skips(console, target)
    console.print()


def _finding(console: Console, finding: Finding) -> None:
    style = STYLES[finding.verdict]
    headline = f"{finding.code} {finding.name}: {terminal(str(finding.cause))}"
    _line(console, finding.verdict.value, style, headline, "bold")
    if finding.message:
        _line(console, "", "", terminal(finding.message))
    if line := f"{_smallest_text(finding)}{_where(finding)}".strip():
        _line(console, "", "", line)
    # The command stays on one line, however narrow the terminal, so that it can be copied.
    console.print(_text(("        $ ", "dim"), (finding.reproduce, "dim")), soft_wrap=True)


def _risks(console: Console, findings: list[Finding], shown: int) -> None:
    """Print the first risks of one check, a line for each."""
    first = findings[0]
    headline = f"{first.code} {first.name}: {len(findings)} risks"
    _line(console, first.verdict.value, STYLES[first.verdict], headline, "bold")
    for finding in findings[:shown]:
        _line(console, "", "", f"- {terminal(finding.message)}")
    if len(findings) > shown:
        _line(console, "", "", f"- and {len(findings) - shown} more: run the command below for all")
    console.print(_text(("        $ ", "dim"), (first.reproduce, "dim")), soft_wrap=True)


def _smallest_text(finding: Finding) -> str:
    if finding.text is None:
        return ""
    length = len(finding.text)
    of = f" of {length:,} characters" if length > MAX_TEXT else ""
    return f'smallest text "{shorten(finding.text, MAX_TEXT)}"{of}'


def _where(finding: Finding) -> str:
    where = f" in {pluralize(finding.count, 'case')}" if finding.families else ""
    names = finding.families[:MAX_FAMILIES]
    more = len(finding.families) - len(names)
    if names:
        others = f" and {pluralize(more, 'more family', 'more families')}" if more else ""
        where += f" of {', '.join(names)}{others}"
    if finding.other_checks:
        where += f" (also found by {', '.join(finding.other_checks)})"
    return where


def _line(console: Console, label: str, style: str, text: str, text_style: str = "") -> None:
    """Print a label in a column of eight characters, and a text that wraps next to it."""
    from rich.padding import Padding

    width = console.width
    body = _text((text, text_style))
    lines = body.wrap(console, max(width - 8, 20), overflow="fold")
    for number, line in enumerate(lines):
        prefix = _text((f"{label if number == 0 else '':<7} ", style))
        console.print(Padding(prefix + line, 0, expand=False), soft_wrap=True)


def _text(*parts: tuple[str, str]):  # type: ignore[no-untyped-def]
    from rich.text import Text

    return Text.assemble(*parts)


def _summary(console: Console, report: Report) -> None:
    if report.gate is not None:
        word, counts = verdict(report.gate)
        style = "bold green" if word == "passed" else "bold red"
        skips = sum(len(target.skips) for target in report.targets)
        console.print(_text((f"{word}: ", style), (f"{counts}, {skips} skipped", "")))
        return
    bugs, risks = report.count(Verdict.BUG), report.count(Verdict.RISK)
    facts = report.count(Verdict.FACT)
    skips = sum(len(target.skips) for target in report.targets)
    failed = exit_code(report, report.options.fail_on)
    word = "interrupted" if report.interrupted else "failed" if failed else "passed"
    style = "bold red" if failed else "bold green"
    nouns = ((bugs, "bug"), (risks, "risk"), (facts, "fact"))
    counts = ", ".join(pluralize(count, noun) for count, noun in nouns)
    rest = f"{counts}, {skips} skipped (seed {report.options.seed})"
    console.print(_text((f"{word}: ", style), (rest, "")))
