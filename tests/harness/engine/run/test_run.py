"""A run, as events."""

import gc
import re

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import (
    AnswersGiven,
    FamilyFinished,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.run.loaded_workers import Workers
from tokharness.engine.run.run import run
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.errors import UnknownNameError, UsageError
from tokharness.model import TargetFacts, Verdict

FIRST = ("TOK101", "TOK102", "TOK103", "TOK104")
CHECKS = (*FIRST, "TOK201", "TOK202", "TOK3", "TOK4")
"""All but those whose audits take seconds, and those that need what the targets here lack."""
FEW = {"families": ("digits", "contractions"), "examples": 0, "select": CHECKS}


def events(spec, kind, **options):
    return [e for e in run([spec], Options(**(FEW | options)), jobs=0) if isinstance(e, kind)]


def test_the_order_of_events():
    kinds = [type(event) for event in run(["tiktoken:embedded"], Options(**FEW), jobs=0)]
    units = kinds.count(UnitFinished)
    assert kinds[0] is TargetStarted
    assert kinds[1 : units + 1] == [UnitFinished] * units
    assert kinds[units + 1 : units + 3] == [FamilyFinished, FamilyFinished]
    assert set(kinds[units + 3 : -2]) == {FindingReported}
    assert kinds[-2] is AnswersGiven
    assert kinds[-1] is TargetFinished


@pytest.mark.slow
def test_a_run_in_this_process_keeps_no_garbage():
    before = gc.get_freeze_count()
    assert events("tiktoken:embedded", TargetFinished)
    assert gc.get_freeze_count() <= before


@pytest.mark.slow
def test_the_start_has_the_families_and_checks_of_the_run():
    (start,) = events("tiktoken:embedded", TargetStarted, select=FIRST)
    assert start.against == "reference:embedded"
    assert start.families == ("digits", "contractions")
    assert start.checks == FIRST
    assert "encode_batch" in start.capabilities
    assert start.unicode_version is not None


@pytest.mark.slow
def test_every_case_is_counted():
    families = events("tiktoken:embedded", FamilyFinished)
    (finished,) = events("tiktoken:embedded", TargetFinished)
    assert [family.family for family in families] == ["digits", "contractions"]
    assert all(family.cases > 1000 for family in families)
    assert finished.cases == sum(family.cases for family in families)
    assert finished.seconds >= finished.tokenizer_seconds > 0


@pytest.mark.slow
def test_random_cases_run_in_addition_to_enumerated_ones():
    (few,) = events("tiktoken:embedded", FamilyFinished, families=("digits",))
    (more,) = events("tiktoken:embedded", FamilyFinished, families=("digits",), examples=40)
    assert 0 < more.cases - few.cases <= 40


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", ["numbers_in_fours", "nfc_and_raises"])
def test_the_same_options_give_the_same_findings(faulty, factory):
    first, second = (
        [e.finding for e in events(faulty(factory), FindingReported, against="reference:embedded")]
        for _ in range(2)
    )
    assert first == second


@pytest.mark.slow
def test_findings_come_worst_first(faulty):
    reported = events(faulty("numbers_in_fours"), FindingReported, against="reference:embedded")
    verdicts = [event.finding.verdict for event in reported]
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict.rank)
    assert verdicts[0] is Verdict.BUG


def test_a_check_that_cannot_run_is_skipped_with_a_reason(faulty):
    skips = [event.skip for event in events(faulty("plain"), SkipRecorded)]
    assert any("TOK201" in skip.what and "--against" in skip.reason for skip in skips)
    assert any("TOK402" in skip.what and "n_vocab" in skip.reason for skip in skips)
    assert {skip.spec for skip in skips} == {faulty("plain")}


@pytest.mark.slow
def test_a_skipped_check_is_not_in_the_start(faulty):
    (start,) = events(faulty("plain"), TargetStarted)
    assert "TOK201" not in start.checks


