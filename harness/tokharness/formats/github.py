"""Workflow commands for GitHub Actions: an annotation for each bug and risk, nothing if clean.

GitHub shows 10 errors and 10 warnings per step. A notice counts the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import github_command, visible
from tokharness.formats._problems import problems
from tokharness.formats._truncation import truncate
from tokharness.formats._wording import INTERRUPTED, pluralize

if TYPE_CHECKING:
    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "github"

MAX_ANNOTATIONS = 10
"""Annotations of each level that GitHub shows for a step; it silently drops the others."""
MAX_TITLE = 255


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Render the report as workflow commands, bugs first."""
    shown = {
        "error": [_INTERRUPTED] if report.interrupted else [],
        "warning": [],
    }
    omitted = dict.fromkeys(shown, 0)
    for problem in problems(report):
        if len(shown[problem.level]) < MAX_ANNOTATIONS:
            shown[problem.level].append(_annotation(problem))
        else:
            omitted[problem.level] += 1
    lines = [*shown["error"], *shown["warning"]]
    if any(omitted.values()):
        # A notice does not count towards the errors and warnings.
        counts = " and ".join(pluralize(count, level) for level, count in omitted.items() if count)
        message = f"{counts} omitted, since GitHub shows {MAX_ANNOTATIONS} per step: see the report"
        lines.append(_command("notice", {"title": "tokharness"}, message))
    return "".join(line + "\n" for line in lines)


def _annotation(problem: Problem) -> str:
    place = {"file": visible(problem.path), "line": "1"} if problem.path else {}
    title = truncate(problem.title, MAX_TITLE)
    parts = (problem.message, f"target: {problem.spec}", problem.command)
    return _command(problem.level, place | {"title": title}, "\n".join(filter(None, parts)))


def _command(name: str, properties: dict[str, str], message: str) -> str:
    pairs = (
        f"{key}={github_command(value, is_property=True)}" for key, value in properties.items()
    )
    return f"::{name} {','.join(pairs)}::{github_command(message)}"


_INTERRUPTED = _command("error", {"title": "tokharness: interrupted"}, INTERRUPTED)
