"""A campaign finds faults, continues after each of them, and can be interrupted and resumed."""

import itertools
import json
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import (
    CampaignFinished,
    CauseDiscovered,
    FamilyFinished,
    FindingReported,
    RoundFinished,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
)
from tokharness.engine.fuzz import Budget, fuzz
from tokharness.engine.fuzzing.campaign import SIZES
from tokharness.engine.fuzzing.corpus import CorpusDatabase
from tokharness.engine.fuzzing.rounds import TEXTS, round_at, select_sources
from tokharness.engine.run.pool import Pool, WorkerProcess
from tokharness.errors import UnknownNameError
from tokharness.model import Verdict

TARGETS = Path(__file__).with_name("fuzzed_tokenizers.py")
FIRST = ("TOK101", "TOK102", "TOK104")


def spec_of(factory):
    return f"python:{TARGETS}:{factory}"


def fuzz_events(spec, texts=700, jobs=0, database=None, budget=None, **options):
    values = {"select": ("TOK101",), "profile": "quick", "enumerated": False, "against": "none"}
    budget = budget or Budget(texts=texts)
    return fuzz(spec, Options(**(values | options)), budget, jobs=jobs, database=database)


def of_kind(kind, events):
    return [event for event in events if isinstance(event, kind)]


def causes(events):
    """Return the smallest text of each cause of a bug or risk."""
    findings = [event.finding for event in of_kind(FindingReported, events)]
    return {
        str(finding.cause): finding.text
        for finding in findings
        if finding.verdict is not Verdict.FACT
    }


def test_the_order_of_events():
    events = list(fuzz_events(spec_of("Drops"), texts=300))
    kinds = [kind for kind, _ in itertools.groupby(map(type, events))]
    assert kinds == [
        TargetStarted,
        RoundFinished,
        CauseDiscovered,
        FamilyFinished,
        CampaignFinished,
        FindingReported,
        TargetFinished,
    ]


@pytest.mark.slow
def test_a_campaign_finds_several_faults():
    texts = causes(fuzz_events(spec_of("DropsAndRaises"), texts=1800, select=FIRST))
    assert texts["dropped characters: U+200B ZERO WIDTH SPACE"] == "\u200b"
    (raises,) = (cause for cause in texts if cause.startswith("raises: encode, ValueError"))
    assert len(texts) == 2
    assert "\u13a0" <= texts[raises] < "\u1400"


@pytest.mark.slow
def test_a_cause_is_discovered_once():
    events = list(fuzz_events(spec_of("Drops"), texts=2500))
    (discovered,) = of_kind(CauseDiscovered, events)
    assert (discovered.code, discovered.cause.kind) == ("TOK101", "dropped characters")
    assert "\u200b" in discovered.text
    assert 0 < discovered.seconds < of_kind(CampaignFinished, events)[0].seconds + 1
    assert events.index(discovered) < len(events) - 5


@pytest.mark.parametrize("texts", [1, 40, 700, 2300])
def test_a_budget_of_texts_is_not_exceeded(texts):
    events = list(fuzz_events(spec_of("Lossless"), texts=texts))
    (campaign,) = of_kind(CampaignFinished, events)
    assert texts / 2 < campaign.texts <= texts
    assert (
        campaign.texts == sum(campaign.sources.values()) == of_kind(TargetFinished, events)[0].cases
    )
    assert sum(family.cases for family in of_kind(FamilyFinished, events)) == campaign.texts
    assert campaign.end_round - campaign.first_round == len(of_kind(RoundFinished, events))


@pytest.mark.slow
def test_a_campaign_stops_at_the_time_limit():
    events = list(fuzz_events(spec_of("Lossless"), budget=Budget(seconds=0.3)))
    (campaign,) = of_kind(CampaignFinished, events)
    assert campaign.seconds >= 0.3


def test_features_are_counted():
    (campaign,) = of_kind(CampaignFinished, fuzz_events(spec_of("Lossless")))
    assert 50 < campaign.features["tokens"] <= 256
    assert campaign.features["token pairs"] > 100


