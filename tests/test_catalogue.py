"""Each planted fault is reported by its check, with its cause and a small text.

Each test process prints its score, faults found of faults planted. The whole standard profile over
all faults is in ``tests/benchmarks/full_catalogue.py``.
"""

import pytest

from tokharness import plugins
from tokharness.model import Verdict
from tokharness_tokenizers.faulty import planted_faults

pytestmark = pytest.mark.usefixtures("cached_texts")

PLANTED = planted_faults()

SLOW = frozenset(
    {
        "a_hole_decodes_to_another_token",
        "drops_one_private_use_character",
        "drops_one_rare_han_character",
        "han_five_is_a_number",
        "icon_is_a_letter",
        "unassigned_is_a_mark",
        "adds_a_leading_space",
        "adds_a_space_and_takes_it_away",
        "batch_normalizes",
        "batches_race_on_a_shared_buffer",
        "batch_pads",
        "batch_sorts_by_length",
        "batch_truncates_to_the_shortest",
        "beyond_the_bmp_to_fffd",
        "collapses_and_strips_white_space",
        "collapses_white_space",
        "composes_to_nfc",
        "composes_to_nfkc",
        "composes_with_old_tables",
        "counts_race_on_a_shared_number",
        "cuts_characters_at_buffer_ends",
        "cuts_nothing",
        "declares_nfc_applies_nfkc",
        "decode_strips_a_leading_space",
        "decode_takes_quadratic_time",
        "decomposes_nukta_letters",
        "decomposes_to_nfd",
        "decomposes_to_nfkd",
        "digits_from_the_right",
        "digits_in_fours",
        "digits_unbounded",
        "drops_combining_marks",
        "drops_next_line",
        "drops_noncharacters",
        "drops_private_use",
        "drops_skin_tones",
        "drops_tatweel",
        "drops_variation_selectors",
        "drops_what_unicode_13_lacks",
        "encode_takes_quadratic_time_on_letters",
        "encode_takes_quadratic_time_on_spaces",
        "encodes_surrogates_of_pairs",
        "expands_ligatures",
        "folds_case",
        "folds_width",
        "inserts_grapheme_joiners",
        "latin_1_only",
        "line_ends_are_mere_white_space",
        "merges_sixty_four_bytes_only",
        "merges_swap_two_ranks",
        "merges_the_rightmost_first",
        "normalizes_short_texts_only",
        "races_on_a_shared_buffer",
        "reads_every_digit_as_ascii",
        "reorders_marks",
        "space_stays_before_punctuation",
        "splits_as_unicode_13",
        "strips_accents",
        "takes_the_last_space_too",
        "takes_the_longest_token",
        "takes_the_longest_token_of_sixteen_bytes",
        "truncates_after_512_tokens",
        "truncates_after_60000_characters",
        "a_special_token_became_ordinary",
        "adds_no_prefix_space",
        "applies_the_longest_rule",
        "bert_keeps_accents",
        "bert_keeps_controls",
        "byte_fallback_is_off",
        "byte_level_does_not_split",
        "bytes_have_lower_case_names",
        "composes_all_but_jamo",
        "contractions_have_case",
        "decoder_does_not_strip",
        "decoder_joins_punctuation",
        "decoder_keeps_the_first_space",
        "decoder_keeps_the_prefix",
        "decoder_reads_tokens_one_by_one",
        "decoder_shows_names_of_bytes",
        "digits_become_individual",
        "digits_stay_together",
        "does_not_truncate",
        "finds_words_in_any_case",
        "fixed_lengths_are_bytes",
        "has_another_continuing_prefix",
        "has_another_normal_form",
        "has_one_normal_form_too_many",
        "keeps_pieces_before_an_unknown_one",
        "loses_lowercase",
        "loses_the_normal_form",
        "metaspace_never_prepends",
        "numbers_are_not_in_threes",
        "punctuation_is_contiguous",
        "punctuation_lacks_ascii_symbols",
        "replaces_the_first_match",
        "split_ignores_invert",
        "split_isolates_neighbours",
        "split_keeps_what_it_removes",
        "splits_at_white_space_only",
        "strips_accents_without_decomposing",
        "strips_separators_of_records",
        "strips_spaces_only",
        "takes_one_space_behind",
        "truncates_on_the_left",
        "unigram_fuses_no_unknown_characters",
        "unigram_has_no_byte_fallback",
        "unknown_characters_are_not_fused",
        "a_normal_form_replaces_the_charsmap",
        "byte_fallback_is_ignored",
        "bytes_are_looked_for_in_lower_case",
        "control_pieces_are_read_from_text",
        "extra_spaces_are_kept",
        "merges_have_the_order_of_ids",
        "the_charsmap_is_an_older_one",
        "the_charsmap_is_not_read",
        "the_decoder_keeps_the_dummy_prefix",
        "the_decoder_keeps_the_mark",
        "the_decoder_shows_bytes",
        "the_denormalizer_is_not_applied",
        "the_dummy_prefix_is_lost",
        "the_longest_piece_is_taken",
        "the_space_is_put_first",
        "unknown_characters_stay_apart",
        "user_defined_pieces_are_merged",
        "an_empty_line_has_no_id",
        "makes_text_of_a_cased_list_lower_case",
        "numbers_of_clip_stay_together",
        "pieces_keep_the_carriage_return",
        "the_first_of_equal_lines_counts",
        "the_last_letter_does_not_end_a_word",
        "words_may_have_two_hundred_characters",
        "conversion_loses_the_tokens_of_bytes",
        "takes_no_white_space_before",
        "an_added_token_became_special",
        "conversion_names_a_pattern_without_whole_words",
        "takes_the_byte_order_mark_away",
        "conversion_ignores_add_space_prefix",
        "conversion_names_another_pattern",
        "conversion_keeps_letter_case",
        "a_line_without_an_end_is_no_merge",
        "finds_tokens_after_normalization",
        "finds_the_shortest_added_token",
        "finds_added_tokens_in_any_case",
        "reader_ignores_marks_of_words",
        "conversion_keeps_extra_spaces",
        "knows_only_ascii_word_characters",
        "takes_white_space_unasked",
        "finds_tokens_before_normalization",
        "finds_single_words_inside_words",
        "heeds_merges_of_whole_words",
        "takes_no_white_space_behind",
    }
)
"""Faults with the quick profile whose run takes more than about 0.3 seconds."""

