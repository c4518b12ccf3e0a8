"""Rows of a matrix of embeddings that no text uses, by what is known from the vocabulary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.diagnosis.reachability import UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.diagnosis.reachability import Reach
    from tokharness.targets.subject import Subject

__all__ = ["known_unused"]

NOT_IN_UTF8 = re.compile(rb"[\xc0\xc1\xf5-\xff]")
"""Bytes that no UTF-8 has (Unicode Standard, table 3-7)."""

BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
"""The token of a byte in vocabularies with byte fallback (SentencePiece)."""

WORD_START = "\u2581"
"""How SentencePiece writes a space."""


def known_unused(
    subject: Subject, rows: int, reach: Mapping[int, Reach]
) -> dict[str, tuple[int, ...]]:
    """Return the rows that no text uses, by the reason; a row has one reason."""
    n_vocab, data = subject.target.n_vocab or 0, _bytes_of_tokens(subject)
    named = {*subject.special_tokens.values(), *subject.target.added_tokens.values()}
    unnamed = (number for number in range(n_vocab) if data and number not in named)
    holes = {number for number in unnamed if not data.get(number)}
    impossible = {number for number in data if NOT_IN_UTF8.search(data[number])}
    unreachable = {number for number, one in reach.items() if one.state == UNREACHABLE}
    unreachable |= _second_ids(data, reach)
    by_reason = {
        "rows without a token": (*sorted(holes), *range(n_vocab, rows)),
        "tokens of bytes that no UTF-8 has": tuple(sorted(impossible)),
        "unreachable tokens": tuple(sorted(unreachable - impossible - holes)),
    }
    return {reason: numbers for reason, numbers in by_reason.items() if numbers}


def _second_ids(data: Mapping[int, bytes], reach: Mapping[int, Reach]) -> set[int]:
    """Return ids that no text that was tried gives, and whose bytes another id has that one does.

    So are the ids of bytes whose character has a token, in a vocabulary with byte fallback.
    """
    given = {data.get(number) for number, one in reach.items() if one.witness} - {None}
    return {
        number for number, one in reach.items() if not one.witness and data.get(number) in given
    }


def _bytes_of_tokens(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes of each token that has some; empty if the target shows no tokens."""
    vocabulary = subject.vocabulary()
    if vocabulary or not subject.target.can("token_text"):
        return vocabulary
    texts = subject.target.call_each("token_text", range(subject.target.n_vocab or 0))
    return {number: _written(text) for number, text in enumerate(texts) if isinstance(text, str)}


def _written(text: str) -> bytes:
    """Return the bytes of a token as it stands in the vocabulary, with byte fallback or not."""
    byte = BYTE_TOKEN.fullmatch(text)
    plain = text.replace(WORD_START, " ")
    return bytes([int(byte[1], 16)]) if byte else plain.encode("utf-8", "surrogatepass")