@pytest.mark.slow
def test_targets_are_checked_one_after_another(faulty):
    specs = ["tiktoken:embedded", faulty("plain")]
    order = [
        event.spec
        for event in run(specs, Options(**FEW), jobs=0)
        if isinstance(event, TargetStarted | TargetFinished)
    ]
    assert order == [specs[0], specs[0], specs[1], specs[1]]


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


def test_a_run_without_a_check_is_a_usage_error():
    with pytest.raises(UsageError, match="no check is left"):
        select_checks(Options(select=("TOK101",), ignore=("TOK",)))


def test_all_checks_that_read_no_file_of_the_user_and_all_families_run_by_default():
    checks = plugins.checks().values()
    without_files = [one for one in checks if not {"corpus", "embeddings"} & {*one.requires}]
    assert len(select_checks(Options())) == len(without_files) < len(checks)
    assert len(select_families(Options())) == len(plugins.families())


@pytest.mark.parametrize(
    ("options", "runs"),
    [
        ({"select": ("TOK4",)}, False),
        ({"select": ("TOK407", "duplicate-tokens")}, False),
        ({"select": ("TOK4",), "families": ("digits",)}, True),
        ({"select": ("TOK4", "TOK101")}, True),
        ({"select": ("TOK4",), "enumerated": False}, True),
    ],
)
def test_checks_of_the_vocabulary_alone_run_no_family(options, runs):
    assert bool(select_families(Options(**options))) == runs


def test_a_family_that_is_selected_twice_runs_once():
    names = [family.name for family in select_families(Options(families=("emoji", "emoji")))]
    assert names == ["emoji"]


@pytest.mark.parametrize("field", ["select", "ignore"])
def test_the_error_for_an_unknown_code_suggests_similar_ones(field):
    with pytest.raises(UnknownNameError, match="TOK1"):
        select_checks(Options(**{field: ("TOK199",)}))


def test_an_unknown_family_is_an_error_before_anything_is_loaded():
    with pytest.raises(UnknownNameError, match="did you mean 'digits'"):
        next(run(["no:such"], Options(families=("digit",))))


@pytest.mark.slow
def test_a_finding_has_a_command_to_reproduce_it(faulty):
    spec = faulty("numbers_in_fours")
    finding = events(spec, FindingReported, against="reference:embedded")[0].finding
    shown = f"tokharness show --json '\"0000\"' {spec} reference:embedded"
    assert finding.reproduce == f"{shown} --select TOK201"


INTERRUPTED = """
class Tokenizer:
    def encode(self, text):
        if text == STOP:
            raise KeyboardInterrupt
        return [ord(c) for c in text if c != "b"]

    def decode(self, ids):
        return "".join(map(chr, ids))
"""


@pytest.mark.slow
def test_an_interrupted_run_reports_its_findings_and_skips_the_rest(tmp_path):
    last = [case.text for case in plugins.families()["leading-space"].cases(TargetFacts())][-1]
    file = tmp_path / "interrupted.py"
    file.write_text(f"STOP = {last!r}\n{INTERRUPTED}", encoding="utf-8")
    families = ("contractions", "leading-space", "emoji")
    options = Options(families=families, examples=0, select=CHECKS)
    events = until_interrupt(run([f"python:{file}:Tokenizer"], options, jobs=0))
    findings = [e.finding for e in events if isinstance(e, FindingReported)]
    skipped = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    assert any(finding.cause.kind == "dropped characters" for finding in findings)
    assert {"family leading-space", "family emoji"} <= set(skipped)
    assert "family contractions" not in skipped


@pytest.fixture
def interrupted_diagnosis(monkeypatch, faulty):
    """Return the events of a run that is interrupted before its diagnosis has a response."""

    def interrupt(*_):
        raise KeyboardInterrupt

    def collect(*audited):
        monkeypatch.setattr(Workers, "call_unguarded", interrupt)
        options = Options(families=("zero-width",), examples=0, select=("TOK101", *audited))
        return until_interrupt(run([faulty("drops_zero_width_space")], options, jobs=0))

    return collect


