"""Text, embeddings, policies and results in files that fill memory or take hours to read."""

import json
import os
import re
import struct
import zlib

import pytest

from tokharness.baseline import SCHEMA_VERSION
from tokharness.baseline import reading as baselines
from tokharness.cli.chat_command import _given as conversation_of
from tokharness.cli.show_command import _from_argument
from tokharness.corpora import files
from tokharness.corpora.files import Corpus, expand_files
from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.embeddings.choice import check_file, open_matrices
from tokharness.engine.regressions import read_regressions
from tokharness.parallel import reading as parallel
from tokharness.parity_matrix.golden import read_golden
from tokharness.policy import reading as policies
from tokharness.results import journal, report_record
from tokharness.targets.loading import load_target


def read_embeddings(path):
    check_file(str(path))
    for matrix in open_matrices(str(path), 10):
        list(matrix.blocks())


def train(path):
    list(Corpus(expand_files([str(path)])).texts(lambda _: None))


READERS = {
    "parallel": parallel.read,
    "embeddings": read_embeddings,
    "corpus": lambda path: list(texts_of_corpus(str(path))),
    "training": train,
    "policy": policies.read,
    "baseline": baselines.read,
    "file in a baseline": lambda path: load_target(f"baseline:{path}"),
    "journal": journal.read,
    "report": report_record.read,
    "regressions": lambda path: read_regressions(path.parent),
    "text": lambda path: _from_argument(f"@{path}"),
    "golden": read_golden,
    "conversation": lambda path: conversation_of(f"@{path}"),
}

VALUES = b"[" + b"[]," * 15 * 10**6 + b"[]]"
DEEP = b"[" * 10**6


def safetensors(header, size=80):
    data = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(data)) + data + bytes(size)


def matrix(**changes):
    return {"emb.weight": {"dtype": "F32", "shape": [10, 2], "data_offsets": [0, 80], **changes}}


GOLDEN_ROW = {"utf8": "61", "ids": [1], "bytes": "61", "decoded": "61", "error": None, "text": "a"}


def golden(changes=(), **header):
    """Return a golden file of one text, with the right number of lines and checksum."""
    line = json.dumps({**GOLDEN_ROW, **dict(changes)}).encode() + b"\n"
    first = {
        "format": "tokharness golden",
        "version": 1,
        "count": 1,
        "target": "reference",
        "crc32": f"{zlib.crc32(line):08x}",
        "vocabulary": None,
        "n_vocab": 5,
        "unicode_version": {},
        "families": [],
        "tokharness": "1",
        **header,
    }
    return json.dumps(first).encode() + b"\n" + line


def nested(depth):
    return [nested(depth - 1)] if depth else 0


def said_by_user(content):
    return json.dumps([{"role": "user", "content": content}]).encode()


def index(file):
    return json.dumps({"weight_map": {"emb.weight": file}}).encode()


