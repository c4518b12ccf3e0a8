"""A sample of very many failing texts is diagnosed, and all others are counted."""

from tokharness.engine.events import UnitFinished
from tokharness.engine.run.unit_results import failing_texts


def unit(family, texts, **attributes):
    return UnitFinished("t", family, 0, 1, 100, {"TOK101": texts}, 0.0, **attributes)


def test_few_failing_texts_are_all_diagnosed():
    sample, left_out = failing_texts([unit("a", ["x", "y"]), unit("b", ["y", "z"])], 10)
    assert sample == {"TOK101": {"x": "a", "y": "a", "z": "b"}}
    assert not left_out


def test_a_sample_of_many_failing_texts_has_some_of_each_family():
    many = [str(n) for n in range(100)]
    sample, left_out = failing_texts([unit("many", many), unit("few", ["x", "y"])], 10)
    families = list(sample["TOK101"].values())
    assert (families.count("few"), families.count("many")) == (2, 8)
    assert left_out == {"TOK101": 92}


def test_texts_that_a_unit_left_out_are_counted():
    _, left_out = failing_texts([unit("a", ["x"], failing_left_out={"TOK101": 7})], 10)
    assert left_out == {"TOK101": 7}
