"""Reach of the tokens of pipelines, SentencePiece models and others: the textbook cases."""

from __future__ import annotations

from typing import Any

import pytest

from tokharness_tokenizers.reach.stages import WordStages
from tokharness_tokenizers.reach.words import (
    BETTER_SEGMENTATION,
    BYTE_NEVER_LEFT,
    LONGER_TAKEN,
    NO_MERGES,
    NO_TEXT,
    NO_WORD,
    NORMALIZED,
    NOT_UTF8,
    OTHER_ID,
    TAKEN_BEFORE,
)
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.longest_match import LongestMatch
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.sentencepiece import reading
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    Piece,
    PieceKind,
    TrainerSpec,
)
from tokharness_tokenizers.reference.subword_nmt import SubwordNMT
from tokharness_tokenizers.reference.subword_nmt.codes import Codes, vocabulary_of

MARK = "\u2581"


def reach_of(tokenizer: Any, token: str) -> tuple[str, str]:
    """Return the answer for the token with a text."""
    texts = {tokenizer.token_text(number): number for number in range(tokenizer.n_vocab)}
    ((text, reason),) = tokenizer.reach([texts[token]])
    assert not text or texts[token] in tokenizer.encode(text)
    return text, reason


def reason(tokenizer: Any, token: str) -> str:
    text, found = reach_of(tokenizer, token)
    assert text == ""
    return found


def read(model: dict[str, Any], **parts: Any) -> Any:
    return tokenizer_json.read({"model": model, **parts}, "small")


def ids(*tokens: str) -> dict[str, int]:
    return {token: number for number, token in enumerate(tokens)}


def wordpiece(*tokens: str, longest: int = 9, **parts: Any) -> Any:
    model: dict[str, Any] = {
        "type": "WordPiece",
        "vocab": ids("[UNK]", *tokens),
        "unk_token": "[UNK]",
    }
    model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": longest}
    return read(model, **parts)


def test_a_piece_that_continues_words_has_a_word_with_another_piece() -> None:
    tokenizer = wordpiece("a", "ab", "x", "##b")
    assert reach_of(tokenizer, "##b") == ("xb", "")


def test_a_piece_that_a_longer_one_always_takes_is_proven_unreachable() -> None:
    assert reason(wordpiece("a", "ab", "##b", longest=2), "##b") == LONGER_TAKEN


def test_a_piece_is_found_behind_a_piece_that_continues_words() -> None:
    tokenizer = wordpiece("a", "ab", "abb", "##c", "##b", longest=3)
    assert reach_of(tokenizer, "##b") == ("acb", "")


def test_a_piece_that_is_longer_than_words_is_in_none() -> None:
    assert reason(wordpiece("a" * 10, "b"), "a" * 10) == NO_WORD


@pytest.mark.parametrize("token", ["A", "\u00e9", "##B"])
def test_what_the_normalizer_changes_is_in_no_text(token: str) -> None:
    normalizer = {"type": "BertNormalizer", "lowercase": True}
    normalizer |= {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None}
    assert reason(wordpiece("a", token, normalizer=normalizer), token) == NORMALIZED


@pytest.mark.slow
def test_a_text_that_is_not_in_the_normal_form_is_in_no_text() -> None:
    tokenizer = wordpiece("e\u0301", "e\u0302x", "\u00e9", normalizer={"type": "NFC"})
    assert reason(tokenizer, "e\u0301") == NORMALIZED
    assert reach_of(tokenizer, "\u00e9") == ("\u00e9", "")


def of_bert(*tokens: str) -> Any:
    normalizer = {"type": "BertNormalizer", "lowercase": True}
    normalizer |= {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None}
    return wordpiece(*tokens, normalizer=normalizer, pre_tokenizer={"type": "BertPreTokenizer"})


def test_an_ideograph_continues_no_word() -> None:
    assert reason(of_bert("a", "##\u4e2d"), "##\u4e2d") == NO_WORD


def test_ideographs_are_not_tried_next_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    chars = [chr(0x4E00 + number) for number in range(100)]
    tokenizer = of_bert("a", *chars, *(f"##{char}" for char in chars))
    asked, reason_of_text = [], WordStages.reason
    monkeypatch.setattr(
        WordStages, "reason", lambda self, text: asked.append(text) or reason_of_text(self, text)
    )
    tokenizer.reach(range(tokenizer.n_vocab))
    assert 0 < len(asked) < 5 * tokenizer.n_vocab


