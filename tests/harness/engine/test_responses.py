"""A target that answers none of the first texts is not run on.

A response that has not the shape of its request is the death of its worker.
"""

import json

import pytest

from tokharness.engine import responses
from tokharness.engine.requests import AuditRequest, FeaturesRequest, SnapshotRequest, UnitRequest
from tokharness.engine.response_shapes import fits
from tokharness.engine.responses import (
    FIRST_TEXTS,
    NoAnswerError,
    error_response,
    read_response,
    require_an_answer,
)
from tokharness.errors import InternalError, PluginError, TargetDeath
from tokharness.model import target_of


def raising(byte_tokenizer, error, texts):
    tokenizer = byte_tokenizer()
    plain = tokenizer.encode

    def encode(text):
        if text in texts:
            raise error
        return plain(text)

    tokenizer.encode = encode
    return target_of("target", tokenizer)


def test_no_memory_for_any_of_them_is_no_answer(byte_tokenizer):
    with pytest.raises(NoAnswerError, match="memory limit") as raised:
        require_an_answer(raising(byte_tokenizer, MemoryError(), FIRST_TEXTS))
    assert [row[:3] for row in raised.value.rows] == [
        ["encode", text, "memory limit"] for text in FIRST_TEXTS
    ]


@pytest.mark.parametrize(
    ("error", "texts"), [(MemoryError(), FIRST_TEXTS[:2]), (ValueError("no"), FIRST_TEXTS)]
)
def test_memory_for_one_of_them_and_another_exception_are_answers(byte_tokenizer, error, texts):
    require_an_answer(raising(byte_tokenizer, error, texts))


UNIT = UnitRequest("digits", 0, ())
RESPONSE = {
    **dict.fromkeys(("units", "cases", "left_out", "not_compared"), 1),
    "seconds": 0.5,
    "digest": "",
    "changed": [{"text": "a", "ids": [1]}],
    "failing": {"TOK101": ["a"]},
    "failing_left_out": {},
    "encoded": 1,
    **dict.fromkeys(("unchanged", "compared", "same_ids", "not_run"), 1),
    "processor_seconds": 0.5,
    "unseen": [],
    "crashers": [["encode", "a", None, ""], ["decode", [1, 2], "SIGSEGV", "at 0"]],
}
AUDITED = {
    "findings": {},
    "without_result": {},
    "not_judged": {},
    "deaths": [],
    "not_attributed": "",
    "answers": {},
    "is_spent": False,
}


def test_a_digest_that_cannot_be_read_is_no_response():
    with pytest.raises(TargetDeath, match="digest"):
        read_response(UNIT, line({**RESPONSE, "digest": "AAAA"}), trusted=True)


def test_an_answer_that_cannot_be_read_is_no_response():
    answers = {f"reach {'0' * 32}": "AAAA"}
    with pytest.raises(TargetDeath, match="answer"):
        read_response(AuditRequest("TOK401"), line({**AUDITED, "answers": answers}), trusted=True)


def line(value):
    return json.dumps(value).encode()


def test_a_response_of_the_right_shape_is_returned():
    assert read_response(UNIT, line(RESPONSE), trusted=False) == RESPONSE


@pytest.mark.parametrize(
    "change",
    [
        {"cases": True},
        {"cases": "3"},
        {"failing": [["TOK101", "a"]]},
        {"failing": {"TOK101": [1]}},
        {"crashers": [["encode", {}]]},
        {"more": 1},
    ],
    ids=str,
)
def test_another_type_or_key_is_nonsense(change):
    with pytest.raises(TargetDeath, match="nonsense"):
        read_response(UNIT, line({**RESPONSE, **change}), trusted=True)


@pytest.mark.parametrize("key", RESPONSE)
def test_a_missing_key_is_nonsense(key):
    assert not fits(UNIT, {name: RESPONSE[name] for name in RESPONSE if name != key})


@pytest.mark.parametrize(
    "raw",
    [b"", b"[" * 200_000, b"1e400", b"null", b"\xff", b"{}", b'{"error": 1}', b'{"died": ""}'],
)
def test_a_line_of_another_kind_is_nonsense(raw):
    with pytest.raises(TargetDeath, match="nonsense"):
        read_response(UNIT, raw, trusted=True)


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"internal": "KeyError: 1", "traceback": ""}, InternalError),
        ({"plugin": "the check x failed", "traceback": ""}, PluginError),
    ],
)
def test_an_error_of_ours_is_a_death_where_the_target_may_have_caused_it(record, error):
    with pytest.raises(TargetDeath, match="internal error"):
        read_response(UNIT, line(record), trusted=False)
    with pytest.raises(error):
        read_response(UNIT, line(record), trusted=True)


def test_a_plugin_that_fails_after_others_is_part_of_the_response():
    failed = {"plugin": "the check x failed", "traceback": ""}
    response = {**AUDITED, "failed": failed}
    assert read_response(AuditRequest("TOK401"), line(response), trusted=True) == response
    with pytest.raises(TargetDeath, match="internal error: the check x failed"):
        read_response(AuditRequest("TOK401"), line(response), trusted=False)


def test_a_response_may_have_none_for_what_was_not_made():
    assert fits(SnapshotRequest(()), {"snapshot": None})
    assert not fits(FeaturesRequest(), {"tokens": None})


@pytest.mark.parametrize(("threads", "ended"), [(5, PluginError), (500, TargetDeath)])
def test_a_thread_that_the_system_refuses_is_the_targets_fault_only_among_many(
    monkeypatch, threads, ended
):
    monkeypatch.setattr(responses.os, "listdir", lambda _: range(threads))
    failed = PluginError("the check fails")
    failed.__cause__ = RuntimeError("can't start new thread")
    with pytest.raises(ended):
        read_response(AuditRequest("TOK109"), line(error_response(failed)), trusted=False)
