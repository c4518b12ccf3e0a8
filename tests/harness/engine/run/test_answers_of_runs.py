"""Answers of a reference in earlier runs: the same findings, and none for another file or code."""

import json
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import AnswersGiven, FindingReported, TargetStarted
from tokharness.engine.requests import KnownResults, nothing_known
from tokharness.engine.run.run import run
from tokharness.results.comparison_cache import ComparisonCache
from tokharness.targets import comparison
from tokharness.targets.comparison import pack_answer, unpack_answer
from tokharness_tokenizers.vocabularies import locate

LINE = b"YXV0aGtleQ== 16376"
ORPHAN = b"cXp4ag== 16376"
"""The token "qzxj", to which no merges lead: its id is asked for as the healthy one is."""
UNREACHABLE = b"ZSB0aA== 16376"
"""The token "e th", which the pattern splits."""


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory):
    """Return the spec of the embedded vocabulary, with another line in the place of one."""

    def written(line=LINE):
        path = tmp_path_factory.mktemp("vocabulary") / "mine.tiktoken"
        path.write_bytes(locate.EMBEDDED_PATH.read_bytes().replace(LINE, line))
        side = json.loads(Path(f"{locate.EMBEDDED_PATH}.json").read_text("utf-8"))
        del side["sha256"]
        Path(f"{path}.json").write_text(json.dumps(side), "utf-8")
        return f"tiktoken:{path}"

    return written


@pytest.fixture(scope="module")
def spec(vocabulary):
    return vocabulary()


@pytest.fixture(scope="module")
def healthy(spec):
    return events_of(spec)


@pytest.fixture
def cache(tmp_path):
    return ComparisonCache(tmp_path, Options(profile="quick"))


def events_of(spec, known=nothing_known, **options):
    options = Options(profile="quick", select=("TOK401",), **options)
    return list(run([spec], options, jobs=1, known=known))


def known_of(answers):
    return lambda _: KnownResults(answers=answers)


def iter_of(events):
    yield from events


def findings_of(events):
    return [event.finding for event in events if isinstance(event, FindingReported)]


def kinds_of(events):
    return {finding.cause.kind for finding in findings_of(events)}


def comparison_of(events):
    return next(event.comparison for event in events if isinstance(event, TargetStarted))


def answers_of(events):
    return next((event.answers for event in events if isinstance(event, AnswersGiven)), {})


@pytest.mark.slow
def test_a_second_run_has_the_same_findings_and_answers(spec, healthy):
    answers = answers_of(healthy)
    assert {question.partition(" ")[0] for question in answers} == {"reach", "merge_orphans"}
    second = events_of(spec, known_of(answers))
    assert findings_of(second) == findings_of(healthy) != []
    assert answers_of(second) == answers


@pytest.mark.slow
def test_a_known_answer_takes_the_place_of_the_question(spec, healthy):
    altered = {
        question: pack_answer([300]) if unpack_answer(one) == [] else one
        for question, one in answers_of(healthy).items()
    }
    assert "merge orphans" not in kinds_of(healthy)
    assert "merge orphans" in kinds_of(events_of(spec, known_of(altered)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "kind"), [(ORPHAN, "merge orphans"), (UNREACHABLE, "unreachable tokens")]
)
def test_a_planted_token_is_found_with_what_is_known_of_the_healthy_file(
    vocabulary, cache, healthy, line, kind
):
    list(cache.watched(iter_of(healthy)))
    assert cache.read(comparison_of(healthy)).answers
    assert kind not in kinds_of(healthy)
    assert kind in kinds_of(events_of(vocabulary(line), known=cache.read))


@pytest.mark.slow
def test_nothing_is_known_with_other_code(cache, healthy, monkeypatch):
    list(cache.watched(iter_of(healthy)))
    monkeypatch.setattr(comparison, "_digest_of_code", lambda: "another one")
    assert cache.read(comparison_of(healthy)) == KnownResults()


@pytest.mark.slow
def test_what_the_target_itself_answers_is_not_kept():
    assert answers_of(events_of("reference", against="tiktoken:embedded")) == {}
