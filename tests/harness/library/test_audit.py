"""``tokharness.audit``: the findings of the command, and the tokens as data."""

from pathlib import Path

import pytest

import tokharness
from tokharness import AuditReport, NothingCheckedError, UsageError, Verdict

FILE = Path(__file__).parents[1] / "cli" / "audited_tokenizers.py"


def audit(name, **options):
    return tokharness.audit(f"python:{FILE}:{name}", jobs=0, **options)


def test_the_report_has_the_findings_and_a_row_for_each_id():
    report = audit("WithFurtherTokens", fail_on="risk")
    assert isinstance(report, AuditReport)
    assert {finding.code for finding in report.risks} >= {"TOK408"}
    assert not report.ok
    assert [row.id for row in report.tokens] == list(range(260))
    assert report.tokens[256].content == "\u202eevil"
    assert "TOK408 bidirectional controls" in report.tokens[256].classes
    assert report.tokens[65].state == "alone"
    assert [row.kind for row in report.tokens[258:]] == ["hole", "special"]


def test_checks_are_selected_and_ignored():
    report = audit("Bytes", select="TOK40", ignore=["TOK401", "partial-utf8-token"])
    assert {finding.code for finding in report.findings} == {"TOK403", "TOK405", "TOK408"}
    assert all(finding.verdict is Verdict.FACT for finding in report.findings)
    assert report.tokens[65].state == ""


def test_a_check_of_texts_is_refused():
    with pytest.raises(UsageError, match="an audit does not run TOK101"):
        audit("Bytes", select="TOK101")


def test_a_target_that_shows_no_token_is_an_error():
    with pytest.raises(NothingCheckedError, match="shows no vocabulary"):
        audit("RaisesForEachToken")
