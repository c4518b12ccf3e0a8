"""A small Tekken vocabulary has no bug, with the reference and with the library."""

import json

import pytest

from tokharness.engine.events import FindingReported
from tokharness.model import Verdict
from tokharness_tokenizers.faulty._tekken_records import HEALTHY, record

FAMILIES = ("plain-words", "white-space", "special-tokens", "code")
KNOWN_RISKS = {"TOK303"}
"""A small vocabulary has no tokens for most characters."""


def findings_of(run_events):
    found = (event.finding for event in run_events if isinstance(event, FindingReported))
    return [one for one in found if one.verdict in (Verdict.BUG, Verdict.RISK)]


def unknown(run_events, summarize):
    return summarize(one for one in findings_of(run_events) if one.code not in KNOWN_RISKS)


def test_the_reference_has_no_bug_against_itself(events, summarize):
    run_events = events(HEALTHY, against=HEALTHY, families=FAMILIES[1:3])
    assert unknown(run_events, summarize) == []


@pytest.mark.needs("mistral-common")
def test_the_library_has_no_bug_against_the_reference(events, summarize, tmp_path):
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps(record()), "utf-8")
    run_events = events(f"mistral:{path}", against=None, families=FAMILIES)
    assert unknown(run_events, summarize) == []
