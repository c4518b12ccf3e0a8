"""What a reference answered is known again, and only for the same question."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.model import target_of
from tokharness.outcome import Raised
from tokharness.targets import comparison
from tokharness.targets.comparison import Answers, check_answers, pack_answer, unpack_answer

TEXTS = st.text(st.characters(codec=None, categories=("L", "Cs", "Zs", "Cc")))
ROWS = st.lists(st.integers()) | st.lists(st.lists(TEXTS, min_size=2, max_size=2))


class Reference:
    """Knows a text for each even id, and notes what it is asked."""

    def __init__(self):
        self.asked = []

    encode = decode = None

    def reach(self, numbers):
        self.asked.append(numbers)
        if -1 in numbers:
            raise KeyError(-1)
        return [("\ud83d\ude00", "") if number % 2 == 0 else ("", "odd") for number in numbers]

    def merge_orphans(self, numbers):
        return [number for number in numbers if number % 2]


@pytest.fixture
def reference():
    one = Reference()
    one.encode = one.decode = lambda _: []
    return one


def ask(reference, numbers, known=(), method="reach"):
    """Return the answer, and what a later run would know."""
    one = Answers(dict(known))
    return one.ask(target_of("r", reference), method, numbers), one.given


@pytest.mark.slow
@given(ROWS)
def test_an_answer_is_the_same_after_it_was_packed(answer):
    packed = pack_answer(answer)
    assert packed.isascii()
    assert unpack_answer(packed) == answer


def test_many_tokens_are_asked_about_in_calls_of_few(reference, monkeypatch):
    monkeypatch.setattr(comparison, "TOKENS_OF_A_CALL", 2)
    rows, _ = ask(reference, [1, 2, 3, 4, 5])
    assert reference.asked == [[1, 2], [3, 4], [5]]
    assert [text for text, _ in rows] == ["", "\ud83d\ude00", "", "\ud83d\ude00", ""]
    assert isinstance(ask(reference, [1, 2, -1])[0], Raised)
    assert ask(reference, [1, 2, 3], method="merge_orphans")[0] == [1, 3]


def test_the_same_question_is_not_asked_twice(reference):
    first, known = ask(reference, [1, 2])
    second, given_again = ask(reference, [1, 2], known)
    assert len(reference.asked) == 1
    assert [list(row) for row in first] == second == [["", "odd"], ["\ud83d\ude00", ""]]
    assert given_again == known


@pytest.mark.parametrize("numbers", [[2, 1], [1], [1, 2, 3], [12]])
def test_other_ids_are_another_question(reference, numbers):
    _, known = ask(reference, [1, 2])
    answer, _ = ask(reference, numbers, known)
    assert len(answer) == len(numbers)
    assert reference.asked[1:] == [numbers]


def test_another_method_is_another_question(reference):
    _, known = ask(reference, [1, 2])
    assert ask(reference, [1, 2], known, "merge_orphans")[0] == [1]


def test_what_is_raised_is_asked_again(reference):
    assert ask(reference, [-1])[1] == {}


def test_a_long_answer_is_given_and_not_kept(reference, monkeypatch):
    monkeypatch.setattr(comparison, "MOST_PACKED", 20)
    answer, known = ask(reference, [1, 2])
    assert len(answer) == 2
    assert known == {}


@pytest.mark.parametrize("answer", [None, "text", [1.5], [True], [["a"]], [["a", 1]], {"a": 1}])
def test_something_else_is_not_kept(answer):
    assert pack_answer(answer) == ""


def _encoded(data):
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    "packed",
    [
        "",
        "?",
        "\u00e9",
        _encoded(b"[]"),
        _encoded(zlib.compress(b"{}")),
        _encoded(zlib.compress(b"[[[]]]")),
        _encoded(zlib.compress(b"[" * 100_000)),
        _encoded(zlib.compress(b"[]") + b"more"),
        _encoded(zlib.compress(b"[]")[:-1]),
        _encoded(zlib.compress(b"[" + b" " * comparison.MOST_BYTES + b"]")),
    ],
    ids=lambda packed: packed[:20],
)
def test_what_is_no_packed_answer_is_refused(packed):
    with pytest.raises(ValueError, match="an answer of the reference"):
        unpack_answer(packed)


def test_a_question_of_another_form_is_refused():
    with pytest.raises(ValueError, match="a question"):
        check_answers({"reach": pack_answer([])})
