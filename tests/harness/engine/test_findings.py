"""From failing texts to findings."""

import pytest

from tokharness import plugins
from tokharness.engine.findings import diagnosed_findings
from tokharness.errors import TargetDeath
from tokharness.model import target_of
from tokharness.processes.deadly import Deadly
from tokharness.subject import Subject


@pytest.mark.parametrize("code", ["TOK101", "TOK109"])
def test_a_text_that_hangs_when_it_is_asked_about_again_is_not_called_state(byte_tokenizer, code):
    target = byte_tokenizer(deadly=Deadly())

    def hang(text):
        death = TargetDeath("time limit", "no answer")
        target.deadly.add("encode", text, death)
        raise death

    target.encode = hang
    check = plugins.checks()[code]
    subject = Subject(target_of("target", target))
    assert diagnosed_findings([check], subject, {code: {"a text": "plain-words"}}) == {code: []}


def test_a_text_that_does_not_fail_again_is_called_state(byte_tokenizer):
    check = plugins.checks()["TOK101"]
    subject = Subject(target_of("target", byte_tokenizer(deadly=Deadly())))
    (found,) = diagnosed_findings([check], subject, {"TOK101": {"a text": "plain-words"}})["TOK101"]
    assert found.cause.kind == "state"
