"""Rounds are taken in by their numbers, whoever was first."""

import random
from itertools import chain

import pytest

from tokharness.engine.fuzzing import state as module
from tokharness.engine.fuzzing.schedule import Round
from tokharness.engine.fuzzing.state import CampaignState
from tokharness.errors import TargetDeath

NOTHING = {
    "cases": 10,
    "seconds": 0.5,
    **dict.fromkeys(("left_out", "not_compared"), 0),
    "failing": {},
    "failing_counts": {},
    **dict.fromkeys(("corpus", "discovered", "deadly"), ()),
    **dict.fromkeys(("excluded", "readmitted"), ""),
}


def answer(**some):
    return {**NOTHING, **some}


def sighting(text, name="U+200B"):
    parameters = [["characters", name]]
    told = {"code": "TOK101", "kind": "dropped", "parameters": parameters, "text": text}
    return {**told, "verdict": "bug", "message": "", "weak": False}


def failing(*texts):
    return {"failing": {"TOK101": list(texts)}, "failing_counts": {"TOK101": len(texts)}}


def a_round(number):
    """A round that fails, keeps, sees and suspects something of its own."""
    text = f"text {number}"
    told = failing(text, "the same") | {"corpus": [text], "excluded": chr(0x4E00 + number)}
    readmitted = chr(0x4E00 + number - 2)
    seen = [sighting(text, f"cause {number // 2}")]
    return Round(number, "mixtures", number), answer(**told, readmitted=readmitted, discovered=seen)


def taken(rounds, first=0):
    campaign = CampaignState("target", first)
    return campaign, list(chain.from_iterable(campaign.add_round(*one) for one in rounds))


def what(campaign, end=9):
    """Everything that a campaign tells."""
    return (
        *(
            campaign.failing,
            campaign.corpus_by_round,
            campaign.texts_by_source,
            campaign.failing_by_source,
            campaign.texts,
        ),
        *(campaign.seconds, campaign.discovered, list(campaign.skips()), campaign.next_round),
        [campaign.excluded_before(number) for number in range(end)],
        [campaign.known_causes_before(number) for number in range(end)],
        [campaign.new_corpus(0, number) for number in range(end)],
    )


@pytest.mark.parametrize("seed", range(5))
def test_rounds_in_any_order_tell_the_same(seed):
    rounds = [a_round(number) for number in range(8)]
    in_order = taken(rounds)
    random.Random(seed).shuffle(rounds)
    other = taken(rounds)
    assert what(other[0]) == what(in_order[0])
    assert other[1] == in_order[1]


def test_a_round_is_not_taken_in_before_those_before_it():
    campaign, seen = taken([a_round(1), a_round(2)])
    assert (campaign.next_round, campaign.texts, seen) == (0, 0, [])
    assert len(list(campaign.add_round(*a_round(0)))) == 2
    assert (campaign.next_round, campaign.texts) == (3, 30)


def test_a_campaign_that_goes_on_begins_with_its_first_round():
    campaign, _ = taken([a_round(5), a_round(6)], first=5)
    assert campaign.next_round == 7
    assert campaign.new_corpus(5, 6) == ["text 5"]
    assert campaign.new_corpus(6, 7) == ["text 6"]
    assert (campaign.excluded_before(5), campaign.known_causes_before(5)) == ("", [])
    assert campaign.excluded_before(6) == chr(0x4E05)


def test_a_cause_is_told_by_the_first_round_that_sees_it():
    campaign, seen = taken(map(a_round, range(6)))
    assert [one["text"] for one in seen] == ["text 0", "text 2", "text 4"]
    assert len(campaign.discovered) == 3


def test_what_was_known_before_a_round_is_what_earlier_rounds_saw():
    campaign, _ = taken(map(a_round, range(6)))
    assert [len(campaign.known_causes_before(number)) for number in range(7)] == [
        0,
        1,
        1,
        2,
        2,
        3,
        3,
    ]
    assert campaign.known_causes_before(1) == [["TOK101", "dropped", [["characters", "cause 0"]]]]


