"""The size above which texts end a process is found, and only if it explains all deaths."""

import pytest

from tokharness.errors import TargetDeath
from tokharness.targets.processes.crashers import LIMIT, LOST, Crashers
from tokharness.targets.processes.death_shapes import FatalSizes, find_limit, measure_of

DEATH = TargetDeath("SIGSEGV", "")
DIES = {
    "length": lambda text: len(text) > 200,
    "bytes": lambda text: len(text.encode()) > 200,
    "of one character": lambda text: max(map(text.count, {*text, "a"})) > 30,
}
DEAD = ("\u0301" * 300, "ab " * 150, "x" * 1000)
ALIVE = ("a", "\u0301" * 20, "the quick brown fox")


def limits(*, died=DEAD, survived=ALIVE):
    sizes = FatalSizes()
    for text in died:
        sizes.add(text, died=True)
    for text in survived:
        sizes.add(text, died=False)
    return sizes


@pytest.mark.parametrize("dead", DEAD)
@pytest.mark.parametrize(
    ("name", "limit"), [("length", 200), ("bytes", 200), ("of one character", 30)]
)
def test_the_exact_limit_is_found(name, limit, dead):
    assert find_limit(name, dead, limits(), DIES[name]) == limit


@pytest.mark.parametrize("fatal", DIES)
def test_only_the_measure_that_ends_the_process_has_a_limit(fatal):
    found = {name: find_limit(name, DEAD[0], limits(), DIES[fatal]) for name in DIES}
    assert [name for name in found if found[name] is not None] == [fatal]


PARTIAL = {
    "of ASCII": lambda text: len(text) > 200 and text.isascii(),
    "without spaces": lambda text: len(text) > 200 and " " not in text,
    "of letters": lambda text: len(text) > 200 and text.isalpha(),
    "with marks": lambda text: len(text) > 200 and "\u0301" in text,
}


@pytest.mark.parametrize("kind", PARTIAL)
def test_a_size_that_ends_the_process_for_some_texts_only_is_no_limit(kind):
    dead = [text for text in ("x" * 300, "\u0301" * 300) if PARTIAL[kind](text)]
    sizes = limits(died=dead)
    found = {name: find_limit(name, dead[0], sizes, PARTIAL[kind]) for name in DIES}
    assert set(found.values()) == {None}


def test_more_than_so_many_of_one_given_character_is_a_limit_for_it_only():
    dead = (" " * 50, "a b c d " * 15)
    sizes = limits(died=dead)
    found = {
        name: limit
        for name in sizes.separated()
        if (limit := find_limit(name, dead[0], sizes, lambda text: text.count(" ") > 40))
    }
    assert found == {"of U+0020": 40}
    assert measure_of("of U+0020").words.format(40) == "more than 40 of U+0020"


def test_a_target_on_which_no_made_text_survives_has_no_limit():
    sizes = limits(survived=())
    assert {find_limit(name, DEAD[0], sizes, len) for name in DIES} == {None}


def test_a_measure_that_a_survivor_exceeds_is_none():
    separated = list(limits(survived=["word " * 100]).separated())
    assert separated == ["of one character"]


def test_texts_above_a_limit_are_skipped_and_others_are_not():
    crashers = Crashers()
    crashers.add("encode", "x" * 300, DEATH)
    crashers.set_limit("length", 200)
    assert "longer than 200 characters" in str(crashers.reason_to_skip("encode", "y" * 201))
    assert crashers.reason_to_skip("encode", "y" * 200) is None


def test_nothing_is_run_after_the_time_for_deaths_is_spent():
    crashers = Crashers()
    crashers.stop()
    assert crashers.reason_to_skip("encode", "any text") is not None


def test_limits_and_the_end_are_taken_over_from_rows():
    crashers = Crashers()
    crashers.add("encode", "x" * 300, DEATH)
    crashers.set_limit("length", 200)
    crashers.stop()
    again = Crashers(crashers.rows)
    assert [row[0] for row in again.rows] == ["encode", LIMIT, LOST]
    assert again.exceeds_limit("y" * 201)
    assert again.is_spent


def test_a_limit_that_a_text_refutes_is_dropped_and_not_found_again():
    crashers = Crashers()
    crashers.add("encode", "x" * 300, DEATH)
    crashers.set_limit("length", 200)
    crashers.drop_limit()
    for one in (crashers, Crashers(crashers.rows)):
        assert one.reason_to_skip("encode", "y" * 201) is None
        assert one.refuted == {"length"}


def test_texts_above_a_limit_are_run_less_and_less_often():
    crashers = Crashers()
    crashers.set_limit("length", 2)
    run = [number for number in range(1, 100) if crashers.must_recheck("long text")]
    assert run == [1, 4, 16, 64]
    assert not crashers.must_recheck("ab")
