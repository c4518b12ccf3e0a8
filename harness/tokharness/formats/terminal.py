"""Text for a terminal: the scorecard, then the worst findings, each with its smallest text.

Each bug and risk has the command that reproduces it; each fact and skip takes a line.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.escaping import Shown, line_verbatim, sentence, shorten, styled, terminal
from tokharness.formats._comparison_table import print_comparison
from tokharness.formats._console import new_console, output_of
from tokharness.formats._corpus_lines import corpus_lines, corpus_of
from tokharness.formats._evidence import evidence_lines, results_line
from tokharness.formats._gate_lines import change_lines, commands, headline, verdict
from tokharness.formats._overview import campaign_lines, overview
from tokharness.formats._terminal_tables import print_detectors, print_facts, print_scorecard
from tokharness.formats._wording import (
    library_counts,
    library_title,
    pluralize,
    text_label,
    what_was_run,
)
from tokharness.model import Finding, Verdict
from tokharness.results.detectors import (
    are_audits,
    conversation_parts,
    detectors,
    has_conversations,
    is_audit,
)
from tokharness.results.report import Report, TargetReport, compare_targets, exit_code
from tokharness.results.scorecard import scorecard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokharness.changes import GateResult
    from tokharness.engine.worker.checks_of_text import CheckResult

__all__ = ["COMPARES", "NAME", "render"]

NAME = "terminal"
COMPARES = True

STYLES = {Verdict.BUG: "bold red", Verdict.RISK: "bold yellow", Verdict.FACT: "dim"}
MAX_TEXT = 60
MAX_FAMILIES = 4
MAX_PARTS, PART_WIDTH = 24, 30
"""Parts of a rendered conversation that are listed, and columns of what each is."""

MAX_RISKS = 3
"""Risks of one check that are listed."""
NO_LABEL = Shown("")


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report for a terminal of this width."""
    console = new_console(width, color=color)
    if report.embedding_width is not None:
        print_comparison(console, compare_targets(report))
        return output_of(console)
    if report.gate is not None:
        _gate(console, report, report.gate)
    else:
        for target in report.targets:
            _target(console, target, brief=not report.options.select)
    campaigns = [target.campaign for target in report.targets if target.campaign is not None]
    if any(campaign.resumable for campaign in campaigns):
        again = Shown("run the same command again to continue this campaign")
        _line(console, Shown("next"), "dim", again, "dim")
    scans = [target for target in report.targets if corpus_of(target) is not None]
    without_profile = campaigns or scans or are_audits(report) or has_conversations(report)
    if report.targets and not without_profile:  # before a target, a scan looks like a check
        profile = PROFILES[report.options.profile]
        summary = Shown("{}: {}").format(profile.name, profile.page)
        _line(console, Shown("profile"), "dim", summary, "dim")
    _overview(console, report)
    _summary(console, report)
    return output_of(console)


def _overview(console: Console, report: Report) -> None:
    """Print a line for each of several targets; their own lines are far above."""
    for row in overview(report):
        style = "bold red" if row.failed else "bold green"
        line = Shown("{} {}: {}").format(row.word, row.target.started.spec, row.counts)
        _line(console, Shown("target"), style, line)


def _target(console: Console, target: TargetReport, *, brief: bool) -> None:
    started = target.started
    against = Shown(" against {}").format(started.against) if started.against else Shown("")
    seconds = Shown(", not finished")
    if target.finished:
        seconds = Shown(" in {:.1f}s").format(target.finished.seconds)
    nouns = (pluralize(target.count(verdict), verdict.value) for verdict in Verdict)
    counts = [Shown(", ").join(nouns), *library_counts(target.findings)]
    rest = Shown("{}: {}{}: {}").format(
        against, what_was_run(target), seconds, Shown("; ").join(counts)
    )
    console.print(styled((terminal(started.spec), "bold"), (rest, "")))
    if target.campaign is not None:
        for label, line in campaign_lines(target.campaign):
            _line(console, label, "dim", line)
    if (corpus := corpus_of(target)) is not None:
        for label, line in corpus_lines(corpus, target.started.against):
            _line(console, label, "dim", line)
    print_scorecard(console, scorecard(target))
    if is_audit(target):
        print_detectors(console, detectors(target))
    problems = [finding for finding in target.findings if finding.verdict is not Verdict.FACT]
    for library, found in groupby(problems, lambda finding: finding.library):
        if library:
            _line(console, Shown("library"), "cyan", library_title(library), "bold")
        _problems(console, list(found), brief=brief)
    facts = [finding for finding in target.findings if finding.verdict is Verdict.FACT]
    print_facts(console, facts, brief=brief)
    _skips(console, target)
    console.print()


