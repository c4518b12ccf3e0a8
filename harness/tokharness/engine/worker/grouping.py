"""Group many failing texts by few causes, and merge causes and findings that are one fault.

Each failing text has the causes that may explain it. A greedy set cover chooses a small set of
causes that explains all texts: first the cause that explains the most texts, then the one that
explains the most of the remaining texts, and so on. Thus a text that NFC, NFKC or two dropped
characters explain equally well is assigned to the cause that other texts prove.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.diagnosis.entry_points.contracts import ENTRY_POINTS
from tokharness.diagnosis.state import BETWEEN, RANDOM_SEGMENTATION, state_cause
from tokharness.diagnosis.vocabulary.shared_ids import shared_id_causes
from tokharness.engine.worker.batch_columns import observe
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

# Causes for a failing text that its diagnosis does not explain: no failing text is ever lost.

NOT_REPRODUCED = Cause("state", message="the text failed in the run, but not when it was run alone")
NO_CAUSE = Cause(
    "no cause is known",
    message="the text fails this check each time, and the check knows no cause of it",
)
DIFFERENTLY, FURTHER = "failed, and differently when run again", "further causes"


def is_unexplained(cause: Cause) -> bool:
    """Whether a cause only says what happens to a text, so that no smaller text is searched.

    A text that is cut at random need not fail again.
    """
    return cause in (NOT_REPRODUCED, RANDOM_SEGMENTATION) or cause.kind in (
        NO_CAUSE.kind,
        DIFFERENTLY,
        FURTHER,
    )


def cause_without_diagnosis(
    check: Check, text: str, family: str, subject: Subject, *, died: bool
) -> Cause:
    """Run a text again that failed a check, and return the cause that says how it ends now.

    ``died`` says that the diagnosis of the text ended the target's process.
    """
    if died:
        return _differently(check, "ends or hangs the target's process")
    first = _outcome(check, text, family, subject)
    if first in (SELECTED, PASSED) and state_cause(subject) == RANDOM_SEGMENTATION:
        return RANDOM_SEGMENTATION
    for other in BETWEEN:  # what a target keeps of the text itself may make it fail each time
        subject.encode(other)
        if _outcome(check, text, family, subject) != first:
            return NOT_REPRODUCED
    if first == SELECTED:
        return NO_CAUSE
    if first == PASSED:  # a shared id may decode to another token in each process
        return next(iter(shared_id_causes(subject.encode(text) or [], subject)), NOT_REPRODUCED)
    return _differently(check, first)


def evidence_of(check: Check, cause: Cause) -> dict[str, str]:
    """Return how a text ended each time, if it failed differently."""
    if cause.kind != DIFFERENTLY:
        return {}
    return {
        "in the run": f"it failed {check.code} {check.name}",
        "again": dict(cause.parameters)["it"],
    }


SELECTED, PASSED = "it fails", "it passes"


def _outcome(check: Check, text: str, family: str, subject: Subject) -> str:
    """Run the check on a text alone; return SELECTED, PASSED, or how the target fails."""
    if check.failing is None:
        return PASSED
    batch = observe(subject, family, [text], columns=check.columns, isolate=True)
    try:
        if list(check.failing(batch, subject)):
            return SELECTED
    except TargetDeath as death:
        return _words(death, check.name)
    if batch.errors:
        return _words(batch.errors[0], "encode" if batch.ids[0] is None else "decode")
    return PASSED if batch.ids[0] is not None else "resembles texts that end or hang the process"


def _words(error: BaseException, stage: str) -> str:
    if isinstance(error, TargetDeath):
        hangs = error.reason == "time limit"
        return f"hangs {stage}" if hangs else f"ends the process with {error.reason} in {stage}"
    return f"raises {type(error).__name__} in {stage}"


def _differently(check: Check, how: str) -> Cause:
    message = f"the text failed {check.name} in the run; when it is run again, it {how}"
    return Cause(DIFFERENTLY, (("failed", check.name), ("it", how)), message=message)


@dataclass(frozen=True, slots=True)
class DiagnosedText:
    """A text that fails a check, and the causes that may explain it, the narrowest first."""

    text: str
    family: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A cause and the failing texts it explains."""

    cause: Cause
    members: tuple[DiagnosedText, ...]

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the families of the texts."""
        return tuple(sorted({member.family for member in self.members}))


WEIGHT_OF_A_CAUSE = 2
"""A text that a cause explains counts as this number of texts that have a symptom."""


def group_by_cause(failing: Sequence[DiagnosedText]) -> list[Group]:
    """Return groups of texts by cause, each text in one group, the largest group first.

    A cause is chosen before a symptom of up to twice as many texts. Of causes that explain equally
    many texts, the first in the lists of candidates is chosen, so that the narrowest explanation
    wins; then alphabetical order decides.
    """
    explained: dict[Cause, list[int]] = {}
    ranks: Counter[Cause] = Counter()
    for number, text in enumerate(failing):
        for rank, cause in enumerate(dict.fromkeys(text.causes)):
            explained.setdefault(cause, []).append(number)
            ranks[cause] += rank
    counts = {cause: len(numbers) for cause, numbers in explained.items()}
    names = {cause: str(cause) for cause in explained}

    def key(cause: Cause) -> tuple[int, int, str]:
        weight = 1 if cause.weak else WEIGHT_OF_A_CAUSE
        return -counts[cause] * weight, ranks[cause], names[cause]

    # Causes only get worse, so a cause whose key is the same as on the heap is the best.
    heap = [(key(cause), order, cause) for order, cause in enumerate(explained)]
    heapq.heapify(heap)
    covered = [False] * len(failing)
    groups = []
    while heap:
        pushed_key, order, best = heapq.heappop(heap)
        if not counts[best]:
            continue
        if pushed_key != key(best):
            heapq.heappush(heap, (key(best), order, best))
            continue
        numbers = [number for number in explained[best] if not covered[number]]
        groups.append(Group(best, tuple(failing[number] for number in numbers)))
        for number in numbers:
            covered[number] = True
            for rank, cause in enumerate(dict.fromkeys(failing[number].causes)):
                counts[cause] -= 1
                ranks[cause] -= rank
    return sorted(groups, key=lambda group: -len(group.members))


# Merge findings that several checks report, and weak causes of the same fault.

MAX_CAUSES = 40
"""Most causes of a check that are findings of their own."""

BY_OTHERS = ("state: a cache", "state: results in another order")
"""Beginnings of proven causes of texts that failed in the run, but not when they were run alone."""

MAX_WEAK = 2
"""A larger number of weak causes in a check are symptoms of a single fault."""


NEARLY_ALL = 0.9
"""Share of the texts of a symptom that have a narrower one."""


def merge_findings(codes: Sequence[str], *parts: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """Return all findings, worst first; one that several checks report is reported once.

    A shared finding belongs to the check with the lowest code, or to the check that owns its kind
    of cause. A proven cause of failures next to other texts stands for the texts that only failed
    there.
    """
    merged: dict[Cause, Finding] = {}
    owners = {kind: code for code in codes for kind in plugins.checks()[code].owned_causes}
    findings = [
        finding
        for code in codes
        for finding in _joined([one for part in parts for one in part.get(code, ())])
    ]
    for finding in sorted(findings, key=lambda f: owners.get(f.cause.kind) != f.code):
        first = merged.get(finding.cause)
        if first is None:
            merged[finding.cause] = finding
        elif first.code != finding.code:
            shortest = min(first, finding, key=lambda f: (f.text is None, len(f.text or "")))
            merged[finding.cause] = replace(
                _with_other(first, finding),
                text=shortest.text,
                reproduce=shortest.reproduce,
                evidence={**first.evidence, **shortest.evidence},
                library=first.library if finding.library else "",
            )
    proven = next((cause for cause in merged if str(cause).startswith(BY_OTHERS)), None)
    if proven is not None and (by_chance := merged.pop(NOT_REPRODUCED, None)):
        merged[proven] = _with_other(merged[proven], by_chance)
    return sorted(merged.values(), key=lambda f: (f.rank, f.code, -f.count, str(f.cause)))


def _joined(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, with one for entry points that give the same wrong result.

    Their findings have all in common but the name of the entry point. An entry point that an audit
    finds wrong whatever the file is the library's, also on a text that small files do not show.
    """
    libraries = {one.cause: one.library for one in findings if one.library}
    rows: dict[object, list[Finding]] = {}
    for place, finding in enumerate(findings):
        key: object = place
        if finding.cause.kind == ENTRY_POINTS:
            finding = replace(finding, library=libraries.get(finding.cause, ""))  # noqa: PLW2901
            results = {k: v for k, v in finding.evidence.items() if k != "entry point"}
            cause = replace(finding.cause, parameters=(), message="")
            key = repr(replace(finding, cause=cause, evidence=results, reproduce=""))
        rows.setdefault(key, []).append(finding)
    return [replace(alike[0], cause=_cause_of_all(alike)) for alike in rows.values()]


