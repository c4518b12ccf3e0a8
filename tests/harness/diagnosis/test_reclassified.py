"""A pre-tokenizer that puts characters in a wrong class is reported with these characters."""

import dataclasses
import os
import re
from pathlib import Path

import pytest
import tiktoken
from planted._tokenizer_files import healthy

from tokharness.checks.ids_differ_from_reference.reclassified import words_in_text
from tokharness.model import target_of
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.patterns import R50K

KNOWN = reference_target.load("embedded")
BOM, NEL = "\ufeff", "\x85"


class Splitting:
    """tiktoken with the embedded ranks, and parts of the pattern changed."""

    def __init__(self, *changes):
        pattern = KNOWN.pattern
        for old, new in changes:
            assert old in pattern
            pattern = pattern.replace(old, new)
        inner = tiktoken.Encoding(
            "changed", pat_str=pattern, mergeable_ranks=dict(KNOWN.ranks), special_tokens={}
        )
        self.encode, self.decode = inner.encode_ordinary, inner.decode
        self.decode_single_token_bytes = inner.decode_single_token_bytes


def causes(check_texts, tokenizer, texts):
    reference = tiktoken_engine.load("embedded")
    explainer = reference_target.load("embedded").with_unicode_version("16.0")
    findings = check_texts(
        "TOK201", tokenizer, texts, reference=reference, explainer=target_of("e", explainer)
    )
    return [str(finding.cause) for finding in findings.bugs]


@pytest.mark.slow
def test_a_byte_order_mark_in_white_space(check_texts):
    faulty = Splitting(
        (r"[^\s", r"[^\s\x{FEFF}"),
        (r"\s+", r"[\s\x{FEFF}]+"),
        (r"\s*", r"[\s\x{FEFF}]*"),
        (r"\S", r"[^\s\x{FEFF}]"),
    )
    texts = [f"{BOM}'s", f"{BOM}{BOM}'s", f"a{BOM}'s", f"{BOM}."]
    assert causes(check_texts, faulty, texts) == [
        "character class: U+FEFF ZERO WIDTH NO-BREAK SPACE, white space"
    ]


@pytest.mark.slow
def test_marks_in_symbols_are_one_cause_with_their_category(check_texts):
    faulty = Splitting((r"\p{M}", r"\p{Mc}"))
    texts = [" \u094d\u0915", " \u09cd\u0995", " \u0acd\u0a95"]
    assert causes(check_texts, faulty, texts) == ["character class: of Mn, symbols"]


@pytest.mark.slow
def test_characters_next_to_a_reclassified_one_keep_their_class(check_texts):
    faulty = Splitting((r"\p{L}", r"\p{L}_"), (r"\p{Lo}", r"\p{Lo}_"))
    texts = ["_\x00_a", "_\u00a9_init", "_-_a", "a_", "_.", "_\u200b"]
    assert causes(check_texts, faulty, texts) == ["character class: U+005F LOW LINE, letters"]


@pytest.mark.slow
def test_only_probed_characters_are_reported(check_texts, monkeypatch):
    monkeypatch.setattr("tokharness.checks.ids_differ_from_reference.reclassified.ENOUGH", 3)
    in_bmp = r"[{}&&[\x{{0}}-\x{{FFFF}}]]"
    faulty = Splitting(*((kind, in_bmp.format(kind)) for kind in (r"\p{Lo}", r"\p{L}")))
    texts = [f"{chr(point)}'s" for point in (*range(0x12000, 0x12010), 0x5D0, 0x4E2D)]
    (cause,) = causes(check_texts, faulty, texts)
    assert cause == "character class: of Lo beyond the BMP, symbols"


@pytest.mark.slow
def test_another_rule_is_not_another_class(check_texts):
    faulty = Splitting((r"{1,3}", r"{1,4}"))
    assert causes(check_texts, faulty, ["1234", "12345", " 0000"]) == [
        "pre-tokenizer: numbers are split into fours"
    ]


@pytest.mark.slow
def test_a_class_is_named_only_if_a_text_distinguishes_it_from_the_others(check_texts):
    # No merge crosses U+00D7, so a letter, a mark and a line end give the same tokens around it.
    faulty = Splitting((r"\p{M}", r"\p{M}\u00d7"))
    texts = ["\u00d7's", "_\u00d7_a", "\u00d7.a"]
    assert causes(check_texts, faulty, texts) == [
        "character class: U+00D7 MULTIPLICATION SIGN, another class"
    ]


@pytest.mark.slow
def test_a_class_that_another_character_proves_is_that_of_both(check_texts):
    faulty = Splitting((r"\p{N}", r"\p{N}\u00d7\u0378"))
    texts = ["\u00d7's", "\u0378's", "_\u00d7_a", " \u00d7", "\u00d7123", "\u0378.a"]
    assert causes(check_texts, faulty, texts) == ["character class: of Cn, Sm, numbers"]


def test_pre_tokens_with_a_character_for_each_byte_are_parts_of_the_text():
    explainer = target_of("e", healthy("class_borders"))
    assert words_in_text("a\u00e9 1.\u200b", explainer) == ["a\u00e9", " ", "1", ".\u200b"]
    lowered = target_of("e", healthy("bert_normalizer"))
    assert words_in_text("\u00e9", lowered) is None


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif("TOKHARNESS_TEST_VOCABULARIES" not in os.environ, reason="needs claude.json")
def test_a_class_of_a_byte_level_file_with_a_normalizer(check_texts):
    known = tokenizer_json.load(Path(os.environ["TOKHARNESS_TEST_VOCABULARIES"], "hf/claude.json"))
    pattern = R50K.replace(r"[^\s", "[^\\s\u200b").replace(r"\S", "[^\\s\u200b]")
    pattern = re.sub(r"(?<!\[\^)\\s", "[\\\\s\u200b]", pattern)
    stages = known.text_stages
    split = dataclasses.replace(stages.pre_tokenizer, pattern=pattern)
    faulty = dataclasses.replace(
        known, text_stages=dataclasses.replace(stages, pre_tokenizer=split), altered=None
    )
    texts = [" \u200ba", " \u200b's", "\u200b \u200ba"]
    reference = target_of("r", known)
    findings = check_texts("TOK201", faulty, texts, reference=reference, explainer=reference)
    assert [str(one.cause) for one in findings.bugs] == [
        "character class: U+200B ZERO WIDTH SPACE, white space"
    ]