def _problems(console: Console, problems: list[Finding], *, brief: bool) -> None:
    for _, group in groupby(problems, lambda finding: (finding.verdict, finding.code)):
        findings = list(group)
        if len(findings) > MAX_RISKS and findings[0].verdict is Verdict.RISK:
            _risks(console, findings, MAX_RISKS if brief else len(findings))
        else:
            for finding in findings:
                _finding(console, finding, brief=brief)


def _skips(console: Console, target: TargetReport) -> None:
    for reason in dict.fromkeys(skip.reason for skip in target.skips):
        what = ", ".join(skip.what for skip in target.skips if skip.reason == reason)
        _line(console, Shown("skip"), "cyan", Shown("{}: {}").format(what, reason))


def _gate(console: Console, report: Report, gate: GateResult) -> None:
    """Print the changes since the baseline, failing changes first."""
    console.print(styled((headline(gate), "bold")))
    for change in gate.changes:
        style = "bold red" if change.fails else "dim"
        label = Shown("fail") if change.fails else Shown("note")
        first, *rest = change_lines(change)
        _line(console, label, style, first, "bold" if change.fails else "")
        for line in rest:
            _line(console, NO_LABEL, "", line)
        if change.fails:
            for command in commands(change):
                _command(console, command)
    for target in report.targets:
        _skips(console, target)
    console.print()


def _finding(console: Console, finding: Finding, *, brief: bool) -> None:
    style = STYLES[finding.verdict]
    headline = Shown("{} {}: {}").format(finding.code, finding.name, sentence(str(finding.cause)))
    _line(console, terminal(finding.verdict.value), style, headline, "bold")
    if finding.message:
        _line(console, NO_LABEL, "", sentence(finding.message))
    if line := Shown("{}{}").format(_smallest_text(finding), _where(finding)).strip():
        _line(console, NO_LABEL, "", line)
    if (results := results_line(finding, MAX_TEXT)) is not None:
        _line(console, NO_LABEL, "", results)
    if (parts := conversation_parts(finding)) and not brief:
        _conversation(console, parts)
    _command(console, line_verbatim(finding.reproduce))


def _conversation(console: Console, parts: list[tuple[str, str, str]]) -> None:
    """Print the parts of a rendering: what each is, its text and its ids."""
    rows = [(shorten(what, PART_WIDTH), text, ids) for what, text, ids in parts[:MAX_PARTS]]
    width = max(len(what) for what, _, _ in rows)
    for what, text, ids in rows:
        shown = (shorten(text, MAX_TEXT), shorten(ids, MAX_TEXT))
        line = Shown("{}{}  {}  {}").format(what, " " * (width - len(what)), *shown)
        _line(console, NO_LABEL, "", line, _style(what))
    if (more := len(parts) - MAX_PARTS) > 0:
        _line(console, NO_LABEL, "", Shown("and {}").format(pluralize(more, "more part")), "dim")


def _style(what: str) -> str:
    """Return the style of a part: of the template, of a special token, or of a field."""
    if what == "template":
        return "dim"
    return "bold magenta" if what.startswith("special token") else "cyan"


def _command(console: Console, command: Shown) -> None:
    """Print the command on one line, however narrow the terminal, so that it can be copied."""
    console.print(styled((Shown("        $ "), "dim"), (command, "dim")), soft_wrap=True)


def _risks(console: Console, findings: list[Finding], shown: int) -> None:
    """Print the first risks of one check, a line for each."""
    first = findings[0]
    headline = Shown("{} {}: {} risks").format(first.code, first.name, len(findings))
    _line(console, terminal(first.verdict.value), STYLES[first.verdict], headline, "bold")
    for finding in findings[:shown]:
        _line(console, NO_LABEL, "", Shown("- {}").format(finding.message))
    if len(findings) > shown:
        more = Shown("- and {} more: run the command below for all")
        _line(console, NO_LABEL, "", more.format(len(findings) - shown))
    _command(console, line_verbatim(first.reproduce))


