"""The reach of all tokens of a target."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.reachability.contexts import texts_around, texts_with_neighbours
from tokharness.diagnosis.reachability.own_texts import own_texts
from tokharness.diagnosis.reachability.states import (
    ALONE,
    IN_CONTEXT,
    NOT_REACHED,
    UNREACHABLE,
    Reach,
)
from tokharness.diagnosis.reachability.utf8 import is_in_utf8
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["reach_of_tokens"]

NOT_UTF8 = "no UTF-8 text has its bytes"
SECOND_ID = "the vocabulary has another id for its text"

MOST_AT_ONCE = 2000
"""Tokens for which texts are made and encoded at a time."""


def reach_of_tokens(subject: Subject) -> Mapping[int, Reach]:
    """Return the reach of each token that is not special, by id.

    A text is a witness only if the target itself encodes it to ids with the token. Proofs are those
    of the reference (``reach``), which reads the same vocabulary.
    """
    return subject.cache.get_or_compute("reach of tokens", lambda: _reach_of_tokens(subject))


def _reach_of_tokens(subject: Subject) -> dict[int, Reach]:
    own = own_texts(subject)
    reach = _reach_by_own_text(own, subject)
    left = [number for number in own if number not in reach]
    proofs = _ask_reference(left, own, reach, subject)
    left = [number for number in left if number not in reach]
    proofs |= {
        number: NOT_UTF8
        for number in left
        if isinstance(data := own[number], bytes) and not is_in_utf8(data)
    }
    tried = dict.fromkeys(left, 1)
    for start in range(0, len(left), MOST_AT_ONCE):
        part = left[start : start + MOST_AT_ONCE]
        rows = [texts_around(own[number]) for number in part]
        _try_texts(part, rows, reach, tried, subject)
        done = {*reach, *proofs, *subject.target.conflicting_tokens}  # decoded as another token
        part = [number for number in part if number not in done]
        if part:
            _try_texts(part, texts_with_neighbours(subject, part), reach, tried, subject)
    for number in left:
        if number in proofs and number not in reach:
            reach[number] = Reach(UNREACHABLE, reason=proofs[number])
        elif number not in reach:
            reach[number] = Reach(NOT_REACHED, reason=f"{tried[number]:,} texts were tried")
    return dict(sorted(reach.items()))


def _reach_by_own_text(own: Mapping[int, str | bytes], subject: Subject) -> dict[int, Reach]:
    """Encode the own text of each token."""
    texts = {number: text for number, text in own.items() if isinstance(text, str)}
    reach: dict[int, Reach] = {}
    for (number, text), ids in zip(
        texts.items(), encode_all(list(texts.values()), subject), strict=True
    ):
        if ids == [number]:
            reach[number] = Reach(ALONE, text)
        elif not isinstance(ids, Raised) and number in ids:
            is_alone = without_affixes(ids, subject) == [number]
            reach[number] = Reach(ALONE if is_alone else IN_CONTEXT, text)
    return reach


def _ask_reference(
    numbers: Sequence[int],
    own: Mapping[int, str | bytes],
    reach: dict[int, Reach],
    subject: Subject,
) -> dict[int, str]:
    """Try the texts that the reference gives for tokens; return its proofs."""
    owners = (subject.reference, subject.explainer, subject.target)
    owner = next((one for one in owners if one is not None and one.can("reach")), None)
    rows = None if owner is None or not numbers else owner.call("reach", list(numbers))
    conflicting = subject.target.conflicting_tokens
    first = {text for number, text in own.items() if number not in conflicting}
    proofs = {n: SECOND_ID for n in numbers if n in conflicting and own[n] in first}
    if not isinstance(rows, list):
        return proofs
    found = [(number, *row) for number, row in zip(numbers, rows, strict=False)]
    texts = {number: [text] for number, text, _ in found if text}
    _try_texts(list(texts), list(texts.values()), reach, {}, subject)
    return proofs | {number: reason for number, _, reason in found if reason}


def _try_texts(
    numbers: Sequence[int],
    rows: Sequence[Sequence[str]],
    reach: dict[int, Reach],
    tried: dict[int, int],
    subject: Subject,
) -> None:
    """Encode texts of each token, and note the first that holds it."""
    encoded = iter(encode_all(list(chain.from_iterable(rows)), subject))
    for number, texts in zip(numbers, rows, strict=True):
        for text in texts:
            ids = next(encoded)
            tried[number] = tried.get(number, 0) + 1
            if number not in reach and not isinstance(ids, Raised) and number in ids:
                reach[number] = Reach(IN_CONTEXT, text)
