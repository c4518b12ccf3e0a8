"""The policy of a project: ``[tool.tokharness]`` of pyproject.toml, or tokharness.toml.

It says what the options of a run are when the command does not, what the verdict of a check is,
which findings are expected, what a language may cost, where baselines and regressions are, and what
targets are called. Its JSON schema is ``schemas/policy.json``; a key that is not in it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.model import Finding
    from tokharness.results.report import Report

__all__ = ["NO_POLICY", "OPTIONS", "NamedTarget", "Policy", "apply_policy", "matches", "matches_check", "unmet_expectations"]

OPTIONS = (
    *("profile", "seed", "examples", "select", "ignore", "family", "fail-on", "against", "jobs"),
    *("time-limit", "memory-limit"),
)
"""Keys that are options of commands, by the same names."""


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """A target under a name of the project's."""

    spec: str
    against: str | None = None
    expect: tuple[str, ...] = ()
    budgets: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a policy file says; ``path`` is None where there is none."""

    path: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    baselines: str = "reports/baselines"
    regressions: str = "cases/regressions"
    tolerance: float = 0.02
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    expect: tuple[str, ...] = ()
    budgets: Mapping[str, float] = field(default_factory=dict)
    targets: Mapping[str, NamedTarget] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where the baselines are."""
        return self._beside / self.baselines

    @property
    def regressions_folder(self) -> Path:
        """Where the texts are that every run tries first; it need not be there."""
        return self._beside / self.regressions

    @property
    def _beside(self) -> Path:
        return self.path.parent if self.path else Path()

    def of_target(self, name: str) -> Policy:
        """Return the policy with what it says of the target of that name, if it says anything."""
        one = self.targets.get(name)
        if one is None:
            return self
        options = dict(self.options) | ({"against": one.against} if one.against else {})
        return replace(
            self,
            options=options,
            expect=(*self.expect, *one.expect),
            budgets={**self.budgets, **one.budgets},
        )


NO_POLICY = Policy()


def matches_check(selector: str, code: str, name: str) -> bool:
    """Whether a check's code, its name, or the first words of that, name a check."""
    return selector.upper() == code or name == selector or name.startswith(f"{selector}-")


def matches(finding: Finding, selector: str) -> bool:
    """Whether a finding is one of CHECK, or of CHECK:CAUSE.

    CHECK is a code, a name, or the first words of one (``lossy``); CAUSE is the whole cause, its
    kind, or one of its parameters (``NFKC``).
    """
    check, colon, cause = selector.partition(":")
    if not matches_check(check, finding.code, finding.name):
        return False
    known = (str(finding.cause), finding.cause.kind, *(v for _, v in finding.cause.parameters))
    return not colon or cause.strip().lower() in {one.lower() for one in known}


def apply_policy(report: Report, policy: Policy) -> Report:
    """Return the report with the verdicts that the policy gives findings, worst first again."""
    if policy.path is not None:
        report = replace(report, policy=_record(policy))
    if not policy.verdicts and not policy.expect:
        return report
    targets = tuple(
        replace(
            target,
            findings=tuple(
                sorted(
                    (_judged(finding, policy) for finding in target.findings),
                    key=lambda one: one.verdict.rank,
                )
            ),
        )
        for target in report.targets
    )
    return replace(report, targets=targets)


def _record(policy: Policy) -> dict[str, Any]:
    """What the file says, as plain data."""
    return {
        "path": str(policy.path),
        "options": dict(policy.options),
        "verdicts": {key: verdict.value for key, verdict in policy.verdicts.items()},
        "expect": list(policy.expect),
        "budgets": dict(policy.budgets),
        "tolerance": policy.tolerance,
    }


def _judged(finding: Finding, policy: Policy) -> Finding:
    given = [verdict for key, verdict in policy.verdicts.items() if matches(finding, key)]
    if any(matches(finding, one) for one in policy.expect):
        given.append(Verdict.BY_DESIGN)
    if not given:
        return finding
    return replace(finding, cause=replace(finding.cause, verdict=given[-1]))


def unmet_expectations(report: Report, policy: Policy) -> tuple[str, ...]:
    """Expectations that no finding of the report meets, though their checks were run."""
    findings = [one for target in report.targets for one in target.findings]
    ran = {code for target in report.targets for code in target.started.checks}
    known = [(code, check.name) for code, check in plugins.checks().items() if code in ran]
    return tuple(
        one
        for one in policy.expect
        if any(matches_check(one.partition(":")[0], *names) for names in known)
        and not any(matches(finding, one) for finding in findings)
    )
