"""A round is a function of its request, in any worker.

The number of a round determines its source and turn.
"""

from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.engine.fuzzing import rounds as module
from tokharness.engine.fuzzing.rounds import SOURCES, RoundRunner, round_at, select_sources
from tokharness.engine.fuzzing.sources.mutations import LONG_TEXTS
from tokharness.engine.requests import RoundRequest
from tokharness.engine.worker.batches import BatchRunner
from tokharness.engine.worker.time_limits import Timer
from tokharness.model import TargetFacts, target_of
from tokharness.targets.processes.limits import CURRENT_LIMITS
from tokharness.targets.subject import Subject

DROPPED = "\u200b"
REQUEST = RoundRequest(number=0, source="mixtures", turn=0)
GENERATED = [source for source in SOURCES if source != "corpus"]


class Recorder:
    """A tokenizer that drops a character and records the texts that it encodes."""

    n_vocab = 256

    def __init__(self):
        self.texts = []

    def encode(self, text):
        self.texts.append(text)
        return list(text.replace(DROPPED, "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")


class Worker:
    """One worker of a campaign."""

    def __init__(self, families=("digits", "zero-width"), seed=0):
        self.tokenizer = Recorder()
        subject = Subject(target_of("target", self.tokenizer))
        checks = [plugins.checks()["TOK101"]]
        timer = Timer(CURRENT_LIMITS.get(), stopped=True)
        batches = BatchRunner(subject, checks, timer, guarded=False)
        selected = [plugins.families()[name] for name in families]
        self.rounds = RoundRunner(subject, selected, TargetFacts(), batches, seed)

    def run(self, **request):
        response = self.rounds.run(replace(REQUEST, **request), guarded=False)
        return {key: value for key, value in response.items() if key != "seconds"}

    def texts(self, **request):
        """Texts that a round runs."""
        self.tokenizer.texts.clear()
        self.run(**request)
        return self.tokenizer.texts


CORPUS = ["one", "two\u0301", "\u4e2d\u6587", "a\u200bb"]


@pytest.mark.parametrize("source", GENERATED)
def test_two_workers_give_the_same_result(source):
    request = {"source": source, "number": 7, "turn": 1, "new_corpus": CORPUS, "max_texts": 300}
    assert Worker().run(**request) == Worker().run(**request)


def test_earlier_rounds_do_not_change_the_result():
    used = Worker()
    used.run(new_corpus=CORPUS[:2])
    used.run(number=3, source="vocabulary", max_texts=200)
    last = {"number": 9, "source": "mutations", "max_texts": 200}
    assert used.run(new_corpus=CORPUS[2:], **last) == Worker().run(new_corpus=CORPUS, **last)


def test_the_corpus_can_be_reset():
    used = Worker()
    used.run(new_corpus=["\u13a0"])
    request = {"source": "mutations", "new_corpus": CORPUS, "max_texts": 200}
    assert used.run(reset_corpus=True, **request) == Worker().run(**request)


@pytest.mark.parametrize("source", ["mixtures", "mutations", "vocabulary", "code-points"])
def test_another_number_and_turn_give_other_texts(source):
    one, other = (
        Worker().texts(source=source, number=n, turn=n, max_texts=99, new_corpus=CORPUS)
        for n in range(2)
    )
    assert len(set(one) & set(other)) < 30


def test_another_seed_gives_other_texts():
    assert Worker(seed=1).texts(max_texts=99) != Worker(seed=2).texts(max_texts=99)


@pytest.mark.parametrize("source", GENERATED)
@pytest.mark.parametrize("texts", [1, 5])
def test_the_number_of_texts_is_limited(source, texts):
    response = Worker().run(source=source, max_texts=texts, new_corpus=CORPUS)
    assert response["cases"] == texts


def test_a_limited_round_has_the_first_texts():
    short, long = (Worker().texts(source="code-points", max_texts=texts) for texts in (10, 100))
    assert short == long[:10]


def test_texts_of_the_corpus_run_unchanged_and_once():
    corpus = ["b", "", "a", "b", "\ud800"]
    texts = Worker().texts(source="corpus", initial_corpus=corpus)
    assert texts == ["b", "a", "\ud800"]


def test_failing_texts_are_grouped_by_check():
    response = Worker().run(source="corpus", initial_corpus=["a", f"b{DROPPED}"])
    assert response["failing"] == {"TOK101": [f"b{DROPPED}"]}
    assert response["failing_counts"] == {"TOK101": 1}


def test_very_many_failing_texts_are_sampled():
    texts = [f"{DROPPED}{'a' * n}" for n in range(300, 0, -1)]
    response = Worker().run(source="corpus", initial_corpus=texts)
    failing = response["failing"]["TOK101"]
    assert response["failing_counts"] == {"TOK101": 300}
    assert len(failing) <= module.MAX_FAILING
    assert {texts[-1], texts[-2]} < set(failing)
    assert max(map(len, failing)) > 250


def test_every_other_round_leaves_out_excluded_characters():
    excluded = {"source": "corpus", "initial_corpus": [f"b{DROPPED}"], "excluded": DROPPED}
    assert Worker().texts(number=1, **excluded)[0] == "b"
    assert Worker().texts(number=2, **excluded)[0] == f"b{DROPPED}"


def test_crashing_and_similar_texts_are_left_out():
    rows = [["encode", text, "SIGABRT", ""] for text in ("\u00bd", "a\u00bd", "b\u00bd")]
    texts = ["\u00bd", "c\u00bd", "c"]
    assert Worker().texts(source="corpus", initial_corpus=texts, crashers=rows) == ["c"]


def test_a_text_with_new_features_is_added_to_the_corpus():
    request = {"source": "corpus", "initial_corpus": ["abc"]}
    assert Worker().run(**request)["corpus"] == ["abc"]
    assert Worker().run(new_corpus=["abc"], **request)["corpus"] == []


def test_short_drawn_texts_are_added_to_the_corpus():
    pieces = Worker().run(source="families")["corpus"]
    assert len(pieces) == len(set(pieces)) >= 20


def test_texts_are_not_drawn_from_regressions():
    response = Worker(families=("regressions", "digits")).run(source="families")
    assert response["cases"] > 100


def test_long_texts_are_not_added_to_the_corpus():
    response = Worker().run(source="long-texts", turn=1)
    assert (response["cases"], response["corpus"]) == (LONG_TEXTS, [])


def test_a_round_ends_after_its_seconds():
    worker = Worker()
    assert worker.run(seconds=0.0)["cases"] == 0
    assert 0 < worker.run(seconds=60.0, max_texts=50)["cases"] <= 50


def test_without_tokens_a_vocabulary_round_has_other_texts():
    worker = Worker()
    worker.tokenizer.n_vocab = None
    assert worker.run(source="vocabulary", max_texts=20)["cases"] == 20


def test_the_features_of_a_worker_are_returned():
    worker = Worker()
    worker.run(source="corpus", initial_corpus=["ab"])
    worker.run(source="corpus", initial_corpus=["bc"])
    assert set(worker.rounds.features()["tokens"]) == {97, 98, 99}


ALL = select_sources(families_only=False)
FEW = select_sources(families_only=True)
MANY = 200

both = pytest.mark.parametrize("sources", [ALL, FEW])


def rounds(sources):
    return [round_at(number, sources) for number in range(MANY)]


def test_without_selected_families_all_sources_are_used():
    assert set(ALL) == set(SOURCES) - {"corpus"}


def test_with_selected_families_only_these_and_their_mutations_are_used():
    assert set(FEW) == {"families", "mutations"}


@both
def test_every_source_recurs(sources):
    for start in range(0, MANY, 40):
        assert {one.source for one in rounds(sources)[start : start + 40]} == set(sources)


@both
def test_the_turns_of_a_source_are_consecutive(sources):
    for source in sources:
        turns = [one.turn for one in rounds(sources) if one.source == source]
        assert turns == list(range(len(turns)))


@both
def test_a_round_has_its_number(sources):
    assert [one.number for one in rounds(sources)] == list(range(MANY))


@both
def test_a_round_depends_on_its_number_only(sources):
    backwards = [round_at(number, sources) for number in reversed(range(MANY))]
    assert backwards[::-1] == rounds(sources)
