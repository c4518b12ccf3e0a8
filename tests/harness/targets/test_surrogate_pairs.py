"""Surrogate pairs of texts that are sent to a program: JSON makes one character of each."""

import sys

import pytest

from tokharness.escaping import join_surrogate_pairs
from tokharness.targets.processes.remote import Remote

PROGRAM = """
import json, sys

ERRORS = sys.argv[1]

def encode(text):
    return list(text.encode("utf-8", ERRORS))

def decode(ids):
    return bytes(ids).decode("utf-8", ERRORS)

def result(function, item):
    try:
        return function(item)
    except UnicodeError as error:
        return {"error": "surrogates", "type": type(error).__name__}

for line in sys.stdin:
    request = json.loads(line)
    op = request.pop("op")
    answer = {"n_vocab": 256}
    if op != "info":
        (items,) = request.values()
        answer = {"results": [result({"encode": encode, "decode": decode}[op], i) for i in items]}
    print(json.dumps(answer), flush=True)
"""

TEXTS = [
    *("a", "\ud835", "\ude00", "\ud835\ude00", "\ude00\ud835", "a\ud835\ude00", "\ud835"),
    *("\ude00b", "\ud835\ud835\ude00", "\ud835\ude00\ude00", "\U0001d600", "\ud835\ude00\ude00"),
]
"""Alone, in pairs, reversed, and a pair cut by the border of two texts of a batch."""


class InThisProcess:
    """The tokenizer of the program."""

    n_vocab = 256

    def __init__(self, errors):
        self.errors = errors

    def encode(self, text):
        return list(text.encode("utf-8", self.errors))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", self.errors)


@pytest.fixture(scope="module", params=["strict", "surrogatepass"])
def both(request):
    """Return a tokenizer in this process and a program that serves the same one."""
    program = Remote([sys.executable, "-I", "-S", "-c", PROGRAM, request.param])
    yield InThisProcess(request.param), program
    program.close()


@pytest.mark.slow
@pytest.mark.parametrize("code", ["TOK101", "TOK201", "TOK202"])
def test_a_program_and_the_same_tokenizer_in_this_process_do_not_differ(both, check_texts, code):
    for target, reference in (both, both[::-1]):
        assert not check_texts(code, target, TEXTS, reference=reference, claims_parity=True).bugs


@pytest.mark.slow
def test_a_program_is_compared_on_the_text_that_it_gets(both, check_texts, byte_tokenizer):
    _, program = both
    other = byte_tokenizer(before=lambda text: text.replace("\U0001d600", "A"))
    [bug] = check_texts(
        "TOK201", program, ["\ud835\ude00"], reference=other, claims_parity=True
    ).bugs
    assert bug.text in ("\ud835\ude00", "\U0001d600")


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("\ud835\ude00", "\U0001d600"),
        ("\ud835\ud835\ude00\ude00", "\ud835\U0001d600\ude00"),
        ("\ude00\ud835", "\ude00\ud835"),
        ("a\U0001d600", "a\U0001d600"),
    ],
)
def test_only_a_high_surrogate_before_a_low_one_is_joined(text, joined):
    assert join_surrogate_pairs(text) == joined
