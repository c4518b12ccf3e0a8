"""A round is a function of its question, whoever tries it."""

import pytest

from tokharness import plugins
from tokharness.engine.fuzzing import rounds as module
from tokharness.engine.fuzzing.rounds import RoundRunner
from tokharness.engine.fuzzing.schedule import SOURCES
from tokharness.engine.fuzzing.splicing import LONG_TEXTS
from tokharness.engine.worker.batches import BatchRunner
from tokharness.engine.worker.timed import Timer
from tokharness.model import TargetFacts, target_of
from tokharness.targets.processes.limits import CURRENT_LIMITS, Watchdog
from tokharness.targets.subject import Subject

DROPPED = "\u200b"
QUESTION = {
    "source": "mixtures",
    "anew": False,
    "avoid": "",
    **dict.fromkeys(("number", "turn"), 0),
    **dict.fromkeys(("remembered", "news", "deadly"), ()),
    **dict.fromkeys(("seconds", "texts")),
}
SOURCES = [source for source in SOURCES if source != "corpus"]


class Asked:
    """A tokenizer that drops a character and keeps what it was asked."""

    n_vocab = 256

    def __init__(self):
        self.texts = []

    def encode(self, text):
        self.texts.append(text)
        return list(text.replace(DROPPED, "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")


class Worker:
    """One of several workers of a campaign."""

    def __init__(self, families=("digits", "zero-width"), seed=0):
        self.tokenizer = Asked()
        subject = Subject(target_of("target", self.tokenizer))
        checks = [plugins.checks()["TOK101"]]
        clock = Timer(CURRENT_LIMITS.get(), Watchdog(), stopped=True)
        batches = BatchRunner(subject, checks, clock, guarded=False)
        chosen = [plugins.families()[name] for name in families]
        self.rounds = RoundRunner(subject, chosen, TargetFacts(), batches, seed)

    def answer(self, **question):
        answer = self.rounds.run({**QUESTION, **question}, guarded=False)
        return {key: value for key, value in answer.items() if key != "seconds"}

    def texts(self, **question):
        """Texts that a round tries."""
        self.tokenizer.texts.clear()
        self.answer(**question)
        return self.tokenizer.texts


NEWS = ["one", "two\u0301", "\u4e2d\u6587", "a\u200bb"]


@pytest.mark.parametrize("source", SOURCES)
def test_two_workers_answer_the_same(source):
    question = {"source": source, "number": 7, "turn": 1, "news": NEWS, "texts": 300}
    assert Worker().answer(**question) == Worker().answer(**question)


def test_a_worker_that_tried_other_rounds_answers_the_same():
    worn = Worker()
    worn.answer(news=NEWS[:2])
    worn.answer(number=3, source="vocabulary", texts=200)
    last = {"number": 9, "source": "mutations", "texts": 200}
    assert worn.answer(news=NEWS[2:], **last) == Worker().answer(news=NEWS, **last)


def test_anew_forgets_what_was_kept():
    worn = Worker()
    worn.answer(news=["\u13a0"])
    question = {"source": "mutations", "news": NEWS, "texts": 200}
    assert worn.answer(anew=True, **question) == Worker().answer(**question)


@pytest.mark.parametrize("source", ["mixtures", "mutations", "vocabulary", "code-points"])
def test_another_number_and_turn_make_other_texts(source):
    one, other = (
        Worker().texts(source=source, number=n, turn=n, texts=99, news=NEWS) for n in range(2)
    )
    assert len(set(one) & set(other)) < 30


def test_another_seed_makes_other_texts():
    assert Worker(seed=1).texts(texts=99) != Worker(seed=2).texts(texts=99)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("texts", [1, 5])
def test_a_round_tries_no_more_texts_than_it_may(source, texts):
    answer = Worker().answer(source=source, texts=texts, news=NEWS)
    assert answer["cases"] == texts


def test_a_short_round_has_the_first_texts_of_a_long_one():
    short, long = (Worker().texts(source="code-points", texts=texts) for texts in (10, 100))
    assert short == long[:10]


def test_what_is_remembered_is_tried_as_it_is_each_once():
    remembered = ["b", "", "a", "b", "\ud800"]
    texts = Worker().texts(source="corpus", remembered=remembered)
    assert texts == ["b", "a", "\ud800"]


def test_failing_texts_are_told_by_their_check():
    answer = Worker().answer(source="corpus", remembered=["a", f"b{DROPPED}"])
    assert answer["failing"] == {"TOK101": [f"b{DROPPED}"]}
    assert answer["failing_counts"] == {"TOK101": 1}


def test_of_very_many_failing_texts_the_shortest_and_some_others_are_told():
    texts = [f"{DROPPED}{'a' * n}" for n in range(300, 0, -1)]
    answer = Worker().answer(source="corpus", remembered=texts)
    told = answer["failing"]["TOK101"]
    assert answer["failing_counts"] == {"TOK101": 300}
    assert len(told) <= module.MAX_FAILING
    assert {texts[-1], texts[-2]} < set(told)
    assert max(map(len, told)) > 250


def test_every_other_round_leaves_suspect_characters_out():
    avoided = {"source": "corpus", "remembered": [f"b{DROPPED}"], "avoid": DROPPED}
    assert Worker().texts(number=1, **avoided)[0] == "b"
    assert Worker().texts(number=2, **avoided)[0] == f"b{DROPPED}"


def test_deadly_texts_and_what_holds_them_often_are_left_out():
    rows = [["encode", text, "SIGABRT", ""] for text in ("\u00bd", "a\u00bd", "b\u00bd")]
    texts = ["\u00bd", "c\u00bd", "c"]
    assert Worker().texts(source="corpus", remembered=texts, deadly=rows) == ["c"]


def test_a_text_that_reaches_something_new_is_kept():
    question = {"source": "corpus", "remembered": ["abc"]}
    assert Worker().answer(**question)["corpus"] == ["abc"]
    assert Worker().answer(news=["abc"], **question)["corpus"] == []


def test_pieces_of_drawn_texts_are_kept_for_others():
    kept = Worker().answer(source="families")["corpus"]
    assert len(kept) == len(set(kept)) >= 20


def test_regressions_are_not_drawn_from():
    answer = Worker(families=("regressions", "digits")).answer(source="families")
    assert answer["cases"] > 100


def test_long_texts_are_tried_and_not_looked_at():
    answer = Worker().answer(source="long-texts", turn=1)
    assert (answer["cases"], answer["corpus"]) == (LONG_TEXTS, [])


def test_a_round_whose_time_is_over_tries_few_texts():
    worker = Worker()
    assert worker.answer(seconds=0.0)["cases"] == 0
    assert 0 < worker.answer(seconds=60.0, texts=50)["cases"] <= 50


def test_a_target_without_tokens_has_rounds_of_other_texts():
    worker = Worker()
    worker.tokenizer.n_vocab = None
    assert worker.answer(source="vocabulary", texts=20)["cases"] == 20


def test_what_was_reached_is_told():
    worker = Worker()
    worker.answer(source="corpus", remembered=["ab"])
    worker.answer(source="corpus", remembered=["bc"])
    assert set(worker.rounds.features()["tokens"]) == {97, 98, 99}
