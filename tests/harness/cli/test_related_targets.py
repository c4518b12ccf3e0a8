"""Which two targets are meant to be equal, and the reference that reads the file of a target."""

import contextlib

import pytest

from tokharness.cli._token_rows import are_meant_to_be_equal, reference_among
from tokharness.model import target_of


def made(spec="t:1", tokens="abc", method="token_text", algorithm=None):
    """A target with these tokens, which ``method`` shows."""

    class Tokens:
        n_vocab = len(tokens)

        def encode(self, text):
            return list(map(tokens.index, text))

        def decode(self, ids):
            return "".join(tokens[number] for number in ids)

    if method is not None:
        setattr(Tokens, method, lambda _, number: SHOWN[method](tokens[number]))
    Tokens.algorithm = algorithm
    return target_of(spec, Tokens())


SHOWN = {"token_text": str, "decode_single_token_bytes": str.encode}


@pytest.mark.parametrize("method", [None, "token_text", "decode_single_token_bytes"])
@pytest.mark.parametrize("other", [None, "token_text", "decode_single_token_bytes"])
def test_targets_with_the_same_tokens_are_meant_to_be_equal(method, other):
    assert are_meant_to_be_equal(made(method=method), made(method=other))


@pytest.mark.parametrize("method", [None, "token_text", "decode_single_token_bytes"])
@pytest.mark.parametrize("other", [None, "token_text", "decode_single_token_bytes"])
def test_targets_with_different_tokens_are_not(method, other):
    assert not are_meant_to_be_equal(made(method=method), made(tokens="bca", method=other))


def test_a_few_different_tokens_are_a_defect_of_the_same_vocabulary():
    assert are_meant_to_be_equal(made(tokens="abcd"), made(tokens="abdc"))


def test_targets_of_different_algorithms_are_not_meant_to_be_equal():
    assert not are_meant_to_be_equal(made(algorithm="BPE"), made(algorithm="Unigram"))
    assert are_meant_to_be_equal(made(algorithm="BPE"), made())


def test_a_target_and_its_reference_are_meant_to_be_equal_whatever_they_show():
    target = made("rwkv:x.txt", algorithm="BPE")
    for spec in ("reference:x.txt", "engine:llama.cpp:x.txt"):
        assert are_meant_to_be_equal(target, made(spec, tokens="bca", algorithm="Unigram"))
    assert not are_meant_to_be_equal(target, made("reference:y.txt", algorithm="Unigram"))


def test_the_reference_of_a_target_is_among_the_targets_or_loaded_once():
    target, given = made("tiktoken:embedded"), made("reference:embedded")
    with contextlib.ExitStack() as stack:
        assert reference_among([target, given], stack)(target) is given
        find = reference_among([target], stack)
        loaded = find(target)
        assert loaded is not None
        assert loaded.spec == "reference:embedded"
        assert find(target) is loaded


def test_without_a_reference_that_can_be_loaded_there_is_none():
    with contextlib.ExitStack() as stack:
        for spec in ("t:1", "python:x.py:make", "hf:/no/such/file"):
            assert reference_among([], stack)(made(spec)) is None
