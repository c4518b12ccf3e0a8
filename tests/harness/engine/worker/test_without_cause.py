"""No failing text is without a cause."""

import pytest

from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import group_by_cause
from tokharness.errors import TargetDeath
from tokharness.model import Cause, target_of
from tokharness.plugins import Check
from tokharness.targets.subject import Subject

FAILING = dict.fromkeys(("a", "b", "c"), "plain-words")
CAUSE = Cause("known")


def no_row(*_):
    return []


def unknown(*_):
    return []


def known(*_):
    return [CAUSE]


def check_of(diagnose, failing=no_row):
    return Check("TOK999", "planted", "", (), (), failing, diagnose, None)


def dies(*_):
    raise TargetDeath("SIGABRT")


def every_row(batch, _):
    return range(len(batch.texts))


@pytest.mark.parametrize(
    ("diagnose", "failing", "kind"),
    [
        (known, every_row, "known"),
        (unknown, every_row, "no cause is known"),
        (None, every_row, "no cause is known"),
        (unknown, no_row, "state"),
        (dies, every_row, "failed, and differently when run again"),
        (unknown, dies, "failed, and differently when run again"),
    ],
)
def test_each_failing_text_is_in_a_group(byte_tokenizer, diagnose, failing, kind):
    subject = Subject(target_of("target", byte_tokenizer()))
    groups = group_by_cause(explain_texts(check_of(diagnose, failing), subject, FAILING))
    assert {member.text for group in groups for member in group.members} == set(FAILING)
    assert {group.cause.kind for group in groups} == {kind}


def test_a_text_that_raises_now_failed_differently(byte_tokenizer):
    def raising(text):
        raise KeyError(text)

    subject = Subject(target_of("target", byte_tokenizer(raising)))
    check = check_of(unknown)
    (group,) = group_by_cause(explain_texts(check, subject, FAILING))
    assert "raises KeyError in encode" in str(group.cause)


def test_a_text_that_fails_at_times_is_state(byte_tokenizer):
    calls = iter(range(100))
    subject = Subject(target_of("target", byte_tokenizer()))
    check = check_of(unknown, lambda *_: [0] * (next(calls) % 2))
    (group,) = group_by_cause(explain_texts(check, subject, FAILING))
    assert group.cause.kind == "state"
