"""A handful of the planted faults, found by a campaign of three seconds each.

``tests/benchmarks/fuzz_faults.py`` says how long a campaign takes for each of them all.
"""

import pytest

from tokharness.config import Options
from tokharness.engine.events import Found
from tokharness.engine.fuzz import Budget, fuzz
from tokharness_tokenizers.faulty._planted import planted

SECONDS = 3.0
HANDFUL = (
    *("composes_to_nfkc", "raises_on_new_letters", "ids_are_past_the_end", "offsets_in_bytes"),
    "a_hole_decodes_to_another_token",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "one", [pytest.param(one, id=one.name) for one in planted() if one.name in HANDFUL]
)
def test_a_planted_fault_is_found_in_three_seconds(one, told):
    options = Options(against=one.against, enumerated=False, profile="quick")
    events = fuzz(one.spec, options, Budget(SECONDS), jobs=1)
    found = [event.finding for event in events if isinstance(event, Found)]
    assert any(
        one.code in (finding.code, *finding.also) and str(finding.cause).startswith(one.cause)
        for finding in found
    ), told(found)


def test_the_handful_are_planted_faults_of_different_checks():
    chosen = [one for one in planted() if one.name in HANDFUL]
    assert len({one.code for one in chosen}) == len(chosen) == len(HANDFUL)
