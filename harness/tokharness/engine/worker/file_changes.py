"""Explain changed ids by the edits of a tokenizer file: make them one after another.

The reference reads the old file, then the file with the first edit made, with the first two, and
so on to the new file. The edit after which the ids of a text differ is its cause, if the reference
gives the old ids with the old file, where these are known, and the target's ids with the new one.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.edits import (
    ADDED_TOKENS,
    MODEL,
    VOCABULARY,
    Edit,
    edits_between,
    writing_of,
)
from tokharness.engine.worker.bodies import CORPUS, ORDINARY, TOKENS
from tokharness.engine.worker.edited_references import References, versions_of
from tokharness.engine.worker.shrinking import shrink
from tokharness.escaping import visible
from tokharness.outcome import Raised
from tokharness.targets.snapshot import (
    ENTRY_POINTS,
    GOLDEN,
    TOKENS_ALONE,
    ChangedText,
    FileEdit,
)
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.engine.worker.described_files import DescribedFile
    from tokharness.model import Description, Target
    from tokharness.targets.subject import Subject

__all__ = ["explain_file"]

MAX_EDITS = 12
"""Edits that are made one by one; of more, those of a stage are made together."""

SAMPLES = ("a", "a b", " a  b ", "don't do \u00e9\u4e2d.", "1,234\n\tx")
"""Texts of which an edit may change the decoded text, or the ids from another entry point."""

OF_SPECIAL = (ADDED_TOKENS, "post-processor", "truncation", "padding")
"""Stages that entry points for special tokens may show, and plain text does not."""

COUNTED = (GOLDEN, TOKENS, ORDINARY, CORPUS)
"""Groups of which every changed text is tried; of the cases of a family only the shortest are."""

MAX_EXAMPLES, MAX_HINTS, MAX_NEXT, MAX_SHRINK_CALLS = 20, 400, 60, 300


@dataclass(frozen=True)
class _Tried:
    """A text with its group, and its ids before, if they are known, and now."""

    group: str
    text: str
    before: Any
    now: Any


@dataclass
class _Effect:
    """What an edit does: texts by group, tokens more or less, and the texts with their ids.

    ``tokens`` are those of the groups that are ``COUNTED``.
    """

    counts: dict[str, int] = field(default_factory=dict)
    tokens: int = 0
    examples: list[ChangedText] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    note: str = ""


def explain_file(
    subject: Subject, file: DescribedFile, changed: Sequence[ChangedText]
) -> tuple[FileEdit, ...]:
    """Return the edits between two files, each with the changed texts that it explains.

    ``changed`` are texts whose ids may differ from those of the earlier snapshot. An edit that
    explains none is tried on texts with its tokens. Files of different formats have no edits.
    """
    old, new = file.old, file.new
    if old is None or new is None or old.format != new.format:
        return ()
    if old.format == TOKENS_ALONE and not subject.target.n_vocab:
        old, new = _without_tail(old, new), _without_tail(new, old)
    edits = _grouped(edits_between(old, new))
    effects = [_Effect() for _ in edits]
    if edits and old.format != TOKENS_ALONE:
        _find_effects(subject, file, edits, effects, changed)
    elif edits:
        _find_other_ids(old, new, edits, effects, changed)
    return tuple(
        FileEdit(
            stage=edit.stage,
            what=edit.what,
            number=edit.number,
            counts=effect.counts,
            tokens=effect.tokens,
            examples=tuple(effect.examples),
            texts=tuple(effect.texts),
            note=effect.note,
            content=hashlib.sha256(edit.content.encode()).hexdigest()[:16],
        )
        for edit, effect in zip(edits, effects, strict=True)
    )


def _without_tail(one: Description, other: Description) -> Description:
    """Leave out last tokens that only one side has: ids that no text showed may follow."""
    known, rows = {entry.token for entry in other.tokens}, list(one.tokens)
    while rows and rows[-1].token not in known:
        rows.pop()
    return replace(one, tokens=tuple(rows))


def _grouped(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits, or one for each stage if they are too many."""
    if len(edits) <= MAX_EDITS:
        return list(edits)
    grouped = []
    for stage in dict.fromkeys(edit.stage for edit in edits):
        of_stage = [edit for edit in edits if edit.stage == stage]
        if len(of_stage) == 1:
            grouped += of_stage
            continue
        number = sum(edit.number for edit in of_stage)
        grouped.append(
            Edit(
                stage,
                f"{number:,} differences, the first: {of_stage[0].what}",
                _all_of([edit.apply for edit in of_stage]),
                tuple(token for edit in of_stage for token in edit.about)[:MAX_HINTS],
                number,
                "\n".join(edit.content for edit in of_stage),
            )
        )
    return grouped


