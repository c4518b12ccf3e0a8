"""Workflow commands for GitHub Actions: an annotation for each bug and risk, nothing if clean.

GitHub shows 10 errors, 10 warnings and 10 notices per step. A library's finding is a notice, and so
is the number of findings that do not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import Shown, github_command, truncate, visible
from tokharness.formats._problems import problems
from tokharness.formats._wording import incomplete, pluralize

if TYPE_CHECKING:
    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "github"

MAX_ANNOTATIONS = 10
"""Annotations of each level that GitHub shows for a step; it silently drops further annotations."""
MAX_TITLE = 255


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report as workflow commands, bugs first."""
    shown: dict[str, list[Shown]] = {
        "error": _incomplete(report),
        "warning": [],
        "note": [],
    }
    omitted = dict.fromkeys(shown, 0)
    for problem in problems(report):
        if len(shown[problem.level]) < MAX_ANNOTATIONS:
            shown[problem.level].append(_annotation(problem))
        else:
            omitted[problem.level] += 1
    lines = [line for of_level in shown.values() for line in of_level]
    if any(omitted.values()):
        # A notice does not count towards the errors and warnings.
        counts = [pluralize(count, level) for level, count in omitted.items() if count]
        message = Shown("{} omitted, since GitHub shows {} per step: see the report")
        message = message.format(Shown(" and ").join(counts), MAX_ANNOTATIONS)
        lines.append(_command("notice", {"title": Shown("tokharness")}, message))
    return _output(lines)


def _output(lines: list[Shown]) -> Shown:
    return Shown("").join(Shown("{}\n").format(line) for line in lines)


def _annotation(problem: Problem) -> Shown:
    place = {"file": visible(problem.path), "line": Shown("1")} if problem.path else {}
    title = truncate(problem.title, MAX_TITLE)
    parts = (problem.message, Shown("target: {}").format(problem.spec), *problem.next)
    message = Shown("\n").join(filter(None, parts))
    name = "notice" if problem.level == "note" else problem.level
    return _command(name, place | {"title": title}, message)


def _command(name: str, properties: dict[str, Shown], message: Shown) -> Shown:
    pairs = (
        Shown("{}={}").format(key, github_command(value, is_property=True))
        for key, value in properties.items()
    )
    command = Shown("::{} {}::{}")
    return command.format(name, Shown(",").join(pairs), github_command(message))


def _incomplete(report: Report) -> list[Shown]:
    word = "interrupted" if report.interrupted else "not finished"
    title = Shown("tokharness: {}").format(word)
    why = incomplete(report)
    return [_command("error", {"title": title}, why)] if why else []
