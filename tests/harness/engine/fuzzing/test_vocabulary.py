"""Texts of the target's own tokens, also where it does not tell their bytes."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.fuzzing import vocabulary
from tokharness.engine.fuzzing.vocabulary import MAX_LENGTH, Tokens, token_texts, tokens_of
from tokharness.model import target_of
from tokharness.targets.subject import Subject

KNOWN = Tokens(("the", " word", "\u4e2d"), (b"\xe4\xb8", b"\x80"), ("<|end|>",))
BYTES = {65: b"A", 66: b"ab", 67: b"\xff", 68: b"", 69: b"x" * (MAX_LENGTH + 1), 70: b"\xe2\x80"}


def tokens(tokenizer, reference=None):
    other = None if reference is None else target_of("other", reference)
    return tokens_of(Subject(target_of("target", tokenizer), other))


def told(byte_tokenizer, **beside):
    return byte_tokenizer(n_vocab=80, decode_single_token_bytes=BYTES.__getitem__, **beside)


def test_tokens_are_text_or_parts_of_characters(byte_tokenizer):
    found = tokens(told(byte_tokenizer, special_tokens={"<|end|>": 79}))
    assert found == Tokens(("A", "ab"), (b"\xff", b"\xe2\x80"), ("<|end|>",))


def test_a_target_that_tells_no_bytes_is_asked_to_decode(byte_tokenizer):
    assert tokens(byte_tokenizer(n_vocab=128)).whole == tuple(map(chr, range(128)))


def test_what_it_cannot_decode_is_left_out(byte_tokenizer):
    assert tokens(byte_tokenizer(n_vocab=400)).whole == tuple(map(chr, range(128)))


def test_a_target_that_says_nothing_is_asked_about_the_ids_of_its_reference(byte_tokenizer):
    assert tokens(byte_tokenizer(), byte_tokenizer(n_vocab=70)).whole == tuple(map(chr, range(70)))


def test_without_either_there_is_no_token(byte_tokenizer):
    assert tokens(byte_tokenizer()) == Tokens((), (), ())


@given(st.integers(0, 2**64), st.integers(0, 99))
def test_there_are_as_many_texts_as_are_asked_for(seed, count):
    made = token_texts(random.Random(seed), KNOWN, count)
    assert len(made) == count
    assert all(isinstance(text, str) for text in made)


def test_most_texts_are_tokens_joined_as_they_are():
    made = token_texts(random.Random(0), KNOWN, 400)
    joined = re.compile("(?:the| word|\u4e2d)+").fullmatch
    assert 300 <= sum(joined(text) is not None for text in made) < 400


def test_special_tokens_come_whole_and_nearly():
    made = token_texts(random.Random(0), KNOWN, 2000)
    assert any("<|end|>" in text for text in made)
    assert any("<|" in text and "<|end|>" not in text for text in made)


def test_parts_of_characters_come_completed():
    made = token_texts(random.Random(0), KNOWN, 2000)
    completed = {one for text in made for one in text if 0x4E00 <= ord(one) < 0x4E40}
    assert len(completed) > 5


@given(st.integers(0, 2**64), st.binary(min_size=1, max_size=12))
def test_whatever_completes_a_part_is_text(seed, token):
    made = vocabulary._complete(random.Random(seed), token)
    assert made.encode().decode() == made


@given(st.integers(0, 2**64), st.characters(min_codepoint=0x80, exclude_categories=["Cs"]))
def test_a_part_of_a_character_is_completed_and_kept(seed, char):
    whole = char.encode()
    made = vocabulary._complete(random.Random(seed), whole[:-1])
    assert whole[:-1] in made.encode()


def test_tokens_without_parts_or_special_ones_make_texts():
    made = token_texts(random.Random(0), Tokens(("a",), (), ()), 200)
    assert set("".join(made)) == {"a", "A"}
