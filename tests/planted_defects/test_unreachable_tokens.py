"""Tokens that no text gives, planted into each kind of vocabulary, and a twin that gives them.

The twin has the same token, and one part less or more that decides about it.
"""

from itertools import chain

import pytest

from tokharness_tokenizers.reach import words
from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.longest_match import LongestMatch
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
)
from tokharness_tokenizers.reference.sentencepiece.reading import read as read_sentencepiece
from tokharness_tokenizers.reference.tokenizer_json import read as read_json

UNKNOWN_TOKEN = {"unk_token": "<unk>"}
MARK = "\u2581"
CONTINUATION = [bytes([byte]) for byte in range(0x80, 0xC0)]
UNKNOWN = Piece("<unk>", kind=PieceKind.UNKNOWN)
BYTES = tuple(Piece(f"<0x{byte:02X}>", kind=PieceKind.BYTE) for byte in range(0x100))
GPT2 = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
BERT = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": False,
    "lowercase": False,
}


# --- tokenizer.json ---


def file_of(model, **parts):
    names = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
    return read_json({"added_tokens": [], **dict.fromkeys(names), **parts, "model": model}, "file")


def bpe(tokens, merges, **flags):
    vocab = {token: number for number, token in enumerate(tokens)}
    flags = {"unk_token": None, "fuse_unk": False, "byte_fallback": False, **flags}
    return {"type": "BPE", **flags, "vocab": vocab, "merges": merges}


def wordpiece(*pieces, longest=100):
    vocab = {piece: number for number, piece in enumerate(("[UNK]", *pieces))}
    return {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": longest,
        "vocab": vocab,
    }


def bert_file(*pieces, longest=100, **normalizer):
    return file_of(
        wordpiece(*pieces, longest=longest),
        normalizer={**BERT, **normalizer},
        pre_tokenizer={"type": "BertPreTokenizer"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": False},
    )


def capital_letter_under_lower_casing():
    pieces = ("a", "##b", "Ab")
    return bert_file(*pieces, lowercase=True), bert_file(*pieces), "Ab"


def ideograph_inside_a_word():
    pieces = ("a", "\u4e2d", "##\u4e2d")
    return bert_file(*pieces), bert_file(*pieces, handle_chinese_chars=False), "##\u4e2d"


def punctuation_inside_a_word():
    pieces = ("a", "!", "##!")
    twin = file_of(wordpiece(*pieces), pre_tokenizer={"type": "WhitespaceSplit"})
    return bert_file(*pieces), twin, "##!"


def longer_piece_always_taken():
    pieces = ("a", "##b", "ab")
    return bert_file(*pieces, longest=2), bert_file(*pieces, longest=3), "##b"


def unigram_file(score):
    pieces = [["<unk>", 0.0], *([char, -2.0] for char in "abc"), ["abc", score]]
    return file_of({"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": pieces})


def low_score():
    return unigram_file(-7.0), unigram_file(-5.0), "abc"


def gpt2_file(*tokens, merges=(), added=(), **flags):
    model = bpe([*CHARACTER_OF, *tokens], list(merges), **flags)
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    first = len(model["vocab"])
    records = [
        {"id": number, "content": text, **dict.fromkeys(names, False)}
        for number, text in enumerate(added, first)
    ]
    return file_of(model, pre_tokenizer=GPT2, decoder=GPT2, added_tokens=records)


def whole_word_without_merges():
    return gpt2_file("zqx", ignore_merges=False), gpt2_file("zqx", ignore_merges=True), "zqx"


def added_token_always_first():
    tokens, merges = ("ab", "cab"), ("a b", "c ab")
    twin = gpt2_file(*tokens, merges=merges)
    return gpt2_file(*tokens, merges=merges, added=("ca",)), twin, "cab"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("planted", "reason"),
    [
        (capital_letter_under_lower_casing, words.NORMALIZED),
        (ideograph_inside_a_word, words.NO_WORD),
        (punctuation_inside_a_word, words.NO_WORD),
        (longer_piece_always_taken, words.LONGER_TAKEN),
        (low_score, words.BETTER_SEGMENTATION),
        (whole_word_without_merges, words.NO_MERGES),
        (added_token_always_first, words.TAKEN_BEFORE),
    ],
)
def test_a_token_of_a_tokenizer_json_is_unreachable(assert_unreachable, planted, reason):
    faulty, twin, token = planted()
    numbers = [
        next(number for number, text in one.texts.items() if text == token)
        for one in (faulty, twin)
    ]
    assert_unreachable(faulty, numbers[0], reason, twin, numbers[1])


