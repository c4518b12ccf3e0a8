"""``tokharness.parity``: forms of one tokenizer as data."""

import json

import pytest

import tokharness
from tokharness import UnknownNameError, UsageError


@pytest.fixture(scope="module", name="report")
def _report():
    return tokharness.parity(
        "reference", "tiktoken:embedded", families="digits", examples=0, jobs=0
    )


@pytest.mark.slow
def test_two_engines_of_one_vocabulary_are_in_parity(report):
    assert report.ok
    assert not report.causes
    assert {one.state for one in report.cells} == {"same"}
    assert repr(report) == "<ParityReport of 2 forms, causes: 0>"


@pytest.mark.slow
def test_it_is_plain_data_and_text(report, tmp_path):
    assert [one["spec"] for one in report.to_dict()["forms"]] == ["reference", "tiktoken:embedded"]
    assert "in parity" in str(report)
    report.save(tmp_path / "p.json")
    assert json.loads((tmp_path / "p.json").read_text()) == report.to_dict()
    with pytest.raises(UnknownNameError):
        report.save(tmp_path / "p.junit")


def test_fewer_than_two_targets_are_refused():
    with pytest.raises(UsageError, match="at least two different targets"):
        tokharness.parity("reference")
