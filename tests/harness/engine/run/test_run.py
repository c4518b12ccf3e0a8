"""The whole line, as events."""

import re

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import (
    FamilyFinished,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.run.run import run
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.errors import UnknownNameError, UsageError
from tokharness.model import TargetFacts, Verdict

FIRST = ("TOK101", "TOK102", "TOK103", "TOK104")
CHECKS = (*FIRST, "TOK2", "TOK3", "TOK4")
"""Without those whose audits take seconds."""
FEW = {"families": ("digits", "contractions"), "examples": 0, "select": CHECKS}


def events(spec, kind, **options):
    return [e for e in run([spec], Options(**(FEW | options)), jobs=0) if isinstance(e, kind)]


def test_events_come_in_the_order_in_which_things_happen():
    kinds = [type(event) for event in run(["tiktoken:embedded"], Options(**FEW), jobs=0)]
    units = kinds.count(UnitFinished)
    assert kinds[0] is TargetStarted
    assert kinds[1 : units + 1] == [UnitFinished] * units
    assert kinds[units + 1 : units + 3] == [FamilyFinished, FamilyFinished]
    assert set(kinds[units + 3 : -1]) == {FindingReported}
    assert kinds[-1] is TargetFinished


def test_the_start_says_what_will_be_done():
    (start,) = events("tiktoken:embedded", TargetStarted, select=FIRST)
    assert start.against == "reference:embedded"
    assert start.families == ("digits", "contractions")
    assert start.checks == FIRST
    assert "encode_batch" in start.capabilities
    assert start.unicode_version is not None


@pytest.mark.slow
def test_every_case_is_counted():
    tried = events("tiktoken:embedded", FamilyFinished)
    (finished,) = events("tiktoken:embedded", TargetFinished)
    assert [one.family for one in tried] == ["digits", "contractions"]
    assert all(one.cases > 1000 for one in tried)
    assert finished.cases == sum(one.cases for one in tried)
    assert finished.seconds >= finished.tokenizer_seconds > 0


@pytest.mark.slow
def test_random_cases_are_tried_beside_the_enumerated_ones():
    (few,) = events("tiktoken:embedded", FamilyFinished, families=("digits",))
    (more,) = events("tiktoken:embedded", FamilyFinished, families=("digits",), examples=40)
    assert 0 < more.cases - few.cases <= 40


@pytest.mark.slow
@pytest.mark.parametrize("factory", ["numbers_in_fours", "nfc_and_raises"])
def test_the_same_options_give_the_same_findings(faulty, factory):
    first, second = (
        [e.finding for e in events(faulty(factory), FindingReported, against="reference:embedded")]
        for _ in range(2)
    )
    assert first == second


def test_findings_come_worst_first(faulty):
    found = events(faulty("numbers_in_fours"), FindingReported, against="reference:embedded")
    ranks = [event.finding.verdict.rank for event in found]
    assert ranks == sorted(ranks)
    assert found[0].finding.verdict is Verdict.BUG


def test_what_cannot_be_run_is_a_skip_with_a_reason(faulty):
    skips = [event.skip for event in events(faulty("plain"), SkipRecorded)]
    assert any("TOK201" in skip.what and "--against" in skip.reason for skip in skips)
    assert any("TOK402" in skip.what and "n_vocab" in skip.reason for skip in skips)
    assert {skip.spec for skip in skips} == {faulty("plain")}


def test_a_check_that_is_skipped_is_not_among_those_that_ran(faulty):
    (start,) = events(faulty("plain"), TargetStarted)
    assert "TOK201" not in start.checks


def test_targets_are_checked_one_after_another(faulty):
    specs = ["tiktoken:embedded", faulty("plain")]
    named = [
        event.spec
        for event in run(specs, Options(**FEW), jobs=0)
        if isinstance(event, TargetStarted | TargetFinished)
    ]
    assert named == [specs[0], specs[0], specs[1], specs[1]]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"select": ("TOK101",)}, ["TOK101"]),
        ({"select": ("raises", "TOK103")}, ["TOK102", "TOK103"]),
        ({"select": ("TOK3",), "ignore": ("TOK302",)}, ["TOK301", "TOK303"]),
    ],
)
def test_checks_are_selected_and_ignored(options, codes):
    assert [check.code for check in select_checks(Options(**options))] == codes


