"""Changes of a gate: edits of the tokenizer's file, each with its effect on ids."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.changes import CHANGED_FILE, NOT_STORED, Change, Example, change_fingerprint
from tokharness.diagnosis.ids.edited_files import MAX_EDITS
from tokharness.edits import TOKENS_ALONE, edits_between, grouped
from tokharness.edits.model import with_stage
from tokharness.edits.settings import TEMPLATE
from tokharness.engine.worker.described_file import unpacked
from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.targets.description import DescriptionLoader, describe
from tokharness.targets.snapshot import GOLDEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.baseline import Baseline
    from tokharness.edits import Edit
    from tokharness.model import Description
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import ChangedText, FileEdit, FileState

MAX_EXAMPLES, MAX_TEXT = 20, 60

NO_IDS = "with this file the target gave no ids, so that no texts were tried"
UNREADABLE = "neither the target nor the reference reads the file with this edit"
"""Messages of edits of a file with which a target does not load."""

NO_TEXT = "no text was found whose ids differ; another content of the file fails in any case"
NO_TEXT_OF = {
    TEMPLATE: "a chat template decides which text messages become, and changes the ids of no text",
    "options": (
        "no text of the baseline has different ids; what else an option changes was not tried, and "
        "another content of the file fails in any case"
    ),
    "generation": (
        "these are tokens at which a generation begins, stops or is filled up, and change the ids "
        "of no text"
    ),
    "post-processor": (
        "no text was found whose ids differ, and pairs of texts were not tried; another content of "
        "the file fails in any case"
    ),
}
OF_PAIRS = (
    "this part is for pairs of texts, which were not tried; the ids of single texts are the same"
)
SINGLE, PAIR = "single of TemplateProcessing: ", "pair of TemplateProcessing: "
"""Ends of the names of the parts of a post-processor for single texts and for pairs of texts."""

WITHOUT_TEXT = (NO_TEXT, OF_PAIRS, *NO_TEXT_OF.values())
"""Messages of edits for which no text was found."""


def file_changes(
    target: TargetReport, baseline: Baseline, *, with_templates: bool = True
) -> Iterator[Change]:
    """Yield a change for each edit of the file, or each stage that differs.

    Without ``with_templates``, the chat template is left out, since its renderings were compared.
    """
    snapshot = target.snapshot
    if baseline.file is None:
        return
    if snapshot is None:
        yield from _without_ids(target.started.spec, baseline.file)
        return
    old, new = baseline.file, snapshot.file
    if new is None or old.format != new.format:
        yield _other_format(old, new)
        return
    sizes = {**snapshot.sizes, GOLDEN: len(baseline.golden)}
    for edit in snapshot.edits:
        if edit.stage == TEMPLATE and not with_templates:
            continue
        yield _of_edit(edit, sizes, has_file=new.format != TOKENS_ALONE)
    if not snapshot.edits:
        yield from (
            change for stage, change in _of_stages(old, new) if stage != TEMPLATE or with_templates
        )


def _without_ids(spec: str, old: FileState) -> Iterator[Change]:
    """Yield the edits of a file with which the target does not load, or gives no ids.

    An edit is a reason if the reference does not read the content of the file with it either. Of a
    file that the reference reads, the target may refuse what the content does not have: a missing
    field.
    """
    try:
        before, now = unpacked(old) if old.packed else None, describe(spec)
    except TokharnessError:  # the finding of the target says what is wrong with the file
        return
    if before is None or now is None or before.format != now.format:
        return
    edits = grouped(edits_between(before, now), MAX_EDITS)
    reasons = [] if _is_read(now) else _unreadable(before, edits)
    for edit in edits:
        yield Change(
            CHANGED_FILE,
            str(edit),
            UNREADABLE if edit in reasons else NO_IDS,
            change_fingerprint(CHANGED_FILE, edit.stage, edit.what, edit.content),
            count=0,
        )


def _unreadable(before: Description, edits: Sequence[Edit]) -> Sequence[Edit]:
    """Return the edits with which no content is read, in whatever order the others are made."""
    kept, left = before, edits
    while True:
        refused = []
        for edit in left:
            edited = edit.apply(kept)
            if _is_read(edited):
                kept = edited
            else:
                refused.append(edit)
        if len(refused) == len(left):
            return left
        left = refused


def _is_read(description: Description) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        target = DescriptionLoader(Path(folder), {}).load(description)
        if target is not None:
            target.close()
        return target is not None


def _other_format(old: FileState, new: FileState | None) -> Change:
    now = "this target shows no file" if new is None else f"this is the format {new.format}"
    return Change(
        CHANGED_FILE,
        "another format",
        f"the baseline is of the format {old.format}, and {now}: only ids are compared",
        change_fingerprint(CHANGED_FILE, old.format, None if new is None else new.format),
        fails=False,
        count=0,
    )


def _of_edit(edit: FileEdit, sizes: Mapping[str, int], *, has_file: bool) -> Change:
    return Change(
        CHANGED_FILE,
        with_stage(edit.stage, edit.what),
        _effect(edit, sizes, has_file=has_file),
        change_fingerprint(CHANGED_FILE, edit.stage, edit.what, edit.content),
        examples=tuple(map(example_of, edit.examples[:MAX_EXAMPLES])),
        count=edit.counts.get(GOLDEN, 0),
    )


def _effect(edit: FileEdit, sizes: Mapping[str, int], *, has_file: bool) -> str:
    """Describe the effect of an edit on its smallest text, and count the changed texts by group."""
    if not edit.examples:
        if edit.untried:
            return edit.untried
        if not has_file:
            return edit.note or (
                "the target shows its tokens and no file: which texts change is not known"
            )
        if edit.note:
            return f"no plain text was found whose ids differ; {edit.note}"
        is_of_pairs = PAIR in edit.what and SINGLE not in edit.what
        return OF_PAIRS if is_of_pairs else NO_TEXT_OF.get(edit.stage, NO_TEXT)
    groups = [
        f"{'at least ' * (group in edit.sampled)}{count:,} of {sizes[group]:,} {group}"
        for group, count in edit.counts.items()
        if group in sizes  # only the shortest cases are tried
    ]
    smallest = _smallest(edit.examples[0])
    if edit.is_shared:
        smallest += " by this edit and another"
    if not groups:
        return f"{smallest}; none of the texts of the baseline has different ids"
    return f"{smallest}; different ids: {', '.join(groups)}{_tokens(edit.tokens)}"


def _smallest(one: ChangedText) -> str:
    is_clear = len(one.text) <= MAX_TEXT and visible(one.text) == one.text
    text = _quoted(one.text) if is_clear else "the smallest text"  # an example shows its escapes
    if isinstance(one.before, str) or isinstance(one.after, str) or one.before is None:
        return f"{text} is encoded differently"
    before, after = len(one.before), len(one.after)
    if before == after:
        return f"{text} is {_of_tokens(before)} as before, and its ids differ"
    return f"{text} was {_of_tokens(before)} and is {after}"


def _quoted(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def _of_tokens(count: int) -> str:
    return f"{count:,} token{'' if count == 1 else 's'}"


def _tokens(tokens: int) -> str:
    if not tokens:
        return ""
    return f"; together {_of_tokens(abs(tokens))} {'more' if tokens > 0 else 'fewer'}"


def example_of(one: ChangedText) -> Example:
    """Return a changed text with its present ids, and its earlier ids, if known."""
    return Example(one.text, NOT_STORED if one.before is None else one.before, one.after)


def _of_stages(old: FileState, new: FileState) -> Iterator[tuple[str, Change]]:
    """Yield a change for each stage whose digest changed, if no edit is known."""
    for stage in old.changed_stages(new):
        before, now = old.stages[stage], new.stages[stage]
        change = Change(
            CHANGED_FILE,
            f"{stage} of the file",
            f"the digest of this stage is {now}, and was {before}; which edit made it is not known",
            change_fingerprint(CHANGED_FILE, stage, before, now),
            count=0,
        )
        yield stage, change
