"""The tokens of a vocabulary as text, from the target or from its reference."""

import pytest

from tokharness.engine.worker.vocabularies import MAX_LENGTH, target_facts, token_texts
from tokharness.errors import TargetDeath
from tokharness.model import target_of
from tokharness.targets.subject import Subject

BYTES = {65: b"A", 66: b"ab", 67: b"\xff", 68: b"", 69: b"x" * (MAX_LENGTH + 1), 70: b"A"}


@pytest.fixture
def texts(byte_tokenizer):
    def token_texts_of(reference=None, **attributes):
        if reference is not None:
            reference = target_of("reference", byte_tokenizer(**reference))
        return token_texts(Subject(target_of("target", byte_tokenizer(**attributes)), reference))

    return token_texts_of


def die(_):
    raise TargetDeath("SIGSEGV")


def test_only_tokens_that_are_text_are_given_and_each_once(texts):
    assert texts(n_vocab=80, decode_single_token_bytes=BYTES.__getitem__) == ("A", "ab")


def test_without_bytes_the_tokens_are_those_of_the_reference(texts):
    reference = {"n_vocab": 80, "decode_single_token_bytes": BYTES.__getitem__}
    assert texts(reference, n_vocab=40) == ("A", "ab")


@pytest.mark.parametrize(("claims", "expected"), [(True, ("A", "ab", "abc")), (False, ("A", "ab"))])
def test_tokens_that_a_target_lacks_are_those_of_a_reference_that_the_user_names(
    byte_tokenizer, claims, expected
):
    target, reference = (
        target_of("x", byte_tokenizer(n_vocab=80, decode_single_token_bytes=table.__getitem__))
        for table in (BYTES, {**BYTES, 71: b"abc"})
    )
    assert token_texts(Subject(target, reference, claims_parity=claims)) == expected


def test_without_bytes_of_both_single_ids_are_decoded(texts):
    assert texts(n_vocab=128) == tuple(map(chr, range(128)))
    assert texts({"n_vocab": 70}) == tuple(map(chr, range(70)))
    assert texts() == ()


def test_a_target_that_dies_of_an_id_is_left_to_the_audits(texts):
    assert texts(n_vocab=80, decode_single_token_bytes=die, decode=die) == ()


def test_the_tokens_are_read_when_a_family_wants_them_and_once(byte_tokenizer):
    calls = []

    def bytes_of(number):
        calls.append(number)
        return BYTES[number]

    target = target_of("target", byte_tokenizer(n_vocab=80, decode_single_token_bytes=bytes_of))
    facts = target_facts(Subject(target), "quick")
    assert not calls
    assert facts.tokens() == facts.tokens() == ("A", "ab")
    assert len(calls) == 80
