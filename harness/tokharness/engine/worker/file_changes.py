"""Explain changed ids by the edits of a tokenizer file: make them one after another.

The reference reads the old file, then the file with the first edit, with the first two edits, and
so on until it equals the new file. The edit that changes the ids of a text is its cause, if the
reference gives the target's ids with the new file, and also the old ids, if known, with the old
file.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.edited_files import MAX_EDITS
from tokharness.diagnosis.ids.equal_added_tokens import equal_score_causes
from tokharness.diagnosis.state import changing_rows
from tokharness.edits import (
    TOKENS_ALONE,
    edits_between,
    grouped,
    numbering_of,
    own_id,
    texts_about,
    writing_of,
)
from tokharness.engine.worker.body_digests import CORPUS, MAX_CHANGED, ORDINARY, TOKENS
from tokharness.engine.worker.changed_ids import edits_of_texts, without_tail
from tokharness.engine.worker.other_effects import decoded_differently, encoded, other_effect
from tokharness.engine.worker.shrinking import shrink
from tokharness.escaping import visible
from tokharness.outcome import Raised
from tokharness.targets.description import DescriptionLoader, versions_of
from tokharness.targets.snapshot import GOLDEN, ChangedText, FileEdit
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.edits import Edit
    from tokharness.engine.worker.described_file import DescribedFile
    from tokharness.model import Description, Target
    from tokharness.targets.subject import Subject

COUNTED = (GOLDEN, TOKENS, ORDINARY, CORPUS)
"""Groups whose changed texts are all tried; of a family's cases only the shortest are tried."""

DROPOUT = "dropout of "
"""Start of the sentence of an edit by which ids of a text differ between calls."""

CONFIRMED, DEPARTING, RANDOM = "confirmed", "departing", "random"

MAX_EQUAL_SCORES = 200
"""Most texts that are tried for a different segmentation with the same score."""

UNREAD = "which texts change was not tried, since the reference does not read the {} file"
NEEDS_NEXT = "no file has this edit alone: a later edit is shown with the effect of both"
"""Why texts were not tried with an edit."""

MAX_EXAMPLES, MAX_SHRINK_CALLS = 20, 300

LEAST_DECODED = 10
"""Fewest ids with other text that are an edit of the decoder; fewer may be unused tokens."""

SAME_IDS = "the texts of the baseline have the same ids, so that the tokens are as before"


@dataclass(frozen=True)
class _Changed:
    """A text that an edit changes: its ids with the old file, and before and after the edit."""

    tried: ChangedText
    before: Any
    previous: Any
    current: Any

    @property
    def is_alone(self) -> bool:
        """Whether no other edit changes the text."""
        return bool(self.previous == self.before and self.current == self.tried.after)

    @property
    def tokens(self) -> int:
        """The change of the number of tokens by this edit alone; 0 if it is unknown."""
        known = self.previous is not None and self.current is not None
        return len(self.current) - len(self.previous) if known else 0


@dataclass
class _Effect:
    """What an edit does: texts by group, tokens more or less, and the texts with their ids.

    ``tokens``, the change of the number of tokens, only counts texts of the groups in ``COUNTED``.
    ``is_shared`` says whether the first example also shows other edits. ``own_id`` is the id that
    the library gives an added token, if it is not the id in the file.
    """

    counts: dict[str, int] = field(default_factory=dict)
    tokens: int = 0
    examples: list[ChangedText] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    note: str = ""
    untried: str = ""
    is_shared: bool = False
    own_id: int | None = None


def explain_file(
    subject: Subject, file: DescribedFile, changed: Sequence[ChangedText], *, same_ids: bool = False
) -> tuple[FileEdit, ...]:
    """Return the edits between two files, each with the changed texts that it explains.

    ``changed`` has texts whose ids may differ from the earlier snapshot; ``same_ids`` is whether
    the ids of all other texts are known to be equal. An edit that explains no text is tried on
    texts with its tokens. Files of different formats have no edits.
    """
    old, new = file.old, file.new
    if old is None or new is None or old.format != new.format:
        return ()
    decoder: tuple[FileEdit, ...] = ()
    is_decoded = not subject.target.can("decode_single_token_bytes")
    if old.format == TOKENS_ALONE and same_ids and is_decoded:
        decoder, new = _decoder_edit(old, new)
    is_unbounded = old.format == TOKENS_ALONE and not subject.target.n_vocab
    if is_unbounded and [one.id for one in old.tokens[-1:]] == [one.id for one in new.tokens[-1:]]:
        old, new = without_tail(old, new), without_tail(new, old)
    edits = grouped(edits_between(old, new), MAX_EDITS)
    effects = [_Effect() for _ in edits]
    if edits and old.format != TOKENS_ALONE:
        _find_effects(subject, file, edits, effects, changed)
    elif edits:
        _find_other_ids(old, new, edits, effects, changed)
    tried = Counter(one.group for one in changed)
    return *decoder, *(
        FileEdit(
            stage=edit.stage,
            what=edit.what
            if effect.own_id is None
            else f"{edit.what} (its id in the library is {effect.own_id})",
            number=edit.number,
            counts=effect.counts,
            sampled=tuple(group for group in effect.counts if tried[group] >= MAX_CHANGED),
            tokens=effect.tokens,
            examples=tuple(effect.examples),
            texts=tuple(effect.texts),
            note=effect.note,
            untried=effect.untried,
            is_shared=effect.is_shared,
            content=hashlib.sha256(edit.content.encode()).hexdigest()[:16],
        )
        for edit, effect in zip(edits, effects, strict=True)
    )


