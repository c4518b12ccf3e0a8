"""Outcomes of the items of a target, from the result of its run, and names of items.

A target runs once for all of its items, in any number of processes.
"""

from dataclasses import replace

import pytest

from tokharness.config import Options
from tokharness.engine.events import FamilyFinished, TargetFinished, TargetStarted
from tokharness.engine.run.pool import automatic_jobs
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.pytest_plugin import _outcomes
from tokharness.pytest_plugin._outcomes import AUDIT, Key, RunResult, escape_name, outcomes
from tokharness.results.report import TargetReport

FAULTY = "python:tokharness_tokenizers.demo:drops_zero_width_space"
CHECKS = ("TOK101", "TOK104", "TOK201")
COLLECTED = (
    *(Key(code, family) for code in CHECKS for family in ("emoji", "bidi", "long")),
    Key("TOK201", AUDIT),
)


def test_names_are_ascii_unique_and_not_split():
    names = ["a::b", "a:b", "a:\\u{3a}b", "\u200b", "\\u{200b}", "a[b]", "\ud800", "a\nb", ":a:"]
    shown = [escape_name(name) for name in names]
    assert len(set(shown)) == len(names)
    assert all(name.isascii() and name.isprintable() and "::" not in name for name in shown)
    assert not any(char in name for name in shown for char in "[]")
    assert escape_name(FAULTY) == FAULTY


def finding(code, *families, other_checks=(), verdict=Verdict.BUG, message="", text="\u202e"):
    cause = Cause("kind", (("of", "\u202e\ud800"),), verdict, message)
    return Finding(
        *("x", code, "name", cause, 1, text, families, "show '\u202e'"), other_checks=other_checks
    )


def run_result(*findings, skips=(), checks=CHECKS, failing=None, cases=None):
    started = TargetStarted("x", None, (), None, None, ("emoji", "bidi", "long"), checks)
    cases = {"emoji": 5, "bidi": 5, "long": 5} if cases is None else cases
    families = tuple(FamilyFinished("x", family, number, 0) for family, number in cases.items())
    finished = TargetFinished("x", 15, 1.0, 1.0)
    return RunResult(
        TargetReport(started, families, findings, tuple(skips), finished), failing or {}
    )


def outcome(result, selected=COLLECTED, **options):
    return outcomes(result, Options(profile="quick", **options), COLLECTED, selected, {"long"})


def failed(result, selected=COLLECTED, **options):
    return {key for key, item in outcome(result, selected, **options).items() if item.failures}


def skipped(*whats, **fields):
    items = outcome(run_result(skips=[Skip("x", what, "why") for what in whats], **fields))
    return {key for key, item in items.items() if item.skip_reason} - {Key("TOK201", "long")}


def test_a_finding_fails_the_items_of_its_check_and_families():
    assert failed(run_result(finding("TOK101", "emoji", "bidi"))) == {
        Key("TOK101", "emoji"),
        Key("TOK101", "bidi"),
    }


def test_a_finding_of_two_checks_fails_the_items_of_both():
    assert failed(run_result(finding("TOK101", "emoji", other_checks=("TOK201",)))) == {
        Key("TOK101", "emoji"),
        Key("TOK201", "emoji"),
    }


def test_a_finding_without_families_belongs_to_the_audit():
    assert failed(run_result(finding("TOK201"))) == {Key("TOK201", AUDIT)}


def test_a_finding_of_a_family_without_items_belongs_to_the_audit():
    assert failed(run_result(finding("TOK201", "hangul"))) == {Key("TOK201", AUDIT)}


def test_a_finding_without_an_item_fails_all_items_of_its_check():
    assert failed(run_result(finding("TOK104"))) == {
        key for key in COLLECTED if key.code == "TOK104"
    }


def test_a_finding_whose_items_are_deselected_fails_no_other_item():
    selected = [Key("TOK101", "bidi"), Key("TOK201", "bidi")]
    assert failed(run_result(finding("TOK101", "emoji"), finding("TOK201")), selected) == set()


