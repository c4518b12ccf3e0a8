"""A program in any language as a target, and the errors of such a program."""

import shlex
import sys
from pathlib import Path

import pytest

from tokharness.errors import TargetDeath, TargetError
from tokharness.targets.processes.limits import CURRENT_LIMITS, Limits
from tokharness_tokenizers.adapters import program

PROGRAM = """
import json, sys
INFO = {"name": "bytes", "n_vocab": 256, "special_tokens": {"<s>": 255}, "normalizer": "NFC",
        "ops": ["token_bytes", "encode_special", "encode_batch", "normalize"]}
def ids(text):
    return list(text.encode("utf-8", "surrogatepass"))
def respond(request):
    op = request["op"]
    if op == "info":
        return INFO
    if op == "decode":
        return {"results": [{"bytes": bytes(ids).hex()} for ids in request["ids"]]}
    if op == "token_bytes":
        return {"results": [bytes([n]).hex() if n < 250 else None for n in request["ids"]]}
    if op == "normalize":
        return {"results": [text.upper() for text in request["texts"]]}
    return {"results": [encode(text) for text in request["texts"]]}
def encode(text):
    if text == "raise":
        return {"error": "no", "type": "ValueError"}
    if text == "panic":
        return {"error": "no", "panic": True}
    if text == "memory":
        return {"error": "no", "type": "MemoryError"}
    CHANGES
    return ids(text)
for line in sys.stdin:
    print(json.dumps(respond(json.loads(line))), flush=True)
"""


@pytest.fixture
def load(tmp_path):
    """Load a Python program; ``changes`` are lines that run before it encodes ``text``."""
    remotes = []
    token = CURRENT_LIMITS.set(Limits(seconds=1.0))

    def make(changes="", code=PROGRAM):
        path = tmp_path / "a program.py"
        path.write_text(code.replace("CHANGES", changes or "pass"))
        remotes.append(program.load(shlex.join([sys.executable, str(path)])))
        return remotes[-1]

    yield make
    CURRENT_LIMITS.reset(token)
    for remote in remotes:
        remote.close()


def test_attributes_are_those_of_info(load):
    target = load()
    assert (target.name, target.n_vocab, target.normalizer) == ("bytes", 256, "NFC")
    assert target.special_tokens == {"<s>": 255}


def test_encode_and_decode(load):
    target = load()
    assert target.encode("a\u00e9") == [0x61, 0xC3, 0xA9]
    assert target.decode([0xC3, 0xA9]) == "\u00e9".encode()


def test_it_has_the_methods_of_its_operations_only(load):
    target = load()
    assert target.decode_single_token_bytes(0x61) == b"a"
    assert target.encode_batch(["a", "b"]) == [[0x61], [0x62]]
    assert target.encode_special("a") == [0x61]
    assert target.normalize("a") == "A"
    assert not hasattr(target, "encode_ordinary")


def test_a_token_without_bytes_is_a_key_error(load):
    with pytest.raises(KeyError):
        load().decode_single_token_bytes(251)


def test_a_lone_surrogate_is_encoded(load):
    assert load().encode("\ud800") == [0xED, 0xA0, 0x80]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("raise", Exception, "ValueError"),
        ("panic", BaseException, "Error"),
        ("memory", MemoryError, "MemoryError"),
    ],
)
def test_an_error_is_raised_with_its_type(load, text, kind, name):
    with pytest.raises(kind, match="no") as raised:
        load().encode(text)
    assert raised.type.__name__ == name
    assert issubclass(raised.type, Exception) is (text != "panic")


INVALID = {
    "not JSON": ("print('oops')", "text that is not JSON: oops"),
    "not an object": ("print('[1]')", "JSON that is not an object: [1]"),
    "an object without results": ("print('{}')", 'without a list of "results": {}'),
    "too few results": ("""print('{"results": []}')""", "with 0 results for 1"),
    "floats": ("""print('{"results": [[1.5]]}')""", "results of another type"),
    "a text": ("""print('{"results": ["a"]}')""", "results of another type"),
    "true": ("""print('{"results": [[true]]}')""", "results of another type"),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_response_is_a_death_and_the_next_text_is_encoded(load, name):
    change, message = INVALID[name]
    target = load(f"if text == 'x': {change}")
    with pytest.raises(TargetDeath) as died:
        target.encode("x")
    assert died.value.reason == "nonsense"
    assert message in died.value.detail
    assert target.encode("a") == [0x61]


def test_a_response_before_the_request_is_a_death(load):
    target = load("if text == 'x':\n        print(json.dumps({'results': [[1]]}), flush=True)")
    assert target.encode("x") == [1]
    responses = (target.encode("a") for _ in range(1_000_000))  # until the second line arrives
    with pytest.raises(TargetDeath, match="before the request"):
        list(responses)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("import os; os.abort()", "SIGABRT"),
        ("sys.exit('gone')", "exit code 1"),
        ("import time; time.sleep(1000)", "time limit"),
    ],
)
def test_the_death_of_one_text_does_not_affect_the_others(load, change, reason):
    target = load(f"if text == 'x': {change}")
    a, x, b = target.call_each("encode", ["a", "x", "b"])
    assert (a, b) == ([0x61], [0x62])
    assert isinstance(x, TargetDeath)
    assert x.reason == reason


