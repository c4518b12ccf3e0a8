"""The bytes of tokens inside a text, by hand, for each kind of vocabulary."""

import pytest
from planted._tokenizer_files import healthy

from tokharness_tokenizers.reference.decoders.tokens import (
    BPEDecoder,
    ByteLevel,
    Metaspace,
    Sequence,
    WordPiece,
)
from tokharness_tokenizers.reference.decoding import MARK, Decoding, texts_inside

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
