"""Results of cases that differ from the digests of a baseline fail a gate, whatever it allows."""

from dataclasses import replace

import pytest

from tokharness.changes import CASES
from tokharness.config import Options
from tokharness.engine.events import DigestsTaken, FamilyFinished
from tokharness.gate import Rules, evaluate_gate
from tokharness.gate.acceptances import accept_changes
from tokharness.targets.digests import digest_of
from tokharness.targets.packed_digests import pack
from tokharness.targets.snapshot import ChangedText

TEXTS = [f"text {number}" for number in range(50)]
IDS = [[number] for number in range(50)]


def taken(ids=IDS, texts=TEXTS, changed=()):
    units = {
        ("digits", 0): pack(digest_of(texts, ids)),
        ("emoji", 0): pack(digest_of(["a"], [[1]])),
    }
    return DigestsTaken("target", units, tuple(changed))


def changed_ids(*numbers):
    return [[*one, 7] if number in numbers else one for number, one in enumerate(IDS)]


@pytest.fixture
def gate_of(make_target, make_baseline, today):
    def gate(digests, known=None, fail_on="never"):
        before = make_baseline(replace(make_target(), digests=taken())) if known is None else known
        now = replace(make_target(), digests=digests)
        options = Options(profile="quick")
        return evaluate_gate(now, before, options, Rules(fail_on=fail_on), today, file="file")

    return gate


def test_the_same_results_are_no_change(gate_of):
    assert gate_of(taken()).changes == ()


def test_other_ids_fail_whatever_findings_fail(gate_of):
    shown = ChangedText("digits", "text 3", None, (3, 7))
    (change,) = gate_of(taken(changed_ids(3), changed=[shown])).failing
    assert (change.kind, change.what, change.count) == ("changed-ids", CASES, 1)
    assert "1 text of the run has different ids" in change.message
    assert "1 of digits" in change.message
    assert [example.text for example in change.examples] == ["text 3"]


def test_a_worker_that_shows_no_text_hides_no_change(gate_of):
    assert len(gate_of(taken(changed_ids(3))).failing) == 1


def test_other_texts_are_no_change_by_themselves(gate_of):
    assert gate_of(taken(texts=[*TEXTS[:-1], "another"])).changes == ()


def test_a_family_that_ran_without_digests_fails(make_target, make_baseline, today):
    before = make_baseline(replace(make_target(), digests=taken()))
    ran = (FamilyFinished("target", "digits", 50, 0),)
    now = replace(make_target(), digests=DigestsTaken("target", {}), families=ran)
    result = evaluate_gate(now, before, Options(profile="quick"), Rules(), today, file="file")
    assert [change.kind for change in result.failing] == ["check-not-run"]


def test_an_accepted_change_is_accepted_as_it_is(gate_of, make_target, make_baseline, today):
    before = make_baseline(replace(make_target(), digests=taken()))
    failing = gate_of(taken(changed_ids(3))).failing
    accepted = accept_changes(before, failing, "meant", today)
    assert gate_of(taken(changed_ids(3)), accepted).failing == ()
    assert gate_of(taken(changed_ids(4)), accepted).failing != ()
