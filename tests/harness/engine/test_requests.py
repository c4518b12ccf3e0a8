"""Requests and error responses go over a pipe as JSON."""

from dataclasses import fields

import pytest

from tokharness.config import Options
from tokharness.engine.requests import (
    AuditRequest,
    DiagnoseRequest,
    EncodeRequest,
    FeaturesRequest,
    LoadRequest,
    MeasureRequest,
    RoundRequest,
    SnapshotRequest,
    UnitRequest,
    request_of,
    request_record,
)
from tokharness.engine.responses import error_response, plugin_error, raise_for_error
from tokharness.engine.worker.main import Worker
from tokharness.errors import InternalError, PluginError, TargetDeath, TokharnessError, UsageError
from tokharness.plugins.calls import PluginFunction
from tokharness.targets.processes.json_lines import from_line, to_line

CRASHERS = [["encode", "\ud800", "SIGSEGV", ""]]
REQUESTS = (
    LoadRequest("x", Options(select=("TOK101",), families=("digits",)), ["/path"], guarded=True),
    UnitRequest("digits", 3, CRASHERS),
    RoundRequest(1, "mutations", 2, new_corpus=["\ud83d\ude00"], seconds=0.5, crashers=CRASHERS),
    FeaturesRequest(),
    DiagnoseRequest("TOK101", {"a": "digits"}, CRASHERS),
    AuditRequest("TOK401", {"reach 0": "eJw="}),
    SnapshotRequest([["digits", "1", [16]]]),
    MeasureRequest("numbers", CRASHERS),
    EncodeRequest(["a", "\udc00"], CRASHERS),
)


def over_a_pipe(record):
    return from_line(to_line(record))


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_a_request_is_equal_after_a_pipe(request_):
    received = request_of(over_a_pipe(request_record(request_)))
    assert type(received) is type(request_)
    for field in fields(request_):
        value, expected = (getattr(one, field.name) for one in (received, request_))
        assert value == (list(expected) if isinstance(expected, tuple) else expected)


@pytest.mark.parametrize(
    "record", [{"request": "StrangeRequest"}, {"request": "UnitRequest", "families": 1}, {}]
)
def test_another_record_is_refused(record):
    with pytest.raises((KeyError, TypeError)):
        request_of(record)


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [
        (UsageError("unknown check"), TokharnessError, "^unknown check$"),
        (TargetDeath("SIGSEGV", "at 0"), TargetDeath, "^SIGSEGV: at 0$"),
        (MemoryError(), TargetDeath, "^memory limit$"),
        (PluginError("the check x failed"), PluginError, "^the check x failed$"),
        (ZeroDivisionError("oops"), InternalError, "^ZeroDivisionError: oops"),
    ],
)
def test_an_error_of_a_worker_is_raised_in_the_command(error, raised, message):
    with pytest.raises(raised, match=message):
        raise_for_error(over_a_pipe(error_response(error)))


def test_the_traceback_of_a_bug_is_a_note():
    def fail():
        raise ZeroDivisionError

    try:
        fail()
    except ZeroDivisionError as error:
        response = error_response(error)
    with pytest.raises(InternalError) as raised:
        raise_for_error(response)
    assert "in fail" in raised.value.__notes__[0]


def test_the_traceback_of_a_plugin_is_a_note():
    try:
        with PluginFunction("check", "mine", "audit"):
            raise KeyError
    except PluginError as error:
        response = over_a_pipe({"findings": {}, "failed": error_response(error)})
    error = plugin_error(raise_for_error(response))
    assert str(error) == "the check mine failed: audit raised KeyError: "
    assert "raise KeyError" in error.__notes__[0]
    assert plugin_error({"findings": {}}) is None


@pytest.mark.parametrize("error", [UsageError("no"), TargetDeath("exit"), MemoryError()])
def test_errors_of_the_user_and_the_target_are_not_those_of_a_plugin(error):
    with pytest.raises(type(error)), PluginFunction("check", "mine", "audit"):
        raise error


def test_another_response_is_returned():
    assert raise_for_error({"cases": 3}) == {"cases": 3}


def test_a_request_before_a_target_is_loaded_is_a_bug():
    response = Worker(timed=False).respond(request_record(AuditRequest("TOK401")))
    assert response["internal"] == "ValueError: the target is not loaded"
