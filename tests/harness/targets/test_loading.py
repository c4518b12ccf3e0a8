"""From the words of a command to a target and what it is compared with."""

import pytest

from tokharness.errors import TargetError, UnknownNameError, VocabularyError
from tokharness.targets.loading import load_subject, load_target


def test_a_spec_is_a_scheme_and_the_rest(faulty):
    spec = faulty("plain")
    assert load_target(spec).spec == spec


@pytest.mark.parametrize(
    ("spec", "error", "told"),
    [
        ("tiktokn:embedded", UnknownNameError, "did you mean 'tiktoken'"),
        ("", UnknownNameError, "no target scheme is called ''"),
        ("embedded", UnknownNameError, "no target scheme is called 'embedded'"),
        ("reference:embeded", UnknownNameError, "did you mean 'embedded'"),
        ("reference:no/such.tiktoken", VocabularyError, "such.tiktoken"),
        ("python:no_such.py:make", TargetError, "no file no_such.py"),
    ],
)
def test_a_spec_that_names_nothing_is_told_in_one_sentence(spec, error, told):
    with pytest.raises(error) as caught:
        load_target(spec)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_explicit_reference_is_loaded_and_nothing_is_missing(faulty):
    loaded = load_subject(faulty("plain"), "tiktoken:embedded")
    assert loaded.subject.reference.spec == "tiktoken:embedded"


def test_none_is_compared_with_nothing():
    assert load_subject("reference:embedded", "none").subject.reference is None


@pytest.mark.parametrize(
    ("spec", "reference"),
    [
        ("tiktoken:embedded", "reference:embedded"),
        ("reference:embedded", "tiktoken:embedded"),
        ("reference", "tiktoken:embedded"),
    ],
)
def test_a_built_in_target_has_an_automatic_reference(spec, reference):
    assert load_subject(spec, None).subject.reference.spec == reference


def test_an_object_of_the_user_has_none_and_the_reason_says_what_to_do(faulty):
    loaded = load_subject(faulty("plain"), None)
    assert loaded.subject.reference is None
    assert "--against" in loaded.no_reference


def test_an_explicit_reference_that_cannot_be_loaded_is_an_error(faulty):
    with pytest.raises(UnknownNameError):
        load_subject(faulty("plain"), "reference:embeded")


@pytest.mark.parametrize("spec", ["tiktoken:embedded", "reference:embedded"])
def test_against_its_automatic_reference_both_sides_have_one_version(spec):
    subject = load_subject(spec, None).subject
    ours = subject.target if spec.startswith("reference") else subject.reference
    assert ours.unicode_version == subject.unicode_version
    for text in ("\U0001e6c0.a", "\U00010d6f's", "\U00011de0\\u"):
        assert subject.encode(text) == subject.reference_ids(text)


def test_an_explicit_reference_keeps_its_own_version(tmp_path):
    subject = load_subject("tiktoken:embedded", "reference:embedded").subject
    assert subject.reference.unicode_version == load_target("reference:embedded").unicode_version


def test_what_explains_an_explicit_tiktoken_is_our_own_code(faulty):
    subject = load_subject(faulty("plain"), "tiktoken:embedded").subject
    assert subject.explainer.spec == "reference:embedded"
    assert subject.explainer.can("pretokens")


def test_nothing_explains_a_reference_of_the_user(faulty):
    subject = load_subject("tiktoken:embedded", faulty("plain")).subject
    assert subject.explainer is None


def test_the_version_of_a_declared_normal_form_is_looked_for(faulty):
    subject = load_subject(faulty("declares_nfc"), "reference:embedded").subject
    assert subject.expected_text("e\u0301") == "\u00e9"
    assert subject.normalizer_version is not None


def test_a_property_that_raises_is_a_mistake_of_the_target(tmp_path):
    path = tmp_path / "raises.py"
    path.write_text(
        "class T:\n"
        "    def encode(self, text): return []\n"
        "    def decode(self, ids): return ''\n"
        "    @property\n"
        "    def n_vocab(self): raise ValueError('no model')\n"
    )
    with pytest.raises(TargetError, match="cannot be read: ValueError: no model"):
        load_target(f"python:{path}:T")
