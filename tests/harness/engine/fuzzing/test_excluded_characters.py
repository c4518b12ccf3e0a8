"""Characters that occur in several failing texts and in no passing one are excluded."""

from tokharness.engine.fuzzing.rounds import update_excluded
from tokharness.engine.worker.batches import UnitResult
from tokharness.model import Batch

DROPPED, OTHER = "\u200b", "\u2060"
FILLER = [chr(0x100 + n) for n in range(10)]


def update(passing, failing, excluded=""):
    """Update the excluded characters after a round with these passing and failing texts."""
    texts = (*passing, *failing)
    batch = Batch("mixtures", texts, [None] * len(texts), [None] * len(texts), {})
    return update_excluded([batch], [UnitResult({"TOK101": list(failing)}, len(texts))], excluded)


def test_a_character_of_failing_texts_only_is_excluded():
    assert update(["a", "b"], [f"a{DROPPED}", f"b{DROPPED}"])["excluded"] == DROPPED


def test_a_character_of_a_passing_text_is_not_excluded():
    assert update([f"c{DROPPED}", "a", "b"], [f"a{DROPPED}", f"b{DROPPED}"])["excluded"] == ""


def test_one_failing_text_excludes_nothing():
    assert update(["a"], [f"a{DROPPED}"])["excluded"] == ""


def test_the_same_character_twice_in_a_text_counts_once():
    assert update(["a"], [f"a{DROPPED}{DROPPED}"])["excluded"] == ""


def test_a_text_that_fails_two_checks_counts_once():
    text = f"a{DROPPED}"
    batch = Batch("mixtures", ["a", text], [None] * 2, [None] * 2, {})
    result = update_excluded([batch], [UnitResult({"TOK101": [text], "TOK103": [text]}, 2)], "")
    assert result["excluded"] == ""


def test_nothing_is_excluded_if_few_texts_fail():
    assert update(FILLER * 10, [f"a{DROPPED}", f"b{DROPPED}"])["excluded"] == ""


def test_nothing_is_excluded_if_nearly_all_texts_fail():
    failing = [f"{character}{DROPPED}" for character in FILLER]
    assert update(FILLER[:1], failing)["excluded"] == ""


def test_excluded_characters_are_sorted():
    failing = [f"{OTHER}{DROPPED}a", f"{DROPPED}{OTHER}b"]
    assert update(["a", "b"], failing)["excluded"] == DROPPED + OTHER


def test_an_excluded_character_is_readmitted_if_a_text_with_it_passes():
    assert update([f"a{DROPPED}"], [], DROPPED + OTHER)["readmitted"] == DROPPED


def test_a_character_that_was_not_excluded_is_not_readmitted():
    assert update(["ab"], [], OTHER)["readmitted"] == ""


def test_long_texts_are_ignored():
    assert update([DROPPED * 500], [f"a{DROPPED}"], DROPPED)["readmitted"] == ""


def test_a_round_without_texts_changes_nothing():
    assert update([], []) == {"excluded": "", "readmitted": ""}
