"""``tokharness train``: a vocabulary file from a corpus, for tiktoken and the checks."""

import errno
import json
import os
import pty
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe

from tokharness import plugins
from tokharness.corpora import files as corpus_texts
from tokharness.corpora.files import Corpus, expand_files
from tokharness.training import TrainingResult

WORDS = "the cat, the hat; the bat\n" * 40
SIZE = ("--vocab-size", "262")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with a text file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text(WORDS)
    return tmp_path


@pytest.fixture
def train(folder, command):
    """Run ``tokharness train``, which writes ``out.tiktoken`` by default."""
    return lambda *words: command("train", *SIZE, "--out", "out.tiktoken", *words)


@pytest.fixture
def corpus(folder, monkeypatch, train):
    """Return the texts that the trainer gets for some arguments."""

    def texts_of(*words):
        received = []

        def trainer(texts, path, training, progress):
            received.extend(texts)
            return TrainingResult(262, 0, 1)

        adapters = plugins.adapters()
        reference = adapters["reference"]
        trainers = reference.trainers()
        trainers = {**trainers, "byte-bpe": replace(trainers["byte-bpe"], train=trainer)}
        fake = {"reference": replace(reference, trainers=lambda: trainers)}
        with monkeypatch.context() as patch:
            patch.setattr(plugins, "adapters", lambda: {**adapters, **fake})
            assert train(*words).code == 0
        return received

    return texts_of


def written(path="out.tiktoken"):
    return json.loads(Path(f"{path}.json").read_text())


def test_tiktoken_loads_the_file_and_agrees_with_the_reference(train, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # no cached copies
    outcome = train("words.txt", "--special-token", "<|end|>", "--pattern", "cl100k")
    assert outcome.code == 0, outcome.err
    assert outcome.out == ""
    side = written()
    engine = tiktoken.Encoding(
        side["name"],
        pat_str=side["pattern"],
        mergeable_ranks=load_tiktoken_bpe("out.tiktoken"),
        special_tokens=side["special_tokens"],
    )
    reference = plugins.adapters()["reference"].load("out.tiktoken")
    text = "the bath that, 123 \U0001f600 the<|end|>"
    assert engine.encode_ordinary(text) == reference.encode_ordinary(text)
    assert engine.encode(text, allowed_special="all")[-1] == 262
    assert engine.encode(" the") == [reference.ranks[b" the"]]


@pytest.mark.slow
def test_the_trained_vocabulary_passes_the_checks(train, command):
    assert train("words.txt").code == 0
    outcome = command("check", "tiktoken:out.tiktoken", "--family", "plain-words", "--jobs", "0")
    assert outcome.code == 0, outcome.out


def test_the_summary_has_files_cost_and_next_command(train):
    message = train("words.txt", "--special-token", "<a>").err.splitlines()
    assert message[0].startswith(
        "wrote out.tiktoken and out.tiktoken.json: 262 tokens and 1 special"
    )
    assert f"{len(WORDS):,} bytes" in message[0]
    assert "peak memory" in message[0]
    assert message[1:] == ["next: tokharness fuzz tiktoken:out.tiktoken"]


def test_the_side_file_has_the_training_options(train):
    train("words.txt", "--name", "mine", "--unicode-version", "15.0")
    side = written()
    assert (side["name"], side["unicode_version"]) == ("mine", "15.0")
    assert side["made"]["by"] == "tokharness train"
    assert side["made"]["corpus_bytes"] == len(WORDS)
    assert side["made"]["vocab_size"] == 262


def test_the_file_does_not_depend_on_the_jobs(train):
    files = []
    for jobs in ("1", "2"):
        train("words.txt", "--jobs", jobs)
        files.append((Path("out.tiktoken").read_bytes(), written()))
    assert files[0] == files[1]


def test_fewer_tokens_than_requested_are_reported(folder, train):
    (folder / "few.txt").write_text("ab ab")
    outcome = train("few.txt")
    assert outcome.code == 0
    assert "fewer than 262 tokens: no pair of tokens occurs twice" in outcome.err


def test_characters_that_the_pattern_does_not_match_are_reported(train):
    outcome = train("words.txt", "--pattern", r"\w+")
    assert outcome.code == 0
    assert f"does not match {40 * 8:,} characters" in outcome.err


def test_one_unmatched_character_is_reported_in_the_singular(folder, train):
    (folder / "few.txt").write_text("ab ab")
    outcome = train("few.txt", "--pattern", r"\w+")
    assert "does not match 1 character of the corpus; such characters are lost" in outcome.err


def test_a_name_without_suffix_is_shown_as_a_path(train):
    outcome = train("words.txt", "--out", "mine")
    assert "next: tokharness fuzz tiktoken:./mine\n" in outcome.err


def test_the_next_command_names_a_file_outside_ascii(train):
    last = train("words.txt", "--out", "\u00fc b.tiktoken").err.splitlines()[-1]
    shown = last.removeprefix("next: tokharness fuzz ")
    spec = subprocess.run(
        ["/bin/sh", "-c", f"echo {shown}"], capture_output=True, check=True
    ).stdout
    assert spec.decode() == "tiktoken:\u00fc b.tiktoken\n"


def test_the_help_and_the_list_name_all_models(command):
    help_text, listed = command("train", "--help").out, command("list", "models").out
    for name in plugins.adapters()["reference"].trainers():
        assert f"\n  {name} " in help_text
        assert f"\n{name} " in f"\n{listed}"


@pytest.mark.parametrize(
    ("model", "side"),
    [("char-bpe", {"out.vocab"}), ("wordpiece", {"out.json"}), ("unigram", set())],
)
def test_the_files_of_a_model_are_written_and_named(folder, train, model, side):
    outcome = train("words.txt", "--model", model, "--out", "out")
    assert outcome.code == 0
    assert {path.name for path in folder.iterdir()} == {"words.txt", "out", *side}
    assert outcome.err.startswith(f"wrote {' and '.join(['out', *side])}: ")
    assert outcome.err.splitlines()[-1].endswith(":./out")


def test_the_options_of_a_model_reach_it(train):
    words = ("--model", "wordpiece", "--lowercase", "--character-coverage", "0.99")
    assert train("words.txt", *words, "--special-token", "[NEW]", "--out", "vocab.txt").code == 0
    lines = Path("vocab.txt").read_text().splitlines()
    assert lines[:6] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[NEW]"]


def test_patterns_name_files_once_in_order(folder):
    (folder / "a" / "b").mkdir(parents=True)
    for name in ("a/b/2.txt", "a/1.txt", "a/no.py"):
        (folder / name).touch()
    names = expand_files(["a/1.txt", "a/**/*.txt", "./a/1.txt", "-", "-"])
    assert names == ("a/1.txt", "a/b/2.txt", "-")


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder):
    (folder / "[a].txt").touch()
    assert expand_files(["[a].txt"]) == ("[a].txt",)