def findings_and_counts(events):
    """Return the events of findings and families, and the number of these and of skips."""
    events = list(events)
    results = [event for event in events if isinstance(event, FindingReported | FamilyFinished)]
    return results, len(results) + len(of_kind(SkipRecorded, events))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_findings():
    first, second = (findings_and_counts(fuzz_events(spec_of("DropsAndRaises"))) for _ in range(2))
    assert first == second


def test_another_seed_gives_other_texts():
    events = [
        of_kind(CampaignFinished, fuzz_events(spec_of("Lossless"), seed=seed)) for seed in (1, 2)
    ]
    (first,), (second,) = events
    assert first.features != second.features


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", ["DropsAndRaises"])
def test_the_number_of_workers_changes_nothing(factory):
    first, *others = (
        findings_and_counts(fuzz_events(spec_of(factory), texts=6000, jobs=jobs))
        for jobs in (0, 1, 3)
    )
    assert others == [first] * 2


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tiktoken:embedded", "reference:embedded"])
def test_a_healthy_target_has_no_bug(spec):
    events = list(fuzz_events(spec, texts=9000, jobs=1, against=None, select=()))
    verdicts = [event.finding.verdict for event in of_kind(FindingReported, events)]
    verdicts += [event.cause.verdict for event in of_kind(CauseDiscovered, events)]
    assert verdicts
    assert Verdict.BUG not in verdicts
    assert of_kind(CampaignFinished, events)[0].texts > 4500


@pytest.mark.slow
def test_texts_are_drawn_from_the_selected_families_only():
    events = list(fuzz_events(spec_of("Lossless"), texts=500, families=("digits",)))
    (campaign,) = of_kind(CampaignFinished, events)
    assert of_kind(TargetStarted, events)[0].families == ("digits",)
    assert set(campaign.sources) <= {"families", "mutations"}
    assert campaign.sources["families"] > 0


def test_an_unknown_family_is_an_error_before_anything_is_loaded():
    with pytest.raises(UnknownNameError, match="did you mean 'digits'"):
        next(fuzz_events("no:such", families=("digit",)))


def test_a_check_of_enumerated_cases_is_skipped():
    events = fuzz_events(spec_of("Lossless"), texts=10, select=("costs-more-than-twin", "TOK101"))
    assert any("enumerated cases" in event.skip.reason for event in of_kind(SkipRecorded, events))


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "source",
    ["code-points", "families", "vocabulary", "alphabets", "mutations", "long-texts"],
)
def test_each_source_finds_the_fault_of_its_texts(source, tmp_path):
    spec = spec_of(source.replace("-", "_"))
    families = ("controls",) if source == "families" else ()
    sources = select_sources(families_only=bool(families))
    # Not round 0, which is short.
    first = next(number for number in range(1, 99) if round_at(number, sources).source == source)
    CorpusDatabase.open(tmp_path, spec, 0).save_next_round(first)
    texts = SIZES.get(source, TEXTS)  # of one round
    events = list(fuzz_events(spec, texts=texts, database=tmp_path, families=families))
    assert [round_.source for round_ in of_kind(RoundFinished, events)] == [source]
    assert causes(events)


@pytest.mark.parametrize(
    "factory",
    ["ReturnsLists", "ReturnsTuples", "ReturnsBytes", "ReturnsObjects", "ReturnsNone", "Raises"],
)
def test_ids_that_are_not_numbers_are_reported(factory):
    events = list(fuzz_events(spec_of(factory), texts=40, select=("TOK101", "TOK102")))
    assert causes(events)
    assert isinstance(events[-1], TargetFinished)


