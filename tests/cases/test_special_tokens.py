"""The family uses the target's special tokens, and its disguises can be undone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.model import TargetFacts
from tokharness.unicode.confusables import are_confusable
from tokharness.unicode.normalization import normalize
from tokharness_cases import special_tokens
from tokharness_cases._disguises import compatibility_variants, to_fullwidth, to_tags
from tokharness_cases.special_tokens import WELL_KNOWN, escaped_forms, split_representatives

OWN = "<<<eof>>>"
FACTS = TargetFacts((OWN, "<r1>", "<r2>", "<r3>", "", "bad\ud800"))


def twins() -> dict[str, str | None]:
    return {case.text: case.twin for case in special_tokens.cases(FACTS)}


def test_the_targets_own_tokens_come_first_and_exact() -> None:
    first = next(special_tokens.cases(FACTS))
    assert (first.text, first.twin) == (OWN, None)


@pytest.mark.parametrize(
    "disguise",
    [
        "<<\u200b<eof>>>",
        "<<<EOF>>>",
        "<<<<<<eof>>>eof>>>",
        "\uff1c\uff1c\uff1c\uff45\uff4f\uff46\uff1e\uff1e\uff1e",
        "<<<\U0001d41e\U0001d428\U0001d41f>>>",
        "&lt;&lt;&lt;eof&gt;&gt;&gt;",
        "\ufe64<<eof>>>",
        "<<<eof>>",
        "<<eof>>>",
        "".join(chr(0xE0000 + ord(char)) for char in OWN),
    ],
)
def test_the_targets_own_tokens_are_disguised_with_the_exact_text_as_twin(disguise: str) -> None:
    assert twins()[disguise] == OWN


LETTERS = "<|kiss|>"


@pytest.mark.parametrize(
    "disguise",
    [
        "<|\u212aiss|>",
        "<|ki\u017fs|>",
        "<|k\u0130ss|>",
        "<|k\u0131ss|>",
        r"\<\|kiss\|\>",
        "&lt;&vert;kiss&vert;&gt;",
        "&#60;&#124;&#107;&#105;&#115;&#115;&#124;&#62;",
        "&#x3c;&#x7c;&#x6b;&#x69;&#x73;&#x73;&#x7c;&#x3e;",
        "&amp;lt;|kiss|&amp;gt;",
        "%3C%7Ckiss%7C%3E",
        "%3C%7C%6B%69%73%73%7C%3E",
        "%253C%257Ckiss%257C%253E",
        "\\u003c\\u007ckiss\\u007c\\u003e",
        "\\x3c\\x7ckiss\\x7c\\x3e",
        "\\N{LESS-THAN SIGN}|kiss|>",
        "\u202e<|kiss|>\u202c",
        "\u2066<|kiss|>\u2069",
        "<|\x00kiss|>",
        "<|k\u24d8ss|>",
        " <|kiss|> ",
        "<|ki<|kiss|>ss|>",
        "<|kiss|",
        "\uff1c\uff5c\uff2b\uff29\uff33\uff33\uff5c\uff1e",
    ],
)
def test_near_misses_of_a_token_are_cases(disguise: str) -> None:
    texts = {case.text for case in special_tokens.cases(TargetFacts((LETTERS,)))}
    assert disguise in texts


def test_every_compatibility_variant_of_every_character_is_a_case() -> None:
    texts = {case.text for case in special_tokens.cases(TargetFacts((LETTERS,)))}
    for char in set(LETTERS):
        assert compatibility_variants(char)
        assert all(
            LETTERS.replace(char, other, 1) in texts for other in compatibility_variants(char)
        )


def test_a_target_with_five_tokens_has_a_sane_number_of_cases() -> None:
    facts = TargetFacts(("<|a|>", "<|endoftext|>", "</s>", "[INST]", "<start_of_turn>"))
    assert sum(1 for _ in special_tokens.cases(facts)) < 25_000


def test_the_first_two_hundred_texts_have_every_rewriting_of_a_token() -> None:
    """A quick run has all of these and every sixth of the others."""
    first = {case.text for case, _ in zip(special_tokens.cases(FACTS), range(200), strict=False)}
    assert {to_fullwidth(OWN), to_tags(OWN), OWN.upper(), f"{OWN[:2]}{OWN}{OWN[2:]}"} <= first
    assert {form for form in escaped_forms(OWN).values() if form != OWN} <= first | {OWN}


def test_a_zero_width_space_is_at_every_position_of_a_token() -> None:
    found = twins()
    for place in range(1, len(OWN)):
        assert found[f"{OWN[:place]}\u200b{OWN[place:]}"] == OWN


def test_tokens_that_differ_in_digits_are_exact_cases_and_disguised_once() -> None:
    found = twins()
    assert {"<r1>", "<r2>", "<r3>"} <= found.keys()
    assert "<\u200br1>" in found
    assert "<\u200br2>" not in found


def test_a_thousand_reserved_tokens_do_not_dominate_the_run() -> None:
    reserved = tuple(f"<|reserved_special_token_{number}|>" for number in range(1000))
    usual = sum(1 for _ in special_tokens.cases())
    assert sum(1 for _ in special_tokens.cases(TargetFacts(reserved))) < usual + 3_500


def test_tokens_with_surrogates_are_left_out() -> None:
    assert split_representatives(["", "bad\ud800", "<a>", "<a>"]) == (("<a>",), ())


def test_exact_tokens_have_no_twin() -> None:
    found = twins()
    assert all(found[token] is None for token in WELL_KNOWN if token in found)


def test_nfkc_or_a_skeleton_restores_some_disguises() -> None:
    token = "<|endoftext|>"
    disguised = [text for text, twin in twins().items() if twin == token]
    assert sum(normalize("NFKC", text) == token for text in disguised) > 15
    assert sum(are_confusable(text, token) for text in disguised) > 15


@pytest.mark.slow
@settings(max_examples=50)
@given(st.data())
def test_the_strategy_draws_from_the_targets_tokens(data: st.DataObject) -> None:
    text = data.draw(special_tokens.strategy(TargetFacts(("\u4e00",))))
    assert isinstance(text, str)
