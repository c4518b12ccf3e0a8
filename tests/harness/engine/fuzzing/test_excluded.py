"""Characters that are in several failing texts and in none that passes."""

from tokharness.engine.fuzzing.excluded import update_excluded
from tokharness.engine.worker.batches import UnitResult
from tokharness.model import Batch

DROPPED, OTHER = "\u200b", "\u2060"
FILLER = [chr(0x100 + n) for n in range(10)]


def told(passing, failing, avoided=""):
    """Suspects of a round with some passing and failing texts."""
    texts = (*passing, *failing)
    batch = Batch("mixtures", texts, [None] * len(texts), [None] * len(texts), {})
    return update_excluded([batch], [UnitResult({"TOK101": list(failing)}, len(texts))], avoided)


def test_a_character_of_several_failing_texts_alone_is_suspect():
    assert told(["a", "b"], [f"a{DROPPED}", f"b{DROPPED}"])["excluded"] == DROPPED


def test_one_that_a_passing_text_has_is_none():
    assert told([f"c{DROPPED}", "a", "b"], [f"a{DROPPED}", f"b{DROPPED}"])["excluded"] == ""


def test_one_failing_text_alone_makes_nobody_suspect():
    assert told(["a"], [f"a{DROPPED}"])["excluded"] == ""


def test_the_same_character_twice_in_a_text_counts_once():
    assert told(["a"], [f"a{DROPPED}{DROPPED}"])["excluded"] == ""


def test_a_text_that_fails_two_checks_counts_once():
    text = f"a{DROPPED}"
    batch = Batch("mixtures", ["a", text], [None] * 2, [None] * 2, {})
    found = update_excluded([batch], [UnitResult({"TOK101": [text], "TOK103": [text]}, 2)], "")
    assert found["excluded"] == ""


def test_where_few_fail_nothing_is_hidden_and_nobody_is_suspect():
    assert told(FILLER * 10, [f"a{DROPPED}", f"b{DROPPED}"])["excluded"] == ""


def test_where_nearly_all_fail_nothing_can_be_told():
    failing = [f"{one}{DROPPED}" for one in FILLER]
    assert told(FILLER[:1], failing)["excluded"] == ""


def test_suspects_are_sorted():
    failing = [f"{OTHER}{DROPPED}a", f"{DROPPED}{OTHER}b"]
    assert told(["a", "b"], failing)["excluded"] == DROPPED + OTHER


def test_one_that_was_avoided_is_acquitted_where_a_text_with_it_passes():
    assert told([f"a{DROPPED}"], [], DROPPED + OTHER)["readmitted"] == DROPPED


def test_nobody_is_acquitted_who_was_not_avoided():
    assert told(["ab"], [], OTHER)["readmitted"] == ""


def test_long_texts_say_nothing():
    assert told([DROPPED * 500], [f"a{DROPPED}"], DROPPED)["readmitted"] == ""


def test_a_round_without_texts_tells_nothing():
    assert told([], []) == {"excluded": "", "readmitted": ""}