@pytest.mark.parametrize("jobs", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_next_campaign_starts_with_the_next_round(jobs, tmp_path):
    options = {"texts": 300, "database": tmp_path, "jobs": jobs}
    (first,) = of_kind(CampaignFinished, fuzz_events(spec_of("Lossless"), **options))
    (second,) = of_kind(CampaignFinished, fuzz_events(spec_of("Lossless"), **options))
    assert (first.first_round, first.end_round, second.first_round) == (0, 1, 1)
    assert first.initial_corpus == 0 < second.initial_corpus


@pytest.mark.slow
def test_the_next_campaign_starts_with_the_failing_texts(tmp_path):
    first = list(fuzz_events(spec_of("code_points"), texts=2000, database=tmp_path))
    second = list(fuzz_events(spec_of("code_points"), texts=20, database=tmp_path))
    round_ = of_kind(RoundFinished, second)[0]
    assert (round_.source, round_.failing > 0) == ("corpus", True)
    assert causes(second) == causes(first) != {}


def test_a_campaign_without_a_database_starts_at_round_0():
    events = [of_kind(CampaignFinished, fuzz_events(spec_of("Lossless"))) for _ in range(2)]
    starts = [(campaign.first_round, campaign.initial_corpus) for (campaign,) in events]
    assert starts == [(0, 0), (0, 0)]


@pytest.fixture
def regressions(tmp_path):
    """A folder with a failing text that no campaign generates."""
    folder = tmp_path / "regressions"
    folder.mkdir()
    (folder / "mine.jsonl").write_text(json.dumps({"text": "say xyzzy299 plugh"}) + "\n")
    return str(folder)


@pytest.mark.slow
def test_regressions_run_in_the_first_round(regressions):
    events = list(fuzz_events(spec_of("xyzzy"), texts=40, regressions=regressions))
    round_ = of_kind(RoundFinished, events)[0]
    assert (round_.source, round_.cases, round_.failing) == ("corpus", 1, 1)
    (text,) = causes(events).values()
    assert len(text) <= len("axyzzy299a")


def test_a_campaign_of_other_families_does_not_run_regressions(regressions):
    events = fuzz_events(spec_of("xyzzy"), texts=40, regressions=regressions, families=("digits",))
    assert causes(events) == {}


def until_interrupt(events):
    """Return the events of a campaign that raises KeyboardInterrupt at the end."""
    collected = []

    def collect():
        for event in events:
            collected.append(event)  # noqa: PERF402 - those before the exception are needed

    with pytest.raises(KeyboardInterrupt):
        collect()
    return collected


@pytest.fixture
def interrupted(tmp_path):
    """Interrupt a campaign that has found a fault; its events, its database, its first round."""
    spec, database = spec_of("DropsAndIsInterrupted"), tmp_path / "examples"
    numbers = range(99)
    # The first of these rounds shows the fault, and the second one is interrupted.
    sources = ("code-points", "vocabulary")
    rounds = [round_at(number, select_sources(families_only=False)) for number in numbers]
    first = next(
        number
        for number in numbers
        if tuple(round_.source for round_ in rounds[number : number + 2]) == sources
        and rounds[number].turn % 2 == 0  # whose characters include Cherokee ones
    )
    CorpusDatabase.open(database, spec, 0).save_next_round(first)
    return until_interrupt(fuzz_events(spec, texts=9000, database=database)), database, first


@pytest.mark.slow
def test_faults_found_before_an_interrupt_are_reported(interrupted):
    events, _, first = interrupted
    (campaign,) = of_kind(CampaignFinished, events)
    assert (campaign.first_round, campaign.end_round) == (first, first + 1)
    assert len(of_kind(RoundFinished, events)) == 1
    assert [cause.partition(":")[0] for cause in causes(events)] == ["dropped characters"]
    assert not of_kind(TargetFinished, events)


def test_an_interrupted_campaign_can_be_resumed(interrupted):
    events, database, first = interrupted
    resumed = list(fuzz_events(spec_of("DropsAndIsInterrupted"), texts=10, database=database))
    assert of_kind(CampaignFinished, resumed)[0].first_round == first + 1
    assert causes(resumed).keys() == causes(events).keys() != set()


@pytest.mark.slow
def test_an_interrupt_while_a_worker_is_busy(monkeypatch):
    next_ready, calls = Pool.next_ready, []

    def interrupt_sixth_call(pool, busy):
        calls.append(busy)
        if len(calls) == 6:  # a worker is waited for when it loads, and twice in each round
            raise KeyboardInterrupt
        return next_ready(pool, busy)

    monkeypatch.setattr(Pool, "next_ready", interrupt_sixth_call)
    events = until_interrupt(fuzz_events(spec_of("Drops"), texts=9000, jobs=1))
    assert len(of_kind(RoundFinished, events)) == 2
    assert list(causes(events).values()) == ["\u200b"]


@pytest.mark.slow
def test_an_interrupt_while_a_response_is_read_leaves_no_response_behind(monkeypatch):
    receive, calls = WorkerProcess.receive, []

    def interrupt_fourth_call(worker):
        calls.append(worker)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return receive(worker)

    monkeypatch.setattr(WorkerProcess, "receive", interrupt_fourth_call)
    events = until_interrupt(fuzz_events(spec_of("Drops"), texts=9000, jobs=1))
    assert of_kind(CampaignFinished, events)


@pytest.fixture
def fuzz_with_corpus(tmp_path):
    """Fuzz with a corpus that has a text that crashes or hangs the target, and one that fails."""

    def collect(factory, **options):
        harmless = [f"{letter}{number}" for number in range(40) for letter in "abc"]
        corpus = CorpusDatabase.open(tmp_path, spec_of(factory), 0)
        corpus.add([*harmless, "one \u00bd", "a \u2153", "2 \u2153"])
        values = {"texts": 900, "jobs": 1, "select": FIRST, "database": tmp_path}
        return list(fuzz_events(spec_of(factory), **(values | options)))

    return collect


@pytest.mark.slow
def test_other_faults_are_found_if_a_text_crashes_the_target(fuzz_with_corpus):
    events = fuzz_with_corpus("AbortsOnHalfAndRaisesOnThird", select=("TOK102", "TOK104"))
    assert causes(events) == {
        "crash: encode, SIGABRT": "\u00bd",
        "raises: encode, ValueError, U+2153 VULGAR FRACTION ONE THIRD": "\u2153",
    }
    assert isinstance(events[-1], TargetFinished)
    assert events[-1].cases > 900


@pytest.mark.slow
def test_other_faults_are_found_if_a_text_hangs_the_target(fuzz_with_corpus):
    events = fuzz_with_corpus("HangsOnHalfAndDropsThird", time_limit=0.5)
    assert causes(events) == {
        "hang: encode": "\u00bd",
        "dropped characters: U+2153 VULGAR FRACTION ONE THIRD": "\u2153",
    }
    assert events[-1].cases > 900


@pytest.mark.slow
def test_a_target_that_crashes_on_the_bytes_of_a_token_is_fuzzed():
    events = list(fuzz_events(spec_of("AbortsOnATokenAndDrops"), texts=2000, jobs=1, select=FIRST))
    (campaign,) = of_kind(CampaignFinished, events)
    assert campaign.texts > 1500
    assert any("crash" in cause for cause in causes(events))
    assert any(round_.failing for round_ in of_kind(RoundFinished, events))


@pytest.mark.slow
def test_a_target_that_hangs_on_the_bytes_of_a_token_is_fuzzed():
    spec, limit = spec_of("HangsOnATokenAndDrops"), {"time_limit": 0.5}
    events = list(fuzz_events(spec, texts=2000, jobs=1, select=FIRST, **limit))
    (campaign,) = of_kind(CampaignFinished, events)
    assert campaign.texts > 1500
    assert any(round_.failing for round_ in of_kind(RoundFinished, events))


@pytest.mark.slow
def test_a_target_that_crashes_on_every_text():
    events = list(fuzz_events(spec_of("AbortsOnEveryLetter"), texts=700, jobs=1, select=FIRST))
    assert [cause.partition(",")[0] for cause in causes(events)] == ["crash: encode"]
