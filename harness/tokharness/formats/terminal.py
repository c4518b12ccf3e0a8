"""For a person at a terminal: the worst first, each cause with its smallest text.

Bugs and risks come with the command that shows them again; facts by design and what was not run
take a line each.
"""

from __future__ import annotations

import io
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.escaping import shortened, terminal
from tokharness.formats._campaign import campaign_lines
from tokharness.formats._compared import compare
from tokharness.formats._gate_lines import change_lines, head, verdict
from tokharness.model import Finding, Verdict
from tokharness.results.report import Report, TargetReport, compared, exit_code

if TYPE_CHECKING:
    from rich.console import Console

    from tokharness.changes import Judgement

__all__ = ["COMPARES", "NAME", "render"]

NAME = "terminal"
COMPARES = True

STYLES = {Verdict.BUG: "bold red", Verdict.RISK: "bold yellow", Verdict.BY_DESIGN: "dim"}
LONGEST_TEXT = 60
MOST_FAMILIES = 4
MOST_OF_A_RISK = 3
UNLIMITED = 10_000


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report for a terminal of this width."""
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
    if report.width is not None:
        compare(console, compared(report))
        return _told(stream)
    if report.judgement is not None:
        _gate(console, report, report.judgement)
    else:
        for target in report.targets:
            _target(console, target, brief=not report.options.select)
    campaigns = [target.campaign for target in report.targets if target.campaign is not None]
    if any(campaign.kept for campaign in campaigns):
        _line(console, "next", "dim", "the same command goes on where this campaign ended", "dim")
    if not campaigns:
        profile = PROFILES[report.options.profile]
        _line(console, "profile", "dim", f"{profile.name}: {profile.page}", "dim")
    _verdict(console, report)
    return _told(stream)


def _told(stream: io.StringIO) -> str:
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _target(console: Console, target: TargetReport, *, brief: bool) -> None:
    started = target.started
    cases = sum(tried.cases for tried in target.families)
    against = f" against {terminal(started.against)}" if started.against else ""
    seconds = f", {target.finished.seconds:.1f} s" if target.finished else ", not finished"
    console.print(
        _text((terminal(started.target), "bold"), (f"{against}: {cases:,} cases{seconds}", ""))
    )
    if target.campaign is not None:
        for label, told_of in campaign_lines(target.campaign):
            _line(console, label, "dim", told_of)
    told = [finding for finding in target.findings if finding.verdict is not Verdict.BY_DESIGN]
    for (_, _), alike in groupby(told, lambda finding: (finding.verdict, finding.code)):
        findings = list(alike)
        if len(findings) > MOST_OF_A_RISK and findings[0].verdict is Verdict.RISK:
            _many(console, findings, MOST_OF_A_RISK if brief else len(findings))
        else:
            for finding in findings:
                _finding(console, finding)
    for finding in target.findings:
        if finding.verdict is Verdict.BY_DESIGN:
            _line(console, "fact", "dim", f"{finding.code} {terminal(finding.message)}")
    _skips(console, target)
    console.print()


def _skips(console: Console, target: TargetReport) -> None:
    for reason in dict.fromkeys(skip.reason for skip in target.skips):
        what = ", ".join(skip.what for skip in target.skips if skip.reason == reason)
        _line(console, "skip", "cyan", f"{terminal(what)}: {terminal(reason)}")


def _gate(console: Console, report: Report, judgement: Judgement) -> None:
    """Tell what changed since the baseline, what fails first."""
    console.print(_text((head(judgement), "bold")))
    for change in judgement.changes:
        style = "bold red" if change.fails else "dim"
        label = "fail" if change.fails else "told"
        first, *others = change_lines(change)
        _line(console, label, style, first, "bold" if change.fails else "")
        for line in others:
            _line(console, "", "", line)
        if change.fails and change.finding is not None:
            command = change.finding.reproduce
            console.print(_text(("        $ ", "dim"), (command, "dim")), soft_wrap=True)
    for target in report.targets:
        _skips(console, target)
    console.print()


def _finding(console: Console, finding: Finding) -> None:
    style = STYLES[finding.verdict]
    head = f"{finding.code} {finding.name}: {terminal(str(finding.cause))}"
    _line(console, finding.verdict.value, style, head, "bold")
    if finding.message:
        _line(console, "", "", terminal(finding.message))
    if shown := f"{_shown(finding)}{_where(finding)}".strip():
        _line(console, "", "", shown)
    # The command is printed on one line however narrow the terminal, so that it can be copied.
    console.print(_text(("        $ ", "dim"), (finding.reproduce, "dim")), soft_wrap=True)


def _many(console: Console, findings: list[Finding], most: int) -> None:
    """Tell risks of one check, if there are many, in a line each; of a whole run the first few."""
    first = findings[0]
    head = f"{first.code} {first.name}: {len(findings)} risks of one kind"
    _line(console, first.verdict.value, STYLES[first.verdict], head, "bold")
    for finding in findings[:most]:
        _line(console, "", "", f"- {terminal(finding.message)}")
    if len(findings) > most:
        _line(console, "", "", f"- and {len(findings) - most} more, which the command below tells")
    console.print(_text(("        $ ", "dim"), (first.reproduce, "dim")), soft_wrap=True)


def _shown(finding: Finding) -> str:
    if finding.text is None:
        return ""
    length = len(finding.text)
    of = f" of {length:,} characters" if length > LONGEST_TEXT else ""
    return f'smallest text "{shortened(finding.text, LONGEST_TEXT)}"{of}'


def _where(finding: Finding) -> str:
    where = f" in {finding.count:,} cases" if finding.families else ""
    names = finding.families[:MOST_FAMILIES]
    more = len(finding.families) - len(names)
    if names:
        where += f" of {', '.join(names)}" + (f" and {more} more families" if more else "")
    if finding.also:
        where += f" (also seen by {', '.join(finding.also)})"
    return where


def _line(console: Console, label: str, style: str, text: str, text_style: str = "") -> None:
    """One item: a label in a column of eight, and a text that wraps beside it."""
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


def _verdict(console: Console, report: Report) -> None:
    if report.judgement is not None:
        word, told = verdict(report.judgement)
        style = "bold green" if word == "passed" else "bold red"
        skips = sum(len(target.skips) for target in report.targets)
        console.print(_text((f"{word}: ", style), (f"{told}, {skips} not run", "")))
        return
    bugs, risks = report.count(Verdict.BUG), report.count(Verdict.RISK)
    facts = report.count(Verdict.BY_DESIGN)
    skips = sum(len(target.skips) for target in report.targets)
    failed = exit_code(report, report.options.fail_on)
    what = "interrupted" if report.interrupted else "not clean" if failed else "clean"
    style = "bold red" if failed else "bold green"
    counts = ((bugs, "bug"), (risks, "risk"), (facts, "fact"))
    told = ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts)
    rest = f"{told} by design, {skips} not run, seed {report.options.seed}"
    console.print(_text((f"{what}: ", style), (rest, "")))
