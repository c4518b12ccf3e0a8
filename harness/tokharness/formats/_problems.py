"""What a run, or a gate, found to be wrong, in the words that formats for CI share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tokharness import plugins
from tokharness.escaping import shortened, visible
from tokharness.gate.kinds import KINDS
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.changes import Change
    from tokharness.model import Finding
    from tokharness.results.report import Report, TargetReport

__all__ = ["Problem", "identities", "problems", "shown_command"]

Level = Literal["error", "warning"]
LONGEST_TEXT = 80
EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to look at. All its texts are in display form: nothing in them acts.

    ``rule`` is the code of a check, or the kind of a change, and ``rule_name`` what it is called;
    ``page`` explains it. ``title`` is a line, ``message`` some sentences. ``command`` shows it
    again, "" if none does. ``path`` is a file of the user's repository, relative to its root, with
    forward slashes, or "" if none is known. ``fingerprint`` is 16 hex digits.
    """

    rule: str
    rule_name: str
    page: str
    level: Level
    target: str
    title: str
    message: str
    command: str
    fingerprint: str
    path: str
    count: int = 1


def problems(report: Report) -> list[Problem]:
    """Bugs and risks of a run, worst first; of a gate, what makes it fail."""
    if report.judgement is not None:
        spec = report.targets[0].started.target if report.targets else report.judgement.name
        path = report.places.get(spec, "")
        return [_of_change(change, spec, path) for change in report.judgement.failing]
    found = [one for target in report.targets for one in _of_target(target, report)]
    return sorted(found, key=lambda problem: problem.level != "error")


def identities(found: Iterable[Problem]) -> list[str]:
    """16 hex digits for each problem that no other here has, the same in every run.

    They are its fingerprint, unless an earlier one has that too: then the target is put in.
    """
    seen: dict[str, None] = {}
    for problem in found:
        own = problem.fingerprint
        while own in seen:
            own = hashlib.sha256(f"{own} {problem.target}".encode()).hexdigest()[:16]
        seen[own] = None
    return list(seen)


def _of_target(target: TargetReport, report: Report) -> Iterator[Problem]:
    path = report.places.get(target.started.target, "")
    for finding in target.findings:
        if finding.verdict is not Verdict.BY_DESIGN:
            yield _of_finding(finding, path)


def _of_finding(finding: Finding, path: str) -> Problem:
    check = plugins.checks().get(finding.code)
    return Problem(
        rule=finding.code,
        rule_name=finding.name,
        page=check.page if check else "",
        level="error" if finding.verdict is Verdict.BUG else "warning",
        target=visible(finding.target),
        title=f"{finding.code} {finding.name}: {visible(str(finding.cause))}",
        message=_message(finding),
        command=shown_command(finding),
        fingerprint=finding.fingerprint,
        path=path,
        count=finding.count,
    )


def _message(finding: Finding) -> str:
    parts = [visible(finding.message)] if finding.message else []
    if finding.text is not None:
        parts.append(f'smallest text "{shortened(finding.text, LONGEST_TEXT)}"')
    if finding.families:
        parts.append(f"in {finding.count:,} cases of {visible(', '.join(finding.families))}")
    return "; ".join(parts)


def shown_command(finding: Finding) -> str:
    """Return a command as it is, to be copied: it is printable ASCII, or else it is no command."""
    command = finding.reproduce
    plain = command.isascii() and command.replace("\n", "").isprintable()
    return command if plain else visible(command)


def _of_change(change: Change, spec: str, path: str) -> Problem:
    parts = [visible(one.message) for one in (change, *change.with_it)]
    parts += [f'"{shortened(one.text, LONGEST_TEXT)}"' for one in change.examples[:EXAMPLES]]
    finding = change.finding
    check = plugins.checks().get(finding.code) if finding else None
    return Problem(
        rule=finding.code if finding else change.kind,
        rule_name=finding.name if finding else change.kind.replace("-", " "),
        page=check.page if check else KINDS.get(change.kind, ""),
        level="error",
        target=visible(spec),
        title=f"{change.kind.replace('-', ' ')}: {visible(change.what)}",
        message="; ".join(parts),
        command=shown_command(finding) if finding else "",
        fingerprint=change.fingerprint,
        path=path,
        count=change.count,
    )
