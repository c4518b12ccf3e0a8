"""What follows from edits of the file is part of them: one edit is one change.

A consequence belongs to the edit of its stage. If there are several such edits, it belongs to the
edits whose tokens it names, or else to all of them. A new finding belongs to the edit that changes
its text, or to the edit of the stage that its cause names. If everything else that a result depends
on is equal, all new changes follow from the edits.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.changes import CASES, CHANGED_FILE, NOT_STORED
from tokharness.edits import TOKENS_ALONE
from tokharness.engine.run.selection import NO_REFERENCE
from tokharness.gate.file_changes import WITHOUT_TEXT
from tokharness.gate.texts import BY_DIGEST
from tokharness.targets.snapshot import NOT_TRIED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.baseline import Baseline
    from tokharness.changes import Change
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import FileEdit

FOLLOWS = {
    # A library may normalize the text of an added token.
    "vocabulary": ("vocabulary", "model", "added tokens", "normalizer", "options"),
    "special-tokens": ("added tokens", "vocabulary", "model", "options"),
    "normalizer": ("normalizer", "decoder", "pre-tokenizer"),  # which may add a prefix space
    "pattern": ("pre-tokenizer",),
    "lost-entry-point": ("decoder",),  # which may hide the bytes of tokens
    "new-skip n_vocab": ("vocabulary", "added tokens"),  # of more ids than are tried
    **dict.fromkeys(("lost-entry-point scores", "lost-entry-point merges"), ("model",)),
    "unicode-version": ("pre-tokenizer",),  # each component has a version of its own
    "special-handling": (
        *("added tokens", "post-processor", "padding", "truncation", "vocabulary"),
        *(
            "model: dropout",
            "pre-tokenizer",
            "normalizer",
            "model",
            "options",
        ),  # next to a special token
    ),
}
"""Kinds of changes, or changes, that follow from an edit of a stage, with stages by preference."""

RANDOM = "model: dropout"
"""Start of the edit with which the ids of a text differ from call to call, and from run to run."""

OF_FINDINGS = ("new-finding", "worse-finding")

OF_A_RUN = (*OF_FINDINGS, "lost-entry-point", "new-skip")
"""Kinds of changes that a run of the edited file may show, unlike a run of the old file."""

OF_EACH, OF_SOME = "by this edit and others: ", "by this edit or another: "
"""Start of the message of a change that belongs to several edits: to each, or to at least one."""

DIAGNOSIS = "diagnosis of "
"""Start of the name of a skip for texts that were not diagnosed, since many texts fail."""


def merge_into_edits(
    changes: Sequence[Change], target: TargetReport, baseline: Baseline, *, is_same_run: bool
) -> list[Change]:
    """Attach what follows from edits of the file to these edits.

    ``is_same_run`` says whether the run had the options and versions of the baseline's run.
    """
    edits = [change for change in changes if change.kind == CHANGED_FILE and change.fails]
    if not edits:
        return list(changes)
    has_file = baseline.file is not None and baseline.file.format != TOKENS_ALONE
    is_all = is_same_run and has_file and not _has_changed_ids(changes, edits)
    special = _special_tokens(target, baseline)
    shown_by, counts = _texts(edits, target), _counts(edits, target)
    related: dict[int, list[Change]] = defaultdict(list)
    rest: list[Change] = []
    for change in changes:
        owners, words = _owners(change, edits, special, shown_by, counts), OF_EACH
        if not owners and is_all and _is_of_a_run(change):
            owners, words = _of_run(change, edits, shown_by), OF_SOME
        for owner in owners:
            several = len(owners) > 1 or (_is_metric(change) and sum(map(bool, counts)) > 1)
            related[owner].append(_as_part(change, words * several))
        if not owners and change not in edits:
            rest.append(change)
    whole = [
        _shown_by_related(replace(edit, related=(*edit.related, *related[place])))
        for place, edit in enumerate(edits)
    ]
    return [*whole, *rest]


def _shown_by_related(edit: Change) -> Change:
    """Return an edit without texts with those of another entry point, or on which it now raises."""
    is_without = edit.message in WITHOUT_TEXT
    shown = [
        one
        for one in edit.related
        if _raises(one) or (is_without and one.kind == "special-handling")
    ]
    if edit.examples or not shown:
        return edit
    first = max(shown, key=lambda one: (_raises(one), one.count))
    return replace(edit, message=first.message, examples=first.examples)


def _raises(change: Change) -> bool:
    """Whether all texts of changed ids are texts on which the target raises now."""
    after = [example.after for example in change.examples if change.kind == "changed-ids"]
    return bool(after) and all(
        isinstance(one, str) and one not in (NOT_TRIED, NOT_STORED) for one in after
    )


def _owners(
    change: Change,
    edits: Sequence[Change],
    special: Sequence[str],
    shown_by: Sequence[frozenset[str]],
    counts: Sequence[int],
) -> list[int]:
    """Return the places of the edits that a change follows from.

    Costs of texts are part of the edit that changes the most texts of the baseline and the run.
    """
    if change.kind in OF_FINDINGS:
        text = change.finding.text if change.finding is not None else None
        found = [place for place, texts in enumerate(shown_by) if text in texts]
        return found if len(found) == 1 else []
    if _is_metric(change) and any(counts):
        return [counts.index(max(counts))]
    if _is_metric(change):
        return [place for place, edit in enumerate(edits) if edit.examples]
    if change.what in (BY_DIGEST, CASES) and not change.examples and any(counts):
        decoders = [change.what == CASES and edit.what.startswith("decoder") for edit in edits]
        return [at for at, count in enumerate(counts) if count or decoders[at]]
    random = [at for at, edit in enumerate(edits) if edit.what.startswith(RANDOM)]
    if change.kind == "changed-ids" and random:
        return random
    stages = FOLLOWS.get(f"{change.kind} {change.what}", FOLLOWS.get(change.kind, ()))
    by_stage = [
        [at for at, edit in enumerate(edits) if edit.what.startswith(stage)] for stage in stages
    ]
    shown = " ".join((change.message, *(example.text for example in change.examples)))
    names = [text for text in special if text in shown]
    named = [[at for at in of if any(name in edits[at].what for name in names)] for of in by_stage]
    return next(filter(None, (*named, *by_stage)), [])


def _of_run(
    change: Change, edits: Sequence[Change], shown_by: Sequence[frozenset[str]]
) -> list[int]:
    """Return the places of the edits that may have made a change of the run; at least one has."""
    if change.finding is not None:
        kind, text = change.finding.cause.kind, change.finding.text
        named = [at for at, edit in enumerate(edits) if edit.what.startswith(f"{_stage(kind)}:")]
        if found := named or [at for at, texts in enumerate(shown_by) if text in texts]:
            return found
    return list(range(len(edits)))


def _stage(kind: str) -> str:
    """Return what stands before the colon of a cause, which may be the name of a stage."""
    return kind.partition(":")[0]


def _as_part(change: Change, words: str) -> Change:
    """Return a change whose message names its finding, since an edit only shows messages."""
    if change.finding is not None:
        change = change.with_message(f"{change.what}: {change.message}")
    return change.with_message(f"{words}{change.message}")


def as_shared(change: Change) -> Change:
    """Return a change that several edits have made, and that each of these edits shows."""
    return change.with_message(f"{OF_EACH}{change.message}")


def _is_of_a_run(change: Change) -> bool:
    if change.kind == "new-skip":  # the reference may not know a component of the edited file
        return change.what.startswith(DIAGNOSIS) or NO_REFERENCE in change.message
    return change.fails and (change.kind in OF_A_RUN or _raises(change))


def _has_changed_ids(changes: Sequence[Change], edits: Sequence[Change]) -> bool:
    """Whether ids have changed that no edit explains.

    The reference may give ids for a text on which the target raises since the edit. After an edit
    of the decoder, cases may differ although their ids are the same. Dropout explains any ids.
    """
    if any(edit.what.startswith(RANDOM) for edit in edits):
        return False
    unexplained = [
        one for one in changes if one.kind == "changed-ids" and one.examples and not _raises(one)
    ]
    if any(edit.what.startswith("decoder") for edit in edits):
        unexplained = [one for one in unexplained if one.what != CASES]
    return bool(unexplained)


def _special_tokens(target: TargetReport, baseline: Baseline) -> list[str]:
    known: Mapping[str, int] = target.snapshot.fingerprint.special_tokens if target.snapshot else {}
    return [text for text in {**baseline.fingerprint.special_tokens, **known} if text]


def _is_metric(change: Change) -> bool:
    return change.kind.startswith("metric-")


def _counts(edits: Sequence[Change], target: TargetReport) -> list[int]:
    """Return how many texts of the baseline and of the run each edit changes."""
    known = [_edit_of(change, target) for change in edits]
    return [0 if edit is None else sum(edit.counts.values()) for edit in known]


def _texts(edits: Sequence[Change], target: TargetReport) -> list[frozenset[str]]:
    """Return the texts that each edit changes."""
    known = [_edit_of(change, target) for change in edits]
    return [
        frozenset(() if edit is None else edit.texts)
        | {example.text for example in change.examples}
        for change, edit in zip(edits, known, strict=True)
    ]


def _edit_of(change: Change, target: TargetReport) -> FileEdit | None:
    """Return the edit of a file that a change reports."""
    known = target.snapshot.edits if target.snapshot else ()
    return next(
        (edit for edit in known if change.what in (edit.what, f"{edit.stage}: {edit.what}")), None
    )
