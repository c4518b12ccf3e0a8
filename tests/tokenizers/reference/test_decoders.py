from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.byte_characters import characters_of
from tokharness_tokenizers.reference.decoders.tokens import (
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
