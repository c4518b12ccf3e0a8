"""How a text ended the target is a finding, though its diagnosis was not made."""

from tokharness.engine.run.death_findings import deaths_of_texts
from tokharness.model import Verdict

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
