"""

Ports that find no token above a length.
"""

from __future__ import annotations

from typing import Any

import pytest
from planted._sentencepiece_models import healthy as healthy_model
from planted._tokenizer_files import healthy

from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.edited_tokens import LONGEST_TEXT, short_tokens
from tokharness_tokenizers.reference.longest_match import LongestMatch
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece

BYTES = {bytes([byte]): byte for byte in range(256)}
BYTE_BPE = ByteBPE("plain", r"\w+|\W", BYTES | {b"th": 256, b"he": 257, b"the": 258})


def texts(tokenizer: Any, text: str) -> list[str]:
    """Encode as an ordinary text, with the healthy texts of tokens."""
    return [tokenizer.token_text(number) for number in tokenizer.encode(text)]


def test_a_gone_token_of_bytes_is_not_merged_and_others_keep_their_ids() -> None:
    edited = BYTE_BPE.with_edited_tokens({"gone": [256]})
    assert edited.encode("the he") == [258, 32, 257]
    assert edited.encode("thing") == [*b"thing"]
    assert edited.decode([258]) == "the"


def test_exchanged_tokens_of_bytes_have_each_other_s_rank_and_their_own_ids() -> None:
    edited = BYTE_BPE.with_edited_tokens({"exchanged": [256, 257]})
    assert BYTE_BPE.encode_ordinary("ther") == [258, ord("r")]
    assert BYTE_BPE.encode_ordinary("athea") == [97, 258, 97]
    assert BYTE_BPE.with_edited_tokens({"gone": [258]}).encode("then") == [256, *b"en"]
    assert edited.encode("tha") == [256, 97]
    both = BYTE_BPE.with_edited_tokens({"gone": [258], "exchanged": [256, 257]})
    assert both.encode("then") == [ord("t"), 257, ord("n")]


@pytest.mark.parametrize(
    ("name", "gone", "text"), [("byte_bpe", "ing", "thing"), ("wordpiece", "##ing", "thing")]
)
def test_a_gone_token_of_a_file_is_never_made(name: str, gone: str, text: str) -> None:
    whole = healthy(name)
    number = whole.model.vocabulary[gone]
    edited = whole.with_edited_tokens({"gone": [number]})
    assert number in whole.encode_ordinary(text)
    assert number not in edited.encode_ordinary(text)
    assert edited.token_text(number) == gone


def test_exchanged_merges_of_a_file_have_each_other_s_place() -> None:
    whole = healthy("byte_bpe")
    ids = whole.model.vocabulary
    edited = whole.with_edited_tokens({"exchanged": [ids["an"], ids["\u0120a"]]})
    assert [whole.token_text(n) for n in whole.encode_ordinary(" an")] == ["\u0120a", "n"]
    assert [whole.token_text(n) for n in edited.encode_ordinary(" an")] == ["\u0120", "an"]


def test_the_longest_word_is_that_of_wordpiece_alone() -> None:
    whole = healthy("wordpiece")
    edited = whole.with_edited_tokens({"longest": [3]})
    assert edited.encode_ordinary("thing") == [whole.unknown_id]
    assert edited.encode_ordinary("the") == whole.encode_ordinary("the")
    with pytest.raises(ValueError, match="no longest word"):
        healthy("word_level").with_edited_tokens({"longest": [3]})


def test_tokens_of_models_without_ranks_are_not_exchanged() -> None:
    for tokenizer in (healthy("wordpiece"), LongestMatch("list", ByteTrie(BYTES))):
        with pytest.raises(ValueError, match="place"):
            tokenizer.with_edited_tokens({"exchanged": [97, 98]})


@pytest.mark.parametrize("name", ["sp_bytes", "sp_unigram_bytes"])
def test_a_gone_piece_and_a_gone_byte_are_never_made(name: str) -> None:
    whole = healthy_model(name)
    piece = max(whole.encode("the thing"))
    byte = whole.vocabulary.bytes[0xAD]
    edited = whole.with_edited_tokens({"gone": [piece, byte]})
    assert piece not in edited.encode("the thing")
    assert byte in whole.encode("\u00ad")
    assert byte not in edited.encode("\u00ad")


def test_exchanged_pieces_have_each_other_s_score() -> None:
    whole = healthy("unigram")
    ids, scores = whole.model.vocabulary, dict(whole.model.pieces)
    edited = whole.with_edited_tokens({"exchanged": [ids["he"], ids["ing"]]})
    assert dict(edited.model.pieces)["he"] == scores["ing"]
    assert dict(edited.model.pieces)["ing"] == scores["he"]


TEXTS = ["a", "b", "ab", "abb"]
IDS = {text: number for number, text in enumerate(TEXTS)}
OF_BYTES = ByteTrie({text.encode(): number for text, number in IDS.items()})


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (OF_BYTES, "no token of {} bytes or more is found"),
        (
            Unigram([("a", -5.0), ("b", -5.0), ("ab", -2.0), ("abb", -1.0)]),
            "no piece of {} characters or more is found",
        ),
        (WordPiece(IDS, prefix=""), "no piece of {} characters or more is found"),
    ],
    ids=["bytes", "unigram", "wordpiece"],
)
def test_no_token_above_a_length_is_found(model, what):
    models = list(short_tokens(model))
    assert [said for said, _ in models] == [what.format(3), what.format(2)]
    assert [[number for number, _ in one.tokens("abb")] for _, one in models] == [[2, 1], [0, 1, 1]]


def test_limits_between_two_lengths_of_tokens_are_one():
    ids = {"a" * 70: 0, "a" * 20: 1, "a": 2}
    said = [what for what, _ in short_tokens(WordPiece(ids, prefix=""))]
    assert said == [f"no piece of {length} characters or more is found" for length in (70, 20)]


def test_a_long_text_is_not_encoded_with_each_limit():
    (_, limited), *_ = short_tokens(OF_BYTES)
    with pytest.raises(KeyError, match="more than 2,000 bytes"):
        limited.encode(b"a" * (LONGEST_TEXT + 1))
