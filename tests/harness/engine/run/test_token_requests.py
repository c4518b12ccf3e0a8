"""The rows of tokens: in parts, from one worker, which the command does not trust."""

import pytest

from tokharness.engine.events import SkipRecorded, TokensListed
from tokharness.engine.requests import TokensRequest
from tokharness.engine.response_shapes import fits
from tokharness.engine.run import report_requests
from tokharness.engine.run.report_requests import request_tokens

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
