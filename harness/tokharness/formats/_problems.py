"""Findings and failing changes as problems, which the formats for CI share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from tokharness import plugins
from tokharness.changes import KINDS
from tokharness.edits.long_texts import parts_that_differ
from tokharness.escaping import Shown, line_verbatim, sentence, shorten, visible
from tokharness.formats._evidence import results_line
from tokharness.formats._gate_lines import commands
from tokharness.formats._wording import library_title, pluralize, text_label
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.changes import Change, Renderings
    from tokharness.model import Finding
    from tokharness.results.report import Report, TargetReport

Level = Literal["error", "warning", "note"]
LEVELS = get_args(Level)
MAX_TEXT = 80
EMPTY = Shown("")
MAX_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """A bug, a risk or a failing change; a library's problem is a note unless it fails the run.

    All texts are in display form, with hostile text escaped.
    ``rule`` is the code of a check or the kind of a change, ``rule_name`` its name and ``page`` its
    documentation. ``title`` is a line, ``message`` some sentences. ``command`` reproduces the
    problem, or is "". ``next`` are the commands to run, with comments. ``path`` is a file of the
    user's repository, relative to its root, with forward slashes, or "". ``fingerprint`` is 16 hex
    digits.
    """

    rule: Shown
    rule_name: Shown
    page: str
    level: Level
    spec: Shown
    title: Shown
    message: Shown
    command: Shown
    fingerprint: str
    path: str
    count: int = 1
    next: tuple[Shown, ...] = ()
    library: Shown = EMPTY


def problems(report: Report) -> list[Problem]:
    """Return the bugs and risks of a run, bugs first; of a gate, the failing changes."""
    if report.gate is not None:
        spec = report.targets[0].started.spec if report.targets else report.gate.name
        path = report.locations.get(spec, "")
        return [_change_problem(change, spec, path) for change in report.gate.failing]
    unsorted = [
        problem for target in report.targets for problem in _target_problems(target, report)
    ]
    return sorted(unsorted, key=lambda problem: LEVELS.index(problem.level))


def unique_fingerprints(problems: Iterable[Problem]) -> list[str]:
    """Return a unique fingerprint for each problem: 16 hex digits, the same in every run.

    It is the problem's own fingerprint or, if an earlier problem has the same, a hash with its
    spec.
    """
    seen: dict[str, None] = {}
    for problem in problems:
        unique = problem.fingerprint
        while unique in seen:
            unique = hashlib.sha256(f"{unique} {problem.spec}".encode()).hexdigest()[:16]
        seen[unique] = None
    return list(seen)


def _target_problems(target: TargetReport, report: Report) -> Iterator[Problem]:
    path = report.locations.get(target.started.spec, "")
    for finding in target.findings:
        if finding.verdict is not Verdict.FACT:
            on_library = report.options.fail_on_library
            yield _finding_problem(finding, path, is_note=finding.is_of_library and not on_library)


def _finding_problem(finding: Finding, path: str, *, is_note: bool) -> Problem:
    check = plugins.all_checks().get(finding.code)
    level: Level = "error" if finding.verdict is Verdict.BUG else "warning"
    return Problem(
        rule=visible(finding.code),
        rule_name=visible(finding.name),
        page=check.page if check else "",
        level="note" if is_note else level,
        spec=visible(finding.spec),
        title=Shown("{} {}: {}").format(finding.code, finding.name, sentence(str(finding.cause))),
        message=_message(finding),
        command=display_command(finding),
        fingerprint=finding.fingerprint,
        path=path,
        count=finding.count,
        next=(display_command(finding),),
        library=visible(finding.library if finding.is_of_library else ""),
    )


def _message(finding: Finding) -> Shown:
    parts = [library_title(finding.library)] if finding.is_of_library else []
    parts += [sentence(finding.message)] if finding.message else []
    return Shown("; ").join([*parts, *texts_and_counts(finding)])


def texts_and_counts(finding: Finding) -> Iterator[Shown]:
    """Yield the smallest text of a finding, its results, and in how many cases it was found."""
    if finding.text is not None:
        text = shorten(finding.text, MAX_TEXT)
        yield Shown('{} "{}"').format(text_label(finding), text)
    if (results := results_line(finding, MAX_TEXT)) is not None:
        yield results
    if finding.families:
        cases, families = pluralize(finding.count, "case"), ", ".join(finding.families)
        yield Shown("in {} of {}").format(cases, families)


def display_command(finding: Finding) -> Shown:
    """Return a command unchanged, to be copied; escaped if it is not printable ASCII."""
    return line_verbatim(finding.reproduce)


def _change_problem(change: Change, spec: str, path: str) -> Problem:
    parts = [sentence(change.message)]
    if change.renderings is not None:
        parts.append(_renderings(change.renderings))
    parts += [sentence(part.message) for part in change.related]
    examples = change.examples[:MAX_EXAMPLES]
    parts += [Shown('"{}"').format(shorten(example.text, MAX_TEXT)) for example in examples]
    finding = change.finding
    check = plugins.all_checks().get(finding.code) if finding else None
    return Problem(
        rule=visible(finding.code if finding else change.kind),
        rule_name=visible(finding.name if finding else change.kind.replace("-", " ")),
        page=check.page if check else KINDS.get(change.kind, ""),
        level="error",
        spec=visible(spec),
        title=Shown("{}: {}").format(change.kind.replace("-", " "), sentence(change.what)),
        message=Shown("; ").join(parts),
        command=display_command(finding) if finding else Shown(""),
        fingerprint=change.fingerprint,
        path=path,
        count=change.count,
        next=tuple(commands(change)),
    )


def _renderings(pair: Renderings) -> Shown:
    """Return a conversation with what differs between its renderings."""
    was, now = (visible(one) for one in parts_that_differ(pair.before, pair.after))
    conversation = shorten(pair.conversation, 2 * MAX_TEXT)
    return Shown("conversation {}: {}, was {}").format(conversation, now, was)
