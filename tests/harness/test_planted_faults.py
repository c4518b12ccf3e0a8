"""End-to-end runs over wrappers with one planted fault each: every check, several families."""

import pytest

pytestmark = pytest.mark.slow

FAULTS = {
    "drops_zero_width_space": ("TOK101", "dropped characters: U+200B", 4),
    "composes_to_nfc": ("TOK101", "normalizer: NFC", 4),
    "numbers_in_fours": ("TOK201", "pre-tokenizer: numbers are split into fours", 4),
    "case_sensitive_contractions": ("TOK201", "pre-tokenizer: the pattern has case", 4),
    "special_id_from_plain_text": ("TOK103", "special token: exact text", len("<|endoftext|>")),
    "raises_on_uffff": ("TOK102", "raises: encode, IndexError, U+FFFF", 4),
}
FEW = {
    "against": "tiktoken:embedded",
    "families": (
        *("contractions", "digits", "noncharacters", "normal-forms", "plain-words"),
        *("special-tokens", "surrogates", "zero-width"),
    ),
    "ignore": ("TOK109", "TOK110", "TOK114"),  # their audits take seconds
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", FAULTS)
def test_each_fault_is_one_bug_with_its_cause_and_a_small_text(check_spec, faulty, factory):
    (bug,) = check_spec(faulty(factory), **FEW).bugs
    code, cause, longest = FAULTS[factory]
    assert bug.code == code
    assert str(bug.cause).startswith(cause)
    assert 0 < len(bug.text) <= longest


@pytest.mark.parametrize("factory", ["plain", "refuses_special_text"])
def test_a_plain_wrapper_has_no_bug_and_no_difference(check_spec, faulty, factory):
    findings = check_spec(faulty(factory), **FEW)
    assert findings.bugs == []
    assert {finding.cause.kind for finding in findings if finding.code == "TOK201"} == {
        "Unicode version of the split"
    }


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("factory", "causes"),
    [
        ("drops_and_fours", ["dropped characters", "pre-tokenizer"]),
        ("nfc_and_raises", ["normalizer", "raises"]),
        ("special_and_case_sensitive", ["special token", "pre-tokenizer"]),
        ("decodes_null_as_space", ["decoder"]),
    ],
)
def test_every_fault_of_a_mixture_is_reported_and_nothing_else(check_spec, faulty, factory, causes):
    findings = check_spec(faulty(factory), **FEW)
    assert [finding.cause.kind for finding in findings.bugs] == causes


@pytest.mark.nightly
def test_every_fault_of_a_mixture_is_reported_in_a_run_over_all_families(check_spec, faulty):
    spec = faulty("drops_and_fours")
    findings = check_spec(spec, against=FEW["against"], ignore=FEW["ignore"])
    assert [finding.cause.kind for finding in findings.bugs] == [
        "dropped characters",
        "pre-tokenizer",
    ]
