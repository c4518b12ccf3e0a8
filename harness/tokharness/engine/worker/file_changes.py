"""Explain changed ids by the edits of a tokenizer file: make them one after another.

The reference reads the old file, then the file with the first edit made, with the first two, and
so on to the new file. The edit after which the ids of a text differ is its cause, if the reference
gives the old ids with the old file, where these are known, and the target's ids with the new one.
"""

from __future__ import annotations

import base64
import hashlib
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.edits import (
    ADDED_TOKENS,
    MODEL,
    Edit,
    edits_between,
    stage_digests,
    writing_of,
)
from tokharness.engine.worker.bodies import CORPUS, ORDINARY, TOKENS
from tokharness.engine.worker.shrinking import shrink
from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.model import Description, TokenEntry
from tokharness.outcome import Raised
from tokharness.packing import pack, unpack
from tokharness.targets.description import describe, write
from tokharness.targets.loading import load_target
from tokharness.targets.snapshot import (
    ENTRY_POINTS,
    GOLDEN,
    TOKENS_ALONE,
    ChangedText,
    FileEdit,
    FileState,
)
from tokharness.targets.stage_versions import SPLIT
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.snapshot import EarlierState
    from tokharness.targets.subject import Subject

__all__ = ["DescribedFile", "described_file", "explain_file"]

MAX_EDITS = 12
"""Edits that are made one by one; of more, those of a stage are made together."""

MAX_PACKED = 1_200_000
"""Characters of a packed file that a baseline keeps; of a larger one it has the digests only."""

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


@dataclass(frozen=True, slots=True)
class DescribedFile:
    """The file of a target, and that of the earlier snapshot if it is another one.

    ``state`` is what a snapshot keeps of ``new``; both are None for a target that shows no file.
    ``old_versions`` are the Unicode versions that the stages of ``old`` are known to have had.
    """

    state: FileState | None
    new: Description | None
    old: Description | None = None
    old_versions: Mapping[str, str] = field(default_factory=dict)


def described_file(subject: Subject, earlier: EarlierState | None) -> DescribedFile:
    """Describe the file of a target; pack it if the earlier snapshot has no equal one."""
    before = None if earlier is None else earlier.file
    new = _describe(subject)
    state = None
    if new is not None:
        state = FileState(new.format, stage_digests(new))
        if before and before.format == state.format and not before.changed_stages(state):
            return DescribedFile(replace(state, packed=before.packed), new)
        packed = base64.b85encode(pack(new)).decode("ascii")
        state = replace(state, packed=packed if len(packed) <= MAX_PACKED else "")
    has_old = before is not None and before.packed
    old = unpack(base64.b85decode(before.packed)) if before is not None and has_old else None
    return DescribedFile(state, new, old, {} if earlier is None else earlier.versions)


def _describe(subject: Subject) -> Description | None:
    """Describe the file of a target, or its vocabulary if it shows no file; None without both."""
    target = subject.target
    try:
        description = describe(target.spec)
    except TokharnessError:
        description = None
    if description is not None:
        return description
    if not target.can("decode_single_token_bytes") or not target.n_vocab:
        return None
    special = sorted(target.special_tokens.items(), key=lambda item: item[1])
    added = [{"id": number, "special": True, "text": text} for text, number in special]
    tokens = {number: text.encode("utf-8", "surrogatepass") for text, number in special}
    rows = sorted({**subject.vocabulary(), **tokens}.items())
    return Description(TOKENS_ALONE, {ADDED_TOKENS: added}, tuple(TokenEntry(*row) for row in rows))


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
        versions = _versions_of(subject, file.old_versions)
        references = _References(Path(name), versions)
        first, last = references.load(old), references.load(new)
        earlier = first
        if file.old_versions.items() - versions.items():
            first = _References(Path(name), {**versions, **file.old_versions}).load(old)
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
    """Add texts that have the same tokens under other ids to the first edit of such a token.

    Nothing else is known of a target that shows its tokens, and not how it uses them.
    """
    before, now = ({entry.id: entry.token for entry in one.tokens} for one in (old, new))
    rows: list[list[tuple[_Tried, Any]]] = [[] for _ in edits]
    for one in changed:
        if not isinstance(one.before, tuple) or not isinstance(one.after, tuple):
            continue
        tokens = [before.get(number) for number in one.before]
        if None in tokens or tokens != [now.get(number) for number in one.after]:
            continue
        pairs = zip(tokens, one.before, one.after, strict=True)
        renumbered = {token for token, was, number in pairs if was != number}
        place = next((at for at, edit in enumerate(edits) if renumbered & {*edit.about}), None)
        if place is not None:
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


@dataclass(frozen=True)
class _References:
    """Writes descriptions into a folder, and loads them at Unicode versions, by the stage."""

    folder: Path
    versions: Mapping[str, str]

    def load(self, description: Description) -> Target | None:
        """Return the reference of a description, None if no file can hold it."""
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        try:
            spec = write(description, folder)
            target = None if spec is None else load_target(spec)
        except TokharnessError:
            return None
        return None if target is None else self._at_versions(target)

    def _at_versions(self, target: Target) -> Target:
        pinned: Target | Raised = target
        if target.can("with_stage_versions"):
            known = target.stage_versions.keys() & self.versions.keys()
            pinned = target.at_stage_versions({name: self.versions[name] for name in known})
        elif SPLIT in self.versions and target.can("with_unicode_version"):
            pinned = target.at_unicode_version(self.versions[SPLIT])
        return target if isinstance(pinned, Raised) else pinned


def _versions_of(subject: Subject, earlier: Mapping[str, str]) -> dict[str, str]:
    """Return the Unicode versions of the stages of a target.

    A target without a normalizer, or without merges, shows no version of this stage: then that
    counts which its library declares, or that of the earlier file.
    """
    shown = dict(subject.stage_versions)
    if subject.unicode_version is not None:
        shown[SPLIT] = subject.unicode_version
    declared = subject.with_original_target().target.stage_versions
    return {**earlier, **declared, **shown}


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
