"""GitLab's Code Quality report: a JSON array, in ASCII, with an object for each bug and risk.

A failing change of a gate is a ``blocker``, a bug ``critical``, a risk ``minor``, and a library's
finding ``info``. An interrupted run adds an ``info``, since its report is incomplete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.escaping import Shown, shown_json
from tokharness.formats._problems import problems, unique_fingerprints
from tokharness.formats._wording import incomplete

if TYPE_CHECKING:
    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "gitlab"

DEFAULT_PATH = "pyproject.toml"
"""Path of entries without a file; GitLab does not show an entry without a path."""


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report as a Code Quality report."""
    all_problems = problems(report)
    gate = report.gate is not None
    entries = [
        _entry(
            _description(problem), problem.rule, identity, _severity(problem, gate), problem.path
        )
        for problem, identity in zip(all_problems, unique_fingerprints(all_problems), strict=True)
    ]
    if why := incomplete(report):
        word = "interrupted" if report.interrupted else "not-finished"
        entries.append(_entry(why, word, word, "info", ""))
    return shown_json(entries, indent=2)


def _entry(description: str, rule: str, identity: str, severity: str, path: str) -> dict[str, Any]:
    return {
        "description": description,
        "check_name": rule,
        "fingerprint": identity,
        "severity": severity,
        "location": {"path": path or DEFAULT_PATH, "lines": {"begin": 1}},
    }


def _description(problem: Problem) -> Shown:
    return Shown(": ").join(filter(None, (problem.title, problem.message, problem.spec)))


def _severity(problem: Problem, gate: bool) -> str:
    if gate:
        return "blocker"
    return {"error": "critical", "warning": "minor", "note": "info"}[problem.level]
