"""The sections of the page, and the content of the smaller ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.model import Verdict
from tokharness.results.detectors import are_audits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.plugins import Check
    from tokharness.results.comparison import Comparison
    from tokharness.results.report import Report, TargetReport

__all__ = [
    "audit_findings",
    "check_pages",
    "findings_of_check",
    "metrics_of",
    "options",
    "policy",
    "sections",
    "summary_lines",
]

METRIC_SECTIONS = {
    "vocabulary": ("Vocabulary", "vocabulary"),
    "special-tokens": ("Special-token safety", "special_tokens"),
    "digits": ("Digits", "numbers"),
    "leading-space": ("Leading space", "leading_space"),
    "white-space": ("White space and line ends", "white_space"),
    "invisible": ("Invisible characters", "invisible"),
    "parallel": ("Cost of languages in your text", "parallel"),
    "languages": ("Cost of languages", "languages"),
    "comparison": ("Comparison", ""),
    "coverage": ("Unicode coverage", "coverage"),
    "growth": ("Growth of encoding time", "growth"),
    "throughput": ("Throughput", "throughput"),
}
"""Sections of metrics: the title, and the measure that the section needs."""

VOCABULARY_CHECKS = "TOK4"
"""How the codes of the vocabulary checks begin."""

MAX_CAUSES = 5
"""Causes of one check that the summary lists."""


def sections(report: Report, comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return the ids and titles of the sections of the page, in their order."""
    is_comparison = report.embedding_width is not None
    first = []
    if report.gate is not None:
        failed = bool(report.gate.failing)
        first.append(("gate", "What failed" if failed else "Changes since the baseline"))
    if not is_comparison:
        first += [("summary", "Verdict"), ("findings", "Findings")]
        if not are_audits(report):
            first.append(("matrix", "Checks by family"))
    metrics = [
        (section, title)
        for section, (title, name) in METRIC_SECTIONS.items()
        if (metrics_of(report, name) if name else comparison)
    ]
    if is_comparison:
        metrics.sort(key=lambda pair: pair[0] != "comparison")
    missing = [] if is_comparison else [("no-metrics", "Metrics")] * (not metrics)
    last = [] if is_comparison else [("skipped", "Skipped")]
    last.append(("versions", "Versions, options and policy"))
    return [
        *first,
        *metrics,
        *missing,
        *last,
        *([] if is_comparison else [("checks", "Documentation of the checks")]),
    ]


def findings_of_check(
    report: Report, code: str, *, facts: bool = False
) -> list[tuple[TargetReport, Finding]]:
    """Return the findings of a check of all targets; facts only with ``facts``."""
    return [
        (target, finding)
        for target in report.targets
        for finding in target.findings
        if finding.code == code and (facts or finding.verdict is not Verdict.FACT)
    ]


def audit_findings(report: Report) -> list[tuple[TargetReport, Finding]]:
    """Return the findings of the vocabulary checks, including facts."""
    findings = (finding for target in report.targets for finding in target.findings)
    codes = sorted({f.code for f in findings if f.code.startswith(VOCABULARY_CHECKS)})
    return [pair for code in codes for pair in findings_of_check(report, code, facts=True)]


def summary_lines(target: TargetReport) -> Iterator[tuple[Verdict, str, Sequence[str]]]:
    """Yield a line for each check of a target with bugs or risks: verdict, check, some causes.

    What is the library's is left out.
    """
    own = [finding for finding in target.findings if not finding.is_of_library]
    for verdict in (Verdict.BUG, Verdict.RISK):
        codes = dict.fromkeys(f.code for f in own if f.verdict is verdict)
        for code in codes:
            group = [f for f in own if (f.code, f.verdict) == (code, verdict)]
            causes = [str(finding.cause) for finding in group[:MAX_CAUSES]]
            more = [f"and {len(group) - MAX_CAUSES:,} more"] * (len(group) > MAX_CAUSES)
            yield verdict, f"{code} {group[0].name}", [*causes, *more]


def options(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the run's options, named as on the command line."""
    names = {"families": "family"}
    for name, value in asdict(report.options).items():
        if name == "enumerated":  # distinguishes campaigns from checks; not an option
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        if text not in (None, ""):
            yield f"--{names.get(name, name).replace('_', '-')}", str(text)


def policy(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of the policy."""
    for name, entry in record.items():
        for key, value in entry.items() if isinstance(entry, dict) else [("", entry)]:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            if text:
                yield f"{name} {key}".strip(), text


def check_pages(report: Report, checks: Mapping[str, Check]) -> list[tuple[str, Check]]:
    """Return the checks that were run or have findings, by code."""
    run = {code for target in report.targets for code in target.started.checks}
    findings = [finding for target in report.targets for finding in target.findings]
    run |= {code for finding in findings for code in (finding.code, *finding.other_checks)}
    return [(code, check) for code, check in checks.items() if code in run]


def metrics_of(report: Report, name: str) -> list[tuple[TargetReport, Any]]:
    """Return the targets with their value of a measure, without targets that lack it."""
    values = ((target, (target.measures or {}).get(name)) for target in report.targets)
    return [(target, value) for target, value in values if value is not None]
