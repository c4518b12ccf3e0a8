"""The gate with real packages: baseline, failure, acceptance and expiry."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parents[1] / "docs" / "families.md"
"""Enough English for 600 tokens; of less, tokens span what the fingerprint compares."""
OLD, NEW = "TOKHARNESS_TEST_TOKENIZERS_0_20", "TOKHARNESS_TEST_TOKENIZERS"
"""Environment variables with the path of a Python that has this release of tokenizers."""
FAMILIES = "new-code-points,plain-words,digits,special-tokens"

TRAIN = r"""
import sys
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
    pre_tokenizers.Split(Regex(PATTERN), "isolated"),
    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
])
tokenizer.decoder = decoders.ByteLevel()
alphabet = pre_tokenizers.ByteLevel.alphabet()
trainer = trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, show_progress=False)
tokenizer.train_from_iterator(open(sys.argv[1], encoding="utf-8"), trainer)
tokenizer.save(sys.argv[2])
"""
SERVE = """
import json
import sys

import tokenizers

tokenizer = tokenizers.Tokenizer.from_file(sys.argv[1])


def each(function, items):
    results = []
    for item in items:
        try:
            results.append(function(item))
        except Exception as error:
            results.append({"error": str(error), "type": type(error).__name__})
    return {"results": results}


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "info":
        response = {"name": "hf", "version": tokenizers.__version__, "ops": []}
    elif request["op"] == "encode":
        response = each(lambda text: tokenizer.encode(text).ids, request["texts"])
    else:
        response = each(tokenizer.decode, request["ids"])
    print(json.dumps(response), flush=True)
"""


@pytest.fixture
def tokharness(tmp_path):
    """Run the command in a temporary folder; return exit code, output and errors."""

    def run(*words):
        argv = [sys.executable, "-m", "tokharness", *words]
        completed = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "Traceback" not in completed.stderr
        return completed.returncode, completed.stdout, completed.stderr

    return run


@pytest.fixture
def releases(tmp_path):
    """Commands that run one tokenizer with two releases of Hugging Face tokenizers."""
    missing = [name for name in (OLD, NEW) if not os.environ.get(name)]
    if missing:
        pytest.skip(
            f"{' and '.join(missing)} must be set to a Python with that release of tokenizers"
        )
    for name, text in {"train.py": TRAIN, "serve.py": SERVE}.items():
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    subprocess.run([os.environ[OLD], "train.py", str(CORPUS), "hf.json"], cwd=tmp_path, check=True)
    return [f"command:{shlex.quote(os.environ[name])} serve.py hf.json" for name in (OLD, NEW)]


@pytest.mark.nightly
def test_two_releases_differ_in_their_unicode_version_only(tokharness, releases):
    old, new = releases
    quick = ("--name", "hf", "--profile", "quick", "--family", FAMILIES)
    assert tokharness("baseline", old, *quick)[0] == 0
    assert tokharness("gate", old, *quick)[0] == 0
    code, output, _ = tokharness("gate", new, *quick)
    assert code == 1
    assert [line for line in output.splitlines() if line.startswith("fail ")] == [
        "fail    unicode-version: from 14.0 to 16.0"
    ]
    assert "U+1C89..U+1C8A" in output
    accept = ("--update", "--reason", "the new release splits as of Unicode 16.0")
    assert tokharness("gate", new, *quick, *accept, "--expires", "2099-12-31")[0] == 0
    assert tokharness("gate", new, *quick)[0] == 0
    assert tokharness("gate", new, *quick, "--as-of", "2100-01-01")[0] == 1


def test_a_release_is_compared_with_the_previous_one_directly(tokharness, releases):
    old, new = releases
    quick = ("--profile", "quick", "--family", FAMILIES)
    code, output, _ = tokharness("gate", new, "--against", old, *quick)
    assert code == 1
    assert [line for line in output.splitlines() if line.startswith("fail ")] == [
        "fail    unicode-version: from 14.0 to 16.0"
    ]
