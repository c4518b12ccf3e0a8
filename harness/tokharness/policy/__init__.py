"""The policy of a project: ``[tool.tokharness]`` of pyproject.toml, or tokharness.toml.

It sets defaults of command options, overrides verdicts, declares expected findings, limits the
cost of languages, names targets, and locates baselines and regressions. Its JSON Schema is
``schemas/policy.json``; unknown keys are errors. The findings of a run meet its expectations, or
leave them open.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import UsageError
from tokharness.model import Verdict
from tokharness.project import require_inside, root_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from tokharness.model import Finding
    from tokharness.results.report import Report

__all__ = [
    "NO_POLICY",
    "OPTIONS",
    "ExpectedDifference",
    "NamedTarget",
    "Policy",
    "apply_policy",
    "matches",
    "matches_check",
]

OPTIONS = (
    *("profile", "seed", "examples", "select", "ignore", "family", "fail-on", "against", "jobs"),
    *("fail-on-library", "time-limit", "load-limit", "run-limit", "memory-limit"),
)
"""Keys that set the command options of the same names."""


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """A target that the project has given a name."""

    spec: str
    against: str | None = None
    expect: tuple[str, ...] = ()
    budgets: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExpectedDifference:
    """A difference between forms of one tokenizer that the project expects.

    Attributes:
        cause: The cause of a parity, its kind, its stage or its aspect, in any case.
        reason: Why it is expected.
        expires: The last day on which it is; None for no end.
        form: A part of the spec of a form that has it; "" for any form.

    """

    cause: str
    reason: str
    expires: dt.date | None = None
    form: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """The content of a policy file; ``path`` is None without a file."""

    path: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    baselines: str = "reports/baselines"
    regressions: str = "cases/regressions"
    corpus: str | None = None
    tolerance: float = 0.02
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    expect: tuple[str, ...] = ()
    budgets: Mapping[str, float] = field(default_factory=dict)
    targets: Mapping[str, NamedTarget] = field(default_factory=dict)
    parity: tuple[ExpectedDifference, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of the baselines.

        Raises:
            UsageError: it leads out of the project.

        """
        return self._inside("baselines", self.baselines)

    @property
    def regressions_folder(self) -> Path:
        """The folder of the texts that every run tries first; it may be missing.

        Raises:
            UsageError: it leads out of the project.

        """
        return self._inside("regressions", self.regressions)

    @property
    def corpus_path(self) -> Path | None:
        """The file or folder of the user's texts whose ids a baseline keeps a digest of.

        Raises:
            UsageError: it does not exist, or leads out of the project.

        """
        if self.corpus is None:
            return None
        path = self._inside("corpus", self.corpus)
        if not path.exists():
            raise UsageError(f"the corpus {path} of {self.path} does not exist: correct the path")
        return path

    def _inside(self, key: str, value: str) -> Path:
        folder = self.path.parent if self.path else Path()
        return require_inside(folder / value, root_of(folder), f"the folder of {key}")

    def of_target(self, name: str) -> Policy:
        """Return the policy combined with its settings for the target of this name, if any."""
        target = self.targets.get(name)
        if target is None:
            return self
        options = dict(self.options) | ({"against": target.against} if target.against else {})
        return replace(
            self,
            options=options,
            expect=(*self.expect, *target.expect),
            budgets={**self.budgets, **target.budgets},
        )


NO_POLICY = Policy()


def matches_check(selector: str, code: str, name: str) -> bool:
    """Whether a selector is the code, the name, or the first words of the name of a check."""
    return selector.upper() == code or name == selector or name.startswith(f"{selector}-")


def matches(finding: Finding, selector: str) -> bool:
    """Whether a finding matches CHECK or CHECK:CAUSE.

    CHECK is a code, a name, or the first words of a name (``lossy``); CAUSE is the whole cause, its
    kind, or one of its parameters (``NFKC``).
    """
    check, colon, cause = selector.partition(":")
    if not matches_check(check, finding.code, finding.name):
        return False
    parameters = (value for _, value in finding.cause.parameters)
    names = {name.lower() for name in (str(finding.cause), finding.cause.kind, *parameters)}
    return not colon or cause.strip().lower() in names


def apply_policy(report: Report, policy: Policy) -> Report:
    """Return the report with the verdicts of the policy, its findings sorted worst first."""
    if policy.path is not None:
        report = replace(report, policy=_record(policy))
    if not policy.verdicts and not policy.expect:
        return report
    targets = tuple(
        replace(
            target,
            findings=tuple(
                sorted(
                    (_with_verdict(finding, policy) for finding in target.findings),
                    key=lambda finding: finding.rank,
                )
            ),
        )
        for target in report.targets
    )
    return replace(report, targets=targets)


def _record(policy: Policy) -> dict[str, Any]:
    """Return the policy as plain data."""
    return {
        "path": str(policy.path),
        "options": dict(policy.options),
        "verdicts": {key: verdict.value for key, verdict in policy.verdicts.items()},
        "expect": list(policy.expect),
        "budgets": dict(policy.budgets),
        "tolerance": policy.tolerance,
    }


def _with_verdict(finding: Finding, policy: Policy) -> Finding:
    verdicts = [verdict for key, verdict in policy.verdicts.items() if matches(finding, key)]
    if any(matches(finding, expectation) for expectation in policy.expect):
        verdicts.append(Verdict.FACT)
    if not verdicts:
        return finding
    return replace(finding, cause=replace(finding.cause, verdict=verdicts[-1]))


if TYPE_CHECKING:
    from tokharness.results.report import Report

MAX_CAUSES = 10
"""Causes that a message lists."""


def unmet_expectations(report: Report, policy: Policy) -> tuple[str, ...]:
    """Return the expectations whose check ran and that no finding meets."""
    return tuple(one for one in _without_finding(report, policy) if _has_run(report, one))


def open_expectations(report: Report, policy: Policy) -> tuple[str, ...]:
    """Return the expectations that no finding meets, as their check did not run."""
    return tuple(one for one in _without_finding(report, policy) if not _has_run(report, one))


def describe_unmet(report: Report, expectation: str) -> str:
    """Return a sentence with the causes that the check of an unmet expectation reported.

    An expectation may name a cause that does not exist; the causes that exist are not known in
    advance.
    """
    check = expectation.partition(":")[0]
    causes = dict.fromkeys(
        str(finding.cause)
        for target in report.targets
        for finding in target.findings
        if matches(finding, check)
    )
    more = f" and {len(causes) - MAX_CAUSES} more" if len(causes) > MAX_CAUSES else ""
    reported = f"{'; '.join(list(causes)[:MAX_CAUSES])}{more}" if causes else "no cause"
    return f"no finding meets the expectation {expectation!r}: {check} reported {reported}"


def _without_finding(report: Report, policy: Policy) -> list[str]:
    findings = [finding for target in report.targets for finding in target.findings]
    return [one for one in policy.expect if not any(matches(finding, one) for finding in findings)]


def _has_run(report: Report, expectation: str) -> bool:
    codes = {code for target in report.targets for code in target.started.checks}
    checks = [(code, check.name) for code, check in plugins.all_checks().items() if code in codes]
    return any(matches_check(expectation.partition(":")[0], *check) for check in checks)
