"""Workflow commands for GitHub Actions: an annotation for each bug and risk, nothing if clean.

GitHub shows 10 errors and 10 warnings of a step. What is beyond that is counted in a notice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import github_command, visible
from tokharness.formats._cutting import cut
from tokharness.formats._problems import problems

if TYPE_CHECKING:
    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "github"

MOST = 10
"""Annotations of each level that GitHub shows for a step; it drops the others without a word."""
LONGEST_TITLE = 255


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report as workflow commands, the worst first."""
    found = problems(report)
    shown = {
        "error": [_INTERRUPTED] if report.interrupted else [],
        "warning": [],
    }
    left = dict.fromkeys(shown, 0)
    for problem in found:
        if len(shown[problem.level]) < MOST:
            shown[problem.level].append(_annotation(problem))
        else:
            left[problem.level] += 1
    lines = [*shown["error"], *shown["warning"]]
    if any(left.values()):
        # A notice takes the place of no error and of no warning.
        more = [f"{level}s: {count:,}" for level, count in left.items() if count]
        message = f"more than GitHub shows of a step, in the report only: {', '.join(more)}"
        lines.append(_command("notice", {"title": "tokharness"}, message))
    return "".join(line + "\n" for line in lines)


def _annotation(problem: Problem) -> str:
    place = {"file": visible(problem.path), "line": "1"} if problem.path else {}
    title = cut(problem.title, LONGEST_TITLE)
    parts = (problem.message, f"target: {problem.target}", problem.command)
    return _command(problem.level, place | {"title": title}, "\n".join(filter(None, parts)))


def _command(name: str, properties: dict[str, str], message: str) -> str:
    words = (
        f"{key}={github_command(value, is_property=True)}" for key, value in properties.items()
    )
    return f"::{name} {','.join(words)}::{github_command(message)}"


_INTERRUPTED = _command(
    "error",
    {"title": "tokharness: interrupted"},
    "the run was ended before it was done: this is what was found until then",
)
