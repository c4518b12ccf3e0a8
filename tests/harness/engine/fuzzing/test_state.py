"""Rounds are taken in by their numbers, whoever was first."""

import random
from itertools import chain

import pytest

from tokharness.engine.fuzzing import state as module
from tokharness.engine.fuzzing.schedule import Round
from tokharness.engine.fuzzing.state import CampaignTold
from tokharness.errors import TargetDeath

NOTHING = {
    "cases": 10,
    "seconds": 0.5,
    **dict.fromkeys(("not_tried", "not_compared"), 0),
    "failing": {},
    "counts": {},
    **dict.fromkeys(("kept", "sighted", "deadly"), ()),
    **dict.fromkeys(("suspects", "acquitted"), ""),
}


def answer(**some):
    return {**NOTHING, **some}


def sighting(text, name="U+200B"):
    parameters = [["characters", name]]
    told = {"code": "TOK101", "kind": "dropped", "parameters": parameters, "text": text}
    return {**told, "verdict": "bug", "message": "", "weak": False}


def failing(*texts):
    return {"failing": {"TOK101": list(texts)}, "counts": {"TOK101": len(texts)}}


def a_round(number):
    """A round that fails, keeps, sees and suspects something of its own."""
    text = f"text {number}"
    told = failing(text, "the same") | {"kept": [text], "suspects": chr(0x4E00 + number)}
    acquitted = chr(0x4E00 + number - 2)
    seen = [sighting(text, f"cause {number // 2}")]
    return Round(number, "mixtures", number), answer(**told, acquitted=acquitted, sighted=seen)


def taken(rounds, first=0):
    campaign = CampaignTold("target", first)
    return campaign, list(chain.from_iterable(campaign.take(*one) for one in rounds))


def what(campaign, end=9):
    """Everything that a campaign tells."""
    return (
        *(campaign.failing, campaign.kept, campaign.sources, campaign.failed, campaign.texts),
        *(campaign.seconds, campaign.sighted, list(campaign.skips()), campaign.done),
        [campaign.avoid_before(number) for number in range(end)],
        [campaign.known_before(number) for number in range(end)],
        [campaign.news(0, number) for number in range(end)],
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
    assert (campaign.done, campaign.texts, seen) == (0, 0, [])
    assert len(list(campaign.take(*a_round(0)))) == 2
    assert (campaign.done, campaign.texts) == (3, 30)


def test_a_campaign_that_goes_on_begins_with_its_first_round():
    campaign, _ = taken([a_round(5), a_round(6)], first=5)
    assert campaign.done == 7
    assert campaign.news(5, 6) == ["text 5"]
    assert campaign.news(6, 7) == ["text 6"]
    assert (campaign.avoid_before(5), campaign.known_before(5)) == ("", [])
    assert campaign.avoid_before(6) == chr(0x4E05)


def test_a_cause_is_told_by_the_first_round_that_sees_it():
    campaign, seen = taken(map(a_round, range(6)))
    assert [one["text"] for one in seen] == ["text 0", "text 2", "text 4"]
    assert len(campaign.sighted) == 3


def test_what_was_known_before_a_round_is_what_earlier_rounds_saw():
    campaign, _ = taken(map(a_round, range(6)))
    assert [len(campaign.known_before(number)) for number in range(7)] == [0, 1, 1, 2, 2, 3, 3]
    assert campaign.known_before(1) == [["TOK101", "dropped", [["characters", "cause 0"]]]]


def test_news_are_the_texts_that_the_rounds_between_have_kept():
    campaign, _ = taken(map(a_round, range(6)))
    assert campaign.news(2, 4) == ["text 2", "text 3"]
    assert campaign.news(4, 2) == []


def test_a_character_is_avoided_until_it_is_acquitted():
    first, second = Round(0, "mixtures", 0), Round(1, "mixtures", 1)
    rounds = [(first, answer(suspects="xy")), (second, answer(acquitted="x"))]
    campaign, _ = taken(rounds)
    assert [campaign.avoid_before(number) for number in range(3)] == ["", "xy", "y"]


def test_failing_texts_keep_the_source_that_was_first():
    rounds = [
        (Round(0, "families", 0), answer(**failing("a"))),
        (Round(1, "mutations", 0), answer(**failing("a", "b"))),
    ]
    campaign, _ = taken(rounds)
    assert campaign.failing == {"TOK101": {"a": "families", "b": "mutations"}}
    assert campaign.failed == {"families": 1, "mutations": 2}


def test_of_very_many_failing_texts_some_are_left_out(monkeypatch):
    monkeypatch.setattr(module, "MOST_OF_A_CHECK", 10)
    numbers = range(40)
    rounds = [
        (Round(n, "mixtures", n), answer(**failing(f"{n}", f"{n} {n}"), sighted=[sighting(f"{n}")]))
        for n in numbers
    ]
    campaign, _ = taken(rounds)
    assert 10 <= len(campaign.failing["TOK101"]) <= 21


def test_the_text_that_was_first_to_show_a_cause_is_never_left_out(monkeypatch):
    monkeypatch.setattr(module, "MOST_OF_A_CHECK", 2)
    texts = [f"text {n}" for n in range(9)]
    seen = [sighting(text, f"cause {text}") for text in texts]
    rounds = [(Round(0, "mixtures", 0), answer(**failing(*texts), sighted=seen))]
    campaign, _ = taken(rounds)
    assert dict.fromkeys(texts, "mixtures").items() <= campaign.failing["TOK101"].items()


def test_what_was_not_tried_or_compared_is_a_skip():
    rounds = [(Round(0, "mixtures", 0), answer(not_tried=3, not_compared=4))]
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
        (TargetDeath("SIGABRT", ""), answer(not_tried=1), 0),
        (TargetDeath("SIGABRT", ""), answer(not_compared=1), 0),
    ],
)
def test_a_death_is_unexplained_where_no_text_alone_brings_it_about(death, told, unexplained):
    campaign = CampaignTold("target", 0)
    campaign.explain(death, told)
    assert len(campaign.unexplained) == unexplained


def test_a_target_is_deadly_where_a_text_ends_it():
    campaign = CampaignTold("target", 0)
    assert not campaign.is_deadly
    list(campaign.take(Round(0, "mixtures", 0), answer(failing={"TOK104": ["a"]})))
    assert campaign.is_deadly
