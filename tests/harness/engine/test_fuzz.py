"""A campaign finds what is wrong, past what it has found, and goes on where it was ended."""

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
from tokharness.engine.fuzzing.rounds import TEXTS
from tokharness.engine.fuzzing.schedule import round_at, select_sources
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.worker_process import WorkerProcess
from tokharness.errors import UnknownNameError
from tokharness.model import Verdict

TARGETS = Path(__file__).with_name("fuzzed_tokenizers.py")
FIRST = ("TOK101", "TOK102", "TOK104")


def own(factory):
    return f"python:{TARGETS}:{factory}"


def events(spec, texts=700, jobs=0, database=None, budget=None, **options):
    values = {"select": ("TOK101",), "profile": "quick", "enumerated": False, "against": "none"}
    budget = budget or Budget(texts=texts)
    return fuzz(spec, Options(**(values | options)), budget, jobs=jobs, database=database)


def of_kind(kind, told):
    return [event for event in told if isinstance(event, kind)]


def causes(told):
    """What is wrong, in words, with its smallest text."""
    findings = [event.finding for event in of_kind(FindingReported, told)]
    return {str(one.cause): one.text for one in findings if one.verdict is not Verdict.BY_DESIGN}


def test_events_come_in_the_order_in_which_things_happen():
    told = list(events(own("Drops"), texts=300))
    kinds = [kind for kind, _ in itertools.groupby(map(type, told))]
    assert kinds == [
        *(
            TargetStarted,
            RoundFinished,
            CauseDiscovered,
            FamilyFinished,
            CampaignFinished,
            FindingReported,
            TargetFinished,
        )
    ]


def test_faults_of_several_kinds_are_found_in_one_campaign():
    told = causes(events(own("DropsAndRaises"), texts=1800, select=FIRST))
    assert told["dropped characters: U+200B ZERO WIDTH SPACE"] == "\u200b"
    (raised,) = (cause for cause in told if cause.startswith("raises: encode, ValueError"))
    assert len(told) == 2
    assert "\u13a0" <= told[raised] < "\u1400"


def test_a_cause_is_told_as_soon_as_it_is_seen_and_once():
    told = list(events(own("Drops"), texts=2500))
    (seen,) = of_kind(CauseDiscovered, told)
    assert (seen.code, seen.cause.kind) == ("TOK101", "dropped characters")
    assert "\u200b" in seen.text
    assert 0 < seen.seconds < of_kind(CampaignFinished, told)[0].seconds + 1
    assert told.index(seen) < len(told) - 5


@pytest.mark.parametrize("texts", [1, 40, 700, 2300])
def test_no_more_texts_are_tried_than_may_be(texts):
    told = list(events(own("Lossless"), texts=texts))
    (ended,) = of_kind(CampaignFinished, told)
    assert texts / 2 < ended.texts <= texts
    assert ended.texts == sum(ended.sources.values()) == of_kind(TargetFinished, told)[0].cases
    assert sum(one.cases for one in of_kind(FamilyFinished, told)) == ended.texts
    assert ended.end_round - ended.first_round == len(of_kind(RoundFinished, told))


def test_a_campaign_ends_when_its_time_is_over():
    told = list(events(own("Lossless"), budget=Budget(seconds=0.3)))
    (ended,) = of_kind(CampaignFinished, told)
    assert 0.3 <= ended.seconds < 30
    assert ended.texts > 0


def test_what_was_reached_is_counted():
    (ended,) = of_kind(CampaignFinished, events(own("Lossless")))
    assert 50 < ended.features["tokens"] <= 256
    assert ended.features["token pairs"] > 100


def findings_and_counts(told):
    told = [
        event
        for event in told
        if isinstance(event, FindingReported | FamilyFinished | SkipRecorded)
    ]
    return [event for event in told if not isinstance(event, SkipRecorded)], len(told)


def test_the_same_seed_finds_the_same():
    first, second = (findings_and_counts(events(own("DropsAndRaises"))) for _ in range(2))
    assert first == second


def test_another_seed_tries_other_texts(tmp_path):
    told = [of_kind(CampaignFinished, events(own("Lossless"), seed=seed)) for seed in (1, 2)]
    first, second = ([one.features for one in some] for some in told)
    assert first != second


@pytest.mark.slow
@pytest.mark.parametrize("factory", ["DropsAndRaises"])
def test_the_number_of_workers_changes_nothing(factory):
    first, *others = (
        findings_and_counts(events(own(factory), texts=12_000, jobs=jobs)) for jobs in (0, 1, 2, 3)
    )
    assert others == [first] * 3


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tiktoken:embedded", "reference:embedded"])
def test_a_healthy_target_has_no_bug(spec):
    told = list(events(spec, texts=9000, jobs=1, against=None, select=()))
    verdicts = [one.finding.verdict for one in of_kind(FindingReported, told)]
    verdicts += [one.cause.verdict for one in of_kind(CauseDiscovered, told)]
    assert verdicts
    assert Verdict.BUG not in verdicts
    assert of_kind(CampaignFinished, told)[0].texts > 4500