@pytest.mark.parametrize("audited", [(), ("TOK302",)])
def test_an_interrupted_diagnosis_is_skipped_with_the_number_of_texts(
    interrupted_diagnosis, audited
):
    events = interrupted_diagnosis(*audited)
    skipped = [e.skip.what for e in events if isinstance(e, SkipRecorded)]
    (diagnosis,) = [what for what in skipped if "TOK101" in what]
    assert re.fullmatch(r"the diagnosis of [0-9]+ texts that fail TOK101", diagnosis)
    assert ("the audit of TOK302" in skipped) == bool(audited)


def test_a_text_whose_diagnosis_is_interrupted_is_a_finding(interrupted_diagnosis):
    (finding,) = [
        event.finding for event in interrupted_diagnosis() if isinstance(event, FindingReported)
    ]
    assert (finding.code, str(finding.cause)) == ("TOK101", "not diagnosed: lossy-round-trip")
    assert finding.text == "\u200b"
    assert "texts fail and were not diagnosed: the run was interrupted" in finding.message


@pytest.mark.slow
def test_an_interrupt_of_a_diagnosis_names_the_causes_of_the_shortest_texts(monkeypatch, faulty):
    diagnose, sent = Workers.call_unguarded, []

    def interrupt_after_the_first(workers, requests, responses, *others):
        sent.append(requests)
        first = dict([next(iter(requests.items()))]) if len(sent) == 1 else requests
        diagnose(workers, first, responses, *others)
        if len(sent) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Workers, "call_unguarded", interrupt_after_the_first)
    options = Options(
        families=("normal-forms", "controls"), examples=0, select=("TOK101", "TOK102")
    )
    events = until_interrupt(run([faulty("nfc_and_raises")], options, jobs=0))
    findings = [event.finding for event in events if isinstance(event, FindingReported)]
    assert {("TOK101", "normalizer"), ("TOK102", "raises")} == {
        (one.code, one.cause.kind) for one in findings
    }
    brief = next(one for one in sent[1].values() if one.code == "TOK102")
    shortest = sorted(sent[0][next(n for n in sent[0] if "TOK102" in n)].failing, key=len)
    assert {*map(len, brief.failing)} == {*map(len, shortest[: len(brief.failing)])}
    skipped = {
        event.skip.what: event.skip.reason for event in events if isinstance(event, SkipRecorded)
    }
    left = len(shortest) - len(brief.failing)
    assert left > 0
    assert skipped[f"diagnosis of {left:,} texts that fail TOK102"].startswith(
        "the run was interrupted; the shortest"
    )


@pytest.mark.slow
def test_findings_are_reported_if_an_interrupt_stops_the_metrics(monkeypatch, faulty):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("tokharness.engine.run.report_requests.request_measures", interrupt)
    options = Options(families=("zero-width",), examples=0, select=("TOK101",))
    spec = faulty("drops_zero_width_space")
    events = until_interrupt(run([spec], options, jobs=0, measures=True))
    assert [e for e in events if isinstance(e, FindingReported)]
    assert [e.skip.what for e in events if isinstance(e, SkipRecorded)][-1] == "the metrics"


def until_interrupt(events):
    """Return the events of a run that raises KeyboardInterrupt at the end."""
    collected = []

    def collect():
        for event in events:
            collected.append(event)  # noqa: PERF402 - those before the exception are needed

    with pytest.raises(KeyboardInterrupt):
        collect()
    return collected


@pytest.mark.slow
def test_a_text_that_fails_only_in_a_batch_does_not_have_the_cause_state(faulty):
    options = Options(select=("TOK110",), families=("white-space",), profile="quick", examples=0)
    events = run([faulty("strips_in_batches")], options)
    causes = {str(e.finding.cause) for e in events if isinstance(e, FindingReported)}
    assert causes == {"entry points: encode_batch"}