def _all_of(
    steps: Sequence[Callable[[Description], Description]],
) -> Callable[[Description], Description]:
    def apply(description: Description) -> Description:
        for step in steps:
            description = step(description)
        return description

    return apply


def _find_effects(
    subject: Subject,
    file: DescribedFile,
    edits: Sequence[Edit],
    effects: Sequence[_Effect],
    changed: Sequence[ChangedText],
) -> None:
    """Make the edits one after another, and add the texts whose ids differ to their effects.

    Texts that another Unicode version changes differ before the first edit, so no edit has them.
    """
    old, new = file.old, file.new
    if old is None or new is None:
        return
    target = subject.with_original_target().target
    tried = [_Tried(one.group, one.text, one.before, one.after) for one in changed]
    hints = _hints(old, new, edits)
    hints = [text for text in hints if text not in {one.text for one in tried}]
    tried += [
        _Tried("", text, None, ids)
        for text, ids in zip(hints, _encoded(target, hints), strict=True)
    ]
    texts = [one.text for one in tried]
    with tempfile.TemporaryDirectory() as name:
        versions = versions_of(subject, file.old_versions)
        references = References(Path(name), versions)
        first, last = references.load(old), references.load(new)
        earlier = first
        if file.old_versions.items() - versions.items():
            first = References(Path(name), {**versions, **file.old_versions}).load(old)
        if first is None or earlier is None or last is None:
            return
        before, now = _encoded(first, texts), _encoded(last, texts)
        confirmed = [
            one.now == new_ids and one.before in (None, old_ids)
            for one, old_ids, new_ids in zip(tried, before, now, strict=True)
        ]
        state, previous = old, before if earlier is first else _encoded(earlier, texts)
        for place, (edit, effect) in enumerate(zip(edits, effects, strict=True)):
            is_last = place == len(edits) - 1
            state = new if is_last else edit.apply(state)
            current = last if is_last else references.load(state)
            if current is None:  # two edits that only make a file together
                continue
            ids = now if is_last else _encoded(current, texts)
            rows = [
                row
                for row, (one, other) in enumerate(zip(previous, ids, strict=True))
                if one != other and confirmed[row] and before[row] != now[row]
            ]
            _add(effect, [(tried[row], before[row]) for row in rows])
            _add_smallest(effect, (first, earlier, current, last), target)
            if not effect.examples:
                effect.note = _other_effect(edit, earlier, current, target)
            earlier, previous = current, ids


def _find_other_ids(
    old: Description,
    new: Description,
    edits: Sequence[Edit],
    effects: Sequence[_Effect],
    changed: Sequence[ChangedText],
) -> None:
    """Add texts to the first edit of a token that has another id in them, is gone, or is new.

    Nothing else is known of a target that shows its tokens, and not how it uses them. Ids of the
    same tokens that no edit names follow from the first edit of the vocabulary.
    """
    before, now = ({entry.id: entry.token for entry in one.tokens} for one in (old, new))
    kept = {*before.values()} & {*now.values()}
    first = next((at for at, edit in enumerate(edits) if edit.stage == VOCABULARY), None)
    rows: list[list[tuple[_Tried, Any]]] = [[] for _ in edits]
    for one in changed:
        if not isinstance(one.before, tuple) or not isinstance(one.after, tuple):
            continue
        tokens, others = (
            [table.get(number) for number in ids]
            for table, ids in ((before, one.before), (now, one.after))
        )
        if tokens == others:
            pairs = zip(tokens, one.before, one.after, strict=True)
            causes = {token for token, was, number in pairs if was != number}
        else:
            causes = {*tokens, *others} - kept
        causes.discard(None)  # ids that decode to no text by themselves
        place = next((at for at, edit in enumerate(edits) if causes & {*edit.about}), first)
        if causes and place is not None:
            rows[place].append((_Tried(one.group, one.text, one.before, one.after), one.before))
    for effect, of_edit in zip(effects, rows, strict=True):
        _add(effect, of_edit)


def _add(effect: _Effect, rows: Sequence[tuple[_Tried, Any]]) -> None:
    """Add changed texts, first those that have more or fewer tokens, then the shortest.

    Of texts of one length, clear texts are first.
    Texts that were only made for the edit are examples, and not counted.
    """

    def order(row: tuple[_Tried, Any]) -> tuple[bool, int, bool, str]:
        one, before = row
        return len(one.now) == len(before), len(one.text), _is_unclear(one.text), one.text

    for one, before in sorted(rows, key=order):
        if one.group:
            effect.counts[one.group] = effect.counts.get(one.group, 0) + 1
            effect.texts.append(one.text)
        if one.group in COUNTED:
            effect.tokens += len(one.now) - len(before)
        shown = {example.text for example in effect.examples}
        if len(effect.examples) < MAX_EXAMPLES and one.text not in shown:
            effect.examples.append(ChangedText(one.group, one.text, tuple(before), tuple(one.now)))


