"""The units of a family have all of its texts, each once."""

import pytest

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.engine.worker.units import FamilyTexts, sample_evenly
from tokharness.errors import UsageError
from tokharness.model import Case, TargetFacts
from tokharness.plugins import Family


def family(number, **attributes):
    texts = [str(n) for n in range(number)]

    def strategy(_):
        from hypothesis import strategies as st

        return st.text("x", min_size=1, max_size=8)

    cases = [Case(text, "a number") for text in texts]
    return Family("numbers", "", lambda _: iter(cases), strategy, lambda _: texts, **attributes)


def family_texts(number, examples, profile="standard", **attributes):
    numbers = family(number, **attributes)
    return FamilyTexts(numbers, TargetFacts(profile=profile), PROFILES[profile], examples, 0)


def all_texts(texts):
    return [text for unit in range(texts.units) for text in texts.texts_of_unit(unit)]


@pytest.mark.parametrize("number", [0, 1, 15, 16, 17, 511, 512, 513, 1000, 20_000])
@pytest.mark.parametrize("examples", [0, 5])
def test_units_have_every_text_once_and_random_ones_at_the_end(number, examples):
    texts = family_texts(number, examples)
    run = all_texts(texts)
    assert run[:number] == [str(n) for n in range(number)]
    random = run[number:]
    assert len(random) == len(set(random)) <= examples
    assert all(set(text) == {"x"} for text in random)
    assert bool(random) == bool(number and examples)


def test_a_quick_run_has_the_first_texts_and_some_of_the_rest():
    run = all_texts(family_texts(1000, 0, "quick"))
    assert run[:200] == [str(n) for n in range(200)]
    assert 100 < len(run[200:]) < 200
    assert int(run[-1]) > 990


def test_a_quick_run_has_all_texts_of_an_exhaustive_family():
    assert len(all_texts(family_texts(1000, 0, "quick", exhaustive=True))) == 1000


@pytest.mark.parametrize("profile", PROFILES)
def test_all_replayed_texts_run_and_are_checked_again(profile):
    texts = family_texts(1000, 20, profile, replayed=True)
    assert all_texts(texts) == [str(n) for n in range(1000)]
    assert texts.recheck_every == 1


def test_many_texts_are_sampled_evenly():
    sample = sample_evenly([str(n) for n in range(1000)], 10)
    assert sample == [str(n) for n in range(0, 1000, 100)]
    assert sample_evenly(["a", "b"], 10) == ["a", "b"]


def test_a_unit_does_not_depend_on_other_units():
    assert (
        family_texts(1000, 5).texts_of_unit(7)
        == [family_texts(1000, 5).texts_of_unit(n) for n in range(9)][7]
    )


def test_a_family_may_be_a_module_by_its_dotted_name():
    one = plugins.family("tokharness_cases.emoji")
    assert one.name == "emoji"


@pytest.mark.parametrize("name", ["no.such.module", "tokharness.model"])
def test_a_module_that_is_not_a_family_is_an_error(name):
    with pytest.raises(UsageError, match="is not a family"):
        plugins.family(name)
