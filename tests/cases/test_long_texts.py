"""Stacks of marks and long texts: required cases; long texts are generated on demand."""

import pytest

from tokharness.model import TargetFacts
from tokharness.unicode.properties import members
from tokharness_cases import combining_stacks, long_inputs, very_long_inputs


@pytest.fixture(scope="module")
def stacks():
    return {case.text: case for case in combining_stacks.cases()}


def test_every_mark_is_alone_on_a_letter_and_doubled(stacks):
    for mark in map(chr, members(r"\p{M}")):
        assert {mark, f"a{mark}", f"a{mark * 2}"} <= stacks.keys()


@pytest.mark.parametrize("height", [1, 20, 30, 31, 100, 10_000])
def test_stacks_have_the_heights_of_common_limits(stacks, height):
    assert "a" + "\u0301" * height in stacks


def test_stream_safe_stacks_are_cases(stacks):
    thirty = "\u0301" * 30
    assert f"a{thirty}\u034f{thirty}b" in stacks


def test_the_twin_has_no_mark(stacks):
    marks = {ord(mark): None for mark in map(chr, members(r"\p{M}"))}
    for case in stacks.values():
        assert case.twin is None or case.text.translate(marks) == case.twin.translate(marks)


@pytest.mark.parametrize("boundary", [128, 256, 4096, 8192, 65_536])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_character_crosses_each_boundary_in_every_way(boundary, size):
    texts = [text for text in long_inputs.texts() if len(text.encode()) > boundary]
    starts = set()
    for text in texts:
        at = text.encode()
        first = boundary
        while at[first] & 0xC0 == 0x80:
            first -= 1
        if first < boundary and len(text.encode()[first:].decode()[0].encode()) == size:
            starts.add(boundary - first)
    assert starts == set(range(1, size))


@pytest.mark.parametrize("boundary", [128, 65_536])
def test_texts_end_before_on_and_after_each_boundary(boundary):
    assert {boundary - 1, boundary, boundary + 1} <= {len(text) for text in long_inputs.texts()}


def test_texts_equal_those_of_the_cases_in_order():
    texts = [case.text for case in long_inputs.cases()]
    lazy = long_inputs.texts()
    assert len(lazy) == len(texts)
    assert lazy[:] == texts
    assert lazy[10:20] == texts[10:20]
    assert lazy[3] == texts[3]


@pytest.mark.parametrize("boundary", [128, 256, 4096, 8192, 65_536])
@pytest.mark.parametrize(
    "sequence", ["a\u0301\u0328", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\r\n"]
)
def test_a_sequence_crosses_each_boundary(boundary, sequence):
    starts = {text.find(sequence) for text in long_inputs.texts()}
    assert any(start < boundary < start + len(sequence) for start in starts if start >= 0)


@pytest.mark.parametrize("boundary", [128, 256, 4096])
def test_a_boundary_splits_a_joined_emoji_at_every_character(boundary):
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    starts = {text.find(family) for text in long_inputs.texts()}
    in_bytes = {boundary - len(family[:place].encode()) for place in range(1, len(family))}
    assert in_bytes <= starts


@pytest.mark.parametrize(("profile", "fewest"), [("standard", 12), ("thorough", 40)])
def test_very_long_texts_have_a_million_characters(profile, fewest):
    texts = very_long_inputs.texts(TargetFacts(profile=profile))
    assert len(texts) >= fewest
    assert {len(text) for text in texts[:3]} == {1_000_000}


@pytest.mark.parametrize(
    "unit", [" ", " a", "a", "0", "\n", "-", "\u4e2d", "\U0001f600", "\xa0", "\x00"]
)
def test_a_million_characters_of_each_unit_are_in_the_standard_profile(unit):
    texts = very_long_inputs.texts(TargetFacts(profile="standard"))
    assert any(text.startswith(unit * 100) and set(text) == set(unit) for text in texts)


def test_a_quick_run_has_no_very_long_text():
    facts = TargetFacts(profile="quick")
    assert list(very_long_inputs.texts(facts)) == list(very_long_inputs.cases(facts)) == []


def test_very_long_texts_are_not_compared_with_a_slow_reference():
    assert very_long_inputs.COMPARED is False


LIMITS = (
    *(5_000, 8_000, 8_192, 10_000, 16_000, 16_384, 20_000, 24_000, 25_000, 30_000, 32_000, 32_768),
    *(40_000, 50_000, 64_000, 65_535, 65_536, 100_000, 128_000, 131_072, 200_000, 256_000, 262_144),
    *(300_000, 400_000),
)


@pytest.mark.parametrize("recipe", long_inputs.FAR[:2], ids=lambda recipe: recipe.why)
def test_a_cut_at_each_usual_limit_is_inside_a_word(recipe):
    limits = [limit for limit in LIMITS if limit < recipe.length]
    text = recipe.text
    assert limits
    assert [one for one in limits if not text[one - 1 : one + 1].isalpha()] == []
