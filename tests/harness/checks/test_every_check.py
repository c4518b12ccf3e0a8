"""What the engine expects of every check."""

import pytest

from tokharness import plugins
from tokharness.engine.worker.batch_columns import observe
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine

WITH_ROWS = [check for check in plugins.checks().values() if check.failing]


@pytest.fixture(scope="module")
def subject():
    """A target with every optional method, and a reference."""
    target = target_of("reference", reference_target.load("embedded"))
    return Subject(target, target_of("tiktoken:embedded", tiktoken_engine.load("embedded")))


@pytest.mark.parametrize("check", WITH_ROWS, ids=lambda check: check.code)
@pytest.mark.parametrize("recheck_every", [0, 1, 3])
@pytest.mark.parametrize("columns", [(), ("decoded", "reference_ids")])
def test_a_check_has_no_failing_rows_on_a_correct_target(check, recheck_every, columns, subject):
    texts = ["a", "\u4e2d\u6587", "\U0001f600", "<|endoftext|>", "\ud800"]
    wanted = {*columns, *check.columns}
    batch = observe(subject, "family", texts, columns=wanted, recheck_every=recheck_every)
    rows = [texts[row] for row in check.failing(batch, subject)]
    assert not [text for text in rows if text != "\ud800"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [str, lambda _: None, lambda i: [i]])
@pytest.mark.parametrize("code", [check.code for check in WITH_ROWS if not check.requires])
def test_invalid_ids_are_no_bug_of_another_check_and_no_internal_error(
    check_texts, byte_tokenizer, code, kind
):
    target = byte_tokenizer(n_vocab=256)
    encode, decode = target.encode, target.decode

    def number(value):
        return int(value[0] if isinstance(value, tuple | list) else value or 0)

    target.encode = lambda text: list(map(kind, encode(text)))
    target.decode = lambda ids: decode(list(map(number, ids)))
    bugs = check_texts(code, target, ("a", "ab", "\u00e9x", "")).bugs
    assert {bug.code for bug in bugs} <= {"TOK101", "TOK105"}
