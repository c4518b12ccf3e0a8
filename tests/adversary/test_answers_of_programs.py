"""Programs that serve tokenizers, chunkers, parsers and renderers, and answer anything."""

import contextlib
import json

import pytest

from tokharness.boundary.exceptions import ResultTooLongError
from tokharness.chunking import chunker as chunkers
from tokharness.chunking.chunker import Chunker
from tokharness.conversations import other_renderers
from tokharness.conversations.other_renderers import OtherRenderer
from tokharness.conversations.rendering import Request
from tokharness.errors import TargetDeath, TargetError
from tokharness.model import target_of
from tokharness.parsing import parser as parsers
from tokharness.parsing.parser import Parser
from tokharness.parsing.streams import streams
from tokharness.targets.processes import program
from tokharness.targets.processes.program import RestartedProgram
from tokharness.targets.processes.remote import Remote

DEEP = b"[" * 200_000
MANY = b"[" + b"0," * 10**7 + b"0]"
INFINITE = b"1e999"


class Answering:
    """In the place of a process, which gives these lines in turn."""

    load_left = 1.0

    def __init__(self, lines):
        self.lines = iter(lines)

    def call(self, *_):
        return next(self.lines)

    def receive(self, *_):
        return next(self.lines)

    def send(self, *_):
        pass

    def buffered_line(self):
        return None

    def reset_memory_limit(self):
        pass

    def kill(self):
        pass


def line(**record):
    return json.dumps(record).encode()


CHUNKER = line(ops=["split", "windows", "count"])
PARSER = line(takes="text", examples=[], markers=[])
RENDERER = line(version="1")
TOKENIZER = line(ops=["encode", "decode"])


@pytest.fixture
def started(monkeypatch):
    """Return what starts a program of a kind, which then gives these lines."""

    def start(kind, *lines):
        process = Answering(lines)
        monkeypatch.setattr(RestartedProgram, "started", lambda _: process)
        monkeypatch.setattr(RestartedProgram, "_process", process)
        monkeypatch.setattr(other_renderers, "LineProcess", lambda *_, **__: process)
        monkeypatch.setattr(program.Program, "_new_process", lambda *_: process)
        monkeypatch.setattr(program.Program, "_warm_up", lambda *_: None)
        return START[kind](stack)

    with contextlib.ExitStack() as stack:
        yield start


def renderer(stack):
    found = stack.enter_context(OtherRenderer("python:json:loads"))
    found.load("", {})
    return found


START = {
    "chunker": lambda _: Chunker("chunker:json:loads"),
    "parser": lambda _: Parser("parser:json:loads"),
    "renderer": renderer,
    "command": lambda _: Remote(["x"]),
}

BAD_INFOS = {
    "any": [DEEP, MANY, b"\xff", b"null", b"[]", b"5", b"", b'{"results": '],
    "chunker": [line(ops=5), line(ops=["split"], window_options=7), line(ops={"split": 1})],
    "parser": [
        line(takes="text", examples=[], markers=5),
        line(takes="text", examples=5, markers=[]),
        b'{"takes": "ids", "examples": [[%b]], "markers": []}' % INFINITE,
        line(takes="ids", examples=[[1.5]], markers=[]),
        line(takes=[], examples=[], markers=[]),
        line(examples=[], markers=[]),
        line(takes="characters", examples=[], markers=[]),
    ],
    "renderer": [line(failure="no"), line(failure=[1])],
    "command": [line(ops=5), line(ops=True), line(ops="encode"), line(ops=[["encode"]])],
}


@pytest.mark.parametrize("kind", START)
def test_an_info_of_another_shape_is_refused_in_one_sentence(kind, started):
    for answer in (*BAD_INFOS["any"], *BAD_INFOS[kind]):
        with pytest.raises(TargetError) as refused:
            started(kind, answer)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 500


@pytest.mark.parametrize("name", ["n_vocab", "unknown_id"])
def test_a_truth_value_is_not_taken_as_a_number(name, started):
    with pytest.raises(TargetError, match=f"{name} of x is bool; make it an int"):
        target_of("x", started("command", line(ops=["encode", "decode"], **{name: True})))


WINDOW = b'{"results": [[{"ids": [1], "parts": [0], "offsets": [[0, %b]], "mask": [1]}]]}'
ANSWERS = [DEEP, MANY, b"", b"5", b'{"results": 5}', b'{"results": [5]}', line(results=[[[5]]])]


def test_a_chunker_fails_with_what_is_no_answer(started):
    chunker = started("chunker", CHUNKER, *ANSWERS)
    assert {chunker.again("split", "a", 5, 0).failure for _ in ANSWERS} == {"no list of chunks"}
    windows = [WINDOW % INFINITE, WINDOW % b"1.5", line(results=[[{"ids": ["a"]}]]), DEEP]
    chunker = started("chunker", CHUNKER, *windows)
    found = {chunker.again("windows", "a", 5, 0, {}).failure for _ in windows}
    assert found == {"no windows"}


def test_a_parser_fails_with_what_is_no_answer(started):
    bad = [*ANSWERS, line(results=["[" * 200_000]), line(results=["[5]"])]
    for answer in bad:
        parser = started("parser", PARSER, answer)
        assert parser.parse(("a",)).failure == "no list of events"


