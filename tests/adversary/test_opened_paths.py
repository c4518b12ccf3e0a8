"""Each file of a user that Python opens is opened by the one reader, as its audit hook shows."""

import gzip
import json
import os
import struct
import sys
import sysconfig
from pathlib import Path

import pytest

from tokharness import regular_files
from tokharness.baseline import reading as baselines
from tokharness.cli.show_command import _from_argument
from tokharness.corpora.files import Corpus, expand_files
from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.embeddings.choice import check_file, open_matrices
from tokharness.engine.regressions import read_regressions
from tokharness.errors import TokharnessError
from tokharness.parallel import reading as parallel
from tokharness.plugins.bare_paths import spec_of
from tokharness.policy import reading as policies
from tokharness.results import journal, report_record
from tokharness.targets.description import describe
from tokharness.targets.loading import load_target
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER, SMALL

MODEL = json.loads(SMALL["byte-level-bpe"].read_bytes())["model"]
MERGES = "".join(f"{' '.join(pair)}\n" for pair in MODEL["merges"]).encode()
KEY = struct.pack("<Q", 1) + b"a" + struct.pack("<II", 4, 0)
HEADER = b'{"emb.weight": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}}'


LIBRARIES = sysconfig.get_path("purelib")
"""Of libraries, which get the path of a file that the reader has read before them."""


def healthy(name):
    return (HEALTHY_FOLDER / name).read_bytes()


def load(path):
    """Do with a vocabulary what `show` and `audit` do before the first text."""
    for spec in (f"reference:{path}", spec_of(str(path))):
        load_target(spec).encode("a b")
        describe(spec)


def embeddings(path):
    check_file(str(path))
    for matrix in open_matrices(str(path), 1):
        list(matrix.blocks())


def corpus(path):
    list(texts_of_corpus(str(path)))
    list(Corpus(expand_files([str(path)])).texts(lambda _: None))


FOLDER = {
    "vocab.json": json.dumps(MODEL["vocab"]).encode(),
    "merges.txt": MERGES,
    "tokenizer_config.json": b"{}",
    "special_tokens_map.json": b"{}",
    "added_tokens.json": b"{}",
}
READ = {
    "tokenizer.json": (load, {"tokenizer.json": SMALL["unigram"].read_bytes()}),
    "tekken.json": (load, {"tekken.json": healthy("tekken.json")}),
    "a model": (load, {"a.model": healthy("unigram.model")}),
    "codes": (load, {"codes.txt": healthy("codes.txt")}),
    "rwkv": (load, {"rwkv.txt": healthy("rwkv.txt")}),
    "ranks": (
        load,
        {
            "a.tiktoken": healthy("other.tiktoken"),
            "a.tiktoken.json": healthy("other.tiktoken.json"),
        },
    ),
    "gguf": (load, {"a.gguf": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + KEY}),
    "merges": (load, {"a.gz": gzip.compress(b'"bpe_simple_vocab_16e6.txt#version: 0.2\na b\n')}),
    "words": (load, {"vocab.txt": b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##a\n"}),
    "a folder": (lambda path: load(path.parent), FOLDER),
    "table": (parallel.read, {"a.csv": b"en,de\na,b\n"}),
    "lines": (parallel.read, {"a.jsonl": b'{"en": "a", "de": "b"}\n'}),
    "parallel folder": (
        lambda path: parallel.read(path.parent),
        {"eng_Latn.txt": b"a\n", "deu_Latn.txt": b"a\n"},
    ),
    "declarations": (
        lambda path: parallel.read(path.parent),
        {"eng.html": b"<html lang=en><header>a", "deu.html": b"<html lang=de><header>a"},
    ),
    "embeddings": (
        embeddings,
        {"a.safetensors": struct.pack("<Q", len(HEADER)) + HEADER + bytes(4)},
    ),
    "corpus": (corpus, {"a.txt": b"a\n"}),
    "policy": (policies.read, {"tokharness.toml": b"[run]\nq=1"}),
    "baseline": (baselines.read, {"a.json": b"{}"}),
    "target of a baseline": (lambda path: load_target(f"baseline:{path}"), {"b.json": b"{}"}),
    "journal": (journal.read, {"a.jsonl": b"{}\n"}),
    "report": (report_record.read, {"a.json": b"{}"}),
    "regressions": (lambda path: read_regressions(path.parent), {"a.jsonl": b"{}\n"}),
    "text": (lambda path: _from_argument(f"@{path}"), {"a.txt": b"a"}),
}


def opened_by(folder, call):
    """Return the file of the code that opens each file in a folder, in a child process.

    A hook stays for the life of its process.
    """
    read, written = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(written, "w") as stream:
            sys.addaudithook(_Hook(folder, stream))
            try:
                call()
            except TokharnessError:
                pass
            except BaseException as error:
                stream.write(f"{type(error).__name__}: {error}\tfailed\n")
            stream.flush()
            os._exit(0)
    os.close(written)
    with os.fdopen(read) as stream:
        lines = stream.read().splitlines()
    os.waitpid(child, 0)
    return {tuple(line.split("\t")) for line in lines}


class _Hook:
    def __init__(self, folder, stream):
        self.folder, self.stream = str(folder), stream

    def __call__(self, event, arguments):
        if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path.startswith(self.folder):
                name, caller = Path(path).name, sys._getframe(1).f_code.co_filename
                self.stream.write(f"{name}\t{caller}\n")


@pytest.mark.parametrize("words", READ)
def test_the_reader_opens_each_file(words, tmp_path):
    call, files = READ[words]
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    found = opened_by(folder, lambda: call(folder / next(iter(files))))
    expected = {(name, regular_files.__file__) for name in files}
    assert expected <= found
    assert not [caller for _, caller in found - expected if not caller.startswith(LIBRARIES)]
