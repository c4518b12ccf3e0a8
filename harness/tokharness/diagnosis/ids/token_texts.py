"""Texts and boundaries of the tokens of a text, in characters."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["inner_boundaries", "token_texts"]


def token_texts(texts: Sequence[str], subject: Subject) -> dict[str, list[str]]:
    """Texts of the tokens of each text, if they join to the text.

    Left out are texts with a token that ends inside a character, texts on which the target raises,
    and the tokens that are added to every text at its start or end.
    """
    rows = {}
    for text, ids in zip(texts, encode_all(texts, subject), strict=True):
        if isinstance(ids, Raised):
            continue
        tokens = [_text(number, subject) for number in without_affixes(ids, subject)]
        if None not in tokens and "".join(filter(None, tokens)) == text:
            rows[text] = [token or "" for token in tokens]
    return rows


def inner_boundaries(texts: Sequence[str], subject: Subject) -> dict[str, frozenset[int]]:
    """Ends of the tokens inside each text, in characters, for what :func:`token_texts` gives."""
    return {
        text: frozenset(accumulate(map(len, tokens))) - {0, len(text)}
        for text, tokens in token_texts(texts, subject).items()
    }


def _text(number: int, subject: Subject) -> str | None:
    """Text of one token, read once; None if it is not whole characters."""
    known: dict[int, str | None] = subject.cache.get_or_compute("texts of tokens", dict)
    if number not in known:
        known[number] = _read_text(number, subject)
    return known[number]


def _read_text(number: int, subject: Subject) -> str | None:
    pieces = subject.token_bytes([number])
    if pieces is None:
        return subject.decode([number])
    return pieces[0].decode() if is_utf8(pieces[0]) else None
