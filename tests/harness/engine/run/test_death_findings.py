"""How a text ended the target is a finding, though its diagnosis was not made."""

from dataclasses import replace

from tokharness.engine.run.death_findings import death_finding, deaths_of_texts, name_deaths
from tokharness.engine.worker.grouping import NOT_REPRODUCED
from tokharness.errors import TargetDeath
from tokharness.model import Verdict
from tokharness.targets.processes.crashers import Crashers

ROWS = (
    ("encode", "a", "time limit", ""),
    ("encode", "xa", "time limit", ""),
    ("encode", "b", "SIGABRT", "at 0"),
    ("decode", [1, 2], "SIGSEGV", ""),
    ("encode", "c", None, ""),
)
FAMILIES = {"a": "digits", "xa": "bidi", "b": "digits"}


def test_each_way_of_dying_is_a_bug_with_its_smallest_text():
    findings = deaths_of_texts("x", ROWS, FAMILIES)["TOK104"]
    assert [(str(one.cause), one.text, one.count, one.families) for one in findings] == [
        ("hang: encode", "a", 2, ("bidi", "digits")),
        ("crash: encode, SIGABRT", "b", 1, ("digits",)),
    ]
    assert {one.verdict for one in findings} == {Verdict.BUG}
    assert [one.evidence["given"] for one in findings] == ["time limit", "SIGABRT: at 0"]
    assert all(one.reproduce.endswith(" x --select TOK104") for one in findings)


def test_texts_that_did_not_fail_a_check_are_no_finding():
    assert deaths_of_texts("x", ROWS, {}) == {}


def hangs():
    """Return the rows of two texts that hang, the second one within a part of the time limit."""
    crashers = Crashers()
    for text in ("xa", "a"):
        crashers.add("encode", text, TargetDeath("time limit"))
    return crashers.rows


def test_a_hang_within_a_part_of_the_time_limit_is_not_reported_without_a_diagnosis():
    (finding,) = deaths_of_texts("x", hangs(), FAMILIES)["TOK104"]
    assert (finding.text, finding.count) == ("xa", 1)


def test_a_text_that_ends_within_the_whole_time_limit_is_no_finding():
    found = death_finding("x", "", TargetDeath("time limit"))
    guessed, known = (replace(found, text=text, cause=NOT_REPRODUCED) for text in ("a", "xa"))
    (kept,) = name_deaths({"TOK104": [guessed, known]}, hangs())["TOK104"]
    assert (kept.text, str(kept.cause)) == ("xa", "hang: state, time limit")


def test_a_guessed_hang_hides_no_death_that_is_reported_nowhere_else():
    found = death_finding("x", "", TargetDeath("time limit"))
    guessed = replace(found, text="a", count=2, cause=NOT_REPRODUCED)
    assert len(name_deaths({"TOK104": [guessed]}, hangs())["TOK104"]) == 1
