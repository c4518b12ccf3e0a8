"""Whether ``decode`` keeps the text next to the id of a special token.

The id of a token is put between the ids of two texts; no entry point has to read the token from
text. A decoder may treat all tokens in the same way: it may separate tokens by spaces, or strip the
first space. Therefore the text next to the token has to come back as it does without the token, or
with a word in the token's place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.contracts import is_decoded_as_the_file
from tokharness.diagnosis.special.added import WORD
from tokharness.diagnosis.special.modes import sample
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.model import Cause, Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

DECODED_SURROUNDINGS = (
    ("a", "b"),
    ("Hello", " world"),
    ("a ", "b"),
    (" a ", " b "),
    ("", " b"),
    ("a ", ""),
)
MOST = 48


class Gap(NamedTuple):
    """The ids of two texts, and their decoded text with nothing and with a word between them."""

    before: str
    after: str
    left: list[int]
    right: list[int]
    empty: str
    filled: str


class Place(NamedTuple):
    """A token between two texts: the text, the ids, what they decode to, and what is expected."""

    text: str
    ids: list[int]
    given: str
    expected: str


def decoded_surroundings_failures(subject: Subject) -> Iterator[Failure]:
    """Decode each special token between texts; one failure for each kind of change."""
    tokens = subject.target.special_tokens
    gaps = [*_gaps(subject)] if tokens else []
    failed: dict[Cause, list[Place]] = {}
    for token in sample([*tokens], MOST) if tokens else []:
        for place in _changed(token, tokens[token], gaps, subject):
            failed.setdefault(_cause_at_place(place), []).append(place)
    for cause, places in failed.items():
        first = min(places, key=lambda place: (len(place.text), place.text))
        evidence = compared_call("decode", first.given, first.expected, subject, first.ids)
        yield Failure(cause, count=len(places), text=first.text, evidence=evidence)


def _gaps(subject: Subject) -> Iterator[Gap]:
    word = _own_ids(WORD, subject)
    for before, after in DECODED_SURROUNDINGS:
        left, right = _own_ids(before, subject), _own_ids(after, subject)
        if word is None or left is None or right is None:
            continue
        empty, filled = subject.decode([*left, *right]), subject.decode([*left, *word, *right])
        if empty is not None and filled is not None:
            yield Gap(before, after, left, right, empty, filled)


def _changed(token: str, number: int, gaps: list[Gap], subject: Subject) -> Iterator[Place]:
    """Yield the places of a token next to which the text does not come back."""
    alone = subject.decode([number])
    if alone is None or number in unknown_ids(subject):
        return
    for gap in gaps:
        ids = [*gap.left, number, *gap.right]
        given = subject.decode(ids)
        if given is None:
            continue
        own = token if token in given else alone
        kept = [*_with_token(own, gap), gap.filled.replace(WORD, own, 1)]
        if given not in kept and not is_decoded_as_the_file(ids, given, subject):
            yield Place(f"{gap.before}{token}{gap.after}", ids, given, kept[0])


def _own_ids(text: str, subject: Subject) -> list[int] | None:
    ids = subject.encode(text)
    return None if ids is None else without_affixes(ids, subject)


def _with_token(token: str, gap: Gap) -> list[str]:
    """Return the text of a gap with the token inserted at each place, the likeliest place first."""
    text = gap.empty
    places = sorted(range(len(text) + 1), key=lambda at: abs(at - len(gap.before)))
    return [text[:at] + token + text[at:] for at in places]


def _cause_at_place(place: Place) -> Cause:
    change = "changed"
    if "".join(place.given.split()) == "".join(place.expected.split()):
        more = len(place.given) > len(place.expected)
        change = "white space added" if more else "white space lost"
    return Cause(
        "text around a special token",
        (("by", "decode"), ("is", change)),
        message="decode changes the text next to the id of a special token, which without it, or "
        f"next to a word, comes back: {change}",
    )
