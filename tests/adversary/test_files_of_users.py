"""Text, embeddings, policies and results in files that fill memory or take hours to read."""

import json
import os
import re
import struct

import pytest

from tokharness.baseline import reading as baselines
from tokharness.cli.show_command import _from_argument
from tokharness.corpora.files import Corpus, expand_files
from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.embeddings.choice import check_file, open_matrices
from tokharness.engine.regressions import read_regressions
from tokharness.parallel import reading as parallel
from tokharness.policy import reading as policies
from tokharness.results import journal, report_file
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
    "report": report_file.read,
    "regressions": lambda path: read_regressions(path.parent),
    "text": lambda path: _from_argument(f"@{path}"),
}

VALUES = b"[" + b"[]," * 15 * 10**6 + b"[]]"
DEEP = b"[" * 10**6


def safetensors(header, size=80):
    data = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(data)) + data + bytes(size)


def matrix(**changes):
    return {"emb.weight": {"dtype": "F32", "shape": [10, 2], "data_offsets": [0, 80], **changes}}


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
        "a key of a megabyte": (
            "tokharness.toml",
            lambda: b"q" * 10**6 + b"=1",
            "no key is called",
        ),
    },
    "baseline": {
        "values": ("a.json", lambda: VALUES, "is not a baseline: it has 30,000,002 values"),
        "lists in lists": ("a.json", lambda: DEEP, "is not a baseline: it is nested too deep"),
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
}
LARGE = re.compile("mega|million|values|columns|thousand|blank|quote|no line")
CASES = [
    pytest.param(
        reader,
        *attack,
        id=f"{reader}: {words}",
        marks=[pytest.mark.slow][: bool(LARGE.search(words))],
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
