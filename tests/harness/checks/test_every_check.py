"""What every check owes the engine."""

import pytest

from tokharness import plugins
from tokharness.engine.observing import observe
from tokharness.model import target_of
from tokharness.subject import Subject
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine

WITH_ROWS = [check for check in plugins.checks().values() if check.failing]


@pytest.fixture(scope="module")
def subject():
    """A target with every optional method, and a reference."""
    target = target_of("reference", reference_target.load("embedded"))
    return Subject(target, target_of("tiktoken:embedded", tiktoken_engine.load("embedded")))


@pytest.mark.parametrize("check", WITH_ROWS, ids=lambda check: check.code)
@pytest.mark.parametrize("step", [0, 1, 3])
@pytest.mark.parametrize("columns", [(), ("decoded", "reference_ids")])
def test_a_check_is_silent_on_healthy_rows_whatever_is_sampled(check, step, columns, subject):
    texts = ["a", "\u4e2d\u6587", "\U0001f600", "<|endoftext|>", "\ud800"]
    wanted = {*columns, *check.columns}
    batch = observe(subject, "family", texts, columns=wanted, step=step)
    rows = [texts[row] for row in check.failing(batch, subject)]
    assert not [text for text in rows if text != "\ud800"]
