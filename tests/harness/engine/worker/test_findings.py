"""From failing texts to findings."""

import contextlib

import pytest

from tokharness import plugins
from tokharness.engine.worker.findings import diagnose_failures
from tokharness.errors import TargetDeath
from tokharness.model import target_of
from tokharness.targets.processes.crashers import Crashers
from tokharness.targets.subject import Subject


@pytest.mark.parametrize("code", ["TOK101", "TOK109"])
def test_a_text_that_hangs_when_it_is_asked_about_again_is_not_called_state(byte_tokenizer, code):
    target = byte_tokenizer(deadly=Crashers())

    def hang(text):
        death = TargetDeath("time limit", "no answer")
        target.deadly.add("encode", text, death)
        raise death

    target.encode = hang
    check = plugins.checks()[code]
    subject = Subject(target_of("target", target))
    assert diagnose_failures([check], subject, {code: {"a text": "plain-words"}}) == {code: []}


def test_a_text_that_does_not_fail_again_is_called_state(byte_tokenizer):
    check = plugins.checks()["TOK101"]
    subject = Subject(target_of("target", byte_tokenizer(deadly=Crashers())))
    (found,) = diagnose_failures([check], subject, {"TOK101": {"a text": "plain-words"}})["TOK101"]
    assert found.cause.kind == "state"


class _Impatient:
    """Hangs on ten marks and more; on five when it has hung before, as far as one waits then."""

    def __init__(self):
        self.deadly, self.least = Crashers(), 5

    def encode(self, text):
        if text.count("\u0301") >= self.least:
            raise TargetDeath("time limit", "no answer")
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids).decode()

    @contextlib.contextmanager
    def fresh(self):
        self.least = 10
        yield
        self.least = 5


def test_a_hang_is_told_with_a_text_that_hangs_with_all_of_its_time():
    check = plugins.checks()["TOK104"]
    subject = Subject(target_of("target", _Impatient()))
    failing = {"\u0301" * length: "combining-stacks" for length in (6, 7, 8, 16)}
    (found,) = diagnose_failures([check], subject, {"TOK104": failing})["TOK104"]
    assert (str(found.cause), found.text) == ("hang: encode", "\u0301" * 10)


def test_a_hang_that_no_text_shows_with_all_of_its_time_is_state():
    check = plugins.checks()["TOK104"]
    subject = Subject(target_of("target", _Impatient()))
    failing = {"\u0301" * length: "combining-stacks" for length in (6, 7)}
    (found,) = diagnose_failures([check], subject, {"TOK104": failing})["TOK104"]
    assert found.cause.kind == "state"
