"""The command of each finding prints the cause, the failing call, its answer and the expected one.

It runs in this process, at the quick profile, and without the processes that protect ``show``.
"""

import shlex

import pytest
from planted import planted_faults

from tokharness.targets import loading

NO_CALL = ("TOK114", "TOK3", "TOK4")
"""Beginnings of the codes of checks whose findings are about many calls, or about no call."""

QUICK = ("--profile", "quick", "--examples", "10", "--jobs", "0")

FAULTS = [fault for fault in planted_faults() if not fault.crashes and fault.profile == "quick"]
FEW = {
    *("byte_fallback_is_off", "drops_lone_surrogates", "batch_sorts_by_length"),
    *("decode_wraps_large_ids", "special_id_decodes_to_its_neighbour"),
}
"""Faults of a text and of an audit, with and without a reference, which need little time."""

OF_EACH_KIND = {
    (fault.code, fault.cause.partition(":")[0]): fault
    for fault in reversed(FAULTS)
    if fault.name not in FEW
}
"""A fault of each kind of cause of each check."""


def parametrized(faults):
    return pytest.mark.parametrize("fault", faults, ids=lambda fault: fault.name)


def assert_shown(fault, findings_of_fault, command, monkeypatch):
    """Run the command of each finding of a fault, and look for what the finding says."""
    monkeypatch.setattr(loading, "guarded_target", loading.load_target)
    findings = findings_of_fault(fault)
    assert findings
    for finding in findings:
        program, name, *words = shlex.split(finding.reproduce)
        assert program == "tokharness"
        outcome = command(name, *words, *(QUICK if name == "check" else ()))
        shown = " ".join(outcome.out.split())
        assert f"{finding.code} {finding.name}: " in shown
        assert str(finding.cause) in shown
        if not finding.code.startswith(NO_CALL):
            assert {"given", "expected"} <= finding.evidence.keys()
            assert "given" in shown
            assert "expected" in shown


@pytest.mark.slow(every=3)
@parametrized([fault for fault in FAULTS if fault.name in FEW])
def test_the_command_of_a_finding_shows_the_call(fault, findings_of_fault, command, monkeypatch):
    assert_shown(fault, findings_of_fault, command, monkeypatch)


@pytest.mark.slow(every=3)
@parametrized(OF_EACH_KIND.values())
def test_the_command_of_each_kind_shows_the_call(fault, findings_of_fault, command, monkeypatch):
    assert_shown(fault, findings_of_fault, command, monkeypatch)