def test_risks_and_facts_are_notes_unless_risks_fail():
    risk = finding("TOK101", "emoji", verdict=Verdict.RISK, message="risky")
    fact = finding("TOK101", "emoji", verdict=Verdict.FACT, message="so it is")
    assert failed(run_result(risk, fact)) == set()
    assert failed(run_result(risk, fact), fail_on="risk") == {Key("TOK101", "emoji")}
    assert outcome(run_result(risk, fact))[Key("TOK101", "emoji")].notes == (
        ("risk", "risk TOK101 name: risky"),
        ("fact", "fact TOK101 name: so it is"),
    )


def test_what_was_not_finished_fails_its_items_and_no_others():
    lost = Skip("x", "the audit of TOK201", "our own code took too long", unfinished=True)
    assert failed(run_result(skips=[lost])) == {Key("TOK201", AUDIT)}
    assert failed(run_result(skips=[Skip("x", "the audit of TOK201", "why")])) == set()


def test_a_failure_message_is_escaped_ascii():
    (message,) = outcome(run_result(finding("TOK101", "emoji")))[Key("TOK101", "emoji")].failures
    assert message.isascii()
    assert all(line.isprintable() for line in message.splitlines())
    assert '"\\u{202e}"' in message


def test_a_check_that_was_not_run_skips_its_items():
    skip = Skip("x", "TOK104 crashes-or-hangs", "the target has no \u202e")
    items = outcome(run_result(skips=[skip], checks=("TOK101", "TOK201")))
    assert {key.code for key, item in items.items() if item.skip_reason} >= {"TOK104"}
    assert not items[Key("TOK101", "emoji")].skip_reason
    expected = r"TOK104 crashes-or-hangs: the target has no \u{202e}"
    assert items[Key("TOK104", "emoji")].skip_reason == expected


def test_a_family_that_was_not_run_or_has_no_text_skips_its_items():
    items = outcome(run_result(cases={"bidi": 0, "long": 1}))
    assert items[Key("TOK101", "emoji")].skip_reason == "the family was not run"
    expected = "the quick profile has no text of this family"
    assert items[Key("TOK101", "bidi")].skip_reason == expected


def test_texts_too_long_for_a_reference_skip_the_comparison():
    items = outcome(run_result())
    assert "too long to be compared" in items[Key("TOK201", "long")].skip_reason
    assert not items[Key("TOK101", "long")].skip_reason


@pytest.mark.parametrize(
    ("what", "keys"),
    [
        ("part of family emoji", {key for key in COLLECTED if key.family == "emoji"}),
        ("part 3 of family emoji", {key for key in COLLECTED if key.family == "emoji"}),
        ("comparison of 3 texts of family bidi", {Key("TOK201", "bidi")}),
        ("the audit of TOK201", {Key("TOK201", AUDIT)}),
        ("the audit", {Key("TOK201", AUDIT)}),
        ("the diagnosis", {key for key in COLLECTED if key.family != AUDIT}),
        ("something unforeseen", set(COLLECTED)),
    ],
)
def test_a_skip_skips_the_items_that_it_concerns(what, keys):
    assert skipped(what) == keys - {Key("TOK201", "long")}


def test_failing_texts_without_a_diagnosis_skip_their_item():
    what = "diagnosis of 12 texts that fail TOK101"
    assert skipped(what, failing={"TOK101": {"bidi"}}) == {Key("TOK101", "bidi")}
    assert skipped(failing={"TOK101": {"bidi"}}) == {Key("TOK101", "bidi")}


def test_a_failure_takes_precedence_over_a_skip():
    skip = Skip("x", "part of family emoji", "why")
    assert Key("TOK101", "emoji") in failed(run_result(finding("TOK101", "emoji"), skips=[skip]))


def test_a_finding_of_a_library_is_a_note_unless_it_is_to_fail():
    result = run_result(replace(finding("TOK101", "emoji"), library="tokenizers 1.2"))
    assert not failed(result)
    item = outcome(result)[Key("TOK101", "emoji")]
    assert any("tokenizers 1.2, whatever the file" in note for _, note in item.notes)
    assert failed(result, fail_on_library=True) == {Key("TOK101", "emoji")}