def test_a_run_without_a_check_is_a_mistake():
    with pytest.raises(UsageError, match="no check is left"):
        select_checks(Options(select=("TOK101",), ignore=("TOK",)))


def test_without_a_choice_all_checks_and_families_run():
    assert len(select_checks(Options())) == len(plugins.checks())
    assert len(select_families(Options())) == len(plugins.families())


def test_a_family_named_twice_runs_once():
    names = [family.name for family in select_families(Options(families=("emoji", "emoji")))]
    assert names == ["emoji"]


@pytest.mark.parametrize("field", ["select", "ignore"])
def test_a_code_that_names_nothing_offers_the_nearest(field):
    with pytest.raises(UnknownNameError, match="TOK1"):
        select_checks(Options(**{field: ("TOK199",)}))


def test_an_unknown_family_is_told_before_anything_is_loaded():
    with pytest.raises(UnknownNameError, match="did you mean 'digits'"):
        next(run(["no:such"], Options(families=("digit",))))


def test_a_finding_says_how_to_see_it_again(faulty):
    spec = faulty("numbers_in_fours")
    finding = events(spec, FindingReported, against="reference:embedded")[0].finding
    assert finding.reproduce == f"tokharness show --json '\"0000\"' {spec} reference:embedded"


STOPPED = """
class Tokenizer:
    def encode(self, text):
        if text == STOP:
            raise KeyboardInterrupt
        return [ord(c) for c in text if c != "b"]

    def decode(self, ids):
        return "".join(map(chr, ids))
"""


def test_what_was_found_before_an_interruption_is_told_with_what_was_not_run(tmp_path):
    last = [case.text for case in plugins.families()["leading-space"].cases(TargetFacts())][-1]
    file = tmp_path / "stopped.py"
    file.write_text(f"STOP = {last!r}\n{STOPPED}", encoding="utf-8")
    families = ("contractions", "leading-space", "emoji")
    options = Options(families=families, examples=0, select=CHECKS)
    events = []
    with pytest.raises(KeyboardInterrupt):
        events.extend(iter_into(events, run([f"python:{file}:Tokenizer"], options, jobs=0)))
    found = [e.finding for e in events if isinstance(e, FindingReported)]
    skipped = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    assert any(one.cause.kind == "dropped characters" for one in found)
    assert {"family leading-space", "family emoji"} <= set(skipped)
    assert "family contractions" not in skipped


@pytest.mark.parametrize("more", [(), ("TOK302",)])
def test_what_fails_is_counted_where_its_diagnosis_is_interrupted(monkeypatch, faulty, more):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("tokharness.engine.run.finalize.request_diagnosis", interrupted)
    options = Options(families=("zero-width",), examples=0, select=("TOK101", *more))
    events = []
    with pytest.raises(KeyboardInterrupt):
        events.extend(iter_into(events, run([faulty("drops_zero_width_space")], options, jobs=0)))
    skipped = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    (what,) = [one for one in skipped if "TOK101" in one]
    assert re.fullmatch(r"the diagnosis of [0-9]+ texts that fail TOK101", what)
    assert ("the audit" in skipped) == bool(more)


def test_what_was_found_is_told_where_measuring_is_interrupted(monkeypatch, faulty):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("tokharness.engine.run.measure_requests.request_measures", interrupted)
    options = Options(families=("zero-width",), examples=0, select=("TOK101",))
    told = run([faulty("drops_zero_width_space")], options, jobs=0, measures=True)
    events = []
    with pytest.raises(KeyboardInterrupt):
        events.extend(iter_into(events, told))
    assert [str(e.finding.cause) for e in events if isinstance(e, FindingReported)] != []
    assert [e.skip.what for e in events if isinstance(e, SkipRecorded)][-1] == "the metrics"


def iter_into(kept, events):
    """Keep each event as it comes, so that those before an exception are there after it."""
    for event in events:
        kept.append(event)
    return []


def test_what_a_text_shows_only_among_others_is_no_state(faulty):
    options = Options(select=("TOK110",), families=("white-space",), profile="quick", examples=0)
    found = [
        e.finding
        for e in run([faulty("strips_in_batches")], options)
        if isinstance(e, FindingReported)
    ]
    assert {str(one.cause) for one in found} == {"entry points: encode_batch"}