def _is_unclear(text: str) -> bool:
    """Return whether a text has a hidden character, or looks like ASCII, as U+037E does."""
    looks_ascii = not text.isascii() and normalize("NFKC", text).isascii()
    return looks_ascii or visible(text) != text


def _add_smallest(
    effect: _Effect, references: tuple[Target, Target, Target, Target], target: Target
) -> None:
    """Shrink the shortest text, and put the result first if it shows the same."""
    if not effect.examples:
        return
    first, earlier, current, last = references
    shortest = effect.examples[0]
    has_other_length = len(shortest.before or ()) != len(shortest.after)

    def shows(text: str) -> bool:
        one, other = (_ids(reference, text) for reference in (earlier, current))
        return one is not None and other is not None and one != other and _differs(text)

    def _differs(text: str) -> bool:
        old, new = _ids(first, text), _ids(last, text)
        if old is None or new is None:
            return False
        return len(old) != len(new) if has_other_length else old != new

    text = shrink(shortest.text, shows, max_calls=MAX_SHRINK_CALLS)
    now, before = _ids(target, text), _ids(first, text)
    if text != shortest.text and now is not None and before is not None and now == _ids(last, text):
        smallest = ChangedText(shortest.group, text, tuple(before), tuple(now))
        others = [example for example in effect.examples if example.text != text]
        effect.examples = [smallest, *others]


def _other_effect(edit: Edit, before: Target, now: Target, target: Target) -> str:
    """Return what an edit does that plain text does not show, "" if nothing was found.

    The target must do what the reference does with the edit.
    """
    texts = [*edit.about, *(f"a{text}b {text} a" for text in edit.about), *SAMPLES]
    if edit.stage == "decoder":
        for ids in filter(None, _encoded(target, SAMPLES)):
            old, new = before.decode(ids), now.decode(ids)
            if old != new and new == target.decode(ids) and not isinstance(old, Raised):
                return f"the ids {list(ids)} decode to {new!r}, and decoded to {old!r}"
    for name in ENTRY_POINTS if edit.stage in OF_SPECIAL else ():
        if not all(name == "encode" or one.can(name) for one in (before, now, target)):
            continue
        for text in texts:
            old, new, ids = (one.call(name, text) for one in (before, now, target))
            if old != new and new == ids and not isinstance(old, Raised):
                return f"{name} of {text!r} gives {list(new)}, and gave {list(old)}"
    return ""


def _ids(target: Target, text: str) -> list[int] | None:
    ids = target.encode(text)
    return None if isinstance(ids, Raised) else list(ids)


def _encoded(target: Target, texts: Sequence[str]) -> list[Any]:
    """Return the ids of each text as a tuple, None where the target raises."""
    results = target.call_each(target.entry_point, texts)
    return [None if isinstance(ids, Raised) else tuple(ids) for ids in results]


def _hints(old: Description, new: Description, edits: Sequence[Edit]) -> list[str]:
    """Return texts that are made of the tokens of each edit, where none of the run may show it."""
    texts: dict[str, None] = {}
    writings = [writing_of(old), writing_of(new)]
    for edit in edits:
        of_edit: dict[str, None] = {}
        for token in edit.about:
            for text in dict.fromkeys(writing.text(token) for writing in writings):
                of_edit |= dict.fromkeys((text, f" {text}", f"a{text}", f"{text}s", text * 2))
                of_edit |= dict.fromkeys((f"{text} a", f"a {text} a", f"1 {text} 1"))
        if edit.stage == MODEL and edit.about:
            of_edit |= dict.fromkeys(_neighbours(old, new, edit))
        texts |= dict.fromkeys(list(of_edit)[:MAX_HINTS])
    return [text for text in texts if text and "\ufffd" not in text]


def _neighbours(old: Description, new: Description, edit: Edit) -> Iterator[str]:
    """Yield texts of tokens with the token of a merge in them, and of merges that overlap it."""
    writing = writing_of(old)
    pairs: list[tuple[Any, Any]] = list(
        dict.fromkeys(pair for one in (old, new) for pair in one.merges or ())
    )
    token: Any
    for token in edit.about[:4]:
        holding: list[Any] = [one.token for one in new.tokens if token in one.token]
        yield from map(writing.text, sorted(holding, key=len)[:MAX_NEXT])
        for left, right in pairs:
            if left + right == token:
                overlapping = [left + a + b for a, b in pairs if a == right][:MAX_NEXT]
                overlapping += [a + b + right for a, b in pairs if b == left][:MAX_NEXT]
                yield from map(writing.text, overlapping)