def test_a_chunker_with_large_answers_is_asked_no_further(started, monkeypatch):
    monkeypatch.setattr(chunkers, "MOST_KEPT", 1500)
    large = line(results=[["a"] * 10])
    chunker = started("chunker", CHUNKER, large, large)
    items = [("a", 5, 0), ("b", 5, 0)]  # sent together
    assert [one.failure for one in chunker.ask_all("split", items)] == ["", "not tried"]
    assert chunker.gave_up


def test_an_answer_of_a_chunker_that_is_too_long_is_none(started, monkeypatch):
    monkeypatch.setattr(chunkers, "MOST_BYTES", 100)
    chunker = started("chunker", CHUNKER, line(results=[["a" * 100]]))
    answer = chunker.again("split", "a", 5, 0)
    assert (answer.failure, answer.message) == (
        "no list of chunks",
        "its answer has 119 bytes, more than 100",
    )


def test_a_parser_with_large_answers_is_asked_no_further(started, monkeypatch):
    monkeypatch.setattr(parsers, "MOST_KEPT", 500)
    large = line(results=[json.dumps([["text", "a" * 500]])])
    parser = started("parser", PARSER, large, large)
    assert [parser.parse((text,)).failure for text in "ab"] == ["", "not tried"]
    assert parser.gave_up


def test_a_parser_fails_with_more_events_than_a_stream_may_have(started, monkeypatch):
    monkeypatch.setattr(parsers, "MOST_VALUES", 100)
    parser = started("parser", PARSER, line(results=[json.dumps([["text", "a"]] * 40)]))
    parsed = parser.parse(("a",))
    assert (parsed.failure, parsed.message) == (
        "no list of events",
        "it has 120 values, more than 100",
    )


@pytest.mark.parametrize("texts", [["a" * (1 << 21)], [str(number) for number in range(1001)]])
@pytest.mark.parametrize("name", ["markers", "examples"])
def test_a_parser_that_declares_too_much_is_refused(name, texts, started):
    info = {"takes": "text", "examples": [], "markers": [], name: texts}
    with pytest.raises(TargetError, match=f"declares 1[,0-9]* {name}: more than 1,000, or "):
        started("parser", line(**info))


def test_a_parser_with_many_markers_has_no_stream_for_each_pair_of_them(started):
    names = [f"<{number}>" for number in range(1000)]
    parser = started("parser", line(takes="text", examples=[], markers=names))
    assert len(streams(parser)) < 50_000


def test_many_events_of_a_field_are_joined_in_the_time_of_their_text(sentence_of):
    rows = [("text", "a" * 20_000)] * 5_000  # joined one by one, they took half a minute
    assert sentence_of(lambda: parsers._joined(rows)) == ""


@pytest.mark.parametrize("answer", [{"text": "a" * 500}, {"text": "", "ids": [2**20] * 50}])
def test_a_renderer_with_large_answers_is_asked_no_further(answer, started, monkeypatch):
    monkeypatch.setattr(other_renderers, "MOST_KEPT", 500)
    large = line(results=[answer])
    found = started("renderer", RENDERER, large, large)
    requests = [Request([{"role": "user", "content": text}], {}) for text in "ab"]
    results = [found.render_all([request])[0].failure for request in requests]
    assert results == ["", "not tried"]
    assert found.is_full


def test_a_text_or_message_of_a_renderer_that_is_too_long_is_not_kept(started, monkeypatch):
    monkeypatch.setattr(other_renderers, "MOST_CHARACTERS", 100)
    answers = [{"text": "a" * 101}, {"failure": "crash", "message": "a" * 10_000}]
    found = started("renderer", RENDERER, *(line(results=[one]) for one in answers))
    requests = [Request([{"role": "user", "content": text}], {}) for text in "ab"]
    long, crash = (found.render_all([request])[0] for request in requests)
    assert (long.text, long.failure, long.message) == (None, "memory limit", "101 characters")
    assert len(crash.message) == 2_000


def test_a_renderer_is_refused_with_what_is_no_answer(started):
    request = Request([{"role": "user", "content": "a"}], {})
    for answer in (*ANSWERS, b'{"results": [{"text": "a", "ids": [%b]}]}' % INFINITE):
        found = started("renderer", RENDERER, answer)
        with pytest.raises(TargetError, match="answers nonsense"):
            found.render_all([request])


def test_a_tokenizer_ends_with_what_is_no_answer(started):
    for answer in (*ANSWERS, b'{"results": [[NaN]]}', b'{"results": [[%b]]}' % INFINITE):
        with pytest.raises(TargetDeath) as death:
            started("command", TOKENIZER, answer).encode("a")
        assert death.value.reason == "nonsense"


LARGE = {
    "encode": ("a", [1] * 300_000),
    "decode": ([1], "a" * 300_000),
    "decode_bytes": ([1], "61" * 300_000),
    "decode_stream": ([1], ["aaa"] * 100_000),
    "encode_with_offsets": ("a", [[1] * 100_000, [[0, 1]] * 100_000]),
}


@pytest.mark.parametrize("op", LARGE)
def test_a_result_of_a_program_has_the_bounds_of_any_tokenizer(op, started):
    item, result = LARGE[op]
    target = started("command", line(ops=[op]), line(results=[result]))
    with pytest.raises(ResultTooLongError, match=f"{op} gives [34]00,00. ids, characters or bytes"):
        getattr(target, op)(item)