def _cause_of_all(alike: Sequence[Finding]) -> Cause:
    cause = alike[0].cause
    if len(alike) == 1:
        return cause
    names = ", ".join(value for one in alike for _, value in one.cause.parameters)
    return replace(
        cause,
        parameters=(("differ", names),),
        message=f"each of {names} gives the same other result than the entry point for plain text",
    )


def _with_other(first: Finding, other: Finding) -> Finding:
    """Return a finding that also stands for another one, of further checks."""
    codes = (*first.other_checks, other.code, *other.other_checks)
    return replace(
        first,
        other_checks=tuple(dict.fromkeys(code for code in codes if code != first.code)),
        count=max(first.count, other.count),
        families=tuple(sorted({*first.families, *other.families})),
    )


def merge_weak_causes(groups: list[Group]) -> list[Group]:
    """Merge many weak causes into the one that explains the most texts."""
    weak = [group for group in groups if group.cause.weak]
    if len(weak) <= MAX_WEAK:
        return groups
    first = weak[0].cause
    message = f"{first.message}; {len(weak) - 1} other changes like it are reported with this one"
    merged = Group(
        replace(first, message=message),
        tuple(member for group in weak for member in group.members),
    )
    return [*(group for group in groups if not group.cause.weak), merged]


def narrow_symptoms(groups: list[Group]) -> list[Group]:
    """Name a symptom by the narrowest symptom that nearly all of its texts have.

    A space that is added at the start of each text may be added behind special tokens, too: then
    "text changed" is all that all texts have in common.
    """
    return [_narrowed(group) if group.cause.weak else group for group in groups]


