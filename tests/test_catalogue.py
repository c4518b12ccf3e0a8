"""Every planted fault is found, by its name and in a small text; on healthy targets nothing is.

The score, faults found of faults planted, is printed at the end of each process that ran some.
``tests/benchmarks/full_catalogue.py`` runs the whole standard profile over all of them.
"""

import importlib
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import Found, Skipped, TargetFinished, TargetStarted
from tokharness.engine.run import run
from tokharness.model import TargetFacts, Verdict
from tokharness_tokenizers import faulty
from tokharness_tokenizers.faulty._planted import planted
from tokharness_tokenizers.faulty._wrapping import engine
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

PLANTED = planted()
BY_NAME = {one.name: one for one in PLANTED}
HEALTHY = Path(__file__).with_name("catalogue.py")
NONE_IN_FAMILIES = "plain-words"
"""An audit needs no text, but a run has a family."""

SLOW = frozenset(
    {
        "beyond_the_bmp_to_fffd",
        "decode_takes_quadratic_time",
        "encode_takes_quadratic_time_on_letters",
        "encode_takes_quadratic_time_on_spaces",
        "encodes_surrogates_of_pairs",
        "decomposes_nukta_letters",
        "a_hole_decodes_to_another_token",
        "merges_the_rightmost_first",
        "takes_the_longest_token",
        "takes_the_longest_token_of_sixteen_bytes",
        "truncates_after_60000_characters",
    }
)
"""Of those that are quick by their profile, what takes more than about a second."""

ONLY = {
    "bidi": "closes_isolates_left_open",
    "byte-alphabet": "repairs_mojibake",
    "chat-templates": "drops_line_end_after_role",
    "class-ngrams": "drops_fraction_after_titlecase",
    "code": "writes_operators_as_ligatures",
    "combining-stacks": "keeps_two_thousand_marks",
    "contractions": "loses_the_second_contraction",
    "controls": "drops_escape_sequences",
    "digits": "drops_separators_of_lakhs",
    "emoji": "swaps_regional_indicators",
    "hangul": "drops_the_third_old_vowel",
    "homoglyphs": "reads_one_lookalike_within_words",
    "indic-conjuncts": "drops_joiner_of_kannada",
    "invalid-utf8": "encode_bytes_takes_overlong_forms",
    "invisible-bits": "drops_runs_of_invisible_operators",
    "leading-space": "drops_low_block_between_names",
    "letter-case": "lowers_sigma_at_the_end_of_capitals",
    "long-inputs": "truncates_after_60000_characters",
    "normal-forms": "grave_tone_mark_to_grave_accent",
    "property-names": "raises_on_property_names",
    "scalar-sweep": "drops_one_private_use_character",
    "short-strings": "drops_a_bracket_between_bars",
    "special-tokens": "special_after_one_is_removed",
    "tag-smuggling": "drops_language_tags",
    "variation-selectors": "drops_selectors_of_mixed_planes",
    "very-long-inputs": "truncates_after_half_a_million_characters",
    "white-space": "joins_spaces_of_two_kinds",
    "zero-width": "drops_filler_in_numbers",
}
"""A fault for each family that no other shows in a quick run, or by ``STANDARD`` texts."""

STANDARD = {family: name for family, name in ONLY.items() if BY_NAME[name].profile != "quick"}
"""Those of them that a quick run of their own family does not show either."""

WHY_NOT = {
    "new-code-points": "the sweep tries them too, in fewer contexts and later in a run",
    "noncharacters": "the sweep tries them too, in fewer contexts and later in a run",
    "plain-words": "whatever breaks them breaks hostile texts: they say that nothing is right",
    "surrogates": "the sweep tries each alone, and invalid-utf8 tries their bytes",
}
"""Families without such a fault, and why."""

NEVER_ON_A_FAULT = {
    "TOK402": "parts of characters are counted; no number of them is a fault",
    "TOK404": "U+FFFD in a vocabulary is told; that is no fault of a tokenizer",
    "TOK405": "tokens of white space are counted; no number of them is a fault",
}
"""Checks that no planted fault is for, and why."""

A_FINDING_A_RULE = frozenset({"cuts_nothing"})
"""Faults that break several rules of a pattern, each of which is told."""

NOT_IN_A_QUICK_RUN = "the quick profile leaves it out"
NO_REFERENCE = "there is no reference to compare with: none was asked for"
TOO_MANY = "they are too many; others, evenly over all that fail, were diagnosed"
"""Said of texts that are changed as was declared."""
LACKED_BY_ALL = {"decode_stream", "encode_bytes"}
LACKED_BY_PLAIN_ONES = {
    *("decode_stream", "encode_bytes and no decode_bytes", "encode_with_offsets", "n_vocab"),
    *("decode_single_token_bytes", "decode_single_token_bytes and no n_vocab"),
}
"""What the healthy targets have not, as skips say it."""

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


def events(spec, jobs=0, **options):
    options = {"profile": "quick", "examples": 10, "against": "none", **options}
    return list(run([spec], Options(**options), jobs=jobs))


def findings(spec, jobs=0, **options):
    return [event.finding for event in events(spec, jobs, **options) if isinstance(event, Found)]


def run_of(one, **options):
    """What the check that is to tell a fault finds, in the fewest families that show it."""
    wanted = {
        "families": one.families or (NONE_IN_FAMILIES,),
        "against": one.against,
        "profile": one.profile,
        "select": (one.code,),
    }
    return findings(one.spec, int(one.deadly), **{**wanted, **options})


