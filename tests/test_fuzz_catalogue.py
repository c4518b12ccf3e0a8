"""A fuzzing campaign of a thousand texts, about a second, finds each of some planted faults.

``tests/benchmarks/fuzz_faults.py`` measures how long a campaign takes for each planted fault.
"""

import pytest
from planted import planted_faults

from tokharness.config import Options
from tokharness.engine.events import FindingReported
from tokharness.engine.fuzz import Budget, fuzz

TEXTS = 1000
NAMES = (
    *("composes_to_nfkc", "raises_on_new_letters", "ids_are_past_the_end", "offsets_in_bytes"),
    "a_hole_decodes_to_another_token",
)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, id=fault.name) for fault in planted_faults() if fault.name in NAMES],
)
def test_a_planted_fault_is_found_in_a_thousand_texts(fault, summarize):
    options = Options(against=fault.against, enumerated=False, profile="quick")
    events = fuzz(fault.spec, options, Budget(texts=TEXTS), jobs=0)
    findings = [event.finding for event in events if isinstance(event, FindingReported)]
    assert any(
        fault.code in (finding.code, *finding.other_checks)
        and str(finding.cause).startswith(fault.cause)
        for finding in findings
    ), summarize(findings)


def test_these_faults_have_different_checks():
    faults = [fault for fault in planted_faults() if fault.name in NAMES]
    assert len({fault.code for fault in faults}) == len(faults) == len(NAMES)
