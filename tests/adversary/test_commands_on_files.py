"""Files of strangers in the place of the target of each command, within a minute and 1 GB."""

import json
import os
import re
import resource
import struct

import pytest

from tokharness_tokenizers.vocabularies.locate import SMALL

BYTES = 1 << 30
"""Memory of each process of a command."""
SECONDS = 120
"""Of wall time, on a busy machine: each attack takes two to ten seconds of processor time."""

BYTE_LEVEL = json.loads(SMALL["byte-level-bpe"].read_bytes())


def changed(**changes):
    return json.dumps({**BYTE_LEVEL, **changes}).encode()


def split(pattern):
    stage = {"type": "Split", "behavior": "Isolated", "invert": False}
    return changed(pre_tokenizer={**stage, "pattern": {"Regex": pattern}})


FILES = {
    "lists.json": (lambda: b"[" * 10**7, "is not a vocabulary|recognizes"),
    "values.json": (
        lambda: changed(model={"type": "BPE", "vocab": [0] * 11**7, "merges": []}),
        "has 19,[0-9,]+ values, more than 10,000,000",
    ),
    "prefix.json": (
        lambda: changed(normalizer={"type": "Prepend", "prepend": "x" * 2 * 10**7}),
        "normalizer.prepend has 20,000,000 characters",
    ),
    "repeats.json": (lambda: split("(?:(?:a{999}){999}){999}"), "more than 100,000 parts"),
    "groups.json": (lambda: split("(" * 5000 + ")" * 5000), "nested too deep"),
    "keys.gguf": (lambda: b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "and 0 are left"),
    "text.gguf": (
        lambda: b"GGUF" + struct.pack("<IQQQQ", 3, 0, 1, 2**63, 0),
        "9,223,372,036,854,775,808 bytes are needed",
    ),
    "lines.txt": (lambda: b"[UNK]\n[PAD]\na\n##a\n" + b"\n" * 10**7, "more than 1,048,576 line"),
    "token.txt": (lambda: b"[UNK]\n[PAD]\na\n##a\n" + b"x" * 5 * 10**7, "larger than 32 MB"),
    "pipe.csv": (None, "it is a pipe, not a file"),
    "pipe.safetensors": (None, "it is a pipe, not a file"),
    "pipe.txt": (None, "it is a pipe, not a file"),
}
"""The content of each file, None for a pipe without a writer, and what is said of it."""

COMMANDS = [
    *(("show", "a b", f"reference:{name}") for name in FILES if not name.startswith("pipe")),
    ("show", "@pipe.txt"),
    ("audit", "text.gguf"),
    ("check", "reference:repeats.json", "--profile", "quick"),
    ("compare", "reference:values.json", "reference:byte-level-bpe"),
    ("gate", "groups.json", "--against", "reference:groups.json"),
    ("fuzz", "reference:prefix.json", "--max-examples", "1"),
    ("audit", "reference:token.txt"),
    ("baseline", "keys.gguf"),
    ("audit", "reference:byte-level-bpe", "--corpus", "pipe.txt"),
    ("audit", "reference:byte-level-bpe", "--embeddings", "pipe.safetensors"),
    ("compare", "reference:byte-level-bpe", "--parallel", "pipe.csv"),
]
FAST = (("show", "a b", "reference:keys.gguf"), ("show", "@pipe.txt"))
SLOW = pytest.mark.slow(every=3)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            words, id=" ".join(words), marks=[] if words in FAST else pytest.mark.slow(every=3)
        )
        for words in COMMANDS
    ],
)
def test_a_command_says_what_a_file_is_in_one_sentence(words, start, tmp_path):
    name = next(name for name in FILES if name in " ".join(words))
    content, said = FILES[name]
    if content:
        (tmp_path / name).write_bytes(content())
    else:
        os.mkfifo(tmp_path / name)
    process = start(*words)
    resource.prlimit(process.popen.pid, resource.RLIMIT_AS, (BYTES, BYTES))
    outcome = process.finish(SECONDS)
    assert outcome.code == 2
    assert re.search(said, outcome.err)
    assert outcome.err.startswith("tokharness: error: ")
    assert outcome.err.count("\n") == 1
