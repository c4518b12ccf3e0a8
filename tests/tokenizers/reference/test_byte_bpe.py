from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.merging import merge
from tokharness_tokenizers.reference.patterns import R50K

BYTES = {bytes([byte]): byte for byte in range(256)}
PLAIN = ByteBPE(
    "plain",
    R50K,
    BYTES | {b"he": 256, b"ll": 257, b"hell": 258, b"hello": 259, b" hello": 260, b"\xc3\xa9": 261},
    {"<|end|>": 300, "<|end|>more": 301, "<|start|>": 302},
)
ANY_TEXT = st.text(alphabet=st.characters(codec=None))  # surrogates too


@given(st.text())
def test_text_round_trips(text: str) -> None:
    assert PLAIN.decode(PLAIN.encode_ordinary(text)) == text


@given(st.text(alphabet="helo \u00e9\n", max_size=30))
def test_ids_are_those_of_the_textbook(text: str) -> None:
    pieces = [merge(piece.encode(), PLAIN.ranks) for piece in PLAIN.pretokens(text)]
    expected = [PLAIN.ranks[token] for piece in pieces for token in piece]
    assert PLAIN.encode_ordinary(text) == expected


@given(st.binary())
def test_any_bytes_round_trip(data: bytes) -> None:
    assert PLAIN.decode_bytes(PLAIN.encode_bytes(data)) == data


@given(st.text())
def test_bytes_of_text_are_encoded_as_the_text(text: str) -> None:
    assert PLAIN.encode_bytes(text.encode()) == PLAIN.encode_ordinary(text)


@pytest.mark.slow
def test_many_invalid_bytes_take_linear_time() -> None:
    data = b"a\xff" * 200_000
    assert PLAIN.encode_bytes(data) == [97, 255] * 200_000


@given(ANY_TEXT)
def test_surrogates_are_joined_or_replaced_at_every_entry_point(text: str) -> None:
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    ids = PLAIN.encode_ordinary(joined)
    assert PLAIN.encode_ordinary(text) == ids
    assert PLAIN.encode(text, disallowed_special=()) == ids
    assert PLAIN.encode_special(text) == PLAIN.encode_special(joined)
    assert PLAIN.encode_with_offsets(text)[0] == ids
    assert PLAIN.encode_batch([text]) == [ids]
    assert PLAIN.count(text) == len(ids)
    assert "".join(PLAIN.pretokens(text)) == joined


@given(ANY_TEXT)
def test_offsets_are_monotone_and_cover_the_text(text: str) -> None:
    ids, spans = PLAIN.encode_with_offsets(text)
    assert len(ids) == len(spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    assert [end for _, end in spans] == sorted(end for _, end in spans)
    assert {index for start, end in spans for index in range(start, end)} == set(range(len(text)))


def test_tokens_inside_a_character_cover_the_whole_character() -> None:
    _, spans = PLAIN.encode_with_offsets("hello\u20ac\u00e9!")
    assert spans == [(0, 5), (5, 6), (5, 6), (5, 6), (6, 7), (7, 8)]


def test_offsets_count_both_halves_of_a_surrogate_pair() -> None:
    _, spans = PLAIN.encode_with_offsets("\ud83d\ude00\ud800x\U0001f600")
    assert spans == [(0, 2)] * 4 + [(2, 3)] * 3 + [(3, 4)] + [(4, 5)] * 4


def test_a_special_token_is_refused_by_default_and_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"'<\|start\|>' at 2"):
        PLAIN.encode("a <|start|>")


def test_special_tokens_are_recognized_where_allowed_only() -> None:
    text = "hello<|start|>hello<|end|>"
    start, end = PLAIN.encode_ordinary("<|start|>"), PLAIN.encode_ordinary("<|end|>")
    assert PLAIN.encode_special(text) == [259, 302, 259, 300]
    assert PLAIN.encode(text, allowed_special={"<|end|>"}, disallowed_special=()) == [
        *(259, *start, 259),
        300,
    ]
    assert PLAIN.encode(text, disallowed_special={"nowhere"}) == [259, *start, 259, *end]
    assert PLAIN.encode_ordinary(text) == [259, *start, 259, *end]


def test_a_disallowed_special_token_is_refused_even_if_allowed() -> None:
    with pytest.raises(ValueError, match=r"<\|end\|>"):
        PLAIN.encode("<|end|>", allowed_special="all", disallowed_special={"<|end|>"})


def test_of_two_special_tokens_at_one_position_the_longer_is_used() -> None:
    assert PLAIN.encode_special("<|end|>more<|end|>") == [301, 300]


def test_text_between_special_tokens_is_split_separately() -> None:
    assert PLAIN.encode_special("  <|end|>hello") == [32, 32, 300, 259]


@given(st.lists(st.sampled_from([*range(262), 300, 301, 302])))
def test_a_joined_stream_is_the_decoded_text(ids: list[int]) -> None:
    pieces = list(PLAIN.decode_stream(ids))
    assert "".join(pieces) == PLAIN.decode(ids)
    assert "" not in pieces