def test_call_batch_raises_the_death(load):
    with pytest.raises(TargetDeath):
        load("if text == 'x': sys.exit()").call_batch("encode", ["a", "x"])


@pytest.mark.slow
def test_a_fresh_process_forgets_deaths_within_its_block_only(load, tmp_path):
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
    ("code", "message"),
    [
        ("", "cannot be loaded: its process ended with exit code 0"),
        ("raise SystemExit('no model')", "its process ended with exit code 1: no model"),
        ("print('ready', flush=True); input()", "text that is not JSON: ready"),
        ("print('[]', flush=True); input()", "JSON that is not an object"),
        ("""print('{"error": "no model"}', flush=True); input()""", "no model"),
    ],
)
def test_a_program_without_valid_info_is_a_target_error(load, code, message):
    with pytest.raises(TargetError, match=message.replace("[", r"\[")):
        load(code=code)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("", "has no program"),
        ("'open", "not quoted"),
        ("/no/such/program", "cannot start the program /no/such/program: No such file"),
    ],
)
def test_an_invalid_command_is_a_target_error(rest, message):
    with pytest.raises(TargetError, match=message):
        program.load(rest)


COUNTS = """global counter
    counter = globals().get("counter", 0) + 1
    return [counter]"""
"""It encodes one text when it starts."""


def test_a_call_returns_what_was_fetched_for_its_text_once(load):
    remote = load(COUNTS)
    remote.fetch("encode", ["a", "b"])
    first, again = remote.encode("a"), remote.encode("a")
    assert [remote.encode("b"), first, again] == [[3], [2], [4]]


def test_a_decoded_text_that_was_fetched_is_returned_once_for_each_text_with_its_ids(load):
    remote = load('if text.startswith("u"): text = "u"')
    remote.fetch("encode", ["u1", "u2", "raise"], decoded=True)
    ids = remote.encode("u1")
    sent = []
    remote._send = lambda op, items: sent.append((op, items)) or [b"sent"]
    assert [remote.decode(ids) for _ in range(3)] == [b"u", b"u", b"sent"]
    assert sent == [("decode", [ids])]


def test_an_exception_that_was_fetched_is_raised(load):
    remote = load()
    remote.fetch("encode", ["a", "raise"])
    assert remote.encode("a") == [97]
    with pytest.raises(Exception, match=r"^no$"):
        remote.encode("raise")


def test_a_fresh_process_is_asked_for_what_was_fetched(load):
    remote = load(COUNTS)
    remote.fetch("encode", ["a", "b"])
    with remote.fresh():
        assert remote.encode("b") == [2]


def test_texts_that_cannot_be_fetched_are_called(load):
    remote = load('if text == "die": sys.exit(3)')
    remote.fetch("encode", ["a", "die"])
    assert remote.encode("a") == [97]
    with pytest.raises(TargetDeath, match="exit code 3"):
        remote.encode("die")


@pytest.mark.slow
@pytest.mark.parametrize(("deaths", "fetched"), [(2, True), (3, False)])
def test_texts_are_fetched_until_three_requests_ended_the_process(load, deaths, fetched):
    remote = load('if text == "die": sys.exit(3)')
    for _ in range(deaths):
        remote.fetch("encode", ["die"])
    remote.fetch("encode", ["a"])
    remote.close()
    remote._send = lambda *_: [["sent"]]
    assert remote.encode("a") == ([97] if fetched else ["sent"])


def test_a_text_above_a_known_limit_is_taken_to_end_the_process_as_others_did(load):
    remote = load("if len(text) > 9: return [1]")
    remote.set_crashers([["encode", "a" * 12, "SIGABRT", ""], ["limit", 9, "length", ""]])
    with pytest.raises(TargetDeath, match="SIGABRT"):
        remote.encode("b" * 10)
    with remote.fresh():
        assert remote.encode("b" * 10) == [1]


@pytest.mark.parametrize(
    ("name", "content", "mode", "expected"),
    [
        ("serve", b"#!/bin/sh\n", 0o755, "PATH"),
        ("a program", b"\x7fELF", 0o755, "PATH"),
        ("serve", b"#!/bin/sh\n", 0o644, None),
        ("vocab.txt", b"[UNK]\n", 0o755, None),  # as all files of some file systems
        ("served.py", b"import sys\nsys.stdin\n", 0o644, "python PATH"),
        ("made.py", b"def make(): ...\n", 0o644, None),
        ("serve it.mjs", b"", 0o644, "node PATH"),
    ],
)
def test_a_program_is_recognized_with_the_command_that_runs_it(
    tmp_path, name, content, mode, expected
):
    path = tmp_path / name
    path.write_bytes(content)
    path.chmod(mode)
    found = program.recognize(path)
    assert found == (expected and expected.replace("PATH", shlex.quote(str(path))))


def test_a_program_of_this_folder_is_not_looked_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("serve")
    path.write_bytes(b"#!/bin/sh\n")
    path.chmod(0o755)
    assert program.recognize(path) == "./serve"
    assert program.recognize(Path()) is None