def _narrowed(group: Group) -> Group:
    ranks: dict[Cause, list[int]] = {}
    for member in group.members:
        for rank, cause in enumerate(dict.fromkeys(member.causes)):
            if cause.weak:
                ranks.setdefault(cause, []).append(rank)
    least = NEARLY_ALL * len(group.members)
    likely = {cause: sum(of) / len(of) for cause, of in ranks.items() if len(of) >= least}
    narrowest = min(likely, key=lambda cause: (likely[cause], str(cause)), default=group.cause)
    others = len(group.members) - len(ranks.get(narrowest, group.members))
    if narrowest == group.cause or not others:
        return group
    message = f"{narrowest.message}; {others:,} of {len(group.members):,} texts change otherwise"
    return replace(group, cause=replace(narrowest, message=message))


def merge_further_causes(groups: list[Group]) -> list[Group]:
    """Merge the bugs and the risks after the first causes, which explain more texts, into one.

    Causes that differ from text to text do not explain any text.
    """
    facts = [group for group in groups if group.cause.verdict is Verdict.FACT]
    others = [group for group in groups if group.cause.verdict is not Verdict.FACT]
    further = others[MAX_CAUSES:]
    if len(further) <= 1:
        return groups
    worst = min((group.cause for group in further), key=lambda cause: cause.verdict.rank)
    message = f"further causes, each of fewer texts: {len(further):,}, such as: {worst.message}"
    cause = Cause(FURTHER, verdict=worst.verdict, message=message)
    members = (replace(one, causes=(cause,)) for group in further for one in group.members)
    return [*others[:MAX_CAUSES], *facts, Group(cause, tuple(members))]