@pytest.mark.parametrize("token", ["a b", "a.b", "[a]"])
def test_a_token_of_several_words_is_in_none(token: str) -> None:
    tokenizer = wordpiece("a", token, pre_tokenizer={"type": "BertPreTokenizer"})
    assert reason(tokenizer, token) == NO_WORD


def test_an_added_token_takes_the_texts_that_have_it() -> None:
    added = [{"id": 3, "content": "bc", "normalized": False}]
    tokenizer = wordpiece("abcd", "b", added_tokens=added)
    assert reason(tokenizer, "abcd") == TAKEN_BEFORE
    assert reach_of(tokenizer, "b") == ("b", "")


def unigram(*pieces: tuple[str, float], falls: bool = False, **parts: Any) -> Any:
    rows = [["<unk>", 0.0], *map(list, pieces)]
    return read({"type": "Unigram", "vocab": rows, "unk_id": 0, "byte_fallback": falls}, **parts)


def test_a_piece_with_too_low_a_score_is_never_the_best() -> None:
    tokenizer = unigram(("a", -1.0), ("b", -1.0), ("ab", -2.5), ("ba", -1.5))
    assert reason(tokenizer, "ab") == BETTER_SEGMENTATION
    assert reach_of(tokenizer, "ba") == ("ba", "")


def test_of_equal_scores_nothing_is_proven_that_a_text_refutes() -> None:
    tokenizer = unigram(("a", -1.0), ("b", -1.0), ("ab", -2.0))
    assert reach_of(tokenizer, "ab") == ("ab", "")


def test_a_piece_without_the_mark_of_a_space_stands_behind_another_character() -> None:
    words = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
    tokenizer = unigram((MARK + "a", -1.0), ("a", -2.0), (MARK, -3.0), pre_tokenizer=words)
    text, _ = reach_of(tokenizer, "a")
    assert text.endswith("a")
    assert len(text) == 2


def test_the_mark_of_a_space_is_only_at_the_start_of_a_word() -> None:
    words = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
    tokenizer = unigram((f"a{MARK}", -1.0), ("a", -2.0), pre_tokenizer=words)
    assert reason(tokenizer, f"a{MARK}") == NO_WORD


def test_the_token_of_a_byte_has_a_character_that_is_no_piece() -> None:
    pieces = [(f"<0x{byte:02X}>", 0.0) for byte in (0x61, 0xC3, 0xA9, 0xA8, 0xC0)]
    tokenizer = unigram(("a", -1.0), ("\u00e8", -1.0), *pieces, falls=True)
    assert reach_of(tokenizer, "<0xA9>")[0] == "\u00e9"
    assert reach_of(tokenizer, "<0xC3>")[0] == "\u00e9"
    # These are pieces with a text, too.
    assert reach_of(tokenizer, "<0xC0>") == ("<0xC0>", "")


def bpe(tokens: str, merges: str, **fields: Any) -> Any:
    pairs = [pair.split("+") for pair in merges.split()]
    return read({"type": "BPE", "vocab": ids(*tokens.split()), "merges": pairs, **fields})


def test_a_token_that_its_own_characters_do_not_become_has_no_merges() -> None:
    tokenizer = bpe("a b c ab bc abc", "b+c a+b ab+c")
    assert reason(tokenizer, "abc") == NO_MERGES
    assert reach_of(tokenizer, "ab") == ("ab", "")


def test_a_token_that_ends_a_word_is_found_there_and_another_before_the_end() -> None:
    tokenizer = bpe("a b a</w> b</w> ab ab</w>", "a+b a+b</w>", end_of_word_suffix="</w>")
    assert reach_of(tokenizer, "ab</w>") == ("ab", "")
    text, _ = reach_of(tokenizer, "ab")
    assert text.startswith("ab")
    assert len(text) == 3


