"""End-to-end runs over wrappers with one planted fault each: every check, many families.

Fast tests run some faults with the embedded vocabulary on few families. Slow tests run the others,
and those that depend on the pattern or on special tokens with cl100k_base on all families, if
tiktoken has it in its cache.
"""

import pytest

from tokharness_tokenizers.vocabularies.locate import PUBLISHED

pytestmark = pytest.mark.slow

CL100K = PUBLISHED["cl100k_base"]
FAULTS = {
    "drops_zero_width_space": ("TOK101", "dropped characters: U+200B", 4),
    "composes_to_nfc": ("TOK101", "normalizer: NFC", 4),
    "numbers_in_fours": ("TOK201", "pre-tokenizer: numbers are split into fours", 4),
    "case_sensitive_contractions": ("TOK201", "pre-tokenizer: the pattern has case", 4),
    "special_id_from_plain_text": ("TOK103", "special token: exact text", len("<|endoftext|>")),
    "raises_on_uffff": ("TOK102", "raises: encode, IndexError, U+FFFF", 4),
}
QUICK = ("drops_zero_width_space", "case_sensitive_contractions", "raises_on_uffff")
HEALTHY = ("plain", "refuses_special_text")
WITH_CL100K = ("numbers_in_fours", "special_id_from_plain_text", "plain")

FEW = {
    "families": (
        *("contractions", "digits", "noncharacters", "normal-forms", "plain-words"),
        *("special-tokens", "surrogates", "zero-width"),
    ),
    "ignore": ("TOK109", "TOK110", "TOK114"),  # their audits take seconds
}
ALL = {"examples": 20}


def runs(factories, fast):
    """Parametrize a test with ``findings_of`` and a factory of a target."""
    slow = pytest.mark.slow
    few = [
        pytest.param("embedded", name, id=f"few-{name}", marks=() if name in fast else slow)
        for name in factories
    ]
    whole = [
        pytest.param("cl100k_base", name, marks=slow) for name in factories if name in WITH_CL100K
    ]
    return pytest.mark.parametrize(
        ("findings_of", "factory"), [*few, *whole], indirect=["findings_of"]
    )


@pytest.fixture
def findings_of(request, monkeypatch, check_spec):
    """Return the findings of a target against tiktoken with the same vocabulary."""
    vocabulary = request.param
    options = FEW if vocabulary == "embedded" else ALL
    if vocabulary == "cl100k_base" and not CL100K.cache_path.exists():
        pytest.skip("cl100k_base is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")
    monkeypatch.setenv("FAULTY_VOCABULARY", vocabulary)
    return lambda spec: check_spec(spec, against=f"tiktoken:{vocabulary}", **options)


@runs(FAULTS, fast=QUICK)
def test_each_fault_is_one_bug_with_its_cause_and_a_small_text(findings_of, faulty, factory):
    (bug,) = findings_of(faulty(factory)).bugs
    code, cause, longest = FAULTS[factory]
    assert bug.code == code
    assert str(bug.cause).startswith(cause)
    assert 0 < len(bug.text) <= longest


@runs(HEALTHY, fast=HEALTHY)
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
        ("drops_and_fours", ["dropped characters", "pre-tokenizer"]),
        ("nfc_and_raises", ["normalizer", "raises"]),
        ("special_and_case_sensitive", ["special token", "pre-tokenizer"]),
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
        "pre-tokenizer",
    ]
