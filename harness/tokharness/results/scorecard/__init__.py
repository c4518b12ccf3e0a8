"""The scorecard of a target: one line for each promise, with its verdict and its number.

The findings of a check belong to one line, whose status is the worst of their verdicts. A line
whose check did not run says why; if the user did not select the check, the line is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tokharness import plugins
from tokharness.model import Verdict
from tokharness.results.detectors import is_of_conversations, is_of_splits, is_of_streams
from tokharness.results.scorecard import values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.results.report import TargetReport

__all__ = ["Line", "Status", "scorecard", "scorecard_record"]


Status: TypeAlias = Literal["ok", "risk", "bug", "skip"]

NOT_SELECTED = values.Value(None)
"""The value of a promise whose first check the user did not select."""

MOST_CAUSES = 2
"""Most causes that a line names."""


@dataclass(frozen=True, slots=True)
class Line:
    """The measured value of a promise; ``numbers`` has the numbers in ``value``."""

    name: str
    status: Status
    value: str
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise, the checks that test it, the most important one first, and its measured value.

    A check may declare its promise, too: ``PROMISE`` in its module. With ``kinds``, only causes
    whose kind has one of these beginnings belong to the promise. A
    value ``is_known_without`` the check if loading the target shows it.
    """

    name: str
    codes: tuple[str, ...]
    value: Callable[[TargetReport, Sequence[Finding]], values.Value]
    kinds: tuple[str, ...] = ()
    is_known_without: bool = False

    def has(self, finding: Finding) -> bool:
        """Whether a finding belongs to this promise."""
        if _declared_promise(finding.code) == self.name:
            return True
        return finding.code in self.codes and (
            not self.kinds or finding.cause.kind.startswith(self.kinds)
        )


PROMISES = (
    Promise(
        "Unicode version",
        ("TOK201",),
        values.unicode_versions,
        kinds=("Unicode version",),
        is_known_without=True,
    ),
    Promise("digits", ("TOK302",), values.digits),
    Promise("leading space", ("TOK301",), values.leading_space),
    Promise("languages", ("TOK303",), values.languages, kinds=("costs of languages",)),
    Promise("costs", ("TOK303",), values.costs),
    Promise("round trip", ("TOK101", "TOK106", "TOK113"), values.round_trip),
    Promise("reference", ("TOK201", "TOK202", "TOK203"), values.reference),
    Promise("special tokens", ("TOK103", "TOK115"), values.special_tokens),
    Promise(
        "entry points",
        ("TOK110", "TOK107", "TOK108", "TOK109", "TOK111", "TOK116"),
        values.entry_points,
    ),
    Promise("crashes and errors", ("TOK102", "TOK104", "TOK105", "TOK112"), values.crashes),
    Promise(
        "chat template",
        (
            *("TOK501", "TOK502", "TOK503", "TOK504", "TOK505", "TOK506", "TOK507", "TOK508"),
            *("TOK509", "TOK510", "TOK511", "TOK512", "TOK513", "TOK514", "TOK515", "TOK516"),
            *("TOK517", "TOK518"),
        ),
        values.chat_template,
    ),
    Promise("vocabulary", ("TOK413",), values.known_vocabulary),
    Promise("unreachable tokens", ("TOK401",), values.unreachable),
    Promise("trained embeddings", ("TOK412",), values.trained_embeddings),
    Promise("scaffold tokens", ("TOK409", "TOK411"), values.unused),
    Promise("partial tokens", ("TOK402", "TOK403", "TOK404", "TOK410"), values.partial_tokens),
    Promise("text of tokens", ("TOK408", "TOK405", "TOK406", "TOK407"), values.token_texts),
    Promise("growth", ("TOK114",), values.growth),
)
"""The promises; a finding belongs to the first promise that has it."""

ORDER = (
    *("round trip", "reference", "special tokens", "entry points", "crashes and errors"),
    "chat template",
    *("vocabulary", "Unicode version", "digits", "leading space", "unreachable tokens"),
    "scaffold tokens",
    *("trained embeddings", "partial tokens", "text of tokens", "growth", "languages", "costs"),
)
"""The promises of equal status in the order in which a reader needs them."""

SEVERITY: tuple[Status, ...] = ("bug", "risk", "skip", "ok")
"""The statuses, worst first: a promise that was not measured comes before a promise that holds."""


