"""A text that fails only after earlier texts has the cause state, also in the command's process."""

import pytest

from tokharness.model import Verdict

FEW = {"families": ("emoji", "plain-words"), "select": ("TOK101", "TOK201")}


@pytest.mark.slow
def test_a_flag_that_is_never_reset_is_state_and_no_normalizer(check_spec):
    findings = check_spec(
        "python:planted.state:lowercases_after_emoji", against="tiktoken:embedded", **FEW
    )
    assert [str(bug.cause) for bug in findings if bug.verdict is Verdict.BUG] == ["state"]


@pytest.mark.slow
def test_a_fault_of_the_text_itself_stays_one(check_spec):
    findings = check_spec(
        "python:planted.letter_case:folds_case", against="tiktoken:embedded", **FEW
    )
    kinds = {bug.cause.kind for bug in findings.bugs}
    assert kinds
    assert "state" not in kinds