def _decoder_edit(old: Description, new: Description) -> tuple[tuple[FileEdit, ...], Description]:
    """Return the edit of a decoder that gives many ids other text, and the file without the edit.

    Ids of white space alone may have had no text, or have none now.
    """
    before, now = ({entry.id: entry.token for entry in one.tokens} for one in (old, new))
    shared = [number for number in before if number in now]
    others = {number: before[number] for number in shared if now[number] != before[number]}
    if len(others) < LEAST_DECODED:
        return (), new
    first, writing = next(iter(others)), writing_of(new)
    token, other = (writing.show(one[first]) for one in (now, before))
    what = f"{len(others):,} ids decode to other text, the first: {first} to {token}, was {other}"
    content = repr([(number, now[number]) for number in others])
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    edit = FileEdit("decoder", what, len(others), note=SAME_IDS, content=digest)
    spaces = [
        row for row in old.tokens if row.id not in now and not writing.text(row.token).strip()
    ]
    kept = [
        row._replace(token=others.get(row.id, row.token))
        for row in new.tokens
        if row.id in before or writing.text(row.token).strip()
    ]
    return (edit,), replace(new, tokens=tuple(sorted([*kept, *spaces], key=attrgetter("id"))))


def _find_effects(
    subject: Subject,
    file: DescribedFile,
    edits: Sequence[Edit],
    effects: Sequence[_Effect],
    changed: Sequence[ChangedText],
) -> None:
    """Make the edits one after another, and add the texts whose ids differ to their effects.

    Texts that another Unicode version changes differ before the first edit, so that they belong to
    no edit.
    """
    old, new = file.old, file.new
    if old is None or new is None:
        return
    target = subject.with_original_target().target
    hints = texts_about(edits, old, new)
    hints = [text for text in hints if text not in {one.text for one in changed}]
    pairs = zip(hints, encoded(target, hints), strict=True)
    tried = [*changed, *(ChangedText("", text, None, ids) for text, ids in pairs if ids)]
    texts = [one.text for one in tried]
    with tempfile.TemporaryDirectory() as name:
        versions = versions_of(subject, file.old_versions)
        known = {**target.special_tokens, **target.added_tokens}
        numbering = numbering_of(old, new, known, {one.text: one.before for one in tried})
        for edit, effect in zip(edits, effects, strict=True):
            effect.own_id = own_id(edit, new, numbering)
        references = DescriptionLoader(Path(name), versions, numbering)
        first, last = references.load(old), references.load(new)
        earlier = first
        if file.old_versions.items() - versions.items():
            others = {**versions, **file.old_versions}
            first = replace(references, versions=others).load(old)
        if first is None or earlier is None or last is None:
            for effect in effects:
                effect.untried = UNREAD.format("new" if last is None else "old")
            return
        before, now = encoded(first, texts), encoded(last, texts)
        at_random = _random_rows(tried, before, now, target) if _is_random(edits) else set()
        kinds = _kinds(tried, before, now, subject) | dict.fromkeys(at_random, RANDOM)
        state, previous = old, before if earlier is first else encoded(earlier, texts)
        for place, (edit, effect) in enumerate(zip(edits, effects, strict=True)):
            is_last = place == len(edits) - 1
            state = new if is_last else edit.apply(state)
            current = last if is_last else references.load(state)
            if current is None:
                effect.untried = NEEDS_NEXT
                continue
            ids = now if is_last else encoded(current, texts)
            _add(effect, _changes_of(edit, tried, (before, previous, ids, now), kinds))
            of_decoder = decoded_differently(tried, (earlier, current), target, edit)
            effect.texts += [one.text for one in of_decoder if one.group]
            _add_smallest(effect, (first, earlier, current, last), target)
            if not effect.examples:
                effect.note = other_effect(edit, earlier, current, target, of_decoder)
            earlier, previous = current, ids


def _changes_of(
    edit: Edit, tried: Sequence[ChangedText], ids: tuple[Sequence[Any], ...], kinds: dict[int, str]
) -> list[_Changed]:
    """Return the texts whose ids an edit changes.

    ``ids`` are the ids with the old file, before and after the edit, and with the new file. Texts
    that depart from the new file count if as many texts of the run do not.
    """
    found: list[_Changed] = []
    others: list[_Changed] = []
    for row, (old, one, other, new) in enumerate(zip(*ids, strict=True)):
        kind = kinds.get(row)
        if kind == RANDOM and _is_random([edit]):
            found.append(_Changed(tried[row], old, one, tried[row].after))
        elif kind and one != other and old != new:
            rows = others if kind == DEPARTING else found
            rows.append(_Changed(tried[row], old, one, other))
    is_shown = sum(bool(change.tried.group) for change in found) >= len(others)
    return found + others if is_shown else found


