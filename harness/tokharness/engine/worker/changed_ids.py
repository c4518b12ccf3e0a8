"""Explain changed ids of golden texts where no file shows what changed, or by the tokens alone.

If a reference gives the ids of the baseline, TOK201 with this reference finds the causes. Otherwise
a cause is named only if it explains every id that differs: the tokens differ only where their
decoded texts differ, and the target gives the new ids for the old decoded text. A finding of
another check explains nothing here, since it may be as old as the baseline.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.changed_tokens import (
    are_equal_where_the_text_is,
    common,
    first_difference,
    replacements,
    token_text_of,
)
from tokharness.diagnosis.ids.reference_departures import IN_REFERENCE
from tokharness.diagnosis.state import random_causes, state_cause
from tokharness.diagnosis.text.changes import SEVERAL, character_causes, form_causes
from tokharness.edits import TOKENS_ALONE, VOCABULARY
from tokharness.engine.worker.changed_cuts import by_digits, by_tokens
from tokharness.engine.worker.changed_text import by_forms, by_prefix_space
from tokharness.engine.worker.diagnose_texts import diagnose_texts
from tokharness.engine.worker.grouping import (
    NOT_REPRODUCED,
    DiagnosedText,
    group_by_cause,
    merge_weak_causes,
)
from tokharness.engine.worker.unknown_token import by_unknown_token
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised, call
from tokharness.targets.snapshot import NO_CAUSE, Explanation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.diagnosis.ids.changed_tokens import TokenText
    from tokharness.edits import Edit
    from tokharness.model import Description
    from tokharness.plugins import Check
    from tokharness.targets.snapshot import ChangedText, Ids
    from tokharness.targets.subject import Subject

# How ids changed in a target that shows its tokens, but not how it uses them.
#
# A token keeps its text when its id changes. The earlier ids of a text therefore follow from its
# present ids, unless it is now split into other tokens. The digests in a baseline confirm or refute
# this.

MAX_LOST = 100
"""Most removed or new tokens; with more of them, the earlier ids are not guessed."""

MARKS = " #"
"""Characters that decoders put before a token that begins or continues a word."""


class EarlierIds:
    """Guesses a text's earlier ids from its present ids and the tokens of both vocabularies."""

    def __init__(self, old: Description | None, new: Description | None) -> None:
        self._own: dict[str, int] = {}
        self._before: Mapping[int, int] = {}
        first = old or new
        if first is None or first.format != TOKENS_ALONE:
            return
        for entry in first.tokens:
            self._own.setdefault(_text(entry.token), entry.id)
        self._lost: set[str] = set()
        if old is not None and new is not None:
            tokens = [{entry.token for entry in one.tokens} for one in (old, new)]
            self._lost = {_text(token).strip(MARKS) for token in tokens[0] ^ tokens[1]} - {""}
            if len(self._lost) <= MAX_LOST:
                self._before = {now: was for was, now in moved_ids(old, new).items()}

    def of_moved(self, text: str, now: Sequence[int]) -> tuple[int, ...] | None:
        """Return the earlier ids of the same tokens, None if these are the ids now.

        If a text contains a removed or new token, it may have been split into other tokens: None.
        """
        if not self._before or any(lost in text for lost in self._lost):
            return None
        before = tuple(self._before.get(number, -1) for number in now)
        return None if -1 in before or before == tuple(now) else before

    def of_token(self, text: str) -> tuple[int, ...] | None:
        """Return the id of the earlier token whose text is this text."""
        return (self._own[text],) if text in self._own else None


def without_tail(one: Description, other: Description) -> Description:
    """Leave out the last tokens if only one side has them.

    Where both sides end at the same id, ids behind it may be unknown, and ids may have moved.
    """
    known, rows = {entry.token for entry in other.tokens}, list(one.tokens)
    while rows and rows[-1].token not in known:
        rows.pop()
    return replace(one, tokens=tuple(rows))


def moved_ids(old: Description, new: Description) -> dict[int, int]:
    """Return the id now of each earlier id of a token that is still there.

    If two tokens moved by the same number, ids between them that decode to no text moved too.
    """
    places: dict[Any, list[int]] = defaultdict(list)
    for entry in new.tokens:
        places[entry.token].append(entry.id)
    before: dict[Any, list[int]] = defaultdict(list)
    for entry in old.tokens:
        before[entry.token].append(entry.id)
    moved = {
        was: now
        for token, ids in before.items()
        if len(ids) == len(places.get(token, ()))
        for was, now in zip(ids, places[token], strict=True)
    }
    known = sorted(moved)
    for low, high in pairwise(known):
        step = moved[low] - low
        if moved[high] - high == step:
            moved.update((between, between + step) for between in range(low + 1, high))
    return moved


