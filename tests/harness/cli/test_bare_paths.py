"""Commands take a path for a target; reports, baselines and journals have its spec."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.engine.run import run
from tokharness.engine.worker.operations import snapshot
from tokharness.errors import UsageError
from tokharness.plugins.bare_paths import spec_of
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH

FEW = ("--family", "contractions", "--profile", "quick", "--examples", "0", "--jobs", "0")
FEW = (*FEW, "--select", "TOK101")
SPEC = "tiktoken:./mine.bpe"
CODE = """
class Bytes:
    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids).decode()
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with a vocabulary, and a Python file that ends the process if it is run."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(EMBEDDED_PATH, "mine.bpe")
    shutil.copy(f"{EMBEDDED_PATH}.json", "mine.bpe.json")
    Path("toks.py").write_text(f"raise SystemExit('it ran')\n{CODE}")
    return tmp_path


def test_the_report_has_the_whole_spec(command):
    outcome = command("check", "mine.bpe", "--format", "json", *FEW)
    assert outcome.code == 0
    (target,) = json.loads(outcome.out)["targets"]
    assert target["spec"] == SPEC
    assert target["against"] == "reference:./mine.bpe"


@pytest.mark.slow
@pytest.mark.parametrize("against", ["mine.bpe", "./mine.bpe"])
def test_against_takes_a_path(command, against):
    outcome = command("check", "reference", "--against", against, "--format", "json", *FEW)
    assert json.loads(outcome.out)["targets"][0]["against"] == SPEC


@pytest.mark.slow
def test_a_journal_has_the_whole_spec_and_is_continued_by_either(command):
    assert command("check", "mine.bpe", "--journal", "run.jsonl", *FEW).code == 0
    assert SPEC in Path("run.jsonl").read_text("utf-8").splitlines()[0]
    for word in ("mine.bpe", SPEC):
        assert command("check", word, "--resume", "run.jsonl", *FEW).code == 0


@pytest.mark.slow
def test_a_baseline_has_the_name_of_the_spec(command, monkeypatch):
    monkeypatch.setattr(snapshot, "golden_texts", lambda _: [("everyday", "a text")])
    file = Path("reports/baselines/tiktoken-.-mine.bpe.json")
    assert command("baseline", "mine.bpe", *FEW).code == 0
    assert json.loads(file.read_text("utf-8"))["name"] == SPEC
    for word in ("mine.bpe", SPEC):
        assert command("gate", word, *FEW).code == 0


def test_compare_takes_paths(command, monkeypatch):
    def compare(specs, *_, **__):
        raise UsageError(f"it compares {' '.join(specs)}")

    monkeypatch.setattr(run, "compare", compare)
    outcome = command("compare", "mine.bpe", "reference", "--jobs", "0")
    assert f"it compares {SPEC} reference" in outcome.err


@pytest.mark.slow
def test_fuzz_and_show_take_a_path(command):
    words = ("--max-examples", "1", "--database", "none", "--jobs", "0", "--select", "TOK101")
    assert SPEC in command("fuzz", "mine.bpe", *words).out
    assert SPEC in command("show", "a", "mine.bpe").out
    assert SPEC in command("show", "--json", '"a"', "mine.bpe").out


@pytest.mark.parametrize(
    "key", ["[tool.tokharness.targets.mine]\nspec", "[tool.tokharness]\nagainst"]
)
def test_the_policy_may_have_a_path(command, key):
    Path("pyproject.toml").write_text(f'{key} = "mine.bpe"\n')
    words = ("mine", "--against", "none") if "targets" in key else ("reference",)
    outcome = command("check", *words, "--format", "json", *FEW)
    assert outcome.code == 0
    assert SPEC in outcome.out


def test_an_error_in_the_policy_names_the_key(command):
    Path("pyproject.toml").write_text('[tool.tokharness.targets.mine]\nspec = "toks.py"\n')
    outcome = command("check", "mine", *FEW)
    assert "pyproject.toml: targets.mine.spec: 'toks.py' is code" in outcome.err
    assert "`python:toks.py:Bytes`" in outcome.err
    assert "did you mean 'mine'" in command("check", "mines", *FEW).err