ATTACKS = {
    "parallel": {
        "a cell of 100 megabytes": (
            "a.csv",
            lambda: b"en,de\na," + b"b" * 10**8,
            "line 2 of .* has 100,000,002 bytes, more than 4,194,304",
        ),
        "columns": ("a.csv", lambda: b"," * 4 * 10**6, "is empty: its first line"),
        "columns of tabs": ("a.tsv", lambda: b"\t" * 4 * 10**6, "is empty: its first line"),
        "columns of one name": ("a.tsv", lambda: b"en\t" * 10**6, "more than 10,000 columns"),
        "blank lines": (
            "a.csv",
            lambda: b",".join(b"l%d" % number for number in range(9000)) + b"\n" * 10**6,
            "has too many blank lines up to line 46.",
        ),
        "a row of a thousand lines": (
            "a.csv",
            lambda: b"en,de\n" + b'"\n",' * 5 * 10**6,
            "more than 1,048,576 lines",
        ),
        "a quote without end": (
            "a.csv",
            lambda: b'en,de\n"' + b"a\n" * 10**6,
            "line .* is not CSV",
        ),
        "a key for each line": (
            "a.jsonl",
            lambda: b"".join(b'{"k%d": "a"}\n' % number for number in range(10**4)),
            "keys up to line",
        ),
        "values in a line": ("a.jsonl", lambda: VALUES, "line 1 of .* has 45,000,004 bytes"),
        "lists in lists": ("a.jsonl", lambda: DEEP, "line 1 of .* is not a JSON object"),
        "no line but their ends": ("a.csv", lambda: b"\n" * 10**7, "more than 1,048,576 lines"),
    },
    "embeddings": {
        "a header of 2^63 bytes": (
            "a.safetensors",
            lambda: struct.pack("<Q", 2**63) + b"{}",
            "its header has 9,223,372,036,854,775,808 bytes",
        ),
        "a header of a hundred megabytes that is short": (
            "a.safetensors",
            lambda: struct.pack("<Q", 99 * 10**6) + b"{}",
            "is not a safetensors file",
        ),
        "three million texts in a header": (
            "a.safetensors",
            lambda: safetensors(b'{"__metadata__": {' + b'"k": "a",' * 3 * 10**6 + b'"l": "a"}}'),
            "it has 6,000,00. values, more than 2,000,000",
        ),
        "a matrix of 2^80 values": (
            "a.safetensors",
            lambda: safetensors(matrix(shape=[2**40, 2**40])),
            "is not a safetensors file",
        ),
        "a negative size": (
            "a.safetensors",
            lambda: safetensors(matrix(shape=[-10, 2])),
            "is not a safetensors file",
        ),
        "a place behind the end": (
            "a.safetensors",
            lambda: safetensors(matrix(data_offsets=[2**62, 2**62 + 80])),
            "is not a safetensors file",
        ),
        "an index of lists": ("a.json", lambda: DEEP, "is not an index of safetensors files"),
        "an index of values": ("a.json", lambda: VALUES, "is not an index of safetensors files"),
        "an index that leads up": (
            "a.json",
            lambda: index("../a.safetensors"),
            "is not an index of safetensors files",
        ),
        "an index with a null character": ("a.json", lambda: index("a\0"), "cannot read|is not"),
    },
    "corpus": {
        "a list of lists": (
            "a.jsonl",
            lambda: b'{"text": [' + b"[]," * 9 * 10**6 + b"[]]}",
            r"a.jsonl:1 is not JSON: it has 18,000,00. values, more than 1,000,000",
        ),
        "lists in lists": ("a.jsonl", lambda: DEEP, "a.jsonl:1 is not JSON: it is nested too deep"),
        "bytes": ("a.txt", lambda: b"\xff\0" * 10**6, "line 1 of the corpus .* is not UTF-8"),
    },
    "training": {
        "values in a line": ("a.jsonl", lambda: VALUES, "a.jsonl:1 is not JSON: it has 30,000,002"),
        "lists in lists": ("a.jsonl", lambda: DEEP, "a.jsonl:1 is not JSON: it is nested too deep"),
    },
    "policy": {
        "lists in lists": ("tokharness.toml", lambda: b"a=" + b"[" * 10**5, "is not valid TOML"),
        "long keys": (
            "tokharness.toml",
            lambda: b"".join(b"a." * 500 + b"x%d=1\n" % number for number in range(5000)),
            "cannot read the policy .*: it is larger than 1 MB",
        ),
        "a number of 5,000 digits": (
            "tokharness.toml",
            lambda: b"a=" + b"9" * 5000,
            "not valid TOML",
        ),
        "a number of 4,000 digits": (
            "tokharness.toml",
            lambda: b"examples=" + b"9" * 4000,
            r"examples: 9+\.\.\.9+ is not a finite number",
        ),
        "a key of a megabyte": (
            "tokharness.toml",
            lambda: b"q" * 10**6 + b"=1",
            "no key is called",
        ),
        "tables in tables": (
            "tokharness.toml",
            lambda: b"expect" + b".a" * 3000 + b"=1",
            "is not a policy: it has more than 32 lists and objects in each other",
        ),
        "a wrong value that is long": (
            "tokharness.toml",
            lambda: b"against = [" + b"{a=1}," * 10**4 + b"]",
            r"against: \[{'a': 1}, .*\.\.\..* is not of type 'string'",
        ),
        "a wrong date that is long": (
            "tokharness.toml",
            lambda: b'[[parity.expect]]\ncause="a"\nreason="b"\nexpires="%s"' % (b"9" * 10**5),
            r"expires takes a date such as .*, not '9+\.\.\.9+'",
        ),
        "a blank cause": (
            "tokharness.toml",
            lambda: b'[[parity.expect]]\ncause=" "\nreason="b"',
            "parity.expect: cause is blank",
        ),
    },
    "baseline": {
        "values": ("a.json", lambda: VALUES, "is not a baseline: it has 30,000,002 values"),
        "lists in lists": ("a.json", lambda: DEEP, "is not a baseline: it is nested too deep"),
        "a long profile": (
            "a.json",
            lambda: json.dumps(
                {
                    "schema_version": SCHEMA_VERSION,
                    "name": "a",
                    "target": "a",
                    "against": None,
                    "run": {"profile": "x" * 10**5, "examples": 1},
                }
            ).encode(),
            r"is not a valid baseline: unknown profile 'x+\.\.\.x+'",
        ),
    },
    "file in a baseline": {
        "values": ("a.json", lambda: VALUES, "a.json"),
        "lists in lists": ("a.json", lambda: DEEP, "a.json"),
    },
    "journal": {
        "values": ("a.jsonl", lambda: VALUES + b"\n", "is not a journal, or is damaged in line 1"),
        "lists in lists": ("a.jsonl", lambda: DEEP + b"\n", "is not a journal, or is damaged"),
    },
    "report": {
        "values": ("a.json", lambda: VALUES, "is not a report: invalid JSON: it has 30,000,002"),
        "lists in lists": ("a.json", lambda: DEEP, "is not a report: invalid JSON: it is nested"),
    },
    "regressions": {
        "values": ("a.jsonl", lambda: VALUES, "cannot read the regressions .* larger than 16 MB"),
        "lists in lists": ("a.jsonl", lambda: DEEP, "a.jsonl:1 is not a regression: it is nested"),
    },
    "text": {"bytes": ("a.txt", lambda: b"\xff" * 10**6, "is not UTF-8: .* at byte 0")},
    "conversation": {
        words: ("a.json", lambda content=content: content, said)
        for words, (content, said) in {
            "a healthy one": (said_by_user(nested(20)), "^$"),
            "lists in lists": (DEEP, "it is nested too deep"),
            "a content of forty lists": (said_by_user(nested(40)), "in each other"),
            "a number of 5,000 digits": (
                said_by_user(0).replace(b"0", b"9" * 5000),
                "more than 4,300 digits",
            ),
            "a number that is none": (said_by_user(float("nan")), "Out of range float"),
            "a thousand and one messages": (
                b"[" + b'{"role":"user","content":"a"},' * 1000 + said_by_user("a")[1:],
                "it has 1,001 messages and",
            ),
            "messages that are long": (
                b"[" + (said_by_user("a" * 10**6)[1:-1] + b",") * 9 + said_by_user("a")[1:],
                "it has 10 messages and 9,000,",
            ),
        }.items()
    },
    "golden": {
        words: ("a.jsonl", lambda content=content: content, said)
        for words, (content, said) in {
            "a healthy one": (golden(), "^$"),
            "a long version": (golden(version="x" * 10**5), "has no version of the format"),
            "a true version": (golden(version=True), "has no version of the format"),
            "a target of lists": (golden(target=nested(900)), "a value that is not a text"),
            "families that are a text": (golden(families="a"), "no Unicode versions or families"),
            "a size that is a text": (golden(n_vocab="5"), "a size of the vocabulary"),
            "no target": (golden().replace(b'"target"', b'"other"'), "'target' is missing"),
            "another text in UTF-8": (golden({"utf8": "62"}), "another text in UTF-8 than as text"),
            "an error of lists": (golden({"error": nested(900)}), "an error that is no name"),
            "an error that is no name": (golden({"error": "\x1b[31m"}), "an error that is no name"),
            "an error that is long": (golden({"error": "x" * 10**5}), "an error that is no name"),
            "a healthy error": (golden({"ids": None, "error": "ValueError"}), "^$"),
            "bytes that are a number": (
                golden({"bytes": 5}),
                "is damaged: the bytes of a line are not in hex",
            ),
            "a carriage return as the end of a line": (
                golden()
                .replace(b"\n{", b"\n{}\r{")
                .replace(
                    b'"crc32": "%08x"' % zlib.crc32(golden().split(b"\n", 1)[1]),
                    b'"crc32": "%08x"' % zlib.crc32(b"{}\r" + golden().split(b"\n", 1)[1]),
                ),
                "has a key that no text has",
            ),
        }.items()
    },
}
LARGE = re.compile("mega|million|values|columns|thousand|blank|quote|no line")
CASES = [
    pytest.param(
        reader,
        *attack,
        id=f"{reader}: {words}",
        marks=[pytest.mark.slow(every=3)][: bool(LARGE.search(words))],
    )
    for reader, attacks in ATTACKS.items()
    for words, attack in attacks.items()
]