def _is_random(edits: Sequence[Edit]) -> bool:
    return any(edit.what.startswith(DROPOUT) for edit in edits)


def _random_rows(
    tried: Sequence[ChangedText], before: Sequence[Any], now: Sequence[Any], target: Target
) -> set[int]:
    """Return the places of texts that get different ids in each call, or did with the old file.

    The reference gives the ids of a file without its dropout. By chance a text may get the same
    other ids in all further calls; these decode to the same text.
    """
    rows = changing_rows(target, [one.text for one in tried], [one.after for one in tried])
    if rows:
        rows |= {
            row
            for row, (one, ids) in enumerate(zip(tried, now, strict=True))
            if ids is not None
            and one.after != ids
            and not isinstance(one.after, str)
            and target.decode(one.after) == target.decode(ids)
        }
    rows |= {
        row
        for row, one in enumerate(tried)
        if isinstance(one.before, tuple) and one.before != before[row] and one.after == now[row]
    }
    return {row for row in rows if before[row] is not None}


def _kinds(
    tried: Sequence[ChangedText], before: Sequence[Any], now: Sequence[Any], subject: Subject
) -> dict[int, str]:
    """Return by place which texts the reference gives the ids of, with the old file and the new.

    The target may choose a different segmentation with the same score. In texts that depart, only
    the ids with the old file are ids of the reference.
    """
    kinds = {}
    left = MAX_EQUAL_SCORES
    for row, (one, old_ids, new_ids) in enumerate(zip(tried, before, now, strict=True)):
        if old_ids is None or one.before not in (None, old_ids) or not isinstance(one.after, tuple):
            continue
        is_right = one.after == new_ids
        if not is_right and left > 0:
            left -= 1
            is_right = bool(equal_score_causes(one.text, one.after, subject))
        if is_right or one.after != old_ids:
            kinds[row] = CONFIRMED if is_right else DEPARTING
    return kinds


def _find_other_ids(
    old: Description,
    new: Description,
    edits: Sequence[Edit],
    effects: Sequence[_Effect],
    changed: Sequence[ChangedText],
) -> None:
    """Add texts to the edits of the vocabulary that they show; other edits are unknown."""
    rows: list[list[_Changed]] = [[] for _ in edits]
    for place, one in edits_of_texts(old, new, edits, changed):
        rows[place].append(_Changed(one, one.before, one.before, one.after))
    for effect, of_edit in zip(effects, rows, strict=True):
        _add(effect, of_edit)


def _add(effect: _Effect, changes: Sequence[_Changed]) -> None:
    """Add changed texts, first the texts that show this edit alone, then short and clear texts.

    Texts that were made for the edit are examples, and are not counted.
    """

    def order(one: _Changed) -> tuple[bool, bool, int, bool, str]:
        text, before = one.tried.text, one.before
        shows_length = before is not None and len(one.tried.after) != len(before)
        return not one.is_alone, not shows_length, len(text), _is_unclear(text), text

    changes = sorted(changes, key=order)
    effect.is_shared = bool(changes) and not changes[0].is_alone
    for change in changes:
        one, before = change.tried, change.before
        if one.group:
            effect.counts[one.group] = effect.counts.get(one.group, 0) + 1
            effect.texts.append(one.text)
        if one.group in COUNTED:
            effect.tokens += change.tokens
        shown = {example.text for example in effect.examples}
        if len(effect.examples) < MAX_EXAMPLES and one.text not in shown:
            ids = None if before is None else tuple(before)
            effect.examples.append(replace(one, before=ids))


def _is_unclear(text: str) -> bool:
    """Return whether a text has a hidden character, or looks like ASCII, as U+037E does."""
    looks_ascii = not text.isascii() and normalize("NFKC", text).isascii()
    return looks_ascii or visible(text) != text


def _add_smallest(
    effect: _Effect, references: tuple[Target, Target, Target, Target], target: Target
) -> None:
    """Shrink the shortest text, and put the result first if the target confirms it."""
    if not effect.examples:
        return
    first, earlier, current, last = references
    shortest = effect.examples[0]
    has_other_length = len(shortest.before or ()) != len(shortest.after)

    def shows(text: str) -> bool:
        old, one, other, new = (
            _ids(reference, text) for reference in (first, earlier, current, last)
        )
        if old is None or one is None or other is None or new is None or one == other:
            return False
        if not effect.is_shared and (old != one or other != new):
            return False
        return len(old) != len(new) if has_other_length else old != new

    text = shrink(shortest.text, shows, max_calls=MAX_SHRINK_CALLS)
    now, before = _ids(target, text), _ids(first, text)
    if text != shortest.text and now is not None and before is not None and now == _ids(last, text):
        smallest = ChangedText(shortest.group, text, tuple(before), tuple(now))
        others = [example for example in effect.examples if example.text != text]
        effect.examples = [smallest, *others]


def _ids(target: Target, text: str) -> list[int] | None:
    ids = target.encode(text)
    return None if isinstance(ids, Raised) else list(ids)
