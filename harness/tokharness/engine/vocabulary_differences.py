"""The differences of two vocabularies, token by token.

Tokens are compared by their bytes, or by their text if a vocabulary shows no bytes. If only one
vocabulary shows bytes, or both mark words differently, the marks of the format, such as U+2581 or
``##``, are left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import regex

from tokharness.diagnosis.token_content.texts import WORD_START, plain_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import TokenRow

Change: TypeAlias = Literal["added", "removed", "split", "moved", "other kind", "replaced"]

CHANGES: dict[Change, str] = {
    "added": "tokens that only the second vocabulary has",
    "removed": "tokens that only the first vocabulary has, apart from those that are split",
    "split": "tokens that only the first vocabulary has, which the second target splits into "
    "several",
    "moved": "tokens that have another id",
    "other kind": "tokens that are ordinary in one vocabulary, and special or added in the other",
    "replaced": "ids that stand for another token",
}
"""Each change, and what it means."""

MARKS = (WORD_START, "##", "@@", "</w>")
FEW = 0.01
"""Largest share of a vocabulary's tokens that may have a mark by chance."""

BYTE_TOKEN = regex.compile(r"<0x([0-9A-F]{2})>")
"""The token of a byte in vocabularies with byte fallback (SentencePiece)."""

Rows: TypeAlias = "Sequence[TokenRow]"
Contents: TypeAlias = "dict[bytes, list[TokenRow]]"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: the rows of a token in both vocabularies, none where it is not.

    A ``replaced`` id has the row of its token in each vocabulary. ``pieces`` has the rows of the
    tokens that a ``split`` token is encoded as, or of the only token for a ``removed`` token.
    """

    change: Change
    first: tuple[TokenRow, ...] = ()
    second: tuple[TokenRow, ...] = ()
    pieces: tuple[TokenRow, ...] = ()


def texts_to_split(first: Rows, second: Rows) -> dict[int, str]:
    """Return the texts of the tokens that only the first vocabulary has, by their first ids.

    Tokens without text, such as parts of characters, are left out.
    """
    one, other = _contents(first, second), _contents(second, first)
    texts = {}
    for content, rows in one.items():
        if content not in other and rows[0].kind == "ordinary":
            try:
                texts[rows[0].id] = content.decode()
            except UnicodeDecodeError:
                continue
    return texts


def differences(first: Rows, second: Rows, splits: Mapping[int, Sequence[int]]) -> list[Difference]:
    """Return all differences, by their kind and the id.

    ``splits`` has the second target's ids for tokens that only the first target has, by token id.
    """
    one, other = _contents(first, second), _contents(second, first)
    found = [
        *(Difference("added", (), tuple(rows)) for key, rows in other.items() if key not in one),
        *(
            _missing(tuple(rows), second, splits.get(rows[0].id, ()))
            for key, rows in one.items()
            if key not in other
        ),
        *_changed(one, other),
        *_replaced(one, other),
    ]
    order = list(CHANGES)
    return sorted(found, key=lambda one: order.index(one.change))


def _missing(rows: tuple[TokenRow, ...], second: Rows, ids: Sequence[int]) -> Difference:
    """Return the difference for a token that only the first vocabulary has."""
    pieces = tuple(second[number] for number in ids if 0 <= number < len(second))
    # A special token among the pieces is the unknown token: the text of the token is lost.
    is_whole = len(pieces) == len(ids) and all(row.kind != "special" for row in pieces)
    known = pieces if is_whole else ()
    return Difference("split" if len(known) > 1 else "removed", rows, (), known)


def _changed(one: Contents, other: Contents) -> Iterator[Difference]:
    for content, rows in one.items():
        if content in other:
            both = tuple(rows), tuple(other[content])
            if {row.kind for row in both[0]} != {row.kind for row in both[1]}:
                yield Difference("other kind", *both)
            elif [row.id for row in both[0]] != [row.id for row in both[1]]:
                yield Difference("moved", *both)


def _replaced(one: Contents, other: Contents) -> Iterator[Difference]:
    """Yield the ids that have different tokens in the two vocabularies."""
    before = {row.id: (content, row) for content, rows in one.items() for row in rows}
    after = {row.id: (content, row) for content, rows in other.items() for row in rows}
    for number in sorted(before.keys() & after.keys()):
        if before[number][0] != after[number][0]:
            yield Difference("replaced", (before[number][1],), (after[number][1],))


def _contents(rows: Rows, others: Rows) -> Contents:
    """Return the rows of each token by its bytes, or its text in UTF-8; holes are left out."""
    contents: Contents = {}
    plain = {}
    own = _marks(rows)
    if not _has_bytes(rows) and (_has_bytes(others) or own != _marks(others)):
        texts = {row.id: row.text or "" for row in rows if row.kind == "ordinary"}
        plain = plain_texts(texts, is_marked=bool(own))
    for row in rows:
        if row.bytes is not None:
            contents.setdefault(row.bytes, []).append(row)
        elif row.text is not None:
            contents.setdefault(_encoded(plain.get(row.id, row.text)), []).append(row)
    return contents


def _has_bytes(rows: Rows) -> bool:
    return any(row.bytes is not None for row in rows)


def _marks(rows: Rows) -> frozenset[str]:
    """Return the marks of words in the texts of a vocabulary."""
    texts = [row.text for row in rows if row.text is not None and row.kind == "ordinary"]
    counts = Counter(mark for text in texts for mark in MARKS if mark in text)
    return frozenset(mark for mark, count in counts.items() if count > FEW * len(texts))


def _encoded(text: str) -> bytes:
    match = BYTE_TOKEN.fullmatch(text)
    return bytes.fromhex(match[1]) if match else text.encode("utf-8", "surrogatepass")
