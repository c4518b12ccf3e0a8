"""The sweep has every scalar value and every surrogate, generated on demand."""

from itertools import islice

import pytest

from tokharness.model import TargetFacts
from tokharness.unicode.properties import category
from tokharness_cases import scalar_sweep

SCALARS = 0x110000 - 0x800


@pytest.fixture(scope="module")
def on_demand():
    """The standard sweep, whose texts are generated when they are asked for."""
    return scalar_sweep.texts(TargetFacts())


@pytest.fixture(scope="module")
def standard(on_demand):
    """All texts of the standard sweep."""
    return on_demand[:]


@pytest.fixture(scope="module")
def quick():
    """All texts of the quick sweep."""
    return scalar_sweep.texts(TargetFacts(profile="quick"))[:]


@pytest.fixture(scope="module")
def alone(standard):
    """Texts of one scalar value in a standard sweep."""
    return standard.index("\ud800")


def characters(texts, before, after):
    """Return the characters of the packed texts in one context."""
    parts = "".join(text for text in texts if text.startswith(before) and text.endswith(after))
    return parts[len(before) :: len(before) + 1 + len(after)]


ALL = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))


def facts(profile):
    return TargetFacts(profile=profile)


def test_a_quick_sweep_has_every_scalar_before_s(quick):
    packed = [text for text in quick if len(text) > 64]
    assert "".join(sorted(characters(packed, " ", "'s"))) == ALL


@pytest.mark.slow
def test_a_standard_sweep_has_every_scalar_alone_but_the_inside_of_unassigned_ranges(
    standard, alone
):
    packed = [text for text in standard if len(text) > 64]
    assert "".join(sorted(set(characters(packed, " ", "'s")))) == ALL
    left_out = set(ALL).difference(standard[:alone])
    assert {category(char) for char in left_out} == {"Cn"}
    assert left_out.isdisjoint("\u0378\ufffe\uffff\U0010ffff")


@pytest.mark.slow
def test_the_sweep_has_every_surrogate_alone_and_between_letters(standard, alone):
    surrogates = [*map(chr, range(0xD800, 0xE000))]
    assert standard[alone : alone + 2048] == surrogates
    assert standard[alone + 2048 : alone + 4096] == [f"a{char}b" for char in surrogates]


@pytest.mark.parametrize("start", [0, 5, 7780, 12_000, 29_000])
def test_a_slice_equals_that_of_the_cases(start):
    wanted = [case.text for case in islice(scalar_sweep.cases(facts("quick")), start, start + 7)]
    assert scalar_sweep.texts(facts("quick"))[start : start + 7] == wanted


def test_an_index_returns_one_text(on_demand, alone):
    assert on_demand[0x41] == "A"
    assert on_demand[alone + 4096].startswith(" \0's \1's \2's")
    with pytest.raises(IndexError):
        on_demand[len(on_demand)]


def test_a_packed_text_is_taken_apart_into_one_text_for_each_character(quick):
    packed = [text for text in quick if len(text) > 64 or scalar_sweep.unpack(text)]
    assert len(packed) > SCALARS / 64
    for text in packed[::50]:
        parts = scalar_sweep.unpack(text)
        chars = [part[1] for part in parts]
        assert 1 < len(parts) <= 64
        assert len({len(part) for part in parts}) == 1
        assert all(f" {char}'s 1{char}23" in part for char, part in zip(chars, parts, strict=True))
        assert all(text.count(char) >= 1 for char in chars)


def test_a_text_of_one_character_has_no_parts():
    assert scalar_sweep.unpack("\ud800") == []
    assert scalar_sweep.unpack("a") == []
    assert scalar_sweep.unpack(" a's") == []


def test_a_quick_sweep_has_the_ends_of_each_run_of_a_category_alone(quick):
    alone = {text for text in quick if len(text) == 1}
    assert 5_000 < len(alone) < 15_000
    assert {"\u0600", "\U0010ffff", "\U000e0001", "\uac00", "\ud7a3", "\u200b"} <= alone


def test_a_thorough_sweep_has_each_context_separately(standard, alone):
    thorough = scalar_sweep.texts(facts("thorough"))
    assert "".join(thorough[:SCALARS]) == ALL
    assert len(thorough) == len(standard) - alone + 12 * SCALARS
    assert thorough[-1] == "\U0010ffff123"


def test_texts_of_the_quick_sweep_are_unique(quick):
    assert len(set(quick)) == len(quick)
