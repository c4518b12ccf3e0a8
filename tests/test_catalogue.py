"""Every planted fault is found, by its name and in a small text.

The score, faults found of faults planted, is printed at the end of each process that ran some.
``tests/benchmarks/full_catalogue.py`` runs the whole standard profile over all of them.
"""

import pytest

from tokharness import plugins
from tokharness.model import Verdict
from tokharness_tokenizers.faulty._planted import planted

pytestmark = pytest.mark.usefixtures("texts_made_once")

PLANTED = planted()

SLOW = frozenset(
    {
        "a_hole_decodes_to_another_token",
        "batch_normalizes",
        "batch_pads",
        "batch_sorts_by_length",
        "beyond_the_bmp_to_fffd",
        "composes_to_nfc",
        "composes_to_nfkc",
        "cuts_characters_at_buffer_ends",
        "declares_nfc_applies_nfkc",
        "decode_takes_quadratic_time",
        "decomposes_nukta_letters",
        "decomposes_to_nfd",
        "decomposes_to_nfkd",
        "drops_what_unicode_13_lacks",
        "encode_takes_quadratic_time_on_letters",
        "encode_takes_quadratic_time_on_spaces",
        "encodes_surrogates_of_pairs",
        "latin_1_only",
        "merges_sixty_four_bytes_only",
        "merges_the_rightmost_first",
        "races_on_a_shared_buffer",
        "space_stays_before_punctuation",
        "strips_accents",
        "takes_the_longest_token",
        "takes_the_longest_token_of_sixteen_bytes",
        "truncates_after_60000_characters",
    }
)
"""Of those that are quick by their profile, what takes more than about half a second."""

NEVER_ON_A_FAULT = {
    "TOK402": "parts of characters are counted; no number of them is a fault",
    "TOK404": "U+FFFD in a vocabulary is told; that is no fault of a tokenizer",
    "TOK405": "tokens of white space are counted; no number of them is a fault",
}
"""Checks that no planted fault is for, and why."""

A_FINDING_A_RULE = frozenset({"cuts_nothing"})
"""Faults that break several rules of a pattern, each of which is told."""

score = {"found": 0, "planted": 0}


@pytest.fixture(scope="module", autouse=True)
def _told_score(request):
    yield
    if score["planted"]:
        capture = request.config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled():
            print("\nfaults found / planted: {found} / {planted}".format(**score))


def is_slow(one):
    return one.deadly or one.profile != "quick" or one.name in SLOW


def faults(*, slow):
    return [pytest.param(one, id=one.name) for one in PLANTED if is_slow(one) == slow]


def expect_its_fault(one, findings_of_fault, told):
    score["planted"] += 1
    found = findings_of_fault(one)
    expected = [f for f in found if f.code == one.code and str(f.cause).startswith(one.cause)]
    others = [f for f in found if f.verdict is Verdict.BUG]
    assert expected, told(found)
    assert len(expected) == 1 or one.name in A_FINDING_A_RULE, told(found)
    assert told(others) in ([], told(expected)), "one fault is more than one finding"
    for finding in expected:
        if isinstance(finding.text, str) and one.families:
            assert len(finding.text) <= one.longest
    score["found"] += 1


@pytest.mark.parametrize("one", faults(slow=False))
def test_a_planted_fault_is_found(one, findings_of_fault, told):
    expect_its_fault(one, findings_of_fault, told)


@pytest.mark.slow
@pytest.mark.parametrize("one", faults(slow=True))
def test_a_planted_fault_that_takes_long_is_found(one, findings_of_fault, told):
    expect_its_fault(one, findings_of_fault, told)


def test_at_least_ninety_faults_are_planted():
    assert len(PLANTED) >= 90


def test_the_expected_cause_of_a_fault_is_not_empty():
    assert [one.name for one in PLANTED if not one.cause.strip(": ")] == []


def test_every_check_is_for_a_planted_fault():
    assert set(plugins.checks()) == {one.code for one in PLANTED} | set(NEVER_ON_A_FAULT)
