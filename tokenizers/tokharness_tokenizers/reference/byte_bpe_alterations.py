"""Alterations of a byte-level BPE tokenizer: another rule of its pattern, or another way to merge.

If a library's ids differ from the ids of the vocabulary, the alteration with which the reference
gives the library's ids shows what the library does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reference.added_tokens import CUT_BY_TEXT
from tokharness_tokenizers.reference.limited_pretokens import LIMITS, MOST_LIMITED
from tokharness_tokenizers.reference.listed_merges import listed_merges, merged_in_order
from tokharness_tokenizers.reference.merging import (
    Choice,
    PieceIds,
    choices,
    encode_piece,
    merged_by,
    merged_ids,
)
from tokharness_tokenizers.reference.misplaced_cuts import misplaced_cuts
from tokharness_tokenizers.reference.pattern_alterations import (
    altered_borders,
    other_patterns,
    pattern_alterations,
    patterns_for_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.base import Altered
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE
    from tokharness_tokenizers.reference.edited_tokens import Edit
    from tokharness_tokenizers.reference.listed_merges import RankOf

Cut: TypeAlias = "Callable[[bytes, int], list[bytes]]"
"""Returns the parts of a pre-token above a limit that are merged separately."""

Pieces: TypeAlias = "Mapping[str, tuple[int, ...]]"
"""The ids of any pre-token."""

Merge: TypeAlias = "Callable[[bytes, Mapping[bytes, int]], list[int]]"
"""Returns the ids of a pre-token by ranks."""

ALL_MERGED: Final = ", as in a pre-token that is a token"
"""The end of the name of an alteration that also applies to a pre-token that is a token."""

ADDED_TOKENS, PRE_TOKENIZER, MODEL = "added tokens", "pre-tokenizer", "model"

LONGEST: Final = 1000
"""Most bytes of a pre-token that is merged in another way: this takes quadratic time."""


@dataclass(frozen=True)
class EditedTokens:
    """An encoder with an edit of the tokens, and a decoder."""

    encode: Callable[[str], list[int]]
    decode: Callable[[Sequence[int]], str]


def alterations(tokenizer: ByteBPE) -> Iterator[Altered]:
    """Yield the alterations of a tokenizer, in the order of their stages."""
    if tokenizer.special_tokens:
        yield ADDED_TOKENS, CUT_BY_TEXT, partial(_of_parts, tokenizer)
    pattern = tokenizer.pattern
    for what, other in chain(pattern_alterations(pattern), other_patterns(pattern)):
        yield PRE_TOKENIZER, what, tokenizer.with_pattern(other).encode_ordinary
    for what, pieces in ways_to_merge(tokenizer.ranks).items():
        yield MODEL, what, _encoder(tokenizer, pieces)
    for what, ranks in _shortened(tokenizer.ranks):
        yield MODEL, what, _encoder(tokenizer, PieceIds(ranks))


def further_alterations(tokenizer: ByteBPE, text: str) -> Iterator[Altered]:
    """Yield alterations that depend on the text: borders, and limits that it exceeds."""
    words = tokenizer.pretokens(text)
    for what, others in chain(altered_borders(words), misplaced_cuts(tokenizer.pretokens, text)):
        yield PRE_TOKENIZER, what, partial(_of_words, tokenizer, others)
    for what, pattern in patterns_for_text(tokenizer.pattern, text):
        yield PRE_TOKENIZER, what, tokenizer.with_pattern(pattern).encode_ordinary
    yield from tokenizer.listed_merges
    pieces = [word.encode() for word in words]
    longest = max(map(len, pieces), default=0)
    for limit in (limit for limit in LIMITS if limit < longest <= MOST_LIMITED):
        for what, cut in LIMITED.items():
            yield MODEL, what.format(limit), partial(_of_limited, tokenizer, pieces, limit, cut)


def _of_parts(tokenizer: ByteBPE, text: str) -> list[int]:
    parts = tokenizer.parts_at_special_tokens(text)
    return [token for part in parts for token in tokenizer.encode_ordinary(part)]


def _of_words(tokenizer: ByteBPE, words: Sequence[str], _: str) -> list[int]:
    return tokenizer.ids_of_pretokens(words)


def _of_limited(
    tokenizer: ByteBPE, pieces: Sequence[bytes], limit: int, cut: Cut, _: str
) -> list[int]:
    cuts = (cut(piece, limit) if len(piece) > limit else [piece] for piece in pieces)
    parts = list(chain.from_iterable(cuts))
    ids = {part: encode_piece(part, tokenizer.ranks) for part in dict.fromkeys(parts)}
    return [number for part in parts for number in ids[part]]


def _encoder(tokenizer: ByteBPE, pieces: Pieces) -> Callable[[str], list[int]]:
    return lambda text: [number for piece in tokenizer.pretokens(text) for number in pieces[piece]]


class _OtherPieceIds(dict[str, tuple[int, ...]]):
    """A cache of the ids of pre-tokens that are merged in another way."""

    __slots__ = ("merge", "ranks")

    def __init__(self, ranks: Mapping[bytes, int], merge: Merge) -> None:
        super().__init__()
        self.ranks, self.merge = ranks, merge

    def __missing__(self, piece: str) -> tuple[int, ...]:
        data = piece.encode()
        if len(data) > LONGEST:
            raise KeyError(f"a pre-token has {len(data):,} bytes, more than {LONGEST}")
        ids = self[piece] = tuple(self.merge(data, self.ranks))
        return ids


class _TokenOrOther(dict[str, tuple[int, ...]]):
    """The ids of pre-tokens that are tokens, and of the others the ids of another cache."""

    __slots__ = ("other",)

    def __init__(self, other: _OtherPieceIds) -> None:
        super().__init__()
        self.other = other

    def __missing__(self, piece: str) -> tuple[int, ...]:
        whole = self.other.ranks.get(piece.encode())
        return self.other[piece] if whole is None else (whole,)


def encoders_of_listed_merges(tokenizer: ByteBPE) -> list[Altered]:
    """Return encoders by the lists of merges that conversions make of the ranks.

    A pre-token that is a token is this token, or is merged as any other.
    """
    found: list[Altered] = []
    for what, rank_of in listed_merges(tokenizer.ranks):
        merged = _OtherPieceIds(tokenizer.ranks, partial(_merge_listed, rank_of))
        for more, pieces in (("", _TokenOrOther(merged)), (ALL_MERGED, merged)):
            found.append((MODEL, what + more, _encoder(tokenizer, pieces)))
    return found


def _merge_listed(rank_of: RankOf, piece: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    parts = merged_in_order([piece[at : at + 1] for at in range(len(piece))], rank_of)
    return [ranks[part] for part in parts]


def _merge(choice: Choice, piece: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    parts = [piece[at : at + 1] for at in range(len(piece))]
    merged = merged_by(choice, parts, lambda left, right: ranks.get(left + right), add)
    return [ranks[part] for part in merged]


def _longest_token(piece: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    ids, at = [], 0
    while at < len(piece):
        ends = range(len(piece), at, -1)
        end = next((end for end in ends if piece[at:end] in ranks), at + 1)
        ids.append(ranks[piece[at:end]])
        at = end
    return ids


def _without_merges(piece: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    return [ranks[piece[at : at + 1]] for at in range(len(piece))]


def ways_to_merge(ranks: Mapping[bytes, int]) -> dict[str, Pieces]:
    """Return the ids of pre-tokens if their bytes are merged by the ranks in another way."""
    chosen = {
        what: _OtherPieceIds(ranks, partial(_merge, choice))
        for what, choice in choices(len(ranks)).items()
    }
    others: dict[str, Merge] = {
        "the longest token counts": _longest_token,
        "a pre-token that is a token is merged, too": lambda piece, ranks: [
            *merged_ids(piece, ranks)
        ],
        "nothing is merged": _without_merges,
    }
    return {
        **{what: _TokenOrOther(pieces) for what, pieces in chosen.items()},
        **{what: _OtherPieceIds(ranks, merge) for what, merge in others.items()},
        **{what + ALL_MERGED: pieces for what, pieces in chosen.items()},
    }


def _halves(piece: bytes, _: int) -> list[bytes]:
    middle = len(piece) // 2
    return [piece[:middle], piece[middle:]]


def _head_and_bytes(piece: bytes, limit: int) -> list[bytes]:
    return [piece[:limit], *(piece[at : at + 1] for at in range(limit, len(piece)))]


def _parts(piece: bytes, limit: int) -> list[bytes]:
    return [piece[at : at + limit] for at in range(0, len(piece), limit)]


LIMITED: Final[Mapping[str, Cut]] = {
    "only the first {:,} bytes of a pre-token are merged": _head_and_bytes,
    "pre-tokens of more than {:,} bytes are merged in halves": _halves,
    "each {:,} bytes of a pre-token are merged by themselves": _parts,
}


def _shortened(ranks: Mapping[bytes, int]) -> Iterator[tuple[str, Mapping[bytes, int]]]:
    """Yield ranks without the token that a reader mistakes for a header or the end of the file."""
    merged = [token for token in ranks if len(token) > 1]
    if merged:
        for place, find in (("first", min), ("last", max)):
            gone = find(merged, key=ranks.__getitem__)
            shortened = {token: rank for token, rank in ranks.items() if token != gone}
            text = gone.decode("utf-8", "replace")
            yield f"the {place} merge, of {text!a}, is gone", shortened


def with_edit(tokenizer: ByteBPE, pieces: PieceIds, edit: Edit) -> EditedTokens:
    """Return a tokenizer without some tokens, or with the ranks of two exchanged.

    A token keeps its id. ``pieces`` are the ids of the tokenizer's pre-tokens.
    """
    exchanged = edit.get("exchanged", ())
    new = dict(zip(exchanged, exchanged[::-1], strict=True))
    places: dict[int, int | None] = {**dict.fromkeys(edit.get("gone", ())), **new}
    tokens = {number: tokenizer.decode_single_token_bytes(number) for number in places}
    encode = _encoder(
        tokenizer,
        pieces.edited(
            {
                token: places[number]
                for number, token in tokens.items()
                if tokenizer.ranks.get(token) == number
            }
        ),
    )
    if not new:
        return EditedTokens(encode, tokenizer.decode)
    return EditedTokens(
        lambda text: [new.get(number, number) for number in encode(text)], tokenizer.decode
    )