def edits_of_texts(
    old: Description, new: Description, edits: Sequence[Edit], changed: Sequence[ChangedText]
) -> Iterator[tuple[int, ChangedText]]:
    """Yield texts with the place of the first edit whose token has another id in them, or is gone.

    If tokens that no edit names have new ids, the first edit of the vocabulary is the reason. A
    text that is split into other tokens belongs to an edit if it contains a token of the edit.
    """
    before, now = ({entry.id: entry.token for entry in one.tokens} for one in (old, new))
    kept, moved = {*before.values()} & {*now.values()}, moved_ids(old, new)
    first = next((at for at, edit in enumerate(edits) if edit.stage == VOCABULARY), None)
    lost = {
        text.strip(MARKS): token
        for token in {token for edit in edits for token in edit.about} - kept
        if (text := _text(token)).strip(MARKS)
    }
    for one in changed:
        if isinstance(one.before, str) or not isinstance(one.after, tuple):
            continue
        others = [now.get(number) for number in one.after]
        causes: set[Any] = set(others) - kept
        is_moved = False
        inside = {token for text, token in lost.items() if text in one.text}
        if one.before is None:
            causes |= inside
        else:
            tokens = [before.get(number) for number in one.before]
            is_moved = tuple(moved.get(number) for number in one.before) == one.after
            if is_moved or tokens == others:
                pairs = zip(tokens, one.before, one.after, strict=True)
                causes = {token for token, was, number in pairs if was != number}
            else:
                causes |= set(tokens) - kept or inside
        causes.discard(None)  # ids that decode to no text by themselves
        place = next((at for at, edit in enumerate(edits) if causes & {*edit.about}), first)
        if place is not None and (causes or is_moved):
            yield place, one


def _text(token: Any) -> str:
    return token.decode("utf-8", "replace") if isinstance(token, bytes) else str(token or "")


DIFFERENTIAL = "TOK201"

TEXT_CAUSES = ("normalizer", "dropped characters", "replaced characters")
"""Kinds of causes of TOK201 for changed text, which the baseline may have changed as well."""


def explain_by_ids(
    changed: Sequence[ChangedText],
    subject: Subject,
    checks: Sequence[Check],
    unchanged: Mapping[str, Ids],
) -> Iterator[Explanation]:
    """Group changed texts by cause, and unexplained texts by place of the first difference.

    ``unchanged`` has the ids of golden texts whose ids have not changed.
    """
    known = {one.text: one for one in changed if _have_ids(one)}
    left = {text: one.group for text, one in known.items()}
    check = next((check for check in checks if check.code == DIFFERENTIAL), None)
    if check is None:
        from tokharness import plugins

        check = plugins.checks().get(DIFFERENTIAL)
    same = {text: left[text] for text in left if _is_of_reference(known[text], subject)}
    if same and check is not None:
        diagnosed = call(diagnose_texts, check, subject, same)
        rows = () if isinstance(diagnosed, Raised) else diagnosed
        bugs = (_bugs_of(one, known[one.text], subject) for one in rows)
        for explanation in _grouped(filter(None, bugs)):
            yield explanation
            for text in explanation.texts:
                left.pop(text)
    for explanation in _explained_by_ids([known[text] for text in left], subject, unchanged):
        yield explanation
        for text in explanation.texts:
            left.pop(text)
    places: dict[str, list[str]] = {}
    for text in left:
        if not isinstance(known[text].after, str):
            places.setdefault(_first_difference(known[text], subject), []).append(text)
    for place, of_place in places.items():
        parameters = (("first difference", place),)
        message = f"the ids first differ at {place}"
        yield Explanation(Cause(NO_CAUSE, parameters, message=message), tuple(of_place))


def _have_ids(one: ChangedText) -> bool:
    return one.before is not None and not isinstance(one.before, str) and one.after != one.before


def _is_of_reference(one: ChangedText, subject: Subject) -> bool:
    """Whether the reference gives the ids of the baseline, so that it can stand for it."""
    return subject.reference_ids(one.text) == list(one.before or ())


def _grouped(diagnosed: Iterable[DiagnosedText]) -> Iterator[Explanation]:
    for group in merge_weak_causes(group_by_cause(list(diagnosed))):
        yield Explanation(group.cause, tuple(member.text for member in group.members))


def _bugs_of(diagnosed: DiagnosedText, one: ChangedText, subject: Subject) -> DiagnosedText | None:
    """Return the text with only those causes that explain a change, and None if there are none.

    A weak cause only describes the change. A departure of the reference is no cause either: the
    baseline does not depart from a file.
    """
    bugs = [
        cause
        for cause in diagnosed.causes
        if cause != NOT_REPRODUCED and cause.kind != "unexplained" and not cause.weak
        if cause.verdict is Verdict.BUG and IN_REFERENCE not in cause.parameters
    ]
    if any(cause.kind in TEXT_CAUSES for cause in bugs) and not _texts_differ(one, subject):
        bugs = [cause for cause in bugs if cause.kind not in TEXT_CAUSES]
    return replace(diagnosed, causes=tuple(bugs)) if bugs else None


