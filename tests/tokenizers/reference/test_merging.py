"""

Ports that choose the pair to merge next in another way, or end a loop too early.
"""

from __future__ import annotations

from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.byte_bpe_alterations import ways_to_merge
from tokharness_tokenizers.reference.departing_models import departing_models
from tokharness_tokenizers.reference.merging import (
    CHOICES,
    LONG_PIECE,
    NOT_FIRST,
    NOT_LAST,
    UNTIL_FIRST,
    UNTIL_LAST,
    UNTIL_TWO,
    PieceIds,
    choices,
    encode_piece,
    merge,
    merge_long,
    merge_short,
    merged_by,
)
from tokharness_tokenizers.reference.models.bpe import BPE

BYTES = {bytes([byte]): byte for byte in range(256)}


@st.composite
def ranks_over_a_and_b(draw: st.DrawFn) -> dict[bytes, int]:
    """Any tokens of two letters with any ranks, also such as training never makes."""
    letters = st.text(alphabet="ab", min_size=2, max_size=6).map(str.encode)
    tokens = draw(st.lists(letters, max_size=12, unique=True))
    return BYTES | {token: 256 + index for index, token in enumerate(tokens)}


def test_the_pair_of_lowest_rank_merges_first() -> None:
    assert merge(b"abc", BYTES | {b"bc": 256, b"ab": 257}) == [b"a", b"bc"]
    assert merge(b"abc", BYTES | {b"bc": 257, b"ab": 256}) == [b"ab", b"c"]


def test_of_equal_pairs_the_leftmost_merges_first() -> None:
    assert merge(b"aaa", BYTES | {b"aa": 256}) == [b"aa", b"a"]


def test_a_merge_may_make_a_pair_of_lower_rank() -> None:
    # abb has a lower rank than ab, which it is merged from.
    ranks = BYTES | {b"abb": 256, b"ab": 257}
    assert merge(b"abbab", ranks) == [b"abb", b"ab"]


@pytest.mark.parametrize("piece", [b"", b"a", b"ab"])
def test_pieces_too_short_to_merge_are_their_bytes(piece: bytes) -> None:
    parts = [bytes([byte]) for byte in piece]
    assert merge(piece, BYTES) == merge_short(piece, BYTES) == merge_long(piece, BYTES) == parts


@given(ranks_over_a_and_b(), st.text(alphabet="ab", max_size=40).map(str.encode))
def test_the_fast_paths_merge_like_the_textbook(ranks: dict[bytes, int], piece: bytes) -> None:
    expected = merge(piece, ranks)
    assert merge_short(piece, ranks) == expected
    assert merge_short(piece, ranks, PieceIds(ranks).pairs_of_bytes) == expected
    assert merge_long(piece, ranks) == expected


@pytest.mark.slow
@given(
    ranks_over_a_and_b(), st.text(alphabet="ab", min_size=LONG_PIECE, max_size=300).map(str.encode)
)
def test_long_pieces_merge_like_the_textbook(ranks: dict[bytes, int], piece: bytes) -> None:
    assert merge_long(piece, ranks) == merge(piece, ranks)
    assert encode_piece(piece, ranks) == tuple(ranks[part] for part in merge(piece, ranks))


def test_a_piece_that_is_a_token_needs_no_merges() -> None:
    ranks = BYTES | {b"abc": 256}
    assert merge(b"abc", ranks) == [b"a", b"b", b"c"]
    assert encode_piece(b"abc", ranks) == (256,)


@given(ranks_over_a_and_b(), st.text(alphabet="ab", max_size=2 * LONG_PIECE))
def test_pieces_have_the_ids_of_the_textbook(ranks: dict[bytes, int], piece: str) -> None:
    whole = piece.encode()
    parts = [whole] if whole in ranks else merge(whole, ranks)
    assert PieceIds(ranks)[piece] == tuple(ranks[part] for part in parts)


@pytest.mark.slow
def test_a_long_piece_is_not_merged_in_quadratic_time() -> None:
    # Quadratic time would be hours here.
    ranks = BYTES | {b" " * 2**power: 255 + power for power in range(1, 7)}
    assert encode_piece(b" " * 300_000, ranks) == (261,) * 4687 + (260,)