def test_only_the_families_that_are_named_are_drawn_from():
    told = list(events(own("Lossless"), texts=500, families=("digits",)))
    (ended,) = of_kind(CampaignFinished, told)
    assert of_kind(TargetStarted, told)[0].families == ("digits",)
    assert set(ended.sources) <= {"families", "mutations"}
    assert ended.sources["families"] > 0


def test_an_unknown_family_is_told_before_anything_is_loaded():
    with pytest.raises(UnknownNameError, match="did you mean 'digits'"):
        next(events("no:such", families=("digit",)))


def test_a_check_of_enumerated_cases_is_a_skip():
    told = events(own("Lossless"), texts=10, select=("costs-more-than-twin", "TOK101"))
    assert any("enumerated cases" in one.skip.reason for one in of_kind(SkipRecorded, told))


@pytest.mark.parametrize(
    "source",
    ["code-points", "families", "vocabulary", "alphabets", "mutations", "long-texts"],
)
def test_each_source_shows_what_is_its_own(source, tmp_path):
    spec = own(source.replace("-", "_"))
    families = ("controls",) if source == "families" else ()
    sources = select_sources(families_only=bool(families))
    # Not the first of all, which is short.
    first = next(number for number in range(1, 99) if round_at(number, sources).source == source)
    CorpusDatabase.open(tmp_path, spec, 0).save_next_round(first)
    texts = SIZES.get(source, TEXTS)  # a round of them
    told = list(events(spec, texts=texts, database=tmp_path, families=families))
    assert [one.source for one in of_kind(RoundFinished, told)] == [source]
    assert causes(told)


@pytest.mark.parametrize(
    "strange", ["GivesLists", "GivesTuples", "GivesBytes", "GivesObjects", "GivesNone", "Raises"]
)
def test_a_target_whose_ids_are_no_numbers_is_told_about(strange):
    told = list(events(own(strange), texts=40, select=("TOK101", "TOK102")))
    assert causes(told)
    assert isinstance(told[-1], TargetFinished)


