"""A target that crashes, hangs or takes all memory costs one text, and everything else is told."""

from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import FindingReported, SkipRecorded, TargetFinished, TargetStarted
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError

pytestmark = pytest.mark.slow

DEADLY = Path(__file__).parents[2] / "crashing_tokenizers.py"
FIRST = ("TOK101", "TOK102", "TOK103", "TOK104")
SLOW_AUDITS = ("TOK109", "TOK110", "TOK114")
FAST = {"families": ("digits",), "examples": 0, "time_limit": 1.0, "select": FIRST}


@pytest.fixture(scope="module")
def checked():
    """Bugs, and all events, of a run in two workers."""

    def check(factory, **options):
        events = list(run([f"python:{DEADLY}:{factory}"], Options(**(FAST | options)), jobs=2))
        return [
            e.finding
            for e in events
            if isinstance(e, FindingReported) and e.finding.verdict == "bug"
        ], events

    return check


@pytest.mark.parametrize(
    ("factory", "cause", "text"),
    [
        ("ReadsNullOnHalf", "crash: encode, SIGSEGV", "\u00bd"),
        ("AbortsInDecodeOnHalf", "crash: decode, SIGABRT", "\u00bd"),
    ],
)
def test_a_crash_is_one_finding_with_the_one_text(checked, factory, cause, text):
    bugs, events = checked(factory)
    assert [(str(one.cause), one.text) for one in bugs] == [(cause, text)]
    assert isinstance(events[-1], TargetFinished)
    assert events[-1].cases > 9000


def test_an_exit_is_told_with_the_last_words(checked):
    ((bug,), _) = checked("ExitsOnHalf")
    assert (str(bug.cause), bug.text) == ("crash: encode, exit code 3", "\u00bd")
    assert bug.message.endswith("exit code 3: table has no entry")


def test_every_other_fault_is_found_beside_a_crash(checked):
    bugs, _ = checked("PanicsOnSurrogates", families=("surrogates",))
    assert [str(one.cause) for one in bugs] == ["panics: encode, PanicError, no scalar value"]


def test_an_interrupt_that_the_target_raises_is_what_it_raises(checked):
    bugs, _ = checked("InterruptsOnHalf")
    assert [(one.code, one.text) for one in bugs] == [("TOK102", "\u00bd")]
    assert "KeyboardInterrupt" in bugs[0].message


def test_a_hang_is_one_finding_even_if_the_target_ignores_the_alarm(checked):
    bugs, _ = checked("IgnoresTheAlarmAndHangsOnHalf")
    assert [(str(one.cause), one.text) for one in bugs] == [("hang: encode", "\u00bd")]


def test_many_deaths_of_one_kind_are_one_finding_and_a_skip(checked):
    bugs, events = checked("AbortsOnEveryNumberSign")
    assert [str(one.cause) for one in bugs] == ["crash: encode, SIGABRT"]
    assert len(bugs[0].text) == 1
    assert [e.skip.what for e in events if isinstance(e, SkipRecorded)] == ["part of family digits"]


def test_a_death_that_the_text_alone_does_not_bring_about_is_told_as_state(checked):
    bugs, _ = checked("AbortsAtTheFiveHundredthText")
    assert bugs
    assert all("state" in str(one.cause) for one in bugs)


def test_a_death_in_the_audit_is_told_and_not_taken_for_a_missing_byte(checked):
    bugs, events = checked("AbortsForTheBytesOfAToken", select=("TOK104", "TOK4"))
    assert [(one.code, str(one.cause)) for one in bugs] == [("TOK104", "crash: the audit, SIGABRT")]
    skipped = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    assert "the audit of TOK403" in skipped
    assert all(what.startswith("the audit of TOK4") for what in skipped)


def test_a_hang_of_one_character_hides_no_other_fault(checked):
    bugs, _ = checked("HangsOnHalfAndDropsThird")
    assert [str(one.cause) for one in bugs] == [
        "dropped characters: U+2153 VULGAR FRACTION ONE THIRD",
        "hang: encode",
    ]


@pytest.mark.parametrize(
    "factory",
    [
        pytest.param("IsSlow", marks=pytest.mark.slow),
        *("IsSlowAtFirst", "PrintsAlways"),
    ],
)
def test_there_is_no_false_alarm(checked, factory):
    bugs, events = checked(factory, families=("zero-width",))
    assert bugs == []
    assert not any(isinstance(event, SkipRecorded) for event in events)


def test_a_target_that_dies_while_it_is_loaded_is_one_error(checked):
    with pytest.raises(TokharnessError, match=r"factory cannot be loaded: .* SIGABRT"):
        checked("aborts_in_the_factory")


@pytest.mark.parametrize("factory", ["ReadsNullOnHalf", "HealthyAndLossless"])
def test_the_number_of_workers_changes_nothing(factory):
    def told(jobs):
        spec = f"python:{DEADLY}:{factory}"
        options = Options(
            **(FAST | {"families": ("digits", "contractions"), "select": ()}), ignore=SLOW_AUDITS
        )
        kinds = (TargetStarted, FindingReported, SkipRecorded)
        return [e for e in run([spec], options, jobs=jobs) if isinstance(e, kinds)]

    first, *others = (told(jobs) for jobs in (1, 2, 3))
    assert others == [first, first]


def test_without_workers_a_healthy_target_is_told_the_same():
    def told(jobs):
        options = Options(families=("digits",), profile="quick", ignore=SLOW_AUDITS)
        events = run(["tiktoken:embedded"], options, jobs=jobs)
        return [e for e in events if isinstance(e, TargetStarted | FindingReported | SkipRecorded)]

    assert told(0) == told(2)


@pytest.mark.parametrize(
    "reference",
    [
        *("ReadsNullOnHalf", "RaisesOnHalf"),
        pytest.param("HangsOnHalf", marks=pytest.mark.slow),
    ],
)
def test_what_the_reference_does_is_no_fault_of_the_target_and_no_pass(checked, reference):
    against = f"python:{DEADLY}:{reference}"
    bugs, events = checked("HealthyAndLossless", against=against, select=(*FIRST, "TOK2"))
    skips = [event.skip.what for event in events if isinstance(event, SkipRecorded)]
    assert bugs == []
    assert skips == ["comparison of 2 texts of family digits"]
    assert isinstance(events[-1], TargetFinished)


@pytest.mark.parametrize(
    "reference", [pytest.param("ReadsNullOnHalf", marks=pytest.mark.slow), "RaisesOnHalf"]
)
def test_a_fault_is_told_also_where_the_reference_cannot_say(checked, reference):
    against = f"python:{DEADLY}:{reference}"
    bugs, _ = checked("DropsHalf", against=against, select=(*FIRST, "TOK2"))
    assert [str(one.cause) for one in bugs] == [
        "dropped characters: U+00BD VULGAR FRACTION ONE HALF"
    ]
