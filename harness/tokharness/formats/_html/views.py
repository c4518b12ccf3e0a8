"""What the page has: its sections, the verdict in words, options, policy."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.plugins import Check
    from tokharness.results.comparison import Comparison
    from tokharness.results.report import Report, TargetReport

__all__ = [
    "audit",
    "counted",
    "measured",
    "of_check",
    "options",
    "pages",
    "policy",
    "sections",
    "why",
]

MEASURED = {
    "vocabulary": ("Vocabulary", "vocabulary"),
    "special-tokens": ("Special-token safety", "special_tokens"),
    "digits": ("Digits", "numbers"),
    "leading-space": ("Leading space", "leading_space"),
    "white-space": ("White space and line ends", "white_space"),
    "invisible": ("Invisible characters", "invisible"),
    "languages": ("What languages cost", "languages"),
    "comparison": ("Targets compared", ""),
    "coverage": ("Coverage of Unicode", "coverage"),
    "growth": ("Growth of time", "growth"),
    "throughput": ("Throughput", "throughput"),
}
"""Sections of what was measured: the title, and the measure without which there is none."""

AUDIT = ("TOK401", "TOK402", "TOK403", "TOK404", "TOK405", "TOK406", "TOK407")
"""Checks of the vocabulary."""

NAMED = 5
"""Causes of a check that the summary names."""


def sections(report: Report, comparison: Comparison | None) -> list[tuple[str, str]]:
    """Sections of the page, in the order in which a reviewer asks, with their titles."""
    compares = report.embedding_width is not None
    first = [] if compares else [("summary", "Verdict")]
    if report.gate is not None:
        first.append(("gate", "What changed since the baseline"))
    if not compares:
        first += [("findings", "Findings"), ("matrix", "Families by checks")]
    among = [
        (section, title)
        for section, (title, name) in MEASURED.items()
        if (measured(report, name) if name else comparison)
    ]
    if compares:
        among.sort(key=lambda pair: pair[0] != "comparison")
    left = [] if compares else [("not-measured", "Not measured")] * (not among)
    last = [] if compares else [("not-run", "Not run")]
    last.append(("versions", "Versions, options and policy"))
    return [
        *first,
        *among,
        *left,
        *last,
        *([] if compares else [("checks", "What the checks mean")]),
    ]


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Say how many."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def of_check(
    report: Report, code: str, *, facts: bool = False
) -> list[tuple[TargetReport, Finding]]:
    """Findings of a check, of all targets; what is by design only where ``facts`` are asked for."""
    return [
        (target, finding)
        for target in report.targets
        for finding in target.findings
        if finding.code == code and (facts or finding.verdict is not Verdict.BY_DESIGN)
    ]


def audit(report: Report) -> list[tuple[TargetReport, Finding]]:
    """Findings of the audit of the vocabulary, facts too."""
    return [pair for code in AUDIT for pair in of_check(report, code, facts=True)]


def why(target: TargetReport) -> Iterator[tuple[Verdict, str, Sequence[str]]]:
    """Bugs and risks of a target in few words: a line a check, with some of its causes."""
    for verdict in (Verdict.BUG, Verdict.RISK):
        codes = dict.fromkeys(one.code for one in target.findings if one.verdict is verdict)
        for code in codes:
            some = [one for one in target.findings if (one.code, one.verdict) == (code, verdict)]
            causes = [str(one.cause) for one in some[:NAMED]]
            more = [f"and {len(some) - NAMED:,} more"] * (len(some) > NAMED)
            yield verdict, f"{code} {some[0].name}", [*causes, *more]


def options(report: Report) -> Iterator[tuple[str, str]]:
    """Options of the run by the names that the command has for them."""
    names = {"families": "family"}
    for name, one in asdict(report.options).items():
        if name == "enumerated":  # how a campaign is told apart, and no option
            continue
        told = ", ".join(map(str, one)) if isinstance(one, list | tuple) else one
        if told not in (None, ""):
            yield f"--{names.get(name, name).replace('_', '-')}", str(told)


def policy(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the policy says, a line a key."""
    for name, one in record.items():
        for key, told in one.items() if isinstance(one, dict) else [("", one)]:
            words = ", ".join(map(str, told)) if isinstance(told, list) else str(told)
            if words:
                yield f"{name} {key}".strip(), words


def pages(report: Report, checks: Mapping[str, Check]) -> list[tuple[str, Check]]:
    """Pages of the checks that were run, and of those whose findings are shown."""
    run = {code for target in report.targets for code in target.started.checks}
    run |= {one.code for target in report.targets for one in target.findings}
    run |= {code for target in report.targets for one in target.findings for code in one.also}
    return [(code, check) for code, check in checks.items() if code in run]


def measured(report: Report, name: str) -> list[tuple[TargetReport, Any]]:
    """Targets with what was measured of them under a name, those left out of which it was not."""
    found = ((target, (target.measures or {}).get(name)) for target in report.targets)
    return [(target, value) for target, value in found if value is not None]
