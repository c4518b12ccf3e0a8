"""End-to-end runs over wrappers with one planted fault each: every check, many families.

Fast tests run some faults with the embedded vocabulary on few families. Slow tests run the others,
and all of them with cl100k_base if tiktoken has it in its cache.
"""

import pytest

from tokharness_tokenizers.vocabularies.locate import PUBLISHED

CL100K = PUBLISHED["cl100k_base"]
FAULTS = {
    "drops_zero_width_space": ("TOK101", "dropped characters: U+200B", 4),
    "composes_to_nfc": ("TOK101", "normalizer: NFC", 4),
    "numbers_in_fours": ("TOK201", "pre-token split: number", 4),
    "case_sensitive_contractions": ("TOK201", "pre-token split: contraction", 4),
    "special_id_from_plain_text": ("TOK103", "special token: exact text", len("<|endoftext|>")),
    "raises_on_uffff": ("TOK102", "raises: encode, IndexError, U+FFFF", 4),
}
QUICK = ("drops_zero_width_space", "case_sensitive_contractions", "raises_on_uffff")


FEW = {
    "families": (
        *("contractions", "digits", "noncharacters", "normal-forms", "plain-words"),
        *("special-tokens", "surrogates", "zero-width"),
    ),
    "ignore": ("TOK109", "TOK110", "TOK114"),  # their audits take seconds
}
ALL = {"examples": 20}


@pytest.fixture(
    params=[
        pytest.param(("embedded", FEW), id="few"),
        pytest.param(("cl100k_base", ALL), id="cl100k_base", marks=pytest.mark.slow),
    ]
)
def findings_of(request, monkeypatch, check_spec):
    """Return the findings of a target against tiktoken with the same vocabulary."""
    vocabulary, options = request.param
    if vocabulary == "cl100k_base" and not CL100K.cache_path.exists():
        pytest.skip("cl100k_base is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")
    monkeypatch.setenv("FAULTY_VOCABULARY", vocabulary)
    return lambda spec: check_spec(spec, against=f"tiktoken:{vocabulary}", **options)


@pytest.mark.parametrize(
    "factory",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in FAULTS],
)
def test_each_fault_is_one_bug_with_its_cause_and_a_small_text(findings_of, faulty, factory):
    (bug,) = findings_of(faulty(factory)).bugs
    code, cause, longest = FAULTS[factory]
    assert bug.code == code
    assert str(bug.cause).startswith(cause)
    assert 0 < len(bug.text) <= longest


@pytest.mark.parametrize("factory", ["plain", "refuses_special_text"])
def test_a_plain_wrapper_has_no_bug_and_no_difference(findings_of, faulty, factory):
    findings = findings_of(faulty(factory))
    assert findings.bugs == []
    assert {finding.cause.kind for finding in findings if finding.code == "TOK201"} == {
        "Unicode version of the split"
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factory", "causes"),
    [
        ("drops_and_fours", ["dropped characters", "pre-token split"]),
        ("nfc_and_raises", ["normalizer", "raises"]),
        ("special_and_case_sensitive", ["special token", "pre-token split"]),
        ("decodes_null_as_space", ["decoder"]),
    ],
)
def test_every_fault_of_a_mixture_is_reported_and_nothing_else(check_spec, faulty, factory, causes):
    findings = check_spec(faulty(factory), against="tiktoken:embedded", **FEW)
    assert [finding.cause.kind for finding in findings.bugs] == causes


@pytest.mark.slow
def test_every_fault_of_a_mixture_is_reported_in_a_run_over_all_families(check_spec, faulty):
    spec = faulty("drops_and_fours")
    findings = check_spec(spec, against="tiktoken:embedded", ignore=FEW["ignore"])
    assert [finding.cause.kind for finding in findings.bugs] == [
        "dropped characters",
        "pre-token split",
    ]
