"""Every family has a planted fault that only this family shows, or a reason why not."""

import pytest
from planted import planted_faults
from planted._builders import engine

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.model import TargetFacts
from tokharness_tokenizers.adapters import python_object

pytestmark = pytest.mark.usefixtures("cached_texts")

FAULTS = {fault.name: fault for fault in planted_faults()}

FAULT_OF_FAMILY = {
    "bidi": "closes_isolates_left_open",
    "byte-alphabet": "repairs_mojibake",
    "chat-language": "shortens_stretched_words",
    "chat-templates": "drops_line_end_after_role",
    "class-ngrams": "drops_fraction_after_titlecase",
    "code-switching": "joins_hebrew_prefixes",
    "code": "writes_operators_as_ligatures",
    "combining-stacks": "keeps_two_thousand_marks",
    "contractions": "loses_the_second_contraction",
    "controls": "drops_escape_sequences",
    "decorated-text": "drops_lines_through_words",
    "digits": "drops_separators_of_lakhs",
    "emoji": "swaps_regional_indicators",
    "encoded-text": "decodes_quoted_printable",
    "hangul": "drops_the_third_old_vowel",
    "homoglyphs": "reads_one_lookalike_within_words",
    "indic-conjuncts": "drops_joiner_of_kannada",
    "invalid-utf8": "encode_bytes_takes_overlong_forms",
    "invisible-bits": "drops_runs_of_invisible_operators",
    "leading-space": "drops_low_block_between_names",
    "letter-case": "lowers_sigma_at_the_end_of_capitals",
    "long-inputs": "truncates_after_60000_characters",
    "merge-orders": "merges_swap_two_rare_ranks",
    "mark-orders": "orders_a_tilde_below_one_too_low",
    "naughty-strings": "removes_steps_out_of_folders",
    "normal-forms": "composes_a_half_note",
    "property-names": "raises_on_property_names",
    "scalar-sweep": "drops_one_private_use_character",
    "sentences": "drops_inverted_question_marks",
    "short-strings": "drops_a_bracket_between_bars",
    "special-tokens": "special_after_one_is_removed",
    "tag-smuggling": "drops_language_tags",
    "variation-selectors": "drops_selectors_of_mixed_planes",
    "vocabulary-tokens": "has_a_float_for_a_rare_token",
    "very-long-inputs": "truncates_after_half_a_million_characters",
    "white-space": "joins_spaces_of_two_kinds",
    "zero-width": "drops_filler_in_numbers",
}
"""A fault per family that no other family shows in a quick run, or in a standard one."""

NOT_OF_ENCODE = {
    family: FAULT_OF_FAMILY[family]
    for family in (
        *("invalid-utf8", "mark-orders", "merge-orders", "special-tokens", "vocabulary-tokens"),
    )
}
"""Those of which no text made without the facts of the target has different ids."""

WITHOUT_A_FAULT = {
    "new-code-points": "scalar-sweep has them too, in fewer contexts and later in a run",
    "noncharacters": "scalar-sweep has them too, in fewer contexts and later in a run",
    "plain-words": "what breaks plain words breaks hostile texts too",
    "regressions": "its texts are those of a project, and a new project has none",
    "surrogates": "scalar-sweep has each of them, and invalid-utf8 has their bytes",
}
"""Families without such a fault, and the reason."""


def test_every_family_has_a_fault_of_its_own_or_a_reason_why_not():
    listed = set(FAULT_OF_FAMILY) | set(WITHOUT_A_FAULT)
    differing = set(plugins.families()) ^ listed
    assert not differing, f"add to FAULT_OF_FAMILY or WITHOUT_A_FAULT, or remove: {differing}"


def test_the_fault_of_a_family_names_no_other_family():
    assert {family: FAULTS[name].families for family, name in FAULT_OF_FAMILY.items()} == {
        family: (family,) for family in FAULT_OF_FAMILY
    }


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(("family", "name"), NOT_OF_ENCODE.items())
def test_no_other_family_shows_it(family, name, findings_of_fault, summarize):
    others = tuple(other for other in plugins.families() if other != family)
    findings = findings_of_fault(FAULTS[name], families=others, profile="quick")
    assert summarize(findings) == []


def encoded(encode, text):
    try:
        return encode(text)
    except Exception as error:
        return type(error)


def texts_of(family, profile):
    """Return the texts of a family in a run without random ones.

    Those of a quick run instead of a standard one for two families: scalar-sweep takes too long,
    and tiktoken itself fails on the texts of very-long-inputs.
    """
    if family.name in {"scalar-sweep", "very-long-inputs"}:
        profile = "quick"
    texts = family.texts(TargetFacts(tuple(engine().special_tokens), profile=profile))
    sample = PROFILES[profile]
    if sample.every == 1 or family.exhaustive:
        return texts
    return [*texts[: sample.first], *texts[sample.first :: sample.every]]


@pytest.mark.slow(every=4)
@pytest.mark.parametrize("profile", ["quick", "standard"])
@pytest.mark.parametrize("family", plugins.families())
def test_no_text_shows_a_fault_that_only_another_family_shows(family, profile):
    encode = engine().encode_ordinary
    encoders = {
        name: python_object.load(FAULTS[name].spec.removeprefix("python:")).encode
        for own, name in FAULT_OF_FAMILY.items()
        if own != family and own not in NOT_OF_ENCODE and FAULTS[name].profile == profile
    }
    for text in texts_of(plugins.families()[family], profile):
        ids = encode(text)
        shown = [name for name, other in encoders.items() if encoded(other, text) != ids]
        assert shown == [], ascii(text)
