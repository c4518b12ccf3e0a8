"""Every family has a fault that it alone shows, or a reason why not."""

import importlib

import pytest

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness_tokenizers import faulty
from tokharness_tokenizers.faulty._planted import planted
from tokharness_tokenizers.faulty._wrapping import engine

pytestmark = pytest.mark.usefixtures("texts_made_once")

BY_NAME = {one.name: one for one in planted()}

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
    "regressions": "its texts are the project's, and a new one has none",
    "surrogates": "the sweep tries each alone, and invalid-utf8 tries their bytes",
}
"""Families without such a fault, and why."""


def test_every_family_has_a_fault_of_its_own_or_a_reason_why_not():
    assert set(plugins.families()) == set(ONLY) | set(WHY_NOT)


def test_the_fault_of_a_family_names_no_other():
    assert {family: BY_NAME[name].families for family, name in ONLY.items()} == {
        family: (family,) for family in ONLY
    }


@pytest.mark.slow
@pytest.mark.parametrize(("family", "name"), ONLY.items())
def test_no_other_family_shows_it(family, name, findings_of_fault, told):
    others = tuple(other for other in plugins.families() if other != family)
    found = findings_of_fault(BY_NAME[name], families=others, profile="quick")
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
