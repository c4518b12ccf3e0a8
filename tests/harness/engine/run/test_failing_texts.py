"""Of very many failing texts some are diagnosed, of every family, and the others are counted."""

from tokharness.engine.events import UnitFinished
from tokharness.engine.run.failing_texts import failing_texts


def unit(family, texts, **attributes):
    return UnitFinished("t", family, 0, 1, 100, {"TOK101": texts}, 0.0, **attributes)


def test_few_failing_texts_are_all_diagnosed():
    chosen, left = failing_texts([unit("a", ["x", "y"]), unit("b", ["y", "z"])], 10)
    assert chosen == {"TOK101": {"x": "a", "y": "a", "z": "b"}}
    assert not left


def test_of_many_some_of_each_family_are_diagnosed_and_the_others_counted():
    many = [str(n) for n in range(100)]
    chosen, left = failing_texts([unit("many", many), unit("few", ["x", "y"])], 10)
    families = list(chosen["TOK101"].values())
    assert (families.count("few"), families.count("many")) == (2, 8)
    assert left == {"TOK101": 92}


def test_what_a_unit_did_not_keep_is_counted():
    _, left = failing_texts([unit("a", ["x"], failing_left_out={"TOK101": 7})], 10)
    assert left == {"TOK101": 7}