def test_news_are_the_texts_that_the_rounds_between_have_kept():
    campaign, _ = taken(map(a_round, range(6)))
    assert campaign.new_corpus(2, 4) == ["text 2", "text 3"]
    assert campaign.new_corpus(4, 2) == []


def test_a_character_is_avoided_until_it_is_acquitted():
    first, second = Round(0, "mixtures", 0), Round(1, "mixtures", 1)
    rounds = [(first, answer(excluded="xy")), (second, answer(readmitted="x"))]
    campaign, _ = taken(rounds)
    assert [campaign.excluded_before(number) for number in range(3)] == ["", "xy", "y"]


def test_failing_texts_keep_the_source_that_was_first():
    rounds = [
        (Round(0, "families", 0), answer(**failing("a"))),
        (Round(1, "mutations", 0), answer(**failing("a", "b"))),
    ]
    campaign, _ = taken(rounds)
    assert campaign.failing == {"TOK101": {"a": "families", "b": "mutations"}}
    assert campaign.failing_by_source == {"families": 1, "mutations": 2}


def test_of_very_many_failing_texts_some_are_left_out(monkeypatch):
    monkeypatch.setattr(module, "MAX_FAILING", 10)
    numbers = range(40)
    rounds = [
        (
            Round(n, "mixtures", n),
            answer(**failing(f"{n}", f"{n} {n}"), discovered=[sighting(f"{n}")]),
        )
        for n in numbers
    ]
    campaign, _ = taken(rounds)
    assert 10 <= len(campaign.failing["TOK101"]) <= 21


def test_the_text_that_was_first_to_show_a_cause_is_never_left_out(monkeypatch):
    monkeypatch.setattr(module, "MAX_FAILING", 2)
    texts = [f"text {n}" for n in range(9)]
    seen = [sighting(text, f"cause {text}") for text in texts]
    rounds = [(Round(0, "mixtures", 0), answer(**failing(*texts), discovered=seen))]
    campaign, _ = taken(rounds)
    assert dict.fromkeys(texts, "mixtures").items() <= campaign.failing["TOK101"].items()


def test_what_was_not_tried_or_compared_is_a_skip():
    rounds = [(Round(0, "mixtures", 0), answer(left_out=3, not_compared=4))]
    campaign, _ = taken(rounds)
    assert [(one.what, one.reason[:7]) for one in campaign.skips()] == [
        ("part of the campaign", "3 texts"),
        ("comparison of 4 texts of the campaign", "the ref"),
    ]


def test_without_those_there_is_no_skip():
    campaign, _ = taken([a_round(0)])
    assert list(campaign.skips()) == []


@pytest.mark.parametrize(
    ("death", "told", "unexplained"),
    [
        (TargetDeath("SIGABRT", ""), answer(), 1),
        (TargetDeath("time limit", ""), answer(), 0),
        (TargetDeath("SIGABRT", ""), answer(deadly=[["encode", "a", "SIGABRT", ""]]), 0),
        (TargetDeath("SIGABRT", ""), answer(deadly=[["encode", "a", None, ""]]), 1),
        (TargetDeath("SIGABRT", ""), answer(left_out=1), 0),
        (TargetDeath("SIGABRT", ""), answer(not_compared=1), 0),
    ],
)
def test_a_death_is_unexplained_where_no_text_alone_brings_it_about(death, told, unexplained):
    campaign = CampaignState("target", 0)
    campaign.record_death(death, told)
    assert len(campaign.unexplained) == unexplained


def test_a_target_is_deadly_where_a_text_ends_it():
    campaign = CampaignState("target", 0)
    assert not campaign.is_deadly
    list(campaign.add_round(Round(0, "mixtures", 0), answer(failing={"TOK104": ["a"]})))
    assert campaign.is_deadly