@pytest.mark.slow
def test_a_name_of_the_policy_comes_before_a_path(command):
    Path("pyproject.toml").write_text('[tool.tokharness.targets."mine.bpe"]\nspec = "reference"\n')
    outcome = command("check", "mine.bpe", "--format", "json", *FEW)
    assert json.loads(outcome.out)["targets"][0]["spec"] == "reference"
    outcome = command("check", "./mine.bpe", "--format", "json", *FEW)
    assert json.loads(outcome.out)["targets"][0]["spec"] == SPEC


@pytest.mark.parametrize(
    ("words", "before"),
    [
        (["check", "toks.py"], "tokharness check "),
        (["check", "reference", "--against", "toks.py"], "--against "),
        (["gate", "toks.py"], "tokharness gate "),
        (["fuzz", "toks.py"], "tokharness fuzz "),
        (["baseline", "toks.py"], "tokharness baseline "),
        (["compare", "reference", "toks.py"], "tokharness compare "),
        (["show", "a", "toks.py"], "tokharness show TEXT "),
        (["show", "--json", '"a"', "toks.py"], "tokharness show --json STRING "),
    ],
)
def test_a_python_file_is_not_run_and_each_command_says_what_to_write(command, words, before):
    outcome = command(*words)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert f"try `{before}python:toks.py:Bytes`\n" in outcome.err


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("o200k_base", "try `tokharness check tiktoken:o200k_base` or"),
        ("toks.py:Bytes", "try `tokharness check python:toks.py:Bytes`"),
        ("gone.json", "there is no file 'gone.json', and no target has this name"),
        ("mine.bpe.json", "no adapter recognizes 'mine.bpe.json'"),
        ("side", "there is no side.json, the side file of side"),
        ("ids.json", "'ids.json' is a table of tokens and ids without merges, which no installed"),
        ("two", "several ways: try `tokharness check tiktoken:two/a` or"),
        ("serve", "try `tokharness check command:./serve`"),
        ("serve.js", "try `tokharness check 'command:node serve.js'`"),
        ("pipe", "is a pipe"),
        ("/dev/zero", "is a device"),
        ("new\nline\x1b[31m\u202e.py", "which a path alone does not run: try `"),
    ],
)
def test_what_is_unclear_is_an_error_of_one_line(command, word, message):
    for name in ("side", "two/a", "two/b"):
        Path(name).parent.mkdir(exist_ok=True)
        shutil.copy("mine.bpe", name)
    Path("ids.json").write_text('{"a": 0, "b": 1, "ab": 2}')
    Path("serve").write_bytes(b"#!/bin/sh\n")
    Path("serve").chmod(0o755)
    Path("serve.js").write_text("")
    os.mkfifo("pipe")
    Path("new\nline\x1b[31m\u202e.py").write_text(CODE)
    outcome = command("check", word, *FEW)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err
    assert outcome.err.replace("\n", "").isprintable()


def test_a_path_that_looks_like_an_option_follows_two_hyphens(command):
    shutil.copy("mine.bpe", "--help")
    shutil.copy("mine.bpe.json", "--help.json")
    assert command("check", *FEW, "--", "--help").code == 0


@pytest.mark.skipif("hf" not in plugins.adapters(), reason="there is no adapter hf")
def test_a_tokenizer_json_is_recognized_by_any_name_and_by_its_folder():
    content = {"added_tokens": [], "model": {"type": "WordLevel", "vocab": {}, "unk_token": ""}}
    Path("folder").mkdir()
    for name in ("any name", "folder/tokenizer.json"):
        Path(name).write_text(json.dumps(content))
    Path("folder/vocab.txt").write_text("[UNK]\n")
    assert spec_of("any name") == "hf:any name"
    assert spec_of("folder") == "hf:folder"
    assert spec_of("folder/tokenizer.json") == "hf:folder/tokenizer.json"


def test_to_recognize_a_path_imports_no_library(here):
    Path("x.json").write_text('{"added_tokens": [], "model": {}}')
    script = (
        "import sys; from tokharness.errors import UsageError\n"
        "from tokharness.plugins.bare_paths import spec_of\n"
        "for word in ('mine.bpe', 'x.json', 'toks.py', 'mine.bpe.json'):\n"
        "    try: spec_of(word)\n"
        "    except UsageError: pass\n"
        "heavy = {'tiktoken', 'regex', 'tokenizers', 'transformers', 'huggingface_hub'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    needed = [] if sys.version_info >= (3, 11, 5) else ["regex"]  # see file_heads
    assert done.stdout.strip() == str(needed)
