"""Which text holds a token of a byte-level BPE, and why none does."""

import pytest

from tokharness_tokenizers.reach.byte_level import ByteLevelReach
from tokharness_tokenizers.reach.words import (
    MERGED_WITH_NEIGHBOURS,
    NO_MERGES,
    NO_WORD,
    NOT_UTF8,
)
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.patterns import O200K, R50K

BYTES = [bytes([byte]) for byte in range(256)]


def tokenizer(*tokens, pattern=R50K):
    ranks = {token: rank for rank, token in enumerate([*BYTES, *tokens])}
    return ByteBPE("small", pattern, ranks)


def reach_of(token, *tokens, pattern=R50K):
    """Return the reach of a token of a vocabulary, and check the witness."""
    whole = tokenizer(*tokens, token, pattern=pattern)
    number = whole.ranks[token]
    ((witness, reason),) = whole.reach([number])
    assert not witness or number in whole.encode_ordinary(witness)
    return witness or reason


def test_a_token_with_merges_is_its_own_witness():
    assert reach_of(b"ab") == "ab"


def test_a_token_without_merges_is_a_whole_pre_token():
    assert reach_of(b"abcd", b"bc") == "abcd"


def test_no_merges_lead_to_a_token_that_is_no_pre_token():
    assert reach_of(b"a\xc3\xa9b\xc3", b"\xa9b") == NO_MERGES


def test_a_pattern_that_splits_a_token_is_named():
    assert reach_of(b"a1") == NO_WORD


def test_a_part_of_a_character_is_completed():
    assert reach_of(b"\xe4\xb8").encode()[:2] == b"\xe4\xb8"
    assert b"\xb8\x80b" in reach_of(b"\xb8\x80b", b"\xb8\x80").encode()


def test_a_part_of_a_character_that_always_goes_on_is_no_token():
    complete = [b"\xc3" + bytes([byte]) for byte in range(0x80, 0xC0)]
    assert reach_of(b"a\xc3", *complete) == MERGED_WITH_NEIGHBOURS


@pytest.mark.parametrize("pattern", ["zzz", "[a-z ]+", "[^\\x80-\\U0010ffff]"])
def test_words_without_a_character_of_several_bytes_hold_no_part_of_one(pattern, monkeypatch):
    monkeypatch.setattr(ByteLevelReach, "_ways", None)  # no way to complete one is tried
    assert reach_of(b"\xe4\xb8", pattern=pattern) == NO_WORD
    assert reach_of(b"\xb8", pattern=pattern) == NO_WORD


@pytest.mark.parametrize("pattern", ["zz\u4e2d", "\u4e2dzz", "(?i:k)", "."])
def test_a_single_character_of_several_bytes_in_a_pattern_is_one_that_words_have(pattern):
    assert reach_of(b"\xe2\x84" if "k" in pattern else b"\xe4\xb8", pattern=pattern) != NO_WORD


@pytest.mark.slow
def test_a_first_byte_of_a_quarter_of_a_million_characters_has_one_that_may_follow_or_a_proof():
    assert reach_of(b"a\xf3") == MERGED_WITH_NEIGHBOURS  # only marks and unassigned characters
    assert reach_of(b"a\xf3", pattern=O200K).startswith("a\U000e0100")
    assert reach_of(b"!\xf3").startswith("!")


@pytest.mark.parametrize("token", [b"\xff", b"a\xc0", b"\x80\x80\x80\x80"])
def test_bytes_that_no_text_has_are_named(token):
    assert reach_of(token) in {NOT_UTF8, NO_MERGES}


def test_a_neighbour_that_a_token_needs_is_found():
    assert reach_of(b"\n//", b"//", b"!\n", pattern=O200K).endswith("\n//")


def test_a_neighbour_that_is_always_merged_is_a_proof():
    suffixes = [b"'" + s for s in (b"s", b"S", b"t", b"T", b"m", b"M", b"d", b"D", b"\xc5\xbf")]
    longer = [b"'r", b"'R", b"'v", b"'V", b"'l", b"'L", b"'\xc5"]
    assert reach_of(b"I'", *longer, *suffixes, pattern=O200K) == MERGED_WITH_NEIGHBOURS


def test_a_byte_without_a_token_is_no_error():
    ranks = {token: rank for rank, token in enumerate([b"a", b"ab"])}
    assert ByteBPE("small", R50K, ranks).reach([0, 1]) == [("a", ""), ("ab", "")]


def test_merge_orphans_are_whole_pre_tokens_alone():
    whole = tokenizer(b"bc", b"abcd", b"xy")
    numbers = range(256, 259)
    assert whole.merge_orphans(numbers) == [whole.ranks[b"abcd"]]
