"""The results of rounds are merged in the order of their numbers."""

import random
from itertools import chain

import pytest

from tokharness.engine.fuzzing import state as module
from tokharness.engine.fuzzing.rounds import Round
from tokharness.engine.fuzzing.state import CampaignState
from tokharness.errors import TargetDeath

EMPTY = {
    "cases": 10,
    "seconds": 0.5,
    **dict.fromkeys(("left_out", "not_compared"), 0),
    "failing": {},
    "failing_counts": {},
    **dict.fromkeys(("corpus", "discovered", "crashers"), ()),
    **dict.fromkeys(("excluded", "readmitted"), ""),
}


def answer(**fields):
    return {**EMPTY, **fields}


def discovery(text, name="U+200B"):
    parameters = [["characters", name]]
    record = {"code": "TOK101", "kind": "dropped", "parameters": parameters, "text": text}
    return {**record, "verdict": "bug", "message": "", "weak": False}


def failing(*texts):
    return {"failing": {"TOK101": list(texts)}, "failing_counts": {"TOK101": len(texts)}}


def a_round(number):
    """A round with its own failing text, corpus, excluded character and cause."""
    text = f"text {number}"
    fields = failing(text, "the same") | {"corpus": [text], "excluded": chr(0x4E00 + number)}
    readmitted = chr(0x4E00 + number - 2)
    causes = [discovery(text, f"cause {number // 2}")]
    return Round(number, "mixtures", number), answer(
        **fields, readmitted=readmitted, discovered=causes
    )


def merge(rounds, first=0):
    campaign = CampaignState("target", first)
    return campaign, list(chain.from_iterable(campaign.add_round(*round_) for round_ in rounds))


def everything(campaign, end=9):
    """All values of a campaign's state."""
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
def test_the_order_of_rounds_does_not_matter(seed):
    rounds = [a_round(number) for number in range(8)]
    in_order = merge(rounds)
    random.Random(seed).shuffle(rounds)
    shuffled = merge(rounds)
    assert everything(shuffled[0]) == everything(in_order[0])
    assert shuffled[1] == in_order[1]


def test_a_round_waits_for_earlier_ones():
    campaign, causes = merge([a_round(1), a_round(2)])
    assert (campaign.next_round, campaign.texts, causes) == (0, 0, [])
    assert len(list(campaign.add_round(*a_round(0)))) == 2
    assert (campaign.next_round, campaign.texts) == (3, 30)


def test_a_resumed_campaign_begins_with_its_first_round():
    campaign, _ = merge([a_round(5), a_round(6)], first=5)
    assert campaign.next_round == 7
    assert campaign.new_corpus(5, 6) == ["text 5"]
    assert campaign.new_corpus(6, 7) == ["text 6"]
    assert (campaign.excluded_before(5), campaign.known_causes_before(5)) == ("", [])
    assert campaign.excluded_before(6) == chr(0x4E05)


def test_a_cause_is_reported_for_the_first_round_that_has_it():
    campaign, causes = merge(map(a_round, range(6)))
    assert [one["text"] for one in causes] == ["text 0", "text 2", "text 4"]
    assert len(campaign.discovered) == 3


def test_known_causes_are_those_of_earlier_rounds():
    campaign, _ = merge(map(a_round, range(6)))
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


def test_the_new_corpus_is_that_of_the_rounds_between():
    campaign, _ = merge(map(a_round, range(6)))
    assert campaign.new_corpus(2, 4) == ["text 2", "text 3"]
    assert campaign.new_corpus(4, 2) == []


def test_a_character_is_excluded_until_it_is_readmitted():
    first, second = Round(0, "mixtures", 0), Round(1, "mixtures", 1)
    rounds = [(first, answer(excluded="xy")), (second, answer(readmitted="x"))]
    campaign, _ = merge(rounds)
    assert [campaign.excluded_before(number) for number in range(3)] == ["", "xy", "y"]


def test_a_failing_text_has_the_first_source():
    rounds = [
        (Round(0, "families", 0), answer(**failing("a"))),
        (Round(1, "mutations", 0), answer(**failing("a", "b"))),
    ]
    campaign, _ = merge(rounds)
    assert campaign.failing == {"TOK101": {"a": "families", "b": "mutations"}}
    assert campaign.failing_by_source == {"families": 1, "mutations": 2}


def test_very_many_failing_texts_are_thinned_out(monkeypatch):
    monkeypatch.setattr(module, "MAX_FAILING", 10)
    numbers = range(40)
    rounds = [
        (
            Round(n, "mixtures", n),
            answer(**failing(f"{n}", f"{n} {n}"), discovered=[discovery(f"{n}")]),
        )
        for n in numbers
    ]
    campaign, _ = merge(rounds)
    assert 10 <= len(campaign.failing["TOK101"]) <= 21


def test_the_first_text_of_a_cause_is_never_dropped(monkeypatch):
    monkeypatch.setattr(module, "MAX_FAILING", 2)
    texts = [f"text {n}" for n in range(9)]
    causes = [discovery(text, f"cause {text}") for text in texts]
    rounds = [(Round(0, "mixtures", 0), answer(**failing(*texts), discovered=causes))]
    campaign, _ = merge(rounds)
    assert dict.fromkeys(texts, "mixtures").items() <= campaign.failing["TOK101"].items()


def test_texts_that_were_left_out_or_not_compared_are_a_skip():
    rounds = [(Round(0, "mixtures", 0), answer(left_out=3, not_compared=4))]
    campaign, _ = merge(rounds)
    assert [(one.what, one.reason[:7]) for one in campaign.skips()] == [
        ("part of the campaign", "3 texts"),
        ("comparison of 4 texts of the campaign", "the ref"),
    ]


def test_without_such_texts_there_is_no_skip():
    campaign, _ = merge([a_round(0)])
    assert list(campaign.skips()) == []


@pytest.mark.parametrize(
    ("death", "result", "unexplained"),
    [
        (TargetDeath("SIGABRT", ""), answer(), 1),
        (TargetDeath("time limit", ""), answer(), 0),
        (TargetDeath("SIGABRT", ""), answer(crashers=[["encode", "a", "SIGABRT", ""]]), 0),
        (TargetDeath("SIGABRT", ""), answer(crashers=[["encode", "a", None, ""]]), 1),
        (TargetDeath("SIGABRT", ""), answer(left_out=1), 0),
        (TargetDeath("SIGABRT", ""), answer(not_compared=1), 0),
    ],
)
def test_a_death_is_unexplained_if_no_text_causes_it(death, result, unexplained):
    campaign = CampaignState("target", 0)
    campaign.record_death(death, result)
    assert len(campaign.unexplained_deaths) == unexplained


def test_a_failing_text_of_the_crash_check_is_a_crasher():
    campaign = CampaignState("target", 0)
    assert not campaign.has_crashers
    list(campaign.add_round(Round(0, "mixtures", 0), answer(failing={"TOK104": ["a"]})))
    assert campaign.has_crashers
