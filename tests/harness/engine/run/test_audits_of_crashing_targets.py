"""Audits of a target in a process of its own: no text is lost without a skip."""

import sys
from types import SimpleNamespace

import pytest

from tokharness.config import Options
from tokharness.engine.events import FindingReported, SkipRecorded
from tokharness.engine.requests import AuditRequest
from tokharness.engine.run.collect_responses import Collected, collect
from tokharness.engine.run.processor_time import ProcessorTime
from tokharness.engine.run.run import run

PROGRAM = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "info":
        answer = {
            "name": "aborts", "n_vocab": 130,
            "special_tokens": {"<|a|>": 128, "<|b|>": 129}, "ops": ["encode_special"],
        }
    elif request["op"] == "decode":
        if any(number >= 128 for ids in request["ids"] for number in ids):
            os.abort()
        answer = {"results": [bytes(ids).decode() for ids in request["ids"]]}
    else:
        if request["op"] == "encode_special" and {*FATAL} & {*request["texts"]}:
            os.abort()
        answer = {"results": [list(text.encode()) for text in request["texts"]]}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def audits(tmp_path):
    """Return the causes and the skips of audits of a target, ``fatal`` texts of which end it."""

    def run_audits(*codes, fatal=()):
        path = tmp_path / "program.py"
        path.write_text(f"FATAL = {fatal!r}\n{PROGRAM}")
        options = Options(select=codes, families=("plain-words",), profile="quick", examples=0)
        events = list(run([f"command:{sys.executable} {path}"], options, jobs=0))
        causes = [e.finding.cause.kind for e in events if isinstance(e, FindingReported)]
        skips = {e.skip.what: e.skip.reason for e in events if isinstance(e, SkipRecorded)}
        return causes, skips

    return run_audits


@pytest.mark.slow
def test_an_audit_is_not_lost_where_one_before_it_ended_the_process_often(audits, monkeypatch):
    monkeypatch.setattr("tokharness.targets.processes.remote.LOST_SECONDS", 0.0)
    causes, skips = audits("TOK112", "TOK115")
    assert "decode breaks" in causes
    assert "special token modes" in causes
    assert "part of the audit of TOK115" not in skips


@pytest.mark.slow
def test_a_text_that_ends_the_process_in_an_audit_is_a_skip(audits):
    _, skips = audits("TOK115", fatal=("<|b|>",))
    assert skips == {
        "part of the audit of TOK115": "1 call with a text has no result: "
        "the target's process ends with SIGABRT"
    }


@pytest.mark.slow
def test_texts_that_an_audit_did_not_run_are_a_skip(audits, monkeypatch):
    monkeypatch.setattr("tokharness.targets.processes.remote.LOST_SECONDS", 0.0)
    _, skips = audits("TOK115", fatal=("<|a|>",))
    assert "not run, since too much time was spent" in skips["part of the audit of TOK115"]


@pytest.mark.parametrize(("longest", "are_run"), [((4000, 5000), True), ((40, 5000), False)])
def test_audits_run_where_only_long_texts_took_too_much_time(longest, are_run):
    def call_unguarded(requests, responses, *_):
        responses.update({name: {"findings": {}} for name in requests})
        return {}

    pool = SimpleNamespace(time=ProcessorTime())
    workers = SimpleNamespace(pool=pool, call_unguarded=call_unguarded, make_room=list)
    rows = [["encode", length * "x", "time limit", ""] for length in longest]
    results = SimpleNamespace(crashers=[*rows, ["lost", 0, None, ""]], has_crashers=True)
    collected = Collected({}, [], [])
    collect(workers, results, {"the audit of TOK115": AuditRequest("TOK115", {})}, collected)
    assert bool(collected.responses) == are_run
    assert bool(collected.skipped) != are_run