# --- SentencePiece ---


def sentencepiece(kind, *pieces, byte_fallback=False):
    every = (UNKNOWN, *(BYTES if byte_fallback else ()), *pieces)
    trainer = TrainerSpec(kind, byte_fallback=byte_fallback)
    model = ModelFile(every, trainer, NormalizerSpec("identity", remove_extra_whitespaces=False))
    texts = [piece.text for piece in every]
    return read_sentencepiece(model, "model"), texts


def scored(*texts):
    return [Piece(text, -float(rank)) for rank, text in enumerate(texts, 1)]


def piece_without_merges():
    letters = ("a", "b", "c", MARK)
    faulty = sentencepiece(ModelKind.BPE, *scored("abc", *letters))
    return faulty, sentencepiece(ModelKind.BPE, *scored("ab", "abc", *letters)), "abc"


def piece_of_a_low_score():
    letters = [Piece(char, -2.0) for char in ("a", "b", MARK)]
    faulty, twin = (
        sentencepiece(ModelKind.UNIGRAM, *letters, Piece("ab", score)) for score in (-5.0, -3.0)
    )
    return faulty, twin, "ab"


@pytest.mark.parametrize(
    ("planted", "reason"),
    [
        (piece_without_merges, words.NO_MERGES),
        (piece_of_a_low_score, words.BETTER_SEGMENTATION),
    ],
)
def test_a_piece_of_sentencepiece_is_unreachable(assert_unreachable, planted, reason):
    (faulty, texts), (twin, twin_texts), piece = planted()
    assert_unreachable(faulty, texts.index(piece), reason, twin, twin_texts.index(piece))


# --- byte fallback ---


def file_with_bytes(*tokens):
    every = ["<unk>", *(piece.text for piece in BYTES), *tokens]
    return file_of(bpe(every, [], byte_fallback=True, **UNKNOWN_TOKEN))


def model_with_bytes(*texts):
    return sentencepiece(ModelKind.BPE, *scored(MARK, *texts), byte_fallback=True)[0]


@pytest.mark.slow
@pytest.mark.parametrize("with_bytes", [file_with_bytes, model_with_bytes])
def test_a_byte_whose_character_is_a_token_is_unreachable(assert_unreachable, with_bytes):
    """Each vocabulary with byte fallback has such bytes, so that TOK401 does not name them."""
    faulty, twin, number = with_bytes("A"), with_bytes(), 1 + ord("A")
    assert_unreachable(faulty, number, words.BYTE_NEVER_LEFT, twin, number, is_named=False)


# --- RWKV ---


def longest_match(*tokens):
    every = chain((bytes([byte]) for byte in range(0x100)), tokens)
    return LongestMatch("list", ByteTrie({token: number for number, token in enumerate(every, 1)}))


def test_a_byte_string_that_a_longer_one_always_takes_is_unreachable(assert_unreachable):
    longer = [b"a\xd0" + byte for byte in CONTINUATION]
    faulty, twin = longest_match(b"a\xd0", *longer), longest_match(b"a\xd0", *longer[:-1])
    number = faulty.model.ids[b"a\xd0"]
    assert_unreachable(faulty, number, words.LONGER_TAKEN, twin, number)