def _smallest_text(finding: Finding) -> Shown:
    if finding.text is None:
        return Shown("")
    length = len(finding.text)
    of = Shown(" of {:,} characters").format(length) if length > MAX_TEXT else Shown("")
    return Shown('{} "{}"{}').format(text_label(finding), shorten(finding.text, MAX_TEXT), of)


def _where(finding: Finding) -> Shown:
    parts = []
    if finding.families:
        names = finding.families[:MAX_FAMILIES]
        cases = pluralize(finding.count, "case")
        parts.append(Shown(" in {} of {}").format(cases, ", ".join(names)))
        if more := len(finding.families) - len(names):
            parts.append(Shown(" and {}").format(pluralize(more, "more family", "more families")))
    if finding.other_checks:
        parts.append(Shown(" (also found by {})").format(", ".join(finding.other_checks)))
    return Shown("").join(parts)


def _line(console: Console, label: Shown, style: str, text: Shown, text_style: str = "") -> None:
    """Print a label in a column of eight characters, and a text that wraps next to it."""
    from rich.padding import Padding

    width = console.width
    body = styled((text, text_style))
    lines = body.wrap(console, max(width - 8, 20), overflow="fold")
    for number, line in enumerate(lines):
        prefix = styled((Shown("{:<7} ").format(label if number == 0 else NO_LABEL), style))
        console.print(Padding(prefix + line, 0, expand=False), soft_wrap=True)


def cause_lines(
    results: Sequence[CheckResult], *, width: int | None = None, color: bool = False
) -> Shown:
    """Render the causes of the checks that fail for one text, and the evidence of each check."""
    console = new_console(width, color=color)
    for result in results:
        cause = min(result.causes, key=lambda one: one.verdict.rank)
        style, label = STYLES[cause.verdict], terminal(cause.verdict.value)
        line = Shown("{} {}: {}").format(result.check.code, result.check.name, sentence(str(cause)))
        _line(console, label, style, line, "bold")
        others = Shown("; ").join(sentence(str(other)) for other in result.others)
        if others:
            others = Shown("other texts decide whether it is: {}").format(others)
        for text in (sentence(cause.message), others, *evidence_lines(result.evidence)):
            if text:
                _line(console, NO_LABEL, "", text)
    return output_of(console)


OUTCOMES = {130: "interrupted", 2: "not finished", 1: "failed"}
"""The outcome of a run by its exit code."""


def _summary(console: Console, report: Report) -> None:
    if report.gate is not None:
        word, counts = verdict(report.gate)
        style = "bold red" if report.gate.failing else "bold green"
        skips = sum(len(target.skips) for target in report.targets)
        rest = Shown("{}, {} skipped").format(counts, skips)
        if report.unfinished:
            word, style = Shown("not finished"), "bold red"
        console.print(styled((_outcome(report, str(word)), style), (rest, "")))
        return
    bugs, risks = report.count(Verdict.BUG), report.count(Verdict.RISK)
    facts = report.count(Verdict.FACT)
    skips = sum(len(target.skips) for target in report.targets)
    failed = exit_code(report, report.options.fail_on)
    outcome = OUTCOMES.get(failed if report.error is None else 2, "passed")
    style = "bold red" if failed else "bold green"
    nouns = ((bugs, "bug"), (risks, "risk"), (facts, "fact"))
    counts = Shown(", ").join(pluralize(count, noun) for count, noun in nouns)
    has_seed = not (are_audits(report) or has_conversations(report))
    seed = Shown(" (seed {})").format(report.options.seed) if has_seed else Shown("")
    rest = Shown("{}, {} skipped{}").format(counts, skips, seed)
    findings = [finding for target in report.targets for finding in target.findings]
    rest = Shown("; ").join([rest, *library_counts(findings)])
    console.print(styled((_outcome(report, outcome), style), (rest, "")))


def _outcome(report: Report, word: str) -> Shown:
    """Return the first word of the last line, about this command unless the line names another."""
    is_of_run = report.is_earlier and word == "failed"
    return (Shown("the run {}: ") if is_of_run else Shown("{}: ")).format(word)
