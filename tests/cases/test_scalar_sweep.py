"""The sweep has every scalar value and every surrogate, generated on demand."""

from itertools import islice

import pytest

from tokharness.model import TargetFacts
from tokharness_cases import scalar_sweep

SCALARS = 0x110000 - 0x800
STANDARD = scalar_sweep.texts(TargetFacts())


def facts(profile):
    return TargetFacts(profile=profile)


@pytest.mark.slow
def test_the_standard_sweep_has_every_scalar_alone_and_in_contexts():
    assert len(STANDARD) == 2 * SCALARS + 2 * 2048
    alone = STANDARD[:SCALARS]
    assert sorted(map(ord, alone)) == [p for p in range(0x110000) if not 0xD800 <= p < 0xE000]
    inside = {text[0] for text in STANDARD[SCALARS : 2 * SCALARS]}
    assert inside == set(alone)


def test_the_sweep_ends_with_every_surrogate():
    assert set(STANDARD[-2048:]) == {f"a{chr(point)}b" for point in range(0xD800, 0xE000)}


@pytest.mark.parametrize(
    "start",
    [0, 5, *(pytest.param(far, marks=pytest.mark.slow) for far in (SCALARS - 2, 2 * SCALARS - 1))],
)
def test_a_slice_equals_that_of_the_cases(start):
    wanted = [case.text for case in islice(scalar_sweep.cases(), start, start + 7)]
    assert STANDARD[start : start + 7] == wanted


def test_an_index_returns_one_text():
    assert STANDARD[0x41] == "A"
    assert STANDARD[-1] == "a\udfffb"
    assert STANDARD[SCALARS + 0x41].startswith("A\\u\nA.a A's _A_init\nA123 1A23\n A\nAA\n")
    with pytest.raises(IndexError):
        STANDARD[len(STANDARD)]


def test_a_quick_sweep_has_the_ends_of_each_run_of_a_category():
    quick = set(scalar_sweep.texts(facts("quick")))
    assert 10_000 < len(quick) < 30_000
    assert {"\u0600", "\U0010ffff", "\U000e0001", "\uac00", "\ud7a3", "\u200b"} <= quick


def test_a_thorough_sweep_has_each_context_separately():
    thorough = scalar_sweep.texts(facts("thorough"))
    assert len(thorough) == len(STANDARD) + 11 * SCALARS
    assert thorough[-1] == "\U0010ffff123"


def test_texts_of_the_quick_sweep_are_unique():
    texts = scalar_sweep.texts(facts("quick"))
    assert len(set(texts)) == len(texts)
