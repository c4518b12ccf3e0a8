"""The attributes of a target, and the fingerprint of a finding."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.errors import TargetError
from tokharness.model import OPTIONAL_METHODS, Cause, Finding, Verdict, target_of

words = st.text(st.characters(exclude_categories=()), max_size=5)
causes = st.builds(
    Cause, kind=words, parameters=st.lists(st.tuples(words, words), max_size=3).map(tuple)
)


class Minimal:
    def encode(self, text):
        return [ord(character) for character in text]

    def decode(self, ids):
        return "".join(map(chr, ids))


def finding(cause, **fields):
    values = {
        "spec": "python:x.py:make",
        "code": "TOK999",
        "name": "a-name",
        "cause": cause,
        "count": 1,
        "text": "a",
        "families": ("digits",),
        "reproduce": "tokharness show a",
    }
    return Finding(**(values | fields))


def test_a_minimal_tokenizer_has_no_capabilities():
    target = target_of("x", Minimal())
    assert target.capabilities == ()
    assert (target.special_tokens, target.n_vocab, target.normalizer) == ({}, None, None)


@pytest.mark.parametrize("method", OPTIONAL_METHODS)
def test_an_optional_method_is_a_capability(method):
    tokenizer = Minimal()
    setattr(tokenizer, method, lambda *_: None)
    target = target_of("x", tokenizer)
    assert target.capabilities == (method,)
    assert target.can(method)


def test_an_attribute_that_is_not_callable_is_not_a_capability():
    tokenizer = Minimal()
    tokenizer.count = 3
    assert not target_of("x", tokenizer).can("count")


def test_encode_is_encode_ordinary_if_there_is_one():
    tokenizer = Minimal()
    tokenizer.encode_ordinary = lambda _: [0]
    assert target_of("x", tokenizer).encode("a") == [0]


def test_encode_is_encode_without_encode_ordinary():
    assert target_of("x", Minimal()).encode("a") == [0x61]


def test_a_target_has_the_attributes_of_the_tokenizer():
    tokenizer = Minimal()
    vars(tokenizer).update(
        special_tokens={"<s>": 1}, n_vocab=9, normalizer="NFC", unicode_version="15.0"
    )
    target = target_of("x", tokenizer)
    assert target.special_tokens == {"<s>": 1}
    assert (target.n_vocab, target.normalizer, target.unicode_version) == (9, "NFC", "15.0")


def test_a_target_has_the_algorithm_and_the_unknown_token():
    tokenizer = Minimal()
    vars(tokenizer).update(algorithm="WordPiece", unknown_id=100)
    target = target_of("x", tokenizer)
    assert (target.algorithm, target.unknown_id) == ("WordPiece", 100)


@pytest.mark.parametrize("name", ["n_vocab", "unknown_id"])
def test_an_id_of_another_type_is_refused(name):
    tokenizer = Minimal()
    setattr(tokenizer, name, "3")
    with pytest.raises(TargetError, match=f"{name} of x is str; make it an int"):
        target_of("x", tokenizer)


def test_special_tokens_of_a_target_are_a_copy():
    tokenizer = Minimal()
    tokenizer.special_tokens = {"<s>": 1}
    target = target_of("x", tokenizer)
    tokenizer.special_tokens["</s>"] = 2
    assert target.special_tokens == {"<s>": 1}


@pytest.mark.parametrize("decoded", [b"a\xff", "a\ufffd"])
def test_decoded_bytes_are_decoded_as_utf8_with_replacement(decoded):
    tokenizer = Minimal()
    tokenizer.decode = lambda _: decoded
    assert target_of("x", tokenizer).decode([1]) == "a\ufffd"


def test_another_result_of_decode_is_a_type_error():
    tokenizer = Minimal()
    tokenizer.decode = list
    raised = target_of("x", tokenizer).decode([1])
    assert str(raised.error) == "decode returned list, not str or bytes"


def test_verdicts_are_ranked_worst_first():
    assert Verdict.BUG.rank < Verdict.RISK.rank < Verdict.FACT.rank


@given(causes, words, words, st.lists(words).map(tuple), st.integers())
def test_a_fingerprint_ignores_text_spec_families_and_count(cause, text, spec, families, count):
    other = finding(cause, text=text, spec=spec, families=families, count=count)
    assert other.fingerprint == finding(cause).fingerprint


@given(causes, words, st.sampled_from(Verdict))
def test_a_fingerprint_ignores_message_and_verdict(cause, message, verdict):
    changed = dataclasses.replace(cause, message=message, verdict=verdict)
    assert finding(changed).fingerprint == finding(cause).fingerprint


@given(causes, causes)
def test_causes_have_the_same_fingerprint_if_they_are_equal(first, second):
    same = finding(first).fingerprint == finding(second).fingerprint
    assert same == (first == second)


@pytest.mark.slow
@given(causes)
def test_a_fingerprint_depends_on_the_check(cause):
    assert finding(cause, code="TOK998").fingerprint != finding(cause).fingerprint


@given(causes)
def test_a_fingerprint_is_sixteen_hex_digits(cause):
    fingerprint = finding(cause).fingerprint
    assert len(fingerprint) == 16
    assert int(fingerprint, 16) >= 0


def test_a_fingerprint_is_the_same_in_every_release():
    cause = Cause("normalizer", (("form", "NFC"),))
    assert finding(cause, code="TOK101").fingerprint == "7564381c33f0cdb9"


def test_the_str_of_a_cause_is_its_kind_and_values():
    assert str(Cause("raises", (("in", "encode"), ("type", "E")))) == "raises: encode, E"
    assert str(Cause("state")) == "state"