def test_a_stream_yields_a_character_when_it_is_complete() -> None:
    assert list(PLAIN.decode_stream([0xE2, 0x82, 0xAC, 0xE2])) == ["\u20ac", "\ufffd"]


@pytest.mark.parametrize("token", [262, 299, 303, -1, 10**9])
def test_an_unknown_id_is_a_key_error_with_the_id(token: int) -> None:
    for decode in (PLAIN.decode, PLAIN.decode_bytes, lambda ids: list(PLAIN.decode_stream(ids))):
        with pytest.raises(KeyError, match=str(token)):
            decode([97, token])
    with pytest.raises(KeyError, match=str(token)):
        PLAIN.decode_single_token_bytes(token)


def test_errors_handles_invalid_utf8() -> None:
    assert PLAIN.decode([255]) == "\ufffd"
    assert PLAIN.decode([255], errors="ignore") == ""
    with pytest.raises(UnicodeDecodeError):
        PLAIN.decode([255], errors="strict")


def test_special_tokens_decode_to_their_text() -> None:
    assert PLAIN.decode([302, 259]) == "<|start|>hello"
    assert PLAIN.decode_single_token_bytes(302) == b"<|start|>"


def test_attributes() -> None:
    assert PLAIN.n_vocab == 303
    assert PLAIN.name == "plain"
    assert PLAIN.pattern == R50K
    assert PLAIN.unicode_version == versions.REGEX_VERSION
    assert "97" not in repr(PLAIN)


def test_another_unicode_version_shares_the_ranks_and_splits_differently() -> None:
    pinned = PLAIN.with_unicode_version("14.0.0")
    assert pinned.unicode_version == "14.0"
    assert pinned.ranks is PLAIN.ranks
    assert pinned._ids_of is PLAIN._ids_of
    new = "a\U0001e4d0"  # NAG MUNDARI LETTER O, of Unicode 15.0
    assert pinned.pretokens(new) == ["a", "\U0001e4d0"]
    assert PLAIN.with_unicode_version("15.0").pretokens(new) == [new]
    assert pinned.decode(pinned.encode(new)) == new


@pytest.mark.parametrize("text", ["A", "aA", "aA" * 99])
def test_a_byte_without_a_token_raises_where_it_remains(text: str) -> None:
    tokens = {token: rank for token, rank in BYTES.items() if token != b"A"}
    holed = ByteBPE("x", R50K, tokens | {b"BA": 256})
    assert holed.encode_ordinary("BAaBA") == [256, 97, 256]
    for encode in (holed.encode_ordinary, lambda text: holed.encode_bytes(text.encode())):
        with pytest.raises(KeyError, match="no token stands for the byte 0x41"):
            encode(text)


def test_a_second_id_of_a_token_is_decoded_but_never_encoded() -> None:
    twice = ByteBPE("x", R50K, BYTES | {b"ab": 300}, other_ids={256: b"ab"})
    assert twice.encode_ordinary("ab") == [300]
    assert twice.decode([300, 256]) == "abab"
    assert (twice.n_vocab, twice.conflicting_tokens) == (301, {256: b"ab"})
    assert twice.with_unicode_version("15.0").decode([256]) == "ab"


def test_an_id_shared_with_a_special_token_is_decoded_as_the_ordinary_token() -> None:
    shared = ByteBPE("x", R50K, BYTES | {b"ab": 256}, {"<|end|>": 256, "<|more|>": 257})
    assert shared.encode_special("<|end|>ab") == [256, 256]
    assert shared.decode([256, 257]) == "ab<|more|>"
    assert shared.conflicting_tokens == {256: b"ab"}


def test_two_tokens_with_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="two tokens with one id"):
        ByteBPE("x", R50K, BYTES | {b"ab": 7})
    with pytest.raises(ValueError, match="two tokens with one id"):
        ByteBPE("x", R50K, BYTES, other_ids={7: b"ab"})


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ({"": 300}, "is not a valid text: ''"),
        ({"\ud800": 300}, "is not a valid text"),
    ],
)
def test_invalid_special_tokens_are_refused(special: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ByteBPE("x", R50K, BYTES, special)


@pytest.mark.parametrize(
    ("what", "parts"),
    [
        (
            "only the first 16 bytes of a pre-token are merged",
            ["internationaliza", "t", "i", "o", "n"],
        ),
        (
            "pre-tokens of more than 16 bytes are merged in halves",
            ["internatio", "nalization"],
        ),
        (
            "each 16 bytes of a pre-token are merged by themselves",
            ["internationaliza", "tion"],
        ),
    ],
)
def test_a_pre_token_above_a_limit_is_merged_in_parts(
    embedded: ByteBPE, what: str, parts: list[str]
) -> None:
    rows = {what: ids for _, what, ids in embedded.encode_altered_further("internationalization")}
    assert rows[what] == [number for part in parts for number in embedded.encode(part)]
    assert what.replace("16", "20") not in rows