ONE = ("--tokharness-select", "TOK101", "--tokharness-against", "none")


def test_a_target_is_run_once_and_only_for_the_selected_items(pytester, tokenizer, target):
    spec = tokenizer()
    words = (*target(spec), *ONE, "--tokharness-family=bidi,digits,emoji")
    result = pytester.runpytest(*words, "-k", "not emoji")
    result.assert_outcomes(passed=2, deselected=1)
    assert (pytester.path / "loaded").read_text() == "x"


@pytest.mark.slow
def test_a_crash_fails_the_item_and_not_the_session(pytester, tokenizer, target):
    spec = tokenizer('if "\\u202e" in text: os.abort()')
    words = ("--tokharness-select=TOK104", "--tokharness-against=none")
    families = "--tokharness-family=bidi,digits"
    result = pytester.runpytest_subprocess(*target(spec), *words, families)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["bug TOK104 crashes-or-hangs: crash: *SIGABRT*"])


@pytest.mark.slow
def test_workers_share_the_run_of_a_target(pytester, tokenizer, target):
    words = (*target(tokenizer()), *ONE, "--tokharness-family=bidi,digits,emoji,hangul")
    pytester.runpytest_subprocess(*words, "-n2", "-v").assert_outcomes(passed=4)
    assert (pytester.path / "loaded").read_text() == "x" * automatic_jobs()


@pytest.mark.slow
def test_a_run_that_another_process_started_is_continued(tmp_path, monkeypatch, faulty):
    options = Options(profile="quick", select=("TOK101",), families=("digits", "bidi"))
    emitted = []

    def interrupted_run(targets, options, *, jobs, earlier=()):
        for event in run(targets, options, jobs=0, earlier=earlier):
            emitted.append(type(event).__name__)
            yield event
            if len(emitted) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(_outcomes, "run", interrupted_run)
    with pytest.raises(KeyboardInterrupt):
        _outcomes.SharedRuns(str(tmp_path), 1).result(faulty, options)
    done = emitted.count("UnitFinished")
    first = _outcomes.SharedRuns(str(tmp_path), 1).result(faulty, options)
    units = emitted.count("UnitFinished")
    second = _outcomes.SharedRuns(str(tmp_path), 1).result(faulty, options)
    assert 0 < done < units == emitted.count("UnitFinished")
    assert first == second
    assert {family.family for family in first.report.families} == {"digits", "bidi"}


def test_a_target_that_cannot_be_loaded_is_loaded_by_one_process_only(tmp_path, monkeypatch):
    options = Options(profile="quick", families=("digits",))
    with pytest.raises(TokharnessError) as first:
        _outcomes.SharedRuns(str(tmp_path), 1).result("python:missing.module.here:x", options)
    monkeypatch.setattr(_outcomes, "run", None)
    with pytest.raises(TokharnessError) as second:
        _outcomes.SharedRuns(str(tmp_path), 1).result("python:missing.module.here:x", options)
    assert str(first.value) == str(second.value)


@pytest.mark.slow
def test_workers_fail_skip_and_report_errors_alike(pytester, target, faulty):
    words = (*target(faulty, "python:no:x"), "--tokharness-select=TOK101,TOK402")
    families = "--tokharness-family=zero-width,digits"
    # This mode reads and changes the names of items; the other tests have the default one.
    result = pytester.runpytest_subprocess(*words, families, "-n2", "--dist=loadgroup")
    result.assert_outcomes(failed=1, passed=1, skipped=1, errors=3)


@pytest.mark.slow
def test_workers_find_a_node_id(pytester, target):
    node_id = "tokharness::reference::TOK101-surrogates"
    result = pytester.runpytest_subprocess(*target("reference"), *ONE, node_id, "-n2")
    result.assert_outcomes(passed=1)
