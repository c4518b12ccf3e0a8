"""Records of findings and skips."""

import json

import pytest

from tokharness.engine.events import (
    finding_of,
    finding_record,
    findings_of,
    findings_record,
    skip_of,
    skip_record,
)
from tokharness.model import Cause, Finding, Skip, Verdict


@pytest.mark.parametrize("text", ["a\u200b", "\ud800", b"\xff", None])
def test_a_finding_is_made_again_from_its_record(text):
    cause = Cause("crash", (("in", "encode"), ("by", "SIGABRT")), Verdict.RISK, "it aborts")
    finding = Finding(
        *("t", "TOK104", "crashes-or-hangs", cause, 3, text, ("digits",), "tokharness show"),
        evidence={"worst": ["a", 1]},
        other_checks=("TOK201",),
    )
    record = json.loads(json.dumps(finding_record(finding)))
    copy = finding_of(record)
    assert copy == finding
    assert (copy.message, copy.verdict, copy.fingerprint) == (
        finding.message,
        finding.verdict,
        finding.fingerprint,
    )
    assert findings_of(findings_record({"TOK104": [finding]})) == {"TOK104": [finding]}


def test_a_skip_is_made_again_from_its_record():
    skip = Skip("t", "the audit of TOK401", "the run was interrupted")
    assert skip_of(json.loads(json.dumps(skip_record(skip)))) == skip


@pytest.mark.parametrize("record", [{}, {"verdict": "nonsense"}])
def test_an_invalid_record_is_refused(record):
    with pytest.raises((KeyError, ValueError)):
        finding_of(record)
