"""If a target crashes, hangs or exhausts its memory, every other fault is still reported."""

import json
from contextlib import closing
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest
from planted._tokenizer_files import record_of

from tokharness.config import Options
from tokharness.engine.events import (
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError

pytestmark = pytest.mark.slow

CRASHING = Path(__file__).parents[2] / "crashing_tokenizers.py"
FIRST = ("TOK101", "TOK102", "TOK103", "TOK104")
SLOW_AUDITS = ("TOK109", "TOK110", "TOK114")
FAST = {"families": ("digits",), "examples": 0, "time_limit": 1.0, "select": FIRST}


@pytest.fixture(scope="module")
def check():
    """Check a target with two workers; return its bugs and all events."""

    def check_factory(factory, **options):
        events = list(run([f"python:{CRASHING}:{factory}"], Options(**(FAST | options)), jobs=2))
        findings = [e.finding for e in events if isinstance(e, FindingReported)]
        return [finding for finding in findings if finding.verdict == "bug"], events

    return check_factory


@pytest.mark.parametrize(
    ("factory", "cause", "text"),
    [
        ("ReadsNullOnHalf", "crash: encode, SIGSEGV", "\u00bd"),
        ("AbortsInDecodeOnHalf", "crash: decode, SIGABRT", "\u00bd"),
    ],
)
def test_a_crash_is_one_finding_with_the_smallest_text(check, factory, cause, text):
    bugs, events = check(factory)
    assert [(str(bug.cause), bug.text) for bug in bugs] == [(cause, text)]
    assert isinstance(events[-1], TargetFinished)
    assert events[-1].cases > 9000


def test_an_exit_is_reported_with_the_last_line_of_standard_error(check):
    ((bug,), _) = check("ExitsOnHalf")
    assert (str(bug.cause), bug.text) == ("crash: encode, exit code 3", "\u00bd")
    assert bug.message.endswith("exit code 3: table has no entry")


def test_other_faults_are_reported_in_addition_to_a_crash(check):
    bugs, _ = check("PanicsOnSurrogates", families=("surrogates",))
    assert [str(bug.cause) for bug in bugs] == ["panics: encode, PanicError, no scalar value"]


def test_a_keyboard_interrupt_of_the_target_is_an_exception(check):
    bugs, _ = check("InterruptsOnHalf")
    assert [(bug.code, bug.text) for bug in bugs] == [("TOK102", "\u00bd")]
    assert "KeyboardInterrupt" in bugs[0].message


def test_many_crashes_of_one_kind_are_one_finding_and_a_skip(check):
    bugs, events = check("AbortsOnEveryNumberSign")
    assert [str(bug.cause) for bug in bugs] == ["crash: encode, SIGABRT"]
    assert len(bugs[0].text) == 1
    assert [e.skip.what for e in events if isinstance(e, SkipRecorded)] == ["part of family digits"]


def test_a_crash_that_no_single_text_causes_has_the_cause_state(check):
    bugs, _ = check("AbortsAtTheFiveHundredthText", profile="quick")
    assert [str(bug.cause) for bug in bugs] == ["crash: state, SIGABRT"]


def test_a_crash_in_an_audit_is_not_reported_as_a_missing_byte(check):
    bugs, events = check("AbortsForTheBytesOfAToken", select=("TOK104", "TOK4"))
    assert [(bug.code, str(bug.cause)) for bug in bugs] == [("TOK104", "crash: the audit, SIGABRT")]
    skips = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    assert "the audit of TOK403" in skips
    assert all(what.startswith("the audit of TOK4") for what in skips)


def test_a_crash_in_an_audit_has_the_call_and_the_command_of_the_audit(check):
    ((bug,), _) = check("AbortsOnSpecialText", select=("TOK104", "TOK115"))
    assert str(bug.cause) == "crash: encode_special, SIGABRT"
    assert bug.cause.message.startswith("encode_special('<|end|>') ends the target's process")
    assert (bug.text, bug.evidence["given"]) == ("<|end|>", "SIGABRT")
    assert bug.reproduce.endswith("--select TOK104,TOK115 --family plain-words")


def test_a_crash_that_an_audit_finds_is_one_finding(check):
    bugs, _ = check("AbortsInDecodePastTheEnd", select=("TOK104", "TOK112"))
    assert [bug.code for bug in bugs] == ["TOK112"]


def test_a_hang_hides_no_other_fault_even_if_the_target_ignores_the_alarm(check):
    bugs, _ = check("IgnoresTheAlarmHangsOnHalfAndDropsThird")
    assert [(str(bug.cause), bug.text) for bug in bugs] == [
        ("dropped characters: U+2153 VULGAR FRACTION ONE THIRD", "\u2153"),
        ("hang: encode", "\u00bd"),
    ]


def test_a_hang_on_texts_that_show_a_unicode_version_is_a_finding(check, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(record_of("nfc")))
    bugs, _ = check("HangsBeyondTheBasicPlane", against=f"reference:{path}", load_limit=10.0)
    assert ("hang: encode", 1) in [(str(bug.cause), len(bug.text)) for bug in bugs]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", ["IsSlow", "IsSlowAtFirst", "PrintsOnEveryCall"])
def test_a_slow_or_printing_target_has_no_bug(check, factory):
    bugs, events = check(factory, families=("zero-width",), profile="quick")
    assert bugs == []
    assert not any(isinstance(event, SkipRecorded) for event in events)


def test_a_crash_while_a_target_is_loaded_is_one_error(check):
    with pytest.raises(TokharnessError, match=r"factory cannot be loaded: .* SIGABRT"):
        check("aborts_in_the_factory")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", ["ReadsNullOnHalf", "Healthy"])
def test_the_number_of_workers_changes_nothing(factory):
    def relevant_events(jobs):
        spec = f"python:{CRASHING}:{factory}"
        options = Options(
            **(FAST | {"families": ("digits", "contractions"), "select": ()}), ignore=SLOW_AUDITS
        )
        kinds = (TargetStarted, FindingReported, SkipRecorded)
        return [e for e in run([spec], options, jobs=jobs) if isinstance(e, kinds)]

    assert relevant_events(1) == relevant_events(3)


def test_a_run_without_worker_processes_gives_the_same_events():
    def relevant_events(jobs):
        options = Options(families=("digits",), profile="quick", ignore=SLOW_AUDITS)
        for event in run(["tiktoken:embedded"], options, jobs=jobs):
            if isinstance(event, TargetStarted):
                yield replace(event, comparison="")  # only a worker knows which files it opened
            elif isinstance(event, FindingReported | SkipRecorded):
                yield event

    assert list(relevant_events(0)) == list(relevant_events(2))


@pytest.mark.nightly
def test_a_target_that_hangs_after_some_texts_is_a_bug_though_no_text_hangs_it_alone(check):
    bugs, events = check("HangsAfterTwentyTexts")
    assert [str(bug.cause) for bug in bugs] == ["hang: state, time limit"]
    reasons = [e.skip.reason for e in events if isinstance(e, SkipRecorded)]
    assert any("too much time was spent" in reason for reason in reasons)


@pytest.mark.parametrize("reference", ["ReadsNullOnHalf", "RaisesOnHalf", "HangsOnHalf"])
def test_a_fault_of_the_reference_is_a_skip(check, reference):
    against = f"python:{CRASHING}:{reference}"
    bugs, events = check("Healthy", against=against, select=(*FIRST, "TOK201", "TOK202"))
    skips = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    assert bugs == []
    assert skips == ["comparison of 2 texts of family digits"]
    assert isinstance(events[-1], TargetFinished)


def test_a_fault_is_reported_even_if_the_reference_raises_on_the_text(check):
    against = f"python:{CRASHING}:RaisesOnHalf"
    bugs, _ = check("DropsHalf", against=against, select=(*FIRST, "TOK2"))
    assert [str(bug.cause) for bug in bugs] == [
        "dropped characters: U+00BD VULGAR FRACTION ONE HALF"
    ]


def test_a_target_that_most_families_end_is_loaded_few_times(tmp_path):
    path, families = tmp_path / "aborts.py", ("bidi", "emoji", "hangul", "homoglyphs", "digits")
    path.write_text(
        "import os\n"
        "class Aborts:\n"
        "    def __init__(self):\n"
        f"        with open({str(tmp_path / 'loads')!r}, 'a') as file: file.write('.')\n"
        "    def encode(self, text):\n"
        "        return list(text.encode()) if text.isascii() else os.abort()\n"
        "    def decode(self, ids):\n"
        "        return bytes(ids).decode()\n"
    )
    families = (*families, "normal-forms", "zero-width", "white-space")
    options = Options(**FAST | {"families": families, "profile": "quick"})
    events = list(run([f"python:{path}:Aborts"], options, jobs=1))
    findings = [e.finding for e in events if isinstance(e, FindingReported)]
    assert "crash: encode, SIGABRT" in {str(one.cause) for one in findings}
    assert len((tmp_path / "loads").read_text()) < 9


def test_a_text_fails_even_if_the_reference_crashes_on_it():
    options = Options(**FAST | {"against": f"python:{CRASHING}:ReadsNullOnHalf"})
    with closing(run([f"python:{CRASHING}:DropsHalf"], options, jobs=2)) as events:
        # The diagnosis, with a call of another process for each probe, is that of any fault.
        next(events)
        units = takewhile(lambda event: isinstance(event, UnitFinished), events)
        failing = [unit.failing["TOK101"] for unit in units if "TOK101" in unit.failing]
    assert failing == [["12\u00bd", "\u00bd12"]]
