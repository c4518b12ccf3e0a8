"""GitLab's Code Quality report: a JSON array, in ASCII, with an object for each bug and risk.

What makes a gate fail is a ``blocker``, a bug ``critical``, a risk ``minor``. An interrupted run is
told as ``info``, since its report lacks what was not tried.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokharness.escaping import visible
from tokharness.formats._problems import identities, problems

if TYPE_CHECKING:
    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "gitlab"

NO_PLACE = "pyproject.toml"
"""Where what belongs to no file is told: an entry without a path is not shown."""


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report as a Code Quality report."""
    found = problems(report)
    gate = report.judgement is not None
    entries = [
        _entry(
            _description(problem), problem.rule, identity, _severity(problem, gate), problem.path
        )
        for problem, identity in zip(found, identities(found), strict=True)
    ]
    if report.interrupted:
        description = "the run was ended before it was done: not everything was tried"
        entries.append(_entry(description, "interrupted", "interrupted", "info", ""))
    return json.dumps(entries, indent=2, ensure_ascii=True) + "\n"


def _entry(description: str, rule: str, identity: str, severity: str, path: str) -> dict[str, Any]:
    return {
        "description": description,
        "check_name": rule,
        "fingerprint": identity,
        "severity": severity,
        "location": {"path": visible(path) or NO_PLACE, "lines": {"begin": 1}},
    }


def _description(problem: Problem) -> str:
    return ": ".join(filter(None, (problem.title, problem.message, problem.target)))


def _severity(problem: Problem, gate: bool) -> str:
    if gate:
        return "blocker"
    return "critical" if problem.level == "error" else "minor"
