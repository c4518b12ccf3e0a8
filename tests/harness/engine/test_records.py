"""A finding comes back from its record."""

import json

import pytest

from tokharness.engine.records import finding_of, finding_record
from tokharness.model import Cause, Finding, Verdict


@pytest.mark.parametrize("text", ["a\u200b", "\ud800", b"\xff", None])
def test_a_finding_comes_back_from_its_record(text):
    cause = Cause("crash", (("in", "encode"), ("by", "SIGABRT")), Verdict.RISK, "it aborts")
    finding = Finding(
        *("t", "TOK104", "crashes-or-hangs", cause, 3, text, ("digits",), "tokharness show"),
        evidence={"worst": ["a", 1]},
        other_checks=("TOK201",),
    )
    record = json.loads(json.dumps(finding_record(finding)))
    again = finding_of(record)
    assert again == finding
    assert (again.message, again.verdict, again.fingerprint) == (
        finding.message,
        finding.verdict,
        finding.fingerprint,
    )


@pytest.mark.parametrize("record", [{}, {"verdict": "nonsense"}])
def test_what_is_no_record_is_refused(record):
    with pytest.raises((KeyError, ValueError)):
        finding_of(record)
