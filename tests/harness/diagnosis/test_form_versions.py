"""Normal forms and case mappings of other Unicode versions than Python's."""

import pytest

from tokharness.diagnosis.text.normal_forms import (
    FORMS,
    STEPS,
    applied_forms,
    explains,
    forms_that_explain,
)
from tokharness.unicode.normalization import normalize

MANY_VERSIONS = "\xb2\u32ff\U00011938\U00010781\U0001e030\U000105c9\ua7f1"


def test_the_versioned_forms_are_forms():
    assert STEPS.keys() <= FORMS.keys()


@pytest.mark.parametrize(
    ("form", "text", "result"),
    [
        ("lowercase", "A\ua7cb", "a\u0264"),  # assigned in 16.0, which Python 3.11 does not know
        ("lowercase", "\u0391\u03a3", "\u03b1\u03c3"),  # each character alone: no final sigma
        ("uppercase", "a\U00010d70", "A\U00010d50"),
        ("case folding", "\ua7cb", "\u0264"),
        ("NFC and lowercase", "E\u0301\ua7cb", "\u00e9\u0264"),
        ("NFD", "\U00011938", "\U00011938"),  # unassigned before 13.0, so it stays
        ("marks stripped", "e\u0301\u0903", "e"),
    ],
)
def test_a_form_explains_a_text_at_some_version(form, text, result):
    assert explains(form, text, result)
    assert form in forms_that_explain(text, result)


def test_each_step_has_a_version_of_its_own():
    # U+11938 stays composed at 12.1, and U+A7CB is lower-cased at 16.0.
    assert explains("NFD and lowercase", "\U00011938\ua7cb", "\U00011938\u0264")


def test_no_version_explains_another_text():
    assert not explains("lowercase", "\ua7cb", "x")
    assert not explains("lowercase", "A", "b")


def test_a_text_of_many_versions_is_explained_at_the_version_of_the_target():
    result = normalize("NFKC", MANY_VERSIONS, version="12.0")

    def forms(version):
        return applied_forms(MANY_VERSIONS, result, {"NFKC"}.__contains__, lambda _: version)

    assert forms("12.0") == ["NFKC"]
    assert forms("12.1") == forms(None) == []
