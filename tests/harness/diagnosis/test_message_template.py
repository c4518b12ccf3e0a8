"""The template of an error message has what the library says, and nothing of the text."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.checks.raises import message_template


def templates(make, texts):
    """Return the templates of the messages for some texts once all of them are known."""
    own = Counter()
    for text in texts:
        message_template(make(text), text, own)
    return {message_template(make(text), text, own) for text in texts}


TEXTS = ("the index", "a", "it's", "", "caf\u00e9 au lait", "a `b` c", "no", "bytes of the text")


@pytest.mark.parametrize(
    ("make", "template"),
    [
        (lambda text: f"no rule for {text} in the index", "no rule for ... in the index"),
        (lambda text: f"{text}: not a number", "...: not a number"),
        (lambda text: f"index {len(text)} is inside of `{text}`", "index ... is inside of `...`"),
        (lambda text: f"{text.upper()!r} is unknown", "... is unknown"),
        (lambda text: f"ids {list(text.encode())} are unknown", "ids [...] are unknown"),
    ],
)
def test_messages_that_quote_the_text_have_one_template(make, template):
    texts = [text for text in TEXTS if text]
    assert templates(make, texts) == {template}


def test_a_word_of_the_message_that_is_in_the_text_too_stays():
    own = Counter()
    message_template("index out of range", "a", own)
    assert message_template("index out of range", "the index", own) == "index out of range"


def test_messages_of_different_faults_have_different_templates():
    def make(text):
        return "not a character" if len(text) % 2 else "the table is too small"

    assert len(templates(make, TEXTS)) == 2


@pytest.mark.slow
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_a_message_that_does_not_quote_the_text_has_one_template(texts):
    assert templates(lambda _: "the input is not valid", [*texts, ""]) == {"the input is not valid"}


def test_a_digest_of_the_text_is_left_out():
    def make(text):
        return f"bad input {hashlib.sha256(text.encode()).hexdigest()}"

    assert templates(make, TEXTS) == {"bad input ..."}