def test_json_lines_are_strings_or_objects(folder, corpus):
    (folder / "x.jsonl").write_bytes(b'"one"\n\n{"text": "tw\\u00f6", "n": 1}\r\n"a\\ud800"')
    assert corpus("x.jsonl") == ["one", "tw\u00f6", "a\ud800"]


def test_json_lines_have_their_text_under_another_key(folder, corpus):
    (folder / "x.ndjson").write_text('{"body": "one"}\n')
    assert corpus("x.ndjson", "--text-key", "body") == ["one"]


@pytest.mark.slow
def test_the_standard_input_is_text_or_json_lines(process):
    words = ("train", "-", *SIZE, "--pattern", "r50k", "--out", "out.tiktoken")
    for more, text in (((), b"ab ab ab"), (("--json-lines",), b'"ab ab ab"')):
        outcome = process(sys.executable, "-m", "tokharness", *words, *more, input=text)
        assert b"258 tokens from 8 bytes" in outcome.stderr


def test_a_byte_order_mark_is_removed(folder, corpus):
    (folder / "b.txt").write_bytes(b"\xef\xbb\xbfa\xef\xbb\xbf")
    (folder / "b.jsonl").write_bytes(b'\xef\xbb\xbf"b"')
    assert corpus("b.txt", "b.jsonl") == ["a\ufeff", "b"]


def test_line_ends_are_unchanged(folder, corpus):
    (folder / "b.txt").write_bytes(b"a\r\nb\rc\n")
    assert corpus("b.txt") == ["a\r\nb\rc\n"]


@given(st.text(alphabet="a \n\u00e9\u4e2d\U0001f600", max_size=40), st.integers(1, 9))
def test_pieces_join_to_the_text_and_end_before_a_space(text, size):
    data = text.encode()
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    pieces = list(corpus_texts.split_text(blocks, "here"))
    assert "".join(pieces) == text
    for piece, following in pairwise(pieces):
        assert not piece[-1].isspace()
        assert following[0] == " "


