"""Texts of the target's own tokens, even if it does not give their bytes."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.sources import vocabulary
from tokharness.engine.fuzzing.sources.vocabulary import MAX_LENGTH, Tokens, token_texts, tokens_of
from tokharness.model import target_of
from tokharness.targets.subject import Subject

TOKENS = Tokens(("the", " word", "\u4e2d"), (b"\xe4\xb8", b"\x80"), ("<|end|>",))
BYTES = {65: b"A", 66: b"ab", 67: b"\xff", 68: b"", 69: b"x" * (MAX_LENGTH + 1), 70: b"\xe2\x80"}


def tokens(tokenizer, reference=None):
    if reference is not None:
        reference = target_of("reference", reference)
    return tokens_of(Subject(target_of("target", tokenizer), reference))


def with_token_bytes(byte_tokenizer, **attributes):
    return byte_tokenizer(n_vocab=80, decode_single_token_bytes=BYTES.__getitem__, **attributes)


def test_tokens_are_text_or_parts_of_characters(byte_tokenizer):
    tokenizer = with_token_bytes(byte_tokenizer, special_tokens={"<|end|>": 79})
    assert tokens(tokenizer) == Tokens(("A", "ab"), (b"\xff", b"\xe2\x80"), ("<|end|>",))


def test_without_token_bytes_single_ids_are_decoded(byte_tokenizer):
    assert tokens(byte_tokenizer(n_vocab=128)).whole == tuple(map(chr, range(128)))


def test_ids_that_cannot_be_decoded_are_left_out(byte_tokenizer):
    assert tokens(byte_tokenizer(n_vocab=400)).whole == tuple(map(chr, range(128)))


def test_without_n_vocab_the_ids_of_the_reference_are_decoded(byte_tokenizer):
    assert tokens(byte_tokenizer(), byte_tokenizer(n_vocab=70)).whole == tuple(map(chr, range(70)))


def test_without_n_vocab_and_reference_there_are_no_tokens(byte_tokenizer):
    assert tokens(byte_tokenizer()) == Tokens((), (), ())


@given(st.integers(0, 2**64), st.integers(0, 99))
def test_the_number_of_texts_is_exact(seed, count):
    texts = token_texts(random.Random(seed), TOKENS, count)
    assert len(texts) == count
    assert all(isinstance(text, str) for text in texts)


def test_most_texts_are_unchanged_tokens_joined():
    texts = token_texts(random.Random(0), TOKENS, 400)
    joined = re.compile("(?:the| word|\u4e2d)+").fullmatch
    assert 300 <= sum(joined(text) is not None for text in texts) < 400


def test_special_tokens_occur_whole_and_changed():
    texts = token_texts(random.Random(0), TOKENS, 2000)
    assert any("<|end|>" in text for text in texts)
    assert any("<|" in text and "<|end|>" not in text for text in texts)


def test_partial_characters_are_completed():
    texts = token_texts(random.Random(0), TOKENS, 2000)
    completed = {
        character for text in texts for character in text if 0x4E00 <= ord(character) < 0x4E40
    }
    assert len(completed) > 5


@given(st.integers(0, 2**64), st.binary(min_size=1, max_size=12))
def test_a_completed_partial_character_is_valid_text(seed, token):
    text = vocabulary._complete(random.Random(seed), token)
    assert text.encode().decode() == text


@given(st.integers(0, 2**64), st.characters(min_codepoint=0x80, exclude_categories=["Cs"]))
def test_a_completed_partial_character_contains_the_part(seed, char):
    whole = char.encode()
    text = vocabulary._complete(random.Random(seed), whole[:-1])
    assert whole[:-1] in text.encode()


def test_tokens_without_partial_or_special_ones_are_accepted():
    texts = token_texts(random.Random(0), Tokens(("a",), (), ()), 200)
    assert set("".join(texts)) == {"a", "A"}