def told(found):
    return [f"{one.code} {one.cause}" for one in found]


def worse_than_by_design(found):
    return [one for one in found if one.verdict is not Verdict.BY_DESIGN]


def faults(*, slow):
    return [pytest.param(one, id=one.name) for one in PLANTED if is_slow(one) == slow]


def expect_its_fault(one):
    score["planted"] += 1
    found = worse_than_by_design(run_of(one))
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
def test_a_planted_fault_is_found(one):
    expect_its_fault(one)


@pytest.mark.slow
@pytest.mark.parametrize("one", faults(slow=True))
def test_a_planted_fault_that_takes_long_is_found(one):
    expect_its_fault(one)


def test_at_least_ninety_faults_are_planted():
    assert len(PLANTED) >= 90


def test_the_expected_cause_of_a_fault_is_not_empty():
    assert [one.name for one in PLANTED if not one.cause.strip(": ")] == []


def test_every_check_is_for_a_planted_fault():
    assert set(plugins.checks()) == {one.code for one in PLANTED} | set(NEVER_ON_A_FAULT)


def test_every_family_has_a_fault_of_its_own_or_a_reason_why_not():
    assert set(plugins.families()) == set(ONLY) | set(WHY_NOT)


def test_the_fault_of_a_family_names_no_other():
    assert {family: BY_NAME[name].families for family, name in ONLY.items()} == {
        family: (family,) for family in ONLY
    }


@pytest.mark.slow
@pytest.mark.parametrize(("family", "name"), ONLY.items())
def test_no_other_family_shows_it(family, name):
    others = tuple(other for other in plugins.families() if other != family)
    found = worse_than_by_design(run_of(BY_NAME[name], families=others, profile="quick"))
    assert told(found) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", plugins.families())
def test_no_text_shows_a_fault_that_only_another_family_shows(family):
    """All texts of a standard run; of the sweep and of a million characters those of a quick one.

    The sweep is left out for its length, the other since the engine itself fails on them.
    """
    encode = engine().encode_ordinary
    encoders = {
        name: importlib.import_module(f"{faulty.__name__}.{name}").tokenizer().encode
        for own, name in STANDARD.items()
        if own != family
    }
    profile = "quick" if family in {"scalar-sweep", "very-long-inputs"} else "standard"
    special = tuple(engine().special_tokens)
    for text in plugins.families()[family].texts(TargetFacts(special, profile=profile)):
        ids = encode(text)
        assert [name for name, other in encoders.items() if other(text) != ids] == [], ascii(text)


@pytest.mark.parametrize(
    "spec",
    [
        "tiktoken:embedded",
        *(
            pytest.param(spec, marks=pytest.mark.slow)
            for spec in (
                "reference",
                f"python:{HEALTHY}:plain",
                f"python:{HEALTHY}:complete",
                f"python:{HEALTHY}:declares_nfc",
                f"python:{HEALTHY}:declares_nfkc",
            )
        ),
    ],
)
def test_nothing_is_told_of_a_healthy_target(spec):
    is_ours = spec.startswith("python:")
    seen = events(spec, against="none" if is_ours else None)
    assert told(bugs(seen)) == []
    assert_all_was_tried(seen, is_plain=is_ours and not spec.endswith(":complete"))


def bugs(seen):
    found = [event.finding for event in seen if isinstance(event, Found)]
    return [finding for finding in found if finding.verdict is Verdict.BUG]


def assert_all_was_tried(seen, *, is_plain):
    """That every family was tried to the end, and nothing skipped but what no one can try."""
    (start,) = [event for event in seen if isinstance(event, TargetStarted)]
    assert set(start.families) == set(plugins.families())
    (end,) = [event for event in seen if isinstance(event, TargetFinished)]
    assert end.cases > 80_000
    lacked = LACKED_BY_PLAIN_ONES if is_plain else LACKED_BY_ALL
    reasons = {event.skip.reason for event in seen if isinstance(event, Skipped)}
    reasons -= {f"the target has no {name}" for name in lacked}
    assert reasons <= {NOT_IN_A_QUICK_RUN, NO_REFERENCE, TOO_MANY}


def skip_without(vocabulary):
    if not PUBLISHED[vocabulary].cache_path.exists():
        pytest.skip(f"{vocabulary} is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")


@pytest.mark.slow
@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_nothing_is_told_of_a_published_vocabulary(vocabulary, wrapped, monkeypatch):
    skip_without(vocabulary)
    monkeypatch.setenv("WRAPPED", vocabulary)
    spec = f"python:{HEALTHY}:plain" if wrapped else f"tiktoken:{vocabulary}"
    against = f"tiktoken:{vocabulary}" if wrapped else None
    seen = events(spec, against=against)
    assert told(bugs(seen)) == []
    assert_all_was_tried(seen, is_plain=wrapped)


@pytest.mark.slow
def test_the_stack_overflow_of_tiktoken_on_a_million_spaces_is_found_and_nothing_else():
    skip_without("o200k_base")
    (bug,) = bugs(
        events(
            "tiktoken:o200k_base",
            jobs=1,
            profile="standard",
            families=("very-long-inputs",),
            select=("TOK1",),
            ignore=("TOK114",),
        )
    )
    assert str(bug.cause).startswith("panics: encode, PanicException")
    assert len(bug.text) > 500_000
