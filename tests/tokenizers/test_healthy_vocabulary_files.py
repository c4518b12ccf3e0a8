"""Small vocabulary files have no bug, with the reference and with the library."""

import json

import pytest
from planted import _subword_nmt_codes, _tekken_records

from tokharness.engine.events import FindingReported
from tokharness.model import Verdict

FAMILIES = ("plain-words", "special-tokens")
KNOWN_RISKS = {"TOK303"}
"""A small vocabulary has no tokens for most characters."""

MODULES = {"mistral": _tekken_records, "subword-nmt": _subword_nmt_codes}
"""The small file of each scheme, and its tokenizer."""

FILES = {
    "mistral": lambda: json.dumps(_tekken_records.record()),
    "subword-nmt": _subword_nmt_codes.file,
}
needs = {"mistral": "mistral-common", "subword-nmt": "subword-nmt"}


def bugs_and_risks(run_events, summarize):
    found = (event.finding for event in run_events if isinstance(event, FindingReported))
    return summarize(
        one
        for one in found
        if one.verdict in (Verdict.BUG, Verdict.RISK) and one.code not in KNOWN_RISKS
    )


@pytest.mark.slow
@pytest.mark.parametrize("scheme", MODULES)
def test_the_reference_has_no_bug_against_itself(scheme, events, summarize):
    spec = MODULES[scheme].HEALTHY
    run_events = events(spec, against=spec, families=FAMILIES)
    assert bugs_and_risks(run_events, summarize) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "scheme", [pytest.param(name, marks=pytest.mark.needs(needs[name])) for name in FILES]
)
def test_the_library_has_no_bug_against_the_reference(scheme, events, summarize, tmp_path):
    path = tmp_path / "file"
    path.write_text(FILES[scheme](), "utf-8")
    run_events = events(f"{scheme}:{path}", against=None, families=FAMILIES)
    assert bugs_and_risks(run_events, summarize) == []
