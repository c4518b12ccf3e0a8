from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.models.bpe import BPE, merge, merge_by_heap, merge_by_scan

Merges = dict[tuple[int, int], tuple[int, int]]

ALPHABET = ["a", "b", "c"]
BYTES = {f"<0x{byte:02X}>": 100 + byte for byte in range(256)}


def model(*merges: str, unknown: str | None = None, extra: dict[str, int] | None = None, **options):
    """A BPE whose vocabulary is the alphabet, the unknown token, what merges make, and others."""
    pairs = [tuple(one.split()) for one in merges]
    names = [*ALPHABET, *([unknown] if unknown else []), *("".join(pair) for pair in pairs)]
    vocabulary = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return BPE(vocabulary | (extra or {}), pairs, unknown=unknown, **options)


def texts(bpe: BPE, word: str) -> list[str]:
    names = {number: name for name, number in bpe.vocabulary.items()}
    return [names[number] for number, _ in bpe.tokens(word)]


@st.composite
def parts_and_merges(draw: st.DrawFn) -> tuple[list[tuple[int, int]], Merges]:
    """Tokens of a few kinds, and merges of which some make tokens that are there already."""
    kinds = st.integers(0, 5)
    pairs = draw(st.lists(st.tuples(kinds, kinds), unique=True, max_size=12))
    merged = draw(st.lists(kinds, min_size=len(pairs), max_size=len(pairs)))
    numbers = draw(st.lists(st.integers(0, 3), max_size=40))
    merges = {
        pair: (rank, made) for rank, (pair, made) in enumerate(zip(pairs, merged, strict=True))
    }
    return [(number, 1) for number in numbers], merges


@given(parts_and_merges())
def test_the_fast_merges_are_the_plain_one(case: tuple[list[tuple[int, int]], Merges]) -> None:
    parts, merges = case
    assert merge_by_heap(parts, merges) == merge(parts, merges)
    assert merge_by_scan(list(parts), merges) == merge(parts, merges)


@given(st.text(alphabet="abc", max_size=30), st.permutations(["a b", "b c", "ab c", "a bc", "a a"]))
def test_tokens_cover_the_word_in_order(word: str, merges: list[str]) -> None:
    # "ab c" and "a bc" make one token in two ways.
    bpe = model(*merges)
    assert "".join(texts(bpe, word)) == word
    assert [length for _, length in bpe.tokens(word)] == [len(text) for text in texts(bpe, word)]


def test_the_first_merge_of_the_list_comes_first() -> None:
    assert texts(model("b c", "a b"), "abc") == ["a", "bc"]
    assert texts(model("a b", "b c"), "abc") == ["ab", "c"]


def test_of_equal_pairs_the_leftmost_is_merged() -> None:
    assert texts(model("a a"), "aaaaa") == ["aa", "aa", "a"]


def test_a_token_that_no_merge_makes_is_not_used() -> None:
    bpe = model("a b", extra={"abc": 50})
    assert texts(bpe, "abc") == ["ab", "c"]


def test_ignore_merges_takes_a_word_that_is_a_token() -> None:
    bpe = model("a b", extra={"abc": 50}, ignore_merges=True)
    assert bpe.tokens("abc") == [(50, 3)]
    assert texts(bpe, "abca") == ["ab", "c", "a"]


def test_a_pair_that_is_twice_in_the_list_has_its_last_place() -> None:
    assert texts(model("a b", "b c", "a b"), "abc") == ["a", "bc"]


def test_an_unknown_character_is_left_out_without_an_unknown_token() -> None:
    assert texts(model("a b"), "a\u4e2db") == ["ab"]
    assert model("a b").tokens("\u4e2d") == []


def test_an_unknown_character_is_the_unknown_token() -> None:
    assert texts(model(unknown="?"), "a\u4e2d\u4e2db") == ["a", "?", "?", "b"]


def test_neighbouring_unknown_characters_can_be_one_token() -> None:
    bpe = model(unknown="?", fuse_unknown=True)
    unknown = bpe.vocabulary["?"]
    assert bpe.tokens("\u4e2d\u4e2da\u4e2d") == [(unknown, 2), (0, 1), (unknown, 1)]


def test_an_unknown_token_that_the_vocabulary_lacks_is_an_error() -> None:
    bpe = BPE({"a": 0}, [], unknown="<unk>")
    assert bpe.tokens("a") == [(0, 1)]
    with pytest.raises(KeyError, match="lacks the unknown token '<unk>'"):
        bpe.tokens("b")


def test_the_bytes_of_an_unknown_character_are_tokens() -> None:
    bpe = model(unknown="?", byte_fallback=True, extra=BYTES)
    assert bpe.tokens("a\u4e2d") == [(0, 1), (0xE4 + 100, 1), (0xB8 + 100, 0), (0xAD + 100, 0)]


def test_a_character_is_unknown_if_one_of_its_bytes_has_no_token() -> None:
    some = {name: number for name, number in BYTES.items() if name != "<0xAD>"}
    bpe = model(unknown="?", byte_fallback=True, extra=some)
    assert texts(bpe, "\u4e2da") == ["?", "a"]
    # Tokens have the order of their characters; the library would put the unknown token last.
    assert texts(bpe, "\u4e2d\xe9") == ["?", "<0xC3>", "<0xA9>"]


def test_tokens_of_bytes_end_a_run_of_unknown_characters() -> None:
    some = {name: number for name, number in BYTES.items() if name != "<0xAD>"}
    bpe = model(unknown="?", byte_fallback=True, fuse_unknown=True, extra=some)
    assert texts(bpe, "\u4e2d\u4e2d\xe9\u4e2d") == ["?", "<0xC3>", "<0xA9>", "?"]


def test_tokens_of_bytes_are_merged_too() -> None:
    merged = {"<0xC3><0xA9>": 50}
    bpe = BPE(BYTES | merged, [("<0xC3>", "<0xA9>")], byte_fallback=True)
    assert bpe.tokens("\xe9") == [(50, 1)]


def test_a_prefix_begins_the_tokens_that_continue_a_word() -> None:
    vocabulary = {"a": 0, "##a": 1, "##b": 2, "a##b": 3, "ab": 4}
    bpe = BPE(vocabulary, [("a", "##b")], prefix="##")
    assert bpe.tokens("ab") == [(4, 2)]
    assert bpe.tokens("aa") == [(0, 1), (1, 1)]


def test_a_suffix_ends_the_last_token_of_a_word() -> None:
    vocabulary = {"a": 0, "a</w>": 1, "aa</w>": 2}
    bpe = BPE(vocabulary, [("a", "a</w>")], suffix="</w>")
    assert bpe.tokens("a") == [(1, 1)]
    assert bpe.tokens("aaa") == [(0, 1), (2, 2)]


def test_the_bytes_of_an_unknown_character_include_prefix_and_suffix() -> None:
    bpe = BPE(BYTES, [], prefix="#", suffix=";", byte_fallback=True)
    names = {number: name for name, number in BYTES.items()}
    assert [names[number] for number, _ in bpe.tokens("ab")] == [
        *("<0x61>", "<0x23>", "<0x62>", "<0x3B>"),
    ]


def test_an_empty_word_has_no_tokens() -> None:
    assert model("a b").tokens("") == []


def test_a_long_word_takes_no_quadratic_time() -> None:
    bpe = model("a b", "ab ab", "abab abab")
    assert len(bpe.tokens("ab" * 40_000)) == 20_000 // 2
