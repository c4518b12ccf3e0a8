"""Faults in byte-pair encoding: the merges that turn the bytes of a pre-token into tokens."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import tiktoken

from planted._builders import engine, merge_by, tokenizer_with, vocabulary
from planted._registry import fault
from tokharness_tokenizers.reference.merging import LONG_PIECE, merge_long, merge_short

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace


def _merge(piece: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    return (merge_short if len(piece) < LONG_PIECE else merge_long)(piece, ranks)


def _with_swapped_ranks(one: bytes, other: bytes) -> SimpleNamespace:
    """Merge by the order of swapped ranks, and keep the ids of the tokens.

    By tiktoken: all scalar values take ten seconds in Python, and a third of one here.
    """
    ranks = vocabulary().ranks
    swapped = {**ranks, one: ranks[other], other: ranks[one]}
    merges = tiktoken.Encoding(
        "swapped", pat_str=vocabulary().pattern, mergeable_ranks=swapped, special_tokens={}
    )
    own_ids = {ranks[other]: ranks[one], ranks[one]: ranks[other]}

    def encode(text: str) -> list[int]:
        ids = merges.encode_ordinary(text)
        return ids if own_ids.keys().isdisjoint(ids) else [own_ids.get(i, i) for i in ids]

    return tokenizer_with(encode=encode)


def _merge_64_bytes(piece: bytes) -> list[bytes]:
    rest = [piece[at : at + 1] for at in range(64, len(piece))]
    return merge_short(piece[:64], vocabulary().ranks) + rest


@fault(
    "TOK201",
    cause="model: only the first 64 bytes of a pre-token are merged",
    families=["long-inputs"],
    against="tiktoken:embedded",
    longest=70,
)
def merges_sixty_four_bytes_only() -> SimpleNamespace:
    """Merges the first 64 bytes of a pre-token and leaves the rest as single bytes."""
    return merge_by(_merge_64_bytes)


@fault(
    "TOK201", cause="model: b'he' and b'th'", families=["plain-words"], against="tiktoken:embedded"
)
def merges_swap_two_ranks() -> SimpleNamespace:
    """Merges with two ranks swapped, as in a file that was sorted by hand."""
    return _with_swapped_ranks(b"th", b"he")


@fault(
    "TOK201",
    cause="model: the last 10 tokens are not made",
    families=["vocabulary-tokens"],
    against="tiktoken:embedded",
    longest=12,
)
def merges_end_ten_too_early() -> SimpleNamespace:
    """Lacks the last ten merges and their tokens, as a file that was cut off at its end."""
    known = dict(sorted(vocabulary().ranks.items(), key=lambda item: item[1])[:-10])
    by_id = {rank: token for token, rank in known.items()}
    shortened = merge_by(lambda piece: _merge(piece, known))
    shortened.n_vocab = max(by_id) + 1
    shortened.decode_single_token_bytes = by_id.__getitem__
    return shortened


@fault(
    "TOK201",
    cause="vocabulary: further ids",
    families=["vocabulary-tokens"],
    against="tiktoken:embedded",
    longest=12,
)
def merges_end_ten_too_late() -> SimpleNamespace:
    """Has ten merges and their tokens below the last one, as a file that was trained longer."""
    ends = (b"ly", b"ed", b"er", b"ing", b"es", b"al", b"en", b"or", b"an", b"it")
    tokens = [b" Kqu", *(b" Kqu" + end for end in ends)]
    first = vocabulary().n_vocab
    known = {**vocabulary().ranks, **{token: first + at for at, token in enumerate(tokens)}}
    by_id = {rank: token for token, rank in known.items()}

    def encode(text: str) -> list[int]:
        words = (_merge(piece.encode(), known) for piece in vocabulary().pretokens(text))
        return [known[token] for word in words for token in word]

    return tokenizer_with(
        encode=encode,
        decode=lambda ids: b"".join(map(by_id.__getitem__, ids)).decode("utf-8", "replace"),
        decode_single_token_bytes=by_id.__getitem__,
        n_vocab=max(by_id) + 1,
    )


@fault(
    "TOK201",
    cause="model: b'ila' and b'aeg'",
    families=["merge-orders"],
    against="tiktoken:embedded",
    profile="standard",
)
def merges_swap_two_rare_ranks() -> SimpleNamespace:
    """Merges with the ranks of two rare tokens swapped, which compete in few texts."""
    return _with_swapped_ranks(b"ila", b"aeg")


def _merge_rightmost_first(piece: bytes) -> list[bytes]:
    ranks, parts = vocabulary().ranks, [piece[at : at + 1] for at in range(len(piece))]
    while True:
        pairs = [
            (ranks[left + right], -at)
            for at, (left, right) in enumerate(pairwise(parts))
            if left + right in ranks
        ]
        if not pairs:
            return parts
        at = -min(pairs)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]


@fault(
    "TOK201",
    cause="model: the rightmost of equal pairs is merged first",
    families=["short-strings"],
    against="tiktoken:embedded",
)
def merges_the_rightmost_first() -> SimpleNamespace:
    """Merges the rightmost of equal pairs first, where the algorithm takes the leftmost."""
    return merge_by(_merge_rightmost_first)


LARGE = 500
"""Bytes from which a port takes another algorithm, with a heap of pairs."""


@fault(
    "TOK201",
    cause="model: the rightmost of equal pairs is merged first",
    families=["long-inputs"],
    against="tiktoken:embedded",
    longest=500,
)
def merges_the_rightmost_first_in_large_pre_tokens() -> SimpleNamespace:
    """Merges the rightmost of equal pairs first in a pre-token of 500 bytes or more."""

    def merge(piece: bytes) -> list[bytes]:
        ranks = vocabulary().ranks
        return _merge_rightmost_first(piece) if len(piece) >= LARGE else _merge(piece, ranks)

    return merge_by(merge)


@fault("TOK303", cause="costly surroundings", families=["zero-width"], longest=40)
def spells_texts_with_joiners_in_bytes() -> SimpleNamespace:
    """Leaves its fast path at U+200D and gives one token per byte of the whole text."""
    ranks, encode = vocabulary().ranks, engine().encode_ordinary

    def encode_or_spell(text: str) -> list[int]:
        if "\u200d" not in text:
            return encode(text)
        return [ranks[bytes([byte])] for byte in text.encode("utf-8", "replace")]

    return tokenizer_with(encode=encode_or_spell)


def _longest_tokens(piece: bytes) -> list[bytes]:
    ranks, parts, at = vocabulary().ranks, [], 0
    while at < len(piece):
        size = next(n for n in range(len(piece) - at, 0, -1) if piece[at : at + n] in ranks)
        parts.append(piece[at : at + size])
        at += size
    return parts


@fault(
    "TOK201",
    cause="model: the longest token counts",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def takes_the_longest_token() -> SimpleNamespace:
    """Takes the longest token at each position, as WordPiece does, instead of merging by rank."""
    return merge_by(_longest_tokens)


def _merge_halves(piece: bytes) -> list[bytes]:
    ranks, middle = vocabulary().ranks, len(piece) // 2
    if len(piece) <= 16:
        return merge_short(piece, ranks)
    return merge_short(piece[:middle], ranks) + merge_short(piece[middle:], ranks)


@fault(
    "TOK201",
    cause="model: pre-tokens of more than 16 bytes are merged in halves",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def takes_the_longest_token_of_sixteen_bytes() -> SimpleNamespace:
    """Merges a pre-token of more than 16 bytes as two separate halves."""
    return merge_by(_merge_halves)


def _merge_highest_rank_first(piece: bytes) -> list[bytes]:
    ranks, parts = vocabulary().ranks, [piece[at : at + 1] for at in range(len(piece))]
    while pairs := [
        (-ranks[left + right], at)
        for at, (left, right) in enumerate(pairwise(parts))
        if left + right in ranks
    ]:
        at = min(pairs)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


@fault(
    "TOK201",
    cause="model: the pair with the highest rank is merged first",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def merges_the_highest_rank_first() -> SimpleNamespace:
    """Merges the pair with the highest rank first: ``min`` became ``max``."""
    return merge_by(_merge_highest_rank_first)


def _merge_all_but_the_last_pair(piece: bytes) -> list[bytes]:
    ranks, parts = vocabulary().ranks, [piece[at : at + 1] for at in range(len(piece))]
    while pairs := [
        (ranks[parts[at] + parts[at + 1]], at)
        for at in range(len(parts) - 2)
        if parts[at] + parts[at + 1] in ranks
    ]:
        at = min(pairs)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


@fault(
    "TOK201",
    cause="model: the last pair of a pre-token is not merged",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def looks_at_all_but_the_last_pair() -> SimpleNamespace:
    """Ends the loop over pairs a step too early."""
    return merge_by(_merge_all_but_the_last_pair)


@fault(
    "TOK201",
    cause="merge order",
    families=["merge-orders", "plain-words"],
    against="tiktoken:embedded",
)
def merges_in_an_order_of_its_own() -> SimpleNamespace:
    """Merges by ranks that were shuffled: narrow causes that fit some texts are no findings."""
    size = len(vocabulary().ranks)
    order = {token: rank * 7919 % (size + 1) for token, rank in vocabulary().ranks.items()}
    return merge_by(lambda piece: _merge(piece, order))


@fault(
    "TOK201",
    cause="model: the last 8,192 tokens are not made",
    families=["code", "plain-words"],
    against="tiktoken:embedded",
)
def ids_have_thirteen_bits() -> SimpleNamespace:
    """Makes no token whose id needs more than thirteen bits."""
    ranks = {token: rank for token, rank in vocabulary().ranks.items() if rank < 1 << 13}
    return merge_by(lambda piece: _merge(piece, ranks))


def _until_the_last_pair(piece: bytes) -> list[bytes]:
    ranks, parts = vocabulary().ranks, [bytes([byte]) for byte in piece]
    if piece in ranks:
        return [piece]
    while pairs := [
        (ranks[left + right], at)
        for at, (left, right) in enumerate(pairwise(parts))
        if left + right in ranks
    ]:
        _, best = min(pairs)
        if best == len(parts) - 2:
            break
        parts[best : best + 2] = [parts[best] + parts[best + 1]]
    return parts


@fault(
    "TOK201",
    cause="model: merging ends when the last pair of a pre-token is next",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def merges_until_the_last_pair_is_next() -> SimpleNamespace:
    """Looks for the best pair, and does not find the last one again, as of a range one short."""
    return merge_by(_until_the_last_pair)


def _merge_one_pair_of_each(piece: bytes) -> list[bytes]:
    ranks, parts = vocabulary().ranks, [piece[at : at + 1] for at in range(len(piece))]

    def is_listed(left: bytes, right: bytes) -> bool:
        token = left + right
        cuts = [at for at in range(1, len(token)) if {token[:at], token[at:]} <= ranks.keys()]
        return token in ranks and len(left) == max(cuts)

    while pairs := [at for at, pair in enumerate(pairwise(parts)) if is_listed(*pair)]:
        at = min(pairs, key=lambda at: (ranks[parts[at] + parts[at + 1]], at))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


@fault(
    "TOK201",
    cause="model: each token has one merge: its left part is the longest",
    families=["merge-orders", "plain-words"],
    against="tiktoken:embedded",
    longest=16,
)
def has_one_merge_of_each_token() -> SimpleNamespace:
    """Has a list with one pair for each token, where any two tokens that join to it count."""
    return merge_by(_merge_one_pair_of_each)
