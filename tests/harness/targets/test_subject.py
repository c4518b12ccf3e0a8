"""What a check gets from a target, its reference and its declarations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.model import target_of
from tokharness.targets.subject import Subject, declared_form, is_scalar, scalar_text

ANY = st.text(st.one_of(st.characters(exclude_categories=()), st.sampled_from("\ud83d\ude00")))


@given(ANY)
def test_scalar_text_is_made_of_scalar_values_only(text):
    assert is_scalar(scalar_text(text))


@given(st.text())
def test_text_without_surrogates_is_scalar_and_stays(text):
    assert is_scalar(text)
    assert scalar_text(text) == text


@pytest.mark.parametrize(
    ("text", "scalar"),
    [
        ("\ud83d\ude00", "\U0001f600"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("a\ud800b", "a\ufffdb"),
        ("\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
    ],
)
def test_surrogates_are_joined_in_pairs_and_replaced_one_by_one(text, scalar):
    assert scalar_text(text) == scalar


@pytest.mark.parametrize(
    ("normalizer", "text", "form"),
    [
        (None, "e\u0301", "e\u0301"),
        ("NFC", "e\u0301", "\u00e9"),
        ("nfd", "\u00e9", "e\u0301"),
        ("NFKC", "\uff21", "A"),
        ("NFKD", "\ufb01", "fi"),
        ("lowercase", "\u00c9A", "\u00e9a"),
        ("no name of ours", "A", "A"),
    ],
)
def test_a_declared_normal_form_is_computed_by_tokharness(byte_tokenizer, normalizer, text, form):
    assert declared_form(target_of("x", byte_tokenizer(normalizer=normalizer)), text) == form


def test_the_normalize_of_a_target_is_not_used_for_a_known_normal_form(byte_tokenizer):
    tokenizer = byte_tokenizer(normalizer="NFC", normalize=lambda _: "something else")
    assert declared_form(target_of("x", tokenizer), "e\u0301") == "\u00e9"


def test_the_normalize_of_a_target_is_used_for_any_other_name(byte_tokenizer):
    tokenizer = byte_tokenizer(normalizer="mine", normalize=str.title)
    assert declared_form(target_of("x", tokenizer), "ab") == "Ab"


def test_a_declared_form_is_computed_at_the_version_that_was_found(byte_tokenizer):
    target = target_of("x", byte_tokenizer(normalizer="NFC"))
    new_in_16 = "\U000105d2\u0307"
    assert Subject(target).expected_text(new_in_16) == "\U000105c9"
    assert Subject(target, normalizer_version="15.0").expected_text(new_in_16) == new_in_16


def test_the_reference_is_asked_about_the_declared_form(byte_tokenizer):
    target = target_of("x", byte_tokenizer(normalizer="NFC"))
    subject = Subject(target, target_of("y", byte_tokenizer()))
    assert subject.reference_ids("e\u0301") == list("\u00e9".encode())


def test_without_a_reference_there_are_no_reference_ids(byte_tokenizer):
    assert Subject(target_of("x", byte_tokenizer())).reference_ids("a") is None


def test_special_tokens_are_those_of_both_sides_and_the_targets_win(byte_tokenizer):
    target = target_of("x", byte_tokenizer(special_tokens={"<s>": 300}))
    other = target_of("y", byte_tokenizer(special_tokens={"<s>": 400, "</s>": 401}))
    assert Subject(target, other).special_tokens == {"<s>": 300, "</s>": 401}


@pytest.mark.parametrize("owner", ["target", "reference", "explainer"])
def test_bytes_of_tokens_come_from_the_side_that_has_them(byte_tokenizer, owner):
    sides = {name: byte_tokenizer() for name in ("target", "reference", "explainer")}
    sides[owner].decode_single_token_bytes = lambda i: bytes([i])
    subject = Subject(**{name: target_of(name, each) for name, each in sides.items()})
    assert subject.token_bytes([0x61]) == [b"a"]


def test_bytes_of_tokens_that_no_side_knows_are_none(byte_tokenizer):
    assert Subject(target_of("x", byte_tokenizer())).token_bytes([1]) is None


def test_the_vocabulary_leaves_out_holes_and_special_tokens(byte_tokenizer):
    known = {0: b"a", 2: b"b", 3: b"<s>"}
    tokenizer = byte_tokenizer(
        n_vocab=5, special_tokens={"<s>": 3}, decode_single_token_bytes=known.__getitem__
    )
    assert Subject(target_of("x", tokenizer)).vocabulary() == {0: b"a", 2: b"b"}


@pytest.mark.parametrize("returned", [None, 7, b"x"])
def test_a_normalize_that_returns_no_text_changes_nothing(byte_tokenizer, returned):
    target = target_of("x", byte_tokenizer(normalizer="mine", normalize=lambda _: returned))
    assert declared_form(target, "a") == "a"


def test_a_normalize_that_refuses_surrogates_is_called_without_them(byte_tokenizer):
    def normalize(text):
        return text.encode().decode().upper()

    target = target_of("x", byte_tokenizer(normalizer="mine", normalize=normalize))
    assert declared_form(target, "a\ud800") == "A\ufffd"


@pytest.mark.parametrize("final", ["\u03c2", "\u03c3"])
def test_a_target_that_lowercases_may_write_a_final_sigma_or_not(byte_tokenizer, final):
    def lower(text):
        return text.lower().replace("\u03c2", final)

    subject = Subject(target_of("x", byte_tokenizer(lower, normalizer="lowercase")))
    assert subject.expected_text("\u039f\u03a3") == f"\u03bf{final}"
    assert subject.expected_text("\u03c2") == "\u03c2"


def test_a_final_sigma_of_a_normal_form_stays(byte_tokenizer):
    def refuse_final(text):
        return text.replace("\u03c2", "\u03c3")

    subject = Subject(target_of("x", byte_tokenizer(refuse_final, normalizer="NFKC")))
    assert subject.expected_text("\u03f2") == "\u03c2"


def test_a_target_at_the_versions_of_its_reference_says_itself_what_it_declares(byte_tokenizer):
    def target(change):
        return target_of("x", byte_tokenizer(normalizer="mine", normalize=change))

    other, own = target(str.upper), target(str.lower)
    assert Subject(own, other).expected_text("aB") == "AB"
    assert Subject(own, other, original_target=target(str.title)).expected_text("aB") == "ab"


def test_bytes_of_tokens_of_a_known_vocabulary_are_not_asked_for_again(byte_tokenizer):
    numbers = []

    def data(number):
        numbers.append(number)
        return bytes([number])

    tokenizer = byte_tokenizer(n_vocab=2, decode_single_token_bytes=data)
    subject = Subject(target_of("x", tokenizer))
    subject.vocabulary()
    assert subject.token_bytes([1, 0]) == [b"\x01", b"\x00"]
    assert numbers == [0, 1]
