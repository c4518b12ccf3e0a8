"""Byte strings that no text gives, planted into a byte-level BPE vocabulary.

The twin has the same token, and one part less or more that decides about it.
"""

import pytest

from tokharness.diagnosis.reachability import ALONE, IN_CONTEXT
from tokharness_tokenizers.reach import words

ANY_TEXT = r"[\s\S]+"
CONTINUATION = [bytes([byte]) for byte in range(0x80, 0xC0)]


def across_a_border(plant):
    """A token with a letter before a space, where the pattern begins a pre-token."""
    tokens = (b" t", b"e t")
    return plant(*tokens), plant(*tokens, pattern=ANY_TEXT), tokens[-1]


def without_merges(plant):
    """A token that begins inside a character, and that no two tokens make."""
    part = b"\xbf\xd0\xb1"
    return plant(part), plant(b"\xd0\xb1", part), part


def always_merged_further(plant):
    """A token that ends with the first byte of a character, and joins any second byte."""
    longer = [b"a\xd0" + byte for byte in CONTINUATION]
    return plant(b"a\xd0", *longer), plant(b"a\xd0", *longer[:-1]), b"a\xd0"


@pytest.mark.parametrize(
    ("planted", "reason"),
    [
        (across_a_border, words.NO_WORD),
        (without_merges, words.NO_MERGES),
        (always_merged_further, words.MERGED_WITH_NEIGHBOURS),
    ],
)
def test_a_token_of_byte_level_bpe_is_unreachable(plant, assert_unreachable, planted, reason):
    faulty, twin, token = planted(plant)
    assert_unreachable(faulty, faulty.ranks[token], reason, twin, twin.ranks[token])


def test_a_token_that_no_merges_but_whole_words_give_is_a_merge_orphan(plant, reach, audit):
    tokenizer = plant("qzxj")
    number = tokenizer.ranks[b"qzxj"]
    assert reach(tokenizer)[number].state == ALONE
    (finding,) = [one for one in audit("TOK401", tokenizer) if one.verdict == "risk"]
    assert (finding.cause.kind, finding.evidence["ids"]) == ("merge orphans", [number])
    twin = plant("qz", "qzx", "qzxj")
    assert [one for one in audit("TOK401", twin) if one.verdict == "risk"] == []


def test_every_token_of_the_healthy_vocabulary_is_its_own_encoding_or_a_byte(healthy, reach):
    found = reach(healthy)
    merged = [number for token, number in healthy.ranks.items() if len(token) > 1]
    assert len(merged) > 30
    assert {found[number].state for number in merged} == {ALONE}
    assert {one.state for one in found.values()} == {ALONE, IN_CONTEXT}