@pytest.mark.parametrize("jobs", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_next_campaign_goes_on_with_the_next_round(jobs, tmp_path):
    again = {"texts": 300, "database": tmp_path, "jobs": jobs}
    (first,) = of_kind(CampaignFinished, events(own("Lossless"), **again))
    (second,) = of_kind(CampaignFinished, events(own("Lossless"), **again))
    assert (first.first_round, first.end_round, second.first_round) == (0, 1, 1)
    assert first.initial_corpus == 0 < second.initial_corpus


def test_the_next_campaign_tries_first_what_failed(tmp_path):
    first = list(events(own("code_points"), texts=2000, database=tmp_path))
    second = list(events(own("code_points"), texts=20, database=tmp_path))
    begun = of_kind(RoundFinished, second)[0]
    assert (begun.source, begun.failing > 0) == ("corpus", True)
    assert causes(second) == causes(first) != {}


def test_without_a_database_each_campaign_is_the_first():
    told = [of_kind(CampaignFinished, events(own("Lossless"))) for _ in range(2)]
    assert [(one.first_round, one.initial_corpus) for (one,) in told] == [(0, 0), (0, 0)]


@pytest.fixture
def regressions(tmp_path):
    """A folder that has a text which fails, and which no campaign makes."""
    folder = tmp_path / "regressions"
    folder.mkdir()
    (folder / "mine.jsonl").write_text(json.dumps({"text": "say xyzzy299 plugh"}) + "\n")
    return str(folder)


def test_texts_that_failed_once_are_tried_in_the_first_round(regressions):
    told = list(events(own("xyzzy"), texts=40, regressions=regressions))
    begun = of_kind(RoundFinished, told)[0]
    assert (begun.source, begun.cases, begun.failing) == ("corpus", 1, 1)
    (text,) = causes(told).values()
    assert len(text) <= len("axyzzy299a")


def test_a_campaign_of_other_families_does_not_try_them(regressions):
    told = events(own("xyzzy"), texts=40, regressions=regressions, families=("digits",))
    assert causes(told) == {}


def interrupted(told):
    """Events until, and after, somebody pressed Ctrl-C."""
    kept = []
    with pytest.raises(KeyboardInterrupt):
        kept.extend(iter_into(kept, told))
    return kept


def iter_into(kept, told):
    for event in told:
        kept.append(event)
    return []


@pytest.fixture
def ended(tmp_path):
    """A campaign that is ended after a fault has shown; events of it, and its database."""
    spec, database = own("DropsAndIsInterrupted"), tmp_path / "examples"
    numbers = range(99)
    # The fault shows in the first of these rounds, and Ctrl-C comes in the second.
    wanted = ("code-points", "vocabulary")
    rounds = [round_at(number, select_sources(families_only=False)) for number in numbers]
    first = next(
        number
        for number in numbers
        if tuple(one.source for one in rounds[number : number + 2]) == wanted
        and rounds[number].turn % 2 == 0  # of characters that differ, Cherokee among them
    )
    CorpusDatabase.open(database, spec, 0).save_next_round(first)
    return interrupted(events(spec, texts=9000, database=database)), database, first


def test_what_was_found_before_an_interruption_is_told(ended):
    told, _, first = ended
    (campaign,) = of_kind(CampaignFinished, told)
    assert (campaign.first_round, campaign.end_round) == (first, first + 1)
    assert len(of_kind(RoundFinished, told)) == 1
    assert [cause.partition(":")[0] for cause in causes(told)] == ["dropped characters"]
    assert not of_kind(TargetFinished, told)


def test_an_interrupted_campaign_goes_on_where_it_was_ended(ended):
    told, database, first = ended
    again = list(events(own("DropsAndIsInterrupted"), texts=10, database=database))
    assert of_kind(CampaignFinished, again)[0].first_round == first + 1
    assert causes(again).keys() == causes(told).keys() != set()


@pytest.mark.slow
def test_an_interruption_while_a_worker_is_at_a_round_is_told(monkeypatch):
    real, asked = Pool.next_ready, []

    def stopped(busy):
        asked.append(busy)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(busy)

    monkeypatch.setattr(Pool, "next_ready", staticmethod(stopped))
    told = interrupted(events(own("Drops"), texts=9000, jobs=1))
    assert len(of_kind(RoundFinished, told)) == 2
    assert list(causes(told).values()) == ["\u200b"]


@pytest.mark.slow
def test_an_interruption_while_an_answer_is_read_leaves_no_answer_behind(monkeypatch):
    real, read = WorkerProcess.receive, []

    def stopped(worker):
        read.append(worker)
        if len(read) == 4:
            raise KeyboardInterrupt
        return real(worker)

    monkeypatch.setattr(WorkerProcess, "receive", stopped)
    told = interrupted(events(own("Drops"), texts=9000, jobs=1))
    assert of_kind(CampaignFinished, told)


@pytest.fixture
def both(tmp_path):
    """Events of a campaign that knows a deadly text and one that fails, among others."""

    def told(factory, **options):
        known = [f"{one}{number}" for number in range(40) for one in "abc"]
        CorpusDatabase.open(tmp_path, own(factory), 0).add(
            [*known, "one \u00bd", "a \u2153", "2 \u2153"]
        )
        values = {"texts": 900, "jobs": 1, "select": FIRST, "database": tmp_path}
        return list(events(own(factory), **(values | options)))

    return told


@pytest.mark.slow
def test_a_death_costs_one_text_and_every_other_fault_is_found(both):
    told = both("AbortsOnHalfAndRaisesOnThird", select=("TOK102", "TOK104"))
    assert causes(told) == {
        "crash: encode, SIGABRT": "\u00bd",
        "raises: encode, ValueError, U+2153 VULGAR FRACTION ONE THIRD": "\u2153",
    }
    assert isinstance(told[-1], TargetFinished)
    assert told[-1].cases > 900


@pytest.mark.slow
def test_a_hang_costs_one_text_and_every_other_fault_is_found(both):
    told = both("HangsOnHalfAndDropsThird", time_limit=0.5)
    assert causes(told) == {
        "hang: encode": "\u00bd",
        "dropped characters: U+2153 VULGAR FRACTION ONE THIRD": "\u2153",
    }
    assert told[-1].cases > 900


@pytest.mark.slow
def test_a_target_that_dies_of_being_asked_for_a_token_is_searched_all_the_same():
    told = list(events(own("AbortsForATokenAndDrops"), texts=2000, jobs=1, select=FIRST))
    (ended,) = of_kind(CampaignFinished, told)
    assert ended.texts > 1500
    assert any("crash" in cause for cause in causes(told))
    assert any(one.failing for one in of_kind(RoundFinished, told))


@pytest.mark.slow
def test_a_target_that_hangs_when_it_is_asked_for_a_token_is_searched_all_the_same():
    spec, limit = own("HangsForATokenAndDrops"), {"time_limit": 0.5}
    told = list(events(spec, texts=2000, jobs=1, select=FIRST, **limit))
    (ended,) = of_kind(CampaignFinished, told)
    assert ended.texts > 1500
    assert any(one.failing for one in of_kind(RoundFinished, told))


@pytest.mark.slow
def test_every_text_may_be_deadly():
    told = list(events(own("AbortsOnEveryLetter"), texts=2000, jobs=1, select=FIRST))
    assert [cause.partition(",")[0] for cause in causes(told)] == ["crash: encode"]
