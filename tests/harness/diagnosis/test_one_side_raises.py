"""Texts that one side refuses, which is a bug where the user named the reference."""

import pytest

CODE = "TOK201"
TEXTS = ("a", "\ud800", "\x00", "a\x00b", "")


def refusing(character):
    """Change that raises on a character."""

    def change(text):
        if character in text:
            raise ValueError(text)
        return text

    return change


@pytest.fixture
def causes(check_texts, byte_tokenizer):
    def causes_of(target, reference, *, claims_parity=True):
        tokenizers = [byte_tokenizer(change) for change in (target, reference)]
        findings = check_texts(
            *(CODE, tokenizers[0], TEXTS),
            reference=tokenizers[1],
            claims_parity=claims_parity,
            checks=frozenset({CODE, "TOK102"}),
        )
        return [str(finding.cause) for finding in findings]

    return causes_of


NULL, SURROGATE, NONE = refusing("\x00"), refusing("\ud800"), refusing("\U0010ffff")


@pytest.mark.parametrize(
    ("target", "reference", "cause"),
    [
        (SURROGATE, NONE, "surrogates: by the target only"),
        (NONE, SURROGATE, "surrogates: by the reference only"),
        (NONE, NULL, "raises: the reference only, ValueError"),
    ],
)
def test_a_text_that_one_side_refuses_is_one_bug(causes, target, reference, cause):
    assert causes(target, reference) == [cause]
    assert causes(target, reference, claims_parity=False) == []


@pytest.mark.parametrize("change", [NONE, NULL, SURROGATE])
def test_a_text_that_both_refuse_passes(causes, change):
    assert causes(change, change) == []


def test_a_scalar_text_that_the_target_refuses_is_left_to_the_check_of_exceptions(causes):
    assert causes(NULL, NONE) == []


def test_a_reference_that_refuses_the_text_of_special_tokens_is_by_design(
    check_texts, byte_tokenizer
):
    reference = byte_tokenizer(refusing("<s>"), special_tokens={"<s>": 300})
    findings = check_texts(
        CODE, byte_tokenizer(), ["<s>", "a<s>"], reference=reference, claims_parity=True
    )
    assert findings == []
