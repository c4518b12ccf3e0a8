"""Korean and Indic texts: correct twins and required cases."""

from __future__ import annotations

import pytest

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import members, script
from tokharness_cases import hangul, indic_conjuncts

KOREAN = {case.text: case.twin for case in hangul.cases()}
INDIC = {case.text: case.twin for case in indic_conjuncts.cases()}


@pytest.mark.parametrize("code_point", [0xAC00, 0xD788, 0xD7A3, 0xAC1B, 0xD7A2])
def test_syllables_at_the_limits_are_cases_composed_and_in_jamo(code_point: int) -> None:
    assert chr(code_point) in KOREAN
    assert normalize("NFD", chr(code_point)) in KOREAN


def test_syllables_without_trailing_consonant_are_cases_in_jamo() -> None:
    for code_point in range(0xAC00, 0xD7A4, 28):
        assert KOREAN[normalize("NFD", chr(code_point))] == chr(code_point)


def test_an_lvt_syllable_is_a_case_partly_composed() -> None:
    assert KOREAN["\uac00\u11a8"] == "\uac01"


@pytest.mark.parametrize("text", ["\uac00\u11a7", "\u1100\u1176", "\u1113\u1161", "\uac00\u11c3"])
def test_jamo_that_do_not_compose_are_cases(text: str) -> None:
    assert text in KOREAN
    assert normalize("NFC", text) == text


def test_every_jamo_is_alone_and_before_a_contraction() -> None:
    for char in map(
        chr, members(r"(?!\p{Cn})[\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB\u3131-\u318E]")
    ):
        assert {char, f"{char}'s"} <= KOREAN.keys()
    for char in map(chr, members(r"(?!\p{Cn})[\uFFA0-\uFFDC]")):
        assert char in KOREAN


def test_every_linker_joins_every_consonant_of_its_script() -> None:
    consonants = members(r"\p{InCB=Consonant}")
    linkers = [chr(point) for point in members(r"\p{InCB=Linker}")]
    assert len(linkers) >= 23
    for linker in linkers:
        own = [chr(point) for point in consonants if script(chr(point)) == script(linker)]
        for char in own:
            assert INDIC[f"{char}{linker}{own[0]}"] == char + own[0]
            for joiner in "\u200c\u200d":
                conjunct = f"{own[0]}{linker}{char}"
                assert INDIC[f"{own[0]}{linker}{joiner}{char}"] == conjunct
                assert INDIC[f"{own[0]}{joiner}{linker}{char}"] == conjunct


@pytest.mark.parametrize(
    "text",
    [
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
        "\u0d9a\u200d\u0dca\u0d9a",
        "\u0931\u094d\u092f",
        "\u0930\u094d\u200d\u092f",
        "\u0d05\u0d35\u0d28\u0d4d\u200d",
        "\u1780\u17d2\u17a2",
        "\u0915\u094d\u094d\u0915",
        "\u09b0\u200d\u09cd\u09af",
    ],
)
def test_conjuncts_of_some_scripts_only_are_cases(text: str) -> None:
    assert text in INDIC


@pytest.mark.parametrize("nukta", [chr(point) for point in members(r"\p{ccc=7}")])
def test_every_nukta_is_on_a_consonant(nukta: str) -> None:
    assert any(nukta in text for text in INDIC)
