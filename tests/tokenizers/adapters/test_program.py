"""A program of any language as a target; what it does wrong is told as what it is."""

import shlex
import sys

import pytest

from tokharness.errors import TargetDeath, TargetError
from tokharness.targets.processes.limits import CURRENT, Limits
from tokharness_tokenizers.adapters import program

RIGHT = """
import json, sys
INFO = {"name": "bytes", "n_vocab": 256, "special_tokens": {"<s>": 255}, "normalizer": "NFC",
        "ops": ["token_bytes", "encode_special", "encode_batch", "normalize"]}
def ids(text):
    return list(text.encode("utf-8", "surrogatepass"))
def answer(question):
    op = question["op"]
    if op == "info":
        return INFO
    if op == "decode":
        return {"results": [{"bytes": bytes(one).hex()} for one in question["ids"]]}
    if op == "token_bytes":
        return {"results": [bytes([one]).hex() if one < 250 else None for one in question["ids"]]}
    if op == "normalize":
        return {"results": [text.upper() for text in question["texts"]]}
    return {"results": [one(text) for text in question["texts"]]}
def one(text):
    if text == "raise":
        return {"error": "no", "type": "ValueError"}
    if text == "panic":
        return {"error": "no", "panic": True}
    if text == "memory":
        return {"error": "no", "type": "MemoryError"}
    CHANGES
    return ids(text)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
"""


@pytest.fixture
def load(tmp_path):
    """Load a program in Python; the lines given are put where it makes ids of ``text``."""
    loaded = []
    token = CURRENT.set(Limits(seconds=1.0))

    def make(changes="", code=RIGHT):
        path = tmp_path / "a program.py"
        path.write_text(code.replace("CHANGES", changes or "pass"))
        loaded.append(program.load(shlex.join([sys.executable, str(path)])))
        return loaded[-1]

    yield make
    CURRENT.reset(token)
    for one in loaded:
        one.close()


def test_it_says_what_it_is(load):
    target = load()
    assert (target.name, target.n_vocab, target.normalizer) == ("bytes", 256, "NFC")
    assert target.special_tokens == {"<s>": 255}


def test_texts_go_there_and_back(load):
    target = load()
    assert target.encode("a\u00e9") == [0x61, 0xC3, 0xA9]
    assert target.decode([0xC3, 0xA9]) == "\u00e9".encode()


def test_it_has_the_methods_of_its_operations_and_no_others(load):
    target = load()
    assert target.decode_single_token_bytes(0x61) == b"a"
    assert target.encode_batch(["a", "b"]) == [[0x61], [0x62]]
    assert target.encode_special("a") == [0x61]
    assert target.normalize("a") == "A"
    assert not hasattr(target, "encode_ordinary")


def test_a_token_without_bytes_is_a_key_error(load):
    with pytest.raises(KeyError):
        load().decode_single_token_bytes(251)


def test_a_lone_surrogate_travels(load):
    assert load().encode("\ud800") == [0xED, 0xA0, 0x80]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("raise", Exception, "ValueError"),
        ("panic", BaseException, "Error"),
        ("memory", MemoryError, "MemoryError"),
    ],
)
def test_what_it_raises_is_raised(load, text, kind, name):
    with pytest.raises(kind, match="no") as raised:
        load().encode(text)
    assert raised.type.__name__ == name
    assert issubclass(raised.type, Exception) is (text != "panic")


WRONG = {
    "no JSON": ("print('oops')", "no JSON: oops"),
    "no object": ("print('[1]')", "no object: [1]"),
    "an object without results": ("print('{}')", 'without a list of "results": {}'),
    "too few results": ("""print('{"results": []}')""", "with 0 results for 1"),
    "floats": ("""print('{"results": [[1.5]]}')""", "results of another kind"),
    "a text": ("""print('{"results": ["a"]}')""", "results of another kind"),
    "true": ("""print('{"results": [[true]]}')""", "results of another kind"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_nonsense_is_told_and_the_next_text_is_answered(load, wrong):
    change, told = WRONG[wrong]
    target = load(f"if text == 'x': {change}")
    with pytest.raises(TargetDeath) as died:
        target.encode("x")
    assert died.value.how == "nonsense"
    assert told in died.value.words
    assert target.encode("a") == [0x61]


def test_an_answer_before_the_question_is_told(load):
    target = load("if text == 'x':\n        print(json.dumps({'results': [[1]]}), flush=True)")
    assert target.encode("x") == [1]
    answers = (target.encode("a") for _ in range(1_000_000))  # until the second line has come
    with pytest.raises(TargetDeath, match="before it was asked"):
        list(answers)


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ("import os; os.abort()", "SIGABRT"),
        ("sys.exit('gone')", "exit code 1"),
        ("import time; time.sleep(1000)", "time limit"),
    ],
)
def test_the_death_of_one_text_leaves_the_others(load, change, how):
    target = load(f"if text == 'x': {change}")
    a, x, b = target.column_of_each("encode", ["a", "x", "b"])
    assert (a, b) == ([0x61], [0x62])
    assert isinstance(x, TargetDeath)
    assert x.how == how


def test_a_column_that_is_not_to_be_careful_raises_the_death(load):
    with pytest.raises(TargetDeath):
        load("if text == 'x': sys.exit()").column("encode", ["a", "x"])


def test_a_fresh_process_knows_no_death_and_afterwards_it_is_known_again(load, tmp_path):
    mark = tmp_path / "mark"
    target = load(
        f"import pathlib\n    mark = pathlib.Path({str(mark)!r})\n"
        "    if text == 'x' and not mark.exists(): mark.touch(); sys.exit()"
    )
    with pytest.raises(TargetDeath):
        target.encode("x")
    with target.fresh():
        assert target.encode("x") == [0x78]
    with pytest.raises(TargetDeath):
        target.encode("x")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("", "cannot be loaded: its process ended with exit code 0"),
        ("raise SystemExit('no model')", "its process ended with exit code 1: no model"),
        ("print('ready', flush=True); input()", "no JSON: ready"),
        ("print('[]', flush=True); input()", "no object"),
        ("""print('{"error": "no model"}', flush=True); input()""", "no model"),
    ],
)
def test_a_program_that_does_not_say_what_it_is_is_a_target_error(load, code, told):
    with pytest.raises(TargetError, match=told.replace("[", r"\[")):
        load(code=code)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "names no program"),
        ("'open", "not quoted"),
        ("/no/such/program", "cannot start /no/such/program: No such file"),
    ],
)
def test_words_that_name_no_program_are_a_target_error(words, told):
    with pytest.raises(TargetError, match=told):
        program.load(words)