WITHOUT_A_FAULT = {
    "TOK402": "it counts partial characters; no number of them is a fault",
    "TOK404": "U+FFFD in a vocabulary is a fact, not a fault of the tokenizer",
    "TOK405": "it counts tokens of white space; no number of them is a fault",
}
"""Checks without a planted fault, and the reason."""

ONE_FINDING_PER_RULE = frozenset({"cuts_nothing"})
"""Faults that break several rules of a pattern, each of which is reported."""

TIME_LIMIT = 1.0
"""Seconds that a hanging text costs, several times; healthy texts of the families take none."""

STAGE_OF_MODULE = {
    "json_added_tokens": "added tokens",
    "json_decoders": "decoder",
    "json_normalizers": "normalizer",
    "json_pre_tokenizers": "pre-tokenizer",
    "json_pre_tokenizer_engines": "pre-tokenizer",
    "json_models": "model",
    "json_model_engines": "model",
    "json_post_processors": "post-processor",
    "sentencepiece_normalizers": "normalizer",
    "sentencepiece_user_defined": "added tokens",
    "sentencepiece_engines": "model",
    "sentencepiece_decoders": "decoder",
}
"""The stage that the finding of a fault names, by the module of the fault."""

score = {"found": 0, "planted": 0}


@pytest.fixture(scope="module", autouse=True)
def _print_score(request):
    yield
    if score["planted"]:
        capture = request.config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled():
            print("\nfaults found / planted: {found} / {planted}".format(**score))


def stage_of(fault):
    return STAGE_OF_MODULE.get(fault.spec.split(":")[1].rpartition(".")[2])


def test_each_stage_has_planted_faults():
    assert {stage_of(fault) for fault in PLANTED} == {None, *STAGE_OF_MODULE.values()}


def is_slow(fault):
    return fault.crashes or fault.profile != "quick" or fault.name in SLOW


def faults(*, slow):
    return [pytest.param(fault, id=fault.name) for fault in PLANTED if is_slow(fault) == slow]


def assert_found(fault, findings_of_fault, summarize):
    score["planted"] += 1
    findings = findings_of_fault(fault, time_limit=TIME_LIMIT)
    expected = [
        finding
        for finding in findings
        if finding.code == fault.code and str(finding.cause).startswith(fault.cause)
    ]
    bugs = [finding for finding in findings if finding.verdict is Verdict.BUG]
    assert expected, f"no {fault.code} {fault.cause}, but {summarize(findings)}"
    assert len(expected) == 1 or fault.name in ONE_FINDING_PER_RULE, summarize(findings)
    assert summarize(bugs) in ([], summarize(expected)), "one fault is more than one finding"
    if fault.code in ("TOK201", "TOK202") and (stage := stage_of(fault)):
        assert [finding.evidence.get("stage") for finding in expected] == [stage]
    for finding in expected:
        if isinstance(finding.text, str) and fault.families:
            assert len(finding.text) <= fault.longest
    score["found"] += 1


@pytest.mark.parametrize("fault", faults(slow=False))
def test_a_planted_fault_is_found(fault, findings_of_fault, summarize):
    assert_found(fault, findings_of_fault, summarize)


@pytest.mark.slow
@pytest.mark.parametrize("fault", faults(slow=True))
def test_a_slow_planted_fault_is_found(fault, findings_of_fault, summarize):
    assert_found(fault, findings_of_fault, summarize)


def test_there_are_at_least_ninety_planted_faults():
    assert len(PLANTED) >= 90


def test_the_expected_cause_of_a_fault_is_not_empty():
    assert [fault.name for fault in PLANTED if not fault.cause.strip(": ")] == []


def test_every_check_has_a_planted_fault():
    assert set(plugins.checks()) == {fault.code for fault in PLANTED} | set(WITHOUT_A_FAULT)
