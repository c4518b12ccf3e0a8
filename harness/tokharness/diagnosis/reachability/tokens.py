"""The reach of all tokens of a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.reachability.contexts import texts_around
from tokharness.diagnosis.reachability.own_texts import encode_own_texts, own_texts
from tokharness.diagnosis.reachability.search import Search
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
TEXT_UNKNOWN = "the target does not show its bytes"
SECOND_ID = "the vocabulary has another id for its text"

FEW = 4
"""Contexts that are tried before the reference is asked, and for what it proves unreachable."""


def reach_of_tokens(subject: Subject) -> Mapping[int, Reach]:
    """Return the reach of each token that is not special, by id.

    A text is a witness only if the target itself encodes it to ids with the token. Proofs are those
    of the reference (``reach``), which reads the same vocabulary.
    """
    return subject.cache.get_or_compute("reach of tokens", lambda: _reach_of_tokens(subject))


def _reach_of_tokens(subject: Subject) -> dict[int, Reach]:
    own = own_texts(subject)
    search = Search(subject, _reach_by_own_text(own, subject))
    left = [number for number in own if number not in search.reach]
    search.try_texts({n: texts_around(own[n])[:FEW] for n in left if isinstance(own[n], str)})
    proofs = _ask_reference(own, search)
    proofs |= {
        number: NOT_UTF8
        for number, data in own.items()
        if number not in search.reach and isinstance(data, bytes) and not is_in_utf8(data)
    }
    left = [number for number in own if number not in search.reach]
    search.try_texts({n: texts_around(own[n]) for n in left if n not in proofs})
    # An id that a special token has, too, is decoded as that one.
    done = {*search.reach, *proofs, *subject.target.conflicting_tokens}
    search.try_neighbours([number for number in left if number not in done])
    for number in left:
        if number in search.reach:
            continue
        tried = f"{search.tried[number]:,} texts were tried"
        reason = proofs.get(number)
        if not reason and _is_unknown(own[number], subject):
            tried = TEXT_UNKNOWN
        search.reach[number] = Reach(UNREACHABLE if reason else NOT_REACHED, "", reason or tried)
    return dict(sorted(search.reach.items()))


def _rows_of_owner(numbers: Sequence[int], subject: Subject) -> Any:
    """Return a row for each token of the first implementation that has ``reach``; None if none."""
    if subject.reference is not None and subject.reference.can("reach"):
        return subject.ask_reference("reach", numbers)
    owners = (subject.explainer, subject.target)
    owner = next((one for one in owners if one is not None and one.can("reach")), None)
    return None if owner is None else owner.call("reach", numbers)


def _is_pair_of_texts(row: object) -> bool:
    """Whether a row of ``reach`` is what it should be; a target may use the name otherwise."""
    return isinstance(row, tuple | list) and [type(part) for part in row] == [str, str]


def _is_unknown(own: str | bytes, subject: Subject) -> bool:
    """Whether the bytes of a token are not known: it is decoded to U+FFFD."""
    return "\ufffd" in str(own) and not subject.target.can("decode_single_token_bytes")


def _reach_by_own_text(own: Mapping[int, str | bytes], subject: Subject) -> dict[int, Reach]:
    """Encode the own text of each token."""
    texts = {number: text for number, text in own.items() if isinstance(text, str)}
    reach: dict[int, Reach] = {}
    for (number, text), ids in zip(
        texts.items(), encode_own_texts(list(texts.values()), subject), strict=True
    ):
        if ids == [number]:
            reach[number] = Reach(ALONE, text)
        elif not isinstance(ids, Raised) and number in ids:
            is_alone = without_affixes(ids, subject) == [number]
            reach[number] = Reach(ALONE if is_alone else IN_CONTEXT, text)
    return reach


def _ask_reference(own: Mapping[int, str | bytes], search: Search) -> dict[int, str]:
    """Try the texts that the reference gives for tokens; return its proofs."""
    subject = search.subject
    numbers = [number for number in own if number not in search.reach]
    rows = _rows_of_owner(numbers, subject) if numbers else None
    conflicting = subject.target.conflicting_tokens
    first = {text for number, text in own.items() if number not in conflicting}
    proofs = {n: SECOND_ID for n in numbers if n in conflicting and own[n] in first}
    if not isinstance(rows, list):
        return proofs
    pairs = zip(numbers, rows, strict=False)
    found = [(number, *row) for number, row in pairs if _is_pair_of_texts(row)]
    search.try_texts({number: [text] for number, text, _ in found if text})
    return proofs | {number: reason for number, _, reason in found if reason}
