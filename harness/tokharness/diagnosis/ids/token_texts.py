"""The text of each token of a text, for checks that look at where a target cuts."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["inner_boundaries", "token_texts"]


def token_texts(texts: Sequence[str], subject: Subject) -> dict[str, list[str]]:
    """Text of each token, in order, of each text whose tokens join to it again.

    Left out are texts with a token that ends inside a character, and those that raise. Tokens that
    every text gets at its start or end are left out too.
    """
    found = {}
    for text, ids in zip(texts, encode_all(texts, subject), strict=True):
        if isinstance(ids, Raised):
            continue
        parts = [_text(number, subject) for number in without_affixes(ids, subject)]
        if None not in parts and "".join(filter(None, parts)) == text:
            found[text] = [part or "" for part in parts]
    return found


def inner_boundaries(texts: Sequence[str], subject: Subject) -> dict[str, frozenset[int]]:
    """Where tokens end inside each text, in characters, as far as :func:`token_texts` gives them."""
    return {
        text: frozenset(accumulate(map(len, parts))) - {0, len(text)}
        for text, parts in token_texts(texts, subject).items()
    }


def _text(number: int, subject: Subject) -> str | None:
    """Text of one token, asked for once; None if it has none of its own."""
    known: dict[int, str | None] = subject.remember("texts of tokens", dict)
    if number not in known:
        known[number] = _asked(number, subject)
    return known[number]


def _asked(number: int, subject: Subject) -> str | None:
    try:
        try:
            (data,) = subject.token_bytes([number])
            return data.decode()
        except LookupError:
            return subject.target.decode([number])
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None