def test_a_digit_that_is_a_word_has_no_token_for_the_inside_of_words() -> None:
    split = {"type": "Split", "pattern": {"Regex": r"\p{L}+|\p{N}"}, "behavior": "Removed"}
    written = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    words = {"type": "Sequence", "pretokenizers": [split | {"invert": True}, written]}
    model = {"type": "BPE", "vocab": ids("1", "1</w>", "a", "\xc3</w>", "\xc3", "?"), "merges": []}
    model |= {"end_of_word_suffix": "</w>", "unk_token": "?"}
    tokenizer = read(model, pre_tokenizer=words)
    assert reason(tokenizer, "1") == NO_WORD
    assert reach_of(tokenizer, "1</w>") == ("1", "")
    assert reach_of(tokenizer, "a")[0].startswith("a")
    assert reason(tokenizer, "\xc3</w>") == NOT_UTF8
    assert "\xc3" in reach_of(tokenizer, "\xc3")[0].encode().decode("latin-1")


def test_the_token_of_a_byte_whose_characters_are_all_tokens_is_in_no_text() -> None:
    tokens = "a <0x61> <0xC0> <0xE4> <0xB8> <0xAD>"
    tokenizer = bpe(tokens, "", byte_fallback=True)
    assert reason(tokenizer, "<0x61>") == BYTE_NEVER_LEFT
    assert reason(tokenizer, "<0xC0>") == NOT_UTF8
    assert reach_of(tokenizer, "<0xE4>")[0].encode()[0] == 0xE4


def pieces(kind: ModelKind, *rows: Piece, falls: bool = False) -> Any:
    first = [Piece("<unk>", 0.0, PieceKind.UNKNOWN)]
    if falls:
        first += [Piece(f"<0x{byte:02X}>", 0.0, PieceKind.BYTE) for byte in range(256)]
    return reading.read(ModelFile((*first, *rows), TrainerSpec(kind, byte_fallback=falls)), "small")


def test_a_sentencepiece_model_has_texts_and_proofs_for_all_kinds_of_pieces() -> None:
    rows = [Piece("a", -3.0), Piece("b", -4.0), Piece("c", -5.0), Piece("bc", -1.0)]
    rows += [Piece("abc", -2.0), Piece("old", -6.0, PieceKind.UNUSED)]
    rows += [Piece("xy", 0.0, PieceKind.USER_DEFINED), Piece("axy", -7.0)]
    tokenizer = pieces(ModelKind.BPE, *rows, Piece("ab", -8.0), falls=True)
    assert reach_of(tokenizer, "bc")[0]
    assert reach_of(tokenizer, "xy")[0]
    assert reach_of(tokenizer, "abc")[0]
    assert reason(tokenizer, "old") == NO_TEXT
    assert reason(tokenizer, "axy") == TAKEN_BEFORE
    assert reason(tokenizer, "<0x61>") == BYTE_NEVER_LEFT
    assert reach_of(tokenizer, "<0x7A>")[0] == "z"


def test_a_model_of_characters_has_no_longer_pieces() -> None:
    tokenizer = pieces(ModelKind.CHAR, Piece("a", -1.0), Piece("ab", -2.0))
    assert reach_of(tokenizer, "a") == ("a", "")
    assert reason(tokenizer, "ab") == NO_WORD


def test_a_subword_is_found_inside_and_at_the_end_of_a_word() -> None:
    codes = Codes((("a", "b"), ("b", "c</w>")))
    tokenizer = SubwordNMT("small", codes, (*vocabulary_of(codes), "ab"))
    assert reach_of(tokenizer, "bc") == ("bc", "")
    assert reach_of(tokenizer, "ab@@")[0].startswith("ab")
    assert reason(tokenizer, "ab") == NO_MERGES


def test_a_longer_token_is_always_taken_in_the_place_of_a_byte() -> None:
    characters = [bytes([0xC3, byte]) for byte in range(0x80, 0xC0)]
    tokens = {bytes([byte]): byte for byte in range(256)}
    tokens |= {token: 256 + at for at, token in enumerate(characters)}
    tokenizer = LongestMatch("small", ByteTrie(tokens), other_ids={400: b"a"})
    assert tokenizer.reach([0xC3, 0xC4, 0xC0, 400])[0] == ("", LONGER_TAKEN)
    assert tokenizer.reach([0xC4])[0][0].encode()[0] == 0xC4
    assert tokenizer.reach([0xC0, 400]) == [("", NOT_UTF8), ("", OTHER_ID)]