def scorecard(target: TargetReport) -> tuple[Line, ...]:
    """Return a line for each promise that the run was to test, the worst first.

    None for a campaign, a chat template, a chunker or a parser, or if no family was finished and
    no vocabulary seen, as for a target that does not load.
    """
    if is_of_conversations(target) or is_of_splits(target) or is_of_streams(target):
        return ()
    has_vocabulary = (target.measures or {}).get("vocabulary") is not None
    if target.campaign is not None or not (target.families or has_vocabulary):
        return ()
    by_promise: dict[str, list[Finding]] = {}
    for finding in target.findings:
        owner = next((promise for promise in PROMISES if promise.has(finding)), None)
        by_promise.setdefault("other checks" if owner is None else owner.name, []).append(finding)
    lines = {
        promise.name: line
        for promise in PROMISES
        if (line := _line(promise, target, by_promise.get(promise.name, []))) is not None
    }
    unsorted = (*(lines[name] for name in ORDER if name in lines), *_others(by_promise))
    return tuple(sorted(unsorted, key=lambda line: SEVERITY.index(line.status)))


def scorecard_record(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Return the lines as plain data."""
    return [
        {"name": one.name, "status": one.status, "value": one.value, "numbers": dict(one.numbers)}
        for one in lines
    ]


def _line(promise: Promise, target: TargetReport, findings: list[Finding]) -> Line | None:
    value = _value(promise, target, findings)
    text = f"not measured: {value.reason}" if value.text is None else value.text
    problems = [one for one in findings if one.verdict is not Verdict.FACT]
    if value == NOT_SELECTED:
        return _causes_line(promise.name, problems) if problems else None
    lost = None if value.text is None else _lost_part(promise, target)
    unnamed = _causes_by_library([one for one in problems if one not in value.named])
    parts = [text, *unnamed, f"incomplete: {lost}" if lost else ""]
    status = _status(problems)
    if status == "ok" and (value.text is None or value.is_partial or lost):
        status = "skip"
    return Line(promise.name, status, "; ".join(filter(None, parts)), value.numbers)


def _lost_part(promise: Promise, target: TargetReport) -> str | None:
    """Return why an audit, or the diagnosis of failing texts, of a promise has no result."""
    declared = (code for code in target.started.checks if _declared_promise(code) == promise.name)
    ends = tuple(f" {code}" for code in (*promise.codes, *declared))
    lost = (
        skip.reason
        for skip in target.skips
        if skip.what.startswith(("the audit of", "the diagnosis of")) and skip.what.endswith(ends)
    )
    return next(lost, None)


def _value(promise: Promise, target: TargetReport, findings: list[Finding]) -> values.Value:
    """Return the value that the first check of a promise measured, or why it did not run."""
    code = promise.codes[0]
    has_result = any(one.code == code for one in findings)
    if code in target.started.checks or has_result:
        lost = None if has_result or _sees_texts(code) else _lost_part(promise, target)
        return promise.value(target, findings) if lost is None else values.Value(None, reason=lost)
    reason = _reason(code, target)
    if reason is None:
        return NOT_SELECTED
    if promise.is_known_without and target.started.unicode_version is not None:
        return promise.value(target, findings)
    return values.Value(None, reason=reason)


def _others(by_promise: Mapping[str, list[Finding]]) -> Iterator[Line]:
    """Yield a line for the bugs and risks of other checks, such as those of a plugin."""
    name = "other checks"
    problems = [one for one in by_promise.get(name, ()) if one.verdict is not Verdict.FACT]
    if problems:
        yield _causes_line(name, problems)


def _causes_line(name: str, problems: Sequence[Finding]) -> Line:
    return Line(name, _status(problems), "; ".join(_causes_by_library(problems)))


def _causes_by_library(problems: Sequence[Finding]) -> Iterator[str]:
    """Yield the causes of the target's own problems, then each library's name and its causes."""
    for library in dict.fromkeys(one.library for one in problems):
        words = causes([one for one in problems if one.library == library])
        yield f"{library}, whatever the file: {words}" if library else words


def causes(findings: Sequence[Finding]) -> str:
    """Return the first causes of some findings in words, each once."""
    named = list(dict.fromkeys(f"{one.code} {one.cause}" for one in findings))
    more = [f"and {len(named) - MOST_CAUSES} more"] * (len(named) > MOST_CAUSES)
    return "; ".join([*named[:MOST_CAUSES], *more])


def _status(problems: Sequence[Finding]) -> Status:
    """Return the worst verdict of the target's own problems; a library's problems do not count."""
    own = {one.verdict for one in problems if not one.is_of_library}
    return "bug" if Verdict.BUG in own else "risk" if own else "ok"


def _declared_promise(code: str) -> str:
    """Return the promise that a check itself declares; "" without one."""
    check = plugins.checks().get(code)
    return "" if check is None else check.promise


def _sees_texts(code: str) -> bool:
    """Whether a check looks at texts, and not only at the target as a whole."""
    check = plugins.checks().get(code)
    return check is not None and check.failing is not None


def _reason(code: str, target: TargetReport) -> str | None:
    """Return why a check did not run; None if it was not selected."""
    check = plugins.checks().get(code)
    what = f"{code} {check.name}" if check else code
    return next((skip.reason for skip in target.skips if skip.what == what), None)
