"""What became of the ids of a target that shows its tokens, and not how it uses them.

A token keeps its text where its id is another one, so the ids that a text had follow from its ids
now, unless it is cut into other tokens. The digests in a baseline confirm that, or do not.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.edits import TOKENS_ALONE, VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.edits import Edit
    from tokharness.model import Description
    from tokharness.targets.snapshot import ChangedText

__all__ = ["EarlierIds", "edits_of_texts"]

MAX_LOST = 100
"""Tokens that are gone, or new, until nothing is known of what the ids were."""

MARKS = " #"
"""What decoders put before a token that begins, or continues, a word."""


class EarlierIds:
    """The ids that a text may have had, by its ids now and by the tokens of both vocabularies."""

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

        A text with a token that is gone, or new, may have been cut into other tokens.
        """
        if not self._before or any(lost in text for lost in self._lost):
            return None
        before = tuple(self._before.get(number, -1) for number in now)
        return None if -1 in before or before == tuple(now) else before

    def of_token(self, text: str) -> tuple[int, ...] | None:
        """Return the id of the earlier token that is this text."""
        return (self._own[text],) if text in self._own else None


def moved_ids(old: Description, new: Description) -> dict[int, int]:
    """Return the id now of each earlier id of a token that is still there.

    An id between tokens that have moved together has moved with them: it decodes to no text.
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

    Ids of the same tokens that no edit names follow from the first edit of the vocabulary. A text
    that is cut into other tokens is that of an edit if it has a token of it.
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
