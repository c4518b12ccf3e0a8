"""

The bytes of tokens inside a text, by hand, for each kind of vocabulary.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted._tokenizer_files import healthy

from tokharness_tokenizers.reference.byte_characters import characters_of
from tokharness_tokenizers.reference.decoders import (
    CTC,
    BPEDecoder,
    ByteFallback,
    ByteLevel,
    Fuse,
    Metaspace,
    Replace,
    Sequence,
    Strip,
    WordPiece,
)
from tokharness_tokenizers.reference.decoding import MARK, Decoding, texts_inside

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("decoder", "tokens", "texts"),
    [
        (WordPiece(), ["a", "##b", "c", "."], ["a", "b", " c", "."]),
        (WordPiece(), ["##a"], ["##a"]),
        (WordPiece(cleanup=False), ["a", "."], ["a", " ."]),
        (WordPiece(), ["i do not"], ["i don't"]),
        (Metaspace(), ["\u2581a\u2581", "\u2581b"], ["a", " b"]),
        (Metaspace(prepends=False), ["\u2581a", "\u2581b"], [" a", " b"]),
        (BPEDecoder(), ["a", "b</w>", "c</w>"], ["a", "b ", "c"]),
        (BPEDecoder(), [], []),
        (CTC(), ["a", "a", "<pad>", "a", "|", "b"], ["a", "a", " ", "b"]),
        (CTC(cleanup=False), ["a", "|", "|"], ["a", "|"]),
        (Replace(lambda token: token.replace("_", " ")), ["_a_", "_b"], [" a ", " b"]),
        (Strip("_", 1, 0), ["__a_", "b"], ["_a_", "b"]),
        (Strip("_", 0, 2), ["_a___"], ["_a_"]),
        (Strip("_", 1, 1), ["_", ""], ["", ""]),
        (Fuse(), ["a", "b"], ["ab"]),
        (Fuse(), [], [""]),
        (ByteFallback(), ["a", "<0xC3>", "<0xa9>", "b"], ["a", "\xe9", "b"]),
        (ByteFallback(), ["<0x61>", "<0xFF>"], ["\ufffd", "\ufffd"]),
        (ByteFallback(), ["<0x1>", "<0xGG>", "<0x+A>"], ["<0x1>", "<0xGG>", "\n"]),
        (ByteLevel(), ["\u0120a", "\xc3", "\xa9"], [" a\xe9"]),
        (ByteLevel(), ["\xe4", "a", "\u4e00"], ["\ufffda\u4e00"]),
        (Sequence((Metaspace(), Fuse(), Strip("a", 1, 0))), ["\u2581a", "b"], ["b"]),
        (Sequence(()), ["a", "b"], ["a", "b"]),
    ],
)
def test_texts_of_examples(decoder, tokens, texts):
    assert decoder.decode(tokens) == texts


@given(st.lists(TEXT))
def test_bytes_of_texts_decode_to_the_texts(texts):
    assert ByteLevel().decode(list(map(characters_of, texts))) == ["".join(texts)]


@given(TEXT)
def test_a_text_of_byte_tokens_decodes_to_the_text(text):
    tokens = [f"<0x{byte:02X}>" for byte in text.encode()]

    assert "".join(ByteFallback().decode(tokens)) == text


@given(TEXT, st.integers(0, 3), st.integers(0, 3))
def test_only_the_character_is_stripped_and_no_more_than_asked_for(text, start, stop):
    (stripped,) = Strip("a", start, stop).decode([text])

    assert stripped in text
    assert len(text) - len(stripped) <= start + stop
    assert text.count("a") - stripped.count("a") == len(text) - len(stripped)


SUFFIX = "</w>"


@pytest.mark.parametrize(
    ("decoding", "token", "expected"),
    [
        (Decoding(Metaspace()), "\u2581the", b" the"),
        (Decoding(Metaspace()), "the", b"the"),
        (Decoding(WordPiece()), "the", b" the"),
        (Decoding(WordPiece()), "##ing", b"ing"),
        (Decoding(WordPiece(cleanup=True)), ",", b","),
        (Decoding(WordPiece(cleanup=False)), ",", b" ,"),
        (Decoding(BPEDecoder(), suffix=SUFFIX), f"the{SUFFIX}", b"the "),
        (Decoding(BPEDecoder(), suffix=SUFFIX), "the", b"the"),
        (Decoding(None), "the", b" the"),
        (Decoding(Metaspace(), reads_bytes=True), "<0xE4>", b"\xe4"),
        (Decoding(Metaspace()), "<0xE4>", b"<0xE4>"),
        (
            Decoding(Sequence((ByteLevel(), BPEDecoder())), suffix=SUFFIX, joins_bytes=True),
            f"\xe4\xbd{SUFFIX}",
            b"\xe4\xbd ",
        ),
    ],
)
def test_a_token_has_the_bytes_that_it_has_between_two_others(decoding, token, expected):
    assert decoding.bytes_inside(["x", token, "y"])[1] == expected


def test_a_token_with_the_mark_is_refused():
    with pytest.raises(ValueError, match="U\\+10FFFD"):
        texts_inside([MARK], "".join)


@pytest.mark.parametrize("name", ["fallback_bpe", "wordpiece", "unigram", "word_level"])
def test_decoding_gives_the_bytes_of_a_token_between_two_others(name):
    """The decoder itself is the oracle, token by token."""
    file = healthy(name)
    first = next(n for n, text in file.texts.items() if text == "a")
    gap = file.decode([first, first])[1:-1]
    numbers = [n for n, text in file.texts.items() if not text.startswith(("<", "["))]
    for number, data in zip(numbers, file.bytes_inside(numbers), strict=True):
        between = file.decode([first, number, first])
        assert between == f"a{data.decode()}{gap}a"