def _explained_by_ids(
    changed: Sequence[ChangedText], subject: Subject, unchanged: Mapping[str, Ids]
) -> Iterator[Explanation]:
    changed = [one for one in changed if not isinstance(one.after, str)]
    for explain in (by_prefix_space, by_digits, by_forms, by_unknown_token, _by_ids, by_tokens):
        rows = call(explain, changed, subject, unchanged)
        diagnosed = () if isinstance(rows, Raised) else tuple(rows)
        yield from _grouped(diagnosed)
        explained = {one.text for one in diagnosed}
        changed = [one for one in changed if one.text not in explained]


def _by_ids(
    changed: Sequence[ChangedText], subject: Subject, _: Mapping[str, Ids]
) -> list[DiagnosedText]:
    """Return the texts of which it is clear why each id differs.

    The target is random, or the decoded texts differ: by a normal form, or by dropped or replaced
    characters, which are the same in all texts.
    """
    replaced: list[tuple[ChangedText, dict[str, str]]] = []
    found = []
    for one in changed:
        texts = _decoded(one, subject)
        if texts is None:
            continue
        causes = _state_causes(one, subject)
        if not causes and _is_of_changed_text(one, texts, subject):
            causes = form_causes(*texts, subject, partial(_round_trip, subject))
            if not causes and (inside := replacements(*texts)):
                replaced.append((one, inside))
        if causes:
            found.append(DiagnosedText(one.text, one.group, tuple(causes)))
    return [*found, *_of_characters(replaced)]


def _of_characters(
    replaced: Sequence[tuple[ChangedText, dict[str, str]]],
) -> Iterator[DiagnosedText]:
    """Yield texts with their causes; each of several causes must be the only cause of some text."""
    known: dict[str, str] = {}
    for _, inside in replaced:
        for character, new in inside.items():
            known[character] = new if known.get(character, new) == new else SEVERAL
    causes = {
        one: tuple(character_causes(inside, known))
        for one, inside in replaced
        if all(known[character] == new for character, new in inside.items())
    }
    alone = {of_text[0] for of_text in causes.values() if len(of_text) == 1}
    for one, of_text in causes.items():
        if alone.issuperset(of_text):
            yield DiagnosedText(one.text, one.group, of_text)


def _is_of_changed_text(one: ChangedText, texts: tuple[str, str], subject: Subject) -> bool:
    """Whether ids and texts differ in the same places, and the old text now gets the new ids."""
    return _texts_differ(one, subject) and tuple(subject.encode(texts[0]) or ()) == one.after


def _state_causes(one: ChangedText, subject: Subject) -> list[Cause]:
    ids = subject.encode(one.text)
    if ids is not None and tuple(ids) != one.after:
        return [state_cause(subject)]
    return random_causes(one.text, subject)


def _round_trip(subject: Subject, text: str) -> str | None:
    result = subject.round_trip(text)
    return None if result is None else result[1]


def _decoded(one: ChangedText, subject: Subject) -> tuple[str, str] | None:
    """Return the decoded texts of the earlier and the present ids; None if the target raises."""
    if isinstance(one.after, str):
        return None
    before, after = (subject.decode(list(ids)) for ids in (one.before or (), one.after))
    return None if before is None or after is None else (before, after)


def _texts_differ(one: ChangedText, subject: Subject) -> bool:
    """Whether the ids differ only where their decoded texts differ."""
    texts = _decoded(one, subject)
    if texts is None or texts[0] == texts[1]:
        return False
    old, new = _tokens(one, subject)
    return old is not None and new is not None and are_equal_where_the_text_is(old, new)


def _first_difference(one: ChangedText, subject: Subject) -> str:
    same = common(one.before or (), one.after)
    tokens = call(_tokens, one, subject, same)
    old, new = (None, None) if isinstance(tokens, Raised) else tokens
    if old is None or new is None:
        return "an unknown place"
    return first_difference(one.text, old, new)


def _tokens(
    one: ChangedText, subject: Subject, near: int | None = None
) -> tuple[TokenText | None, TokenText | None]:
    """Return the earlier and the present tokens; None for ids that the target does not decode."""
    if isinstance(one.before, str) or isinstance(one.after, str):
        return None, None
    before = token_text_of(one.before or (), subject, near)
    return before, token_text_of(one.after, subject, near)