def test_a_long_file_is_read_in_pieces(folder):
    (folder / "long.txt").write_text("word " * 500_000)
    read = []
    pieces = list(Corpus(("long.txt",)).texts(read.append))
    assert [len(piece) for piece in pieces] == [1_048_574, 1_048_575, 402_850, 1]
    assert read == [1 << 20, 1 << 20, 2_500_000 - (2 << 20)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no.txt"], "no file matches 'no.txt'"),
        (["no/**/*.txt"], "no file matches 'no/**/*.txt'"),
        (["."], "'./**/*.txt'"),
        (["bad.txt"], "bad.txt is not UTF-8: byte 0xFF at offset 2 is invalid"),
        (["cut.txt"], "cut.txt is not UTF-8: byte 0xF0 at offset 1 is invalid"),
        (["empty.txt"], "the corpus is empty"),
        (["bad.jsonl"], "bad.jsonl:2 is not JSON"),
        (["deep.jsonl"], "deep.jsonl:1 is not JSON"),
        (["bytes.jsonl"], "bytes.jsonl:2 is not UTF-8: byte 0xFF at offset 5 is invalid"),
        (["key.jsonl"], "key.jsonl:2 has no key 'text', only 'a', 'b'"),
        (["kind.jsonl"], "'text' of kind.jsonl:1 is not a JSON string but [1]"),
        (["words.txt", "--vocab-size", "255"], "255 tokens is too small"),
        (["words.txt", "--vocab-size", "9999999"], "too large: at most 1114112"),
        (["words.txt", "--pattern", "cl100"], "did you mean 'cl100k'"),
        (["words.txt", "--pattern", "r50k_base"], "did you mean 'r50k'"),
        (["words.txt", "--pattern", ""], "no pattern is called ''"),
        (["words.txt", "--pattern", "(a"], "does not compile"),
        (["words.txt", "--pattern", r"\d+"], "the pattern matches nothing"),
        (["words.txt", "--special-token", ""], "is not a valid text"),
        (["words.txt", *["--special-token", "<a>"] * 2], "'<a>' is given twice"),
        (["words.txt", "--unicode-version", "1.0"], "1.0"),
        (["words.txt", "--model", "wordpeice"], "no model is called 'wordpeice'"),
        (["words.txt", "--lowercase"], "--model byte-bpe has no option --lowercase: remove it"),
        (["words.txt", "--jobs", "many"], "--jobs takes a number"),
        (["words.txt", "--out", "no/such/file"], "cannot write to no/such/file: No such file"),
        (["words.txt", "--out", "."], "it is a folder"),
        (["words.txt", "--out", "./words.txt"], "a file of the corpus"),
        (["out.tiktoken.json"], "a file of the corpus"),
        (["words.txt", "--out", "/dev/null"], "it is a link or not a regular file"),
    ],
)
def test_an_error_is_one_line_and_writes_nothing(folder, train, words, message):
    lines = {
        "bad.txt": b"ok\xff",
        "cut.txt": b"a\xf0\x9f",
        "empty.txt": b"",
        "bad.jsonl": b'"ok"\n{"text": }\n',
        "deep.jsonl": b"[" * 100_000,
        "bytes.jsonl": b'"a"\n"\xff"\n',
        "key.jsonl": b'{"text": ""}\n{"a": 1, "b": 2}\n',
        "kind.jsonl": b'{"text": [1]}\n',
        "out.tiktoken.json": b"{}",
    }
    for name, data in lines.items():
        (folder / name).write_bytes(data)
    before = {path.name for path in folder.iterdir()}
    outcome = train(*words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("tokharness: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert {path.name for path in folder.iterdir()} == before


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_writes_nothing(folder, jobs):
    """The interrupt arrives while reading: the standard input stays open."""
    words = ["train", "words.txt", "-", *SIZE, "--out", "out.tiktoken", "--jobs", jobs]
    command = [sys.executable, "-m", "tokharness", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stderr=pipe) as process:
        process.stdin.write(b"word " * (1 << 20))  # more than a pipe takes: so it is being read
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
    assert process.returncode == 130
    assert message == b"tokharness: interrupted\n"
    assert [path.name for path in folder.iterdir()] == ["words.txt"]


@pytest.mark.slow
def test_progress_is_drawn_only_on_a_terminal(folder):
    ours, theirs = pty.openpty()
    words = ("train", "words.txt", *SIZE, "--out", "out.tiktoken", "--jobs", "1")
    command = [sys.executable, "-m", "tokharness", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        drawn = b"".join(read_until_closed(ours))
        assert process.stdout.read() == b""
    assert b"merging" in drawn
    assert b"wrote out.tiktoken" in drawn


def read_until_closed(terminal):
    """Return the output of a terminal, until its writer closes it."""
    try:
        while part := os.read(terminal, 1 << 16):
            yield part
    except OSError as error:  # so Linux says that
        if error.errno != errno.EIO:
            raise
    finally:
        os.close(terminal)