@pytest.mark.slow
def test_the_cache_of_pieces_is_bounded() -> None:
    ranks = {**BYTES, **{b"%02d" % number: 256 + number for number in range(100)}}
    cache = PieceIds(ranks)
    assert cache["a12"] == (97, 268)
    assert cache["1" * (PieceIds.max_length + 2)] == (267,) * (PieceIds.max_length // 2 + 1)
    assert list(cache) == ["a12"]
    for number in range(PieceIds.max_pieces):
        _ = cache[f"b{number}"]
    assert 0 < len(cache) <= PieceIds.max_pieces
    assert cache["a12"] == (97, 268)


def test_the_cache_of_long_pieces_is_bounded() -> None:
    cache = PieceIds({**BYTES, b"11": 256})
    for length in (100, PieceIds.max_long_characters - 100, 200, PieceIds.max_long_characters + 1):
        long = "1" * length
        assert cache[long] == (256,) * (length // 2) + (ord("1"),) * (length % 2)
    assert list(cache.long) == ["1" * 200]
    assert cache["1" * 200] is cache["1" * 200]


def test_pieces_with_nothing_to_merge_are_not_cached() -> None:
    cache = PieceIds({**BYTES, b"abc": 256})
    assert (cache["ab"], cache["abc"], cache["\u00e9"]) == ((97, 98), (256,), (195, 169))
    assert list(cache) == ["abc"]
    with pytest.raises(KeyError, match="no token stands for the byte 0xA9"):
        PieceIds({token: rank for token, rank in BYTES.items() if token != b"\xa9"})["\u00e9"]


RANKS = {"ab": 0, "bc": 1, "cd": 2, "aa": 3}


@pytest.mark.parametrize(
    ("what", "text", "tokens"),
    [
        ("the rightmost of equal pairs is merged first", "aaa", "a aa"),
        ("the pair with the highest rank is merged first", "abcd", "ab cd"),
        ("the pair with the highest rank is merged first", "abc", "a bc"),
        ("the first pair of a pre-token is not merged", "abc", "a bc"),
        ("the last pair of a pre-token is not merged", "cab", "c a b"),
        ("the last two tokens of a pre-token are not merged", "ab", "a b"),
        ("the last two tokens of a pre-token are not merged", "abx", "ab x"),
        ("merging ends when the first pair of a pre-token is next", "abcd", "a b c d"),
        ("merging ends when the first pair of a pre-token is next", "xabc", "x ab c"),
        ("merging ends when the last pair of a pre-token is next", "bcab", "b c a b"),
        ("merging ends when the last pair of a pre-token is next", "abcx", "ab c x"),
    ],
)
def test_another_pair_is_chosen(what, text, tokens):
    assert merged_by(CHOICES[what], [*text], lambda a, b: RANKS.get(a + b), add) == tokens.split()


def test_ranks_are_compared_as_text():
    ranks = {"ab": 9, "bc": 10}
    merged = merged_by(
        CHOICES["ranks are compared as text"], [*"abc"], lambda a, b: ranks.get(a + b), add
    )
    assert merged == ["a", "bc"]


@given(
    st.sampled_from([*CHOICES, "only 16 bits of a rank count"]),
    st.lists(st.sampled_from(["ab", "bc", "cd", "aa", "abc", "aab", "bcd", "aaa", "abcd"])),
    st.text("abcd", max_size=12),
)
def test_a_choice_merges_the_pair_that_it_chooses_of_all(what, tokens, text):
    choice, rank_of = (
        choices(0x1_0002)[what],
        {token: at * 0x8001 for at, token in enumerate(tokens)},
    )
    parts = [*text]
    while True:
        pairs = [
            (choice.key(rank, at), at)
            for at, pair in enumerate(map(add, parts, parts[1:]))
            if (rank := rank_of.get(pair)) is not None
            and not (choice.limit == NOT_FIRST and at == 0)
            and not (choice.limit == NOT_LAST and at == len(parts) - 2)
        ]
        place = min(pairs)[1] if pairs else None
        ends = {UNTIL_FIRST: place == 0, UNTIL_LAST: place == len(parts) - 2}
        if (
            place is None
            or ends.get(choice.limit)
            or (choice.limit == UNTIL_TWO and len(parts) == 2)
        ):
            break
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    assert merged_by(choice, [*text], lambda a, b: rank_of.get(a + b), add) == parts


@pytest.mark.parametrize(
    ("ranks", "tokens"),
    [((0x1_0001, 2), "ab c"), ((1, 0x1_0000), "a bc"), ((1, 2), "ab c")],
)
def test_a_rank_may_keep_only_sixteen_bits(ranks, tokens):
    what, rank_of = "only 16 bits of a rank count", dict(zip(("ab", "bc"), ranks, strict=True))
    choice = choices(0x1_0002)[what]
    assert merged_by(choice, [*"abc"], lambda a, b: rank_of.get(a + b), add) == tokens.split()
    assert what not in choices(0x1_0000)


@pytest.mark.parametrize("what", CHOICES)
def test_characters_are_merged_by_each_choice_as_bytes_are(what):
    letters = dict(zip("abcdx", range(5), strict=True))
    merges = [(pair[0], pair[1]) for pair in RANKS]
    ids = letters | {pair: 5 + rank for pair, rank in RANKS.items()}
    of_bytes = ways_to_merge({token.encode(): number for token, number in ids.items()})[
        f"{what}, as in a pre-token that is a token"
    ]
    of_characters = dict(departing_models(BPE(ids, merges)))[what]
    for text in ("aaa", "abcd", "cab", "ab", "xbcd"):
        assert [*of_bytes[text]] == [n for n, _ in of_characters.tokens(text)], text


def test_a_pre_token_that_is_a_token_needs_no_merge():
    ranks = {b"a": 0, b"b": 1, b"ab": 2}
    what = "the last pair of a pre-token is not merged"
    ways = ways_to_merge(ranks)
    assert ways[what]["ab"] == (2,)
    assert ways[f"{what}, as in a pre-token that is a token"]["ab"] == (0, 1)
