"""TOK105: invalid ids."""

import pytest

CODE = "TOK105"
TEXTS = ("a", "ab", "b", "\u00e9x", "", "\ud800")


class Number:
    """An integer as NumPy has them."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self.value == other


@pytest.fixture
def giving(byte_tokenizer):
    """Make a tokenizer that gives ``wrong`` in place of the id of "b"."""

    def make(wrong, **attributes):
        tokenizer = byte_tokenizer(**attributes)
        plain = tokenizer.encode
        tokenizer.encode = lambda text: [wrong if i == ord("b") else i for i in plain(text)]
        return tokenizer

    return make


@pytest.mark.parametrize("n_vocab", [None, 256])
def test_ids_below_n_vocab_pass(check_texts, byte_tokenizer, n_vocab):
    target = byte_tokenizer(n_vocab=n_vocab)
    assert check_texts(CODE, target, TEXTS, families=("emoji",)) == []


def test_an_id_is_what_python_accepts_as_an_index(check_texts, byte_tokenizer):
    target = byte_tokenizer(n_vocab=256)
    plain = target.encode
    target.encode = lambda text: map(Number, plain(text))
    assert check_texts(CODE, target, TEXTS) == []


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (-1, "negative"),
        (256, "n_vocab or above"),
        (10**30, "n_vocab or above"),
        (98.0, "not an integer: float"),
        (97.0, "not an integer: float"),
        ("98", "not an integer: str"),
        (None, "not an integer: NoneType"),
        (True, "not an integer: bool"),
        ([98], "not an integer: list"),
        (Number(-1), "negative"),
        (Number(256), "n_vocab or above"),
    ],
)
def test_an_invalid_id_is_one_bug_that_names_its_kind(check_texts, giving, wrong, what):
    (bug,) = check_texts(CODE, giving(wrong, n_vocab=256), TEXTS)
    assert (bug.verdict, str(bug.cause), bug.text) == ("bug", f"id: {what}", "b")


def test_without_n_vocab_a_large_id_passes(check_texts, giving):
    assert check_texts(CODE, giving(10**30), TEXTS) == []


def test_two_kinds_of_invalid_ids_are_two_bugs(check_texts, byte_tokenizer):
    target = byte_tokenizer(n_vocab=98)
    plain = target.encode
    target.encode = lambda text: [-1 if i == ord("a") else i for i in plain(text)]
    findings = check_texts(CODE, target, ("a", "b", "ab"))
    assert {str(bug.cause) for bug in findings} == {"id: negative", "id: n_vocab or above"}


def test_the_message_names_the_id_and_the_limit(check_texts, giving):
    (bug,) = check_texts(CODE, giving(300, n_vocab=256), TEXTS)
    assert "300" in bug.message
    assert "256" in bug.message


def test_a_target_that_raises_passes(check_texts, byte_tokenizer):
    def refuse(text):
        raise ValueError(text)

    assert check_texts(CODE, byte_tokenizer(refuse), TEXTS) == []
