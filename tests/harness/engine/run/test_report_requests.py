"""The premium of a language: its tokens over those of English, for the lines joined by a space.

The rows of tokens: in parts, from one worker, which the command does not trust.
"""

import pytest

from tokharness.engine.events import SkipRecorded, TokensListed
from tokharness.engine.requests import CostRequest, TokensRequest
from tokharness.engine.response_shapes import fits
from tokharness.engine.run import report_requests
from tokharness.engine.run.report_requests import cost_requests, parallel_record, request_tokens
from tokharness.engine.worker.token_columns import lossy_cost
from tokharness.model import target_of
from tokharness.parallel.reading import read
from tokharness.targets.subject import Subject


class Words:
    """A token for each word; ``lose`` changes the decoded text."""

    n_vocab = 1 << 64

    def encode(self, text):
        return list(map(hash, text.split(" ")))

    def decode(self, ids):
        return ""


class Characters(Words):
    def __init__(self, lose=str):
        self.lose = lose

    def encode(self, text):
        return list(map(ord, text))

    def decode(self, ids):
        return self.lose("".join(map(chr, ids)))


def measure(parallel, tokenizer):
    subject = Subject(target_of("t", tokenizer))
    requests = cost_requests(parallel, ())
    assert {type(one) for one in requests.values()} == {CostRequest}
    return parallel_record(
        parallel, {name: lossy_cost(one.text, subject) for name, one in requests.items()}
    )


@pytest.fixture(name="flores")
def _flores(tmp_path):
    lines = {
        "dev/eng_Latn.dev": "A cat.\nTwo dogs ran.\n",
        "devtest/eng_Latn.devtest": "It rains.\n",
        "dev/fra_Latn.dev": "Un chat.\nDeux chiens couraient.\n",
        "devtest/fra_Latn.devtest": "Il pleut beaucoup ici.\n",
    }
    for name, text in lines.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return read(tmp_path)


def test_the_premium_counts_dev_and_devtest_joined_by_a_space(flores):
    english = "A cat. Two dogs ran. It rains."
    french = "Un chat. Deux chiens couraient. Il pleut beaucoup ici."
    by_code = {row["code"]: row for row in measure(flores, Characters())["languages"]}
    assert by_code["eng_Latn"]["tokens"] == len(english)
    assert by_code["fra_Latn"]["tokens"] == len(french)
    assert by_code["fra_Latn"]["premium"] == len(french) / len(english)
    assert by_code["eng_Latn"]["premium"] == 1.0
    assert by_code["fra_Latn"]["lossless"]


def test_a_text_that_is_lost_has_no_premium(flores):
    rows = measure(flores, Words())["languages"]
    assert [row["tokens"] for row in rows] == [7, 9]
    assert [row["premium"] for row in rows] == [None, None]


@pytest.mark.parametrize(
    ("lose", "has_premium"),
    [
        (str.lower, True),
        (lambda text: text.replace(" ", ""), True),
        (lambda text: text.replace("x", ""), True),
        (lambda text: text.replace("a", "?").replace("u", "?").replace("t", "?"), False),
    ],
)
def test_less_than_a_tenth_of_the_characters_may_be_lost(flores, lose, has_premium):
    rows = measure(flores, Characters(lose))["languages"]
    assert [row["premium"] is not None for row in rows] == [has_premium] * 2


def test_a_language_without_a_result_has_no_premium(flores):
    rows = parallel_record(flores, {})["languages"]
    assert [(row["tokens"], row["premium"]) for row in rows] == [(None, None)] * 2


FIELDS = (
    *("bytes", "kind", "text", "state", "witness", "reason", "classes"),
    *("count", "norm", "rank"),
)


class Workers:
    """One worker, whose response to each request ``answer`` gives."""

    def __init__(self, answer):
        self.answer = answer
        self.requests = []
        self.pool = self
        self.spec = "x"

    def call_unguarded(self, requests, responses):
        for name, request in requests.items():
            self.requests.append(request)
            responses[name] = {**{name: {} for name in FIELDS}, **self.answer(request)}
        return {}


def test_rows_of_all_parts_are_joined(monkeypatch):
    monkeypatch.setattr(report_requests, "IDS_PER_REQUEST", 2)
    workers = Workers(lambda request: {"n_vocab": 5, "bytes": {str(request.first): "41"}})
    (event,) = request_tokens(workers, audited=True)
    assert isinstance(event, TokensListed)
    assert [row.bytes for row in event.tokens] == [b"A", None, b"A", None, b"A"]
    assert workers.requests == [TokensRequest(first, 2, audited=True) for first in (0, 2, 4)]


def test_bytes_that_are_not_hex_are_a_skip():
    (event,) = request_tokens(Workers(lambda _: {"n_vocab": 1, "bytes": {"0": "no"}}), audited=True)
    assert isinstance(event, SkipRecorded)
    assert "bytes that are not hex digits" in event.skip.reason


def test_a_vocabulary_has_no_more_ids_than_targets_may_declare(monkeypatch):
    monkeypatch.setattr(report_requests, "LARGEST_VOCABULARY", 3)
    (event,) = request_tokens(Workers(lambda _: {"n_vocab": 1 << 60}), audited=True)
    assert len(event.tokens) == 3


@pytest.mark.parametrize(
    "change", [{"n_vocab": "5"}, {"classes": {"1": "TOK401"}}, {"count": {"1": 0.5}}, {"more": {}}]
)
def test_another_shape_is_refused(change):
    request = TokensRequest(0, 1, audited=True)
    response = {"n_vocab": 5, **{name: {} for name in FIELDS}}
    assert fits(request, response)
    assert not fits(request, {**response, **change})