@pytest.mark.parametrize(("reader", "name", "content", "said"), CASES)
def test_a_file_is_refused_in_one_sentence(reader, name, content, said, tmp_path, sentence_of):
    path = tmp_path / name
    path.write_bytes(content())
    assert re.search(said, sentence_of(lambda: READERS[reader](path)))


NAMES = {
    "parallel": "a.csv",
    "embeddings": "a.safetensors",
    "policy": "tokharness.toml",
    "journal": "a.jsonl",
    "regressions": "a.jsonl",
    "training": "a.jsonl",
    "corpus": "a.txt",
    "golden": "a.jsonl",
}


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused(reader, tmp_path, sentence_of):
    path = tmp_path / NAMES.get(reader, "a.json")
    path.symlink_to("/dev/zero")
    assert re.search("a device|is not a file|leads out", sentence_of(lambda: READERS[reader](path)))
    path.unlink()
    os.mkfifo(path)
    if reader != "training":  # the output of another program is one
        assert re.search("a pipe|is not a file", sentence_of(lambda: READERS[reader](path)))


@pytest.mark.parametrize("reader", [*NAMES, "baseline", "report", "text"])
def test_a_terabyte_without_content_is_refused(reader, tmp_path, sentence_of):
    path = tmp_path / NAMES.get(reader, "a.json")
    path.touch()
    os.truncate(path, 1 << 40)
    said = sentence_of(lambda: READERS[reader](path))
    if reader == "corpus":
        assert said == ""  # its first 32 megabytes are text
    else:
        assert re.search(r"[0-9] MB|is not|cannot read", said)


@pytest.mark.parametrize(("content", "is_refused"), [(bytes(9), True), (b"a " * 9, False)])
def test_text_that_can_be_cut_nowhere_does_not_fill_memory(
    content, is_refused, tmp_path, sentence_of, monkeypatch
):
    monkeypatch.setattr(files, "MOST_CHARACTERS", 1 << 21)
    path = tmp_path / "a.txt"
    path.write_bytes(content * (1 << 19))
    said = sentence_of(lambda: train(path))
    assert re.search("2,097,152 characters without a space", said) if is_refused else said == ""
