"""The command line, called in this process."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from tokharness import cli
from tokharness.checks import raises
from tokharness.diagnosis.text import changes, characters
from tokharness.engine.worker import body_digests
from tokharness.engine.worker.operations import snapshot
from tokharness.engine.worker.snapshots import golden_texts
from tokharness.model import TargetFacts

FEW = (
    *("--family", "digits,contractions", "--profile", "quick", "--examples", "0", "--jobs", "0"),
    *("--ignore", "TOK109,TOK110,TOK114,TOK302"),  # their audits take seconds
)


@pytest.fixture(autouse=True)
def few_probes(monkeypatch):
    """Probe one of eight characters in this process: how a cause is found has other tests."""
    few = [*characters.probe_characters()[::8], "\u200b"]
    for module in (changes, characters, raises):
        monkeypatch.setattr(module, "probe_characters", lambda: few)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def command(monkeypatch, capsys):
    """Run ``tokharness`` with arguments; return exit code, output and errors."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tokharness", *words])
        with pytest.raises(SystemExit) as outcome:
            cli.main()
        return Outcome(outcome.value.code or 0, *capsys.readouterr())

    return run


@pytest.fixture
def check(command):
    """Run ``tokharness check`` on two small families."""
    return lambda *words: command("check", *words, *FEW)


@pytest.fixture
def process(tmp_path):
    """Run a command in a separate process, in an empty folder."""

    def run(*argv, **options):
        defaults = {"capture_output": True, "cwd": tmp_path, "timeout": 120}
        return subprocess.run(argv, check=False, **(defaults | options))

    return run


GATED = Path(__file__).with_name("gated_tokenizers.py")


class Project:
    """An empty folder, with a policy if one is written."""

    baselines: ClassVar[dict[str, str]] = {}

    def __init__(self, folder, command):
        self._folder, self._command = folder, command

    def spec(self, factory):
        return f"python:{GATED}:{factory}"

    def policy(self, text):
        table = f"[tool.tokharness]\n{text}"
        (self._folder / "pyproject.toml").write_text(table, encoding="utf-8")

    def baseline(self, path):
        """Write the baseline of the plain tokenizer, which is created once."""
        file = self._folder / path
        file.parent.mkdir(parents=True)
        if path not in self.baselines:
            words = ("--family", "zero-width", "--select", "TOK101,TOK110", "--profile", "quick")
            words += ("--examples", "0", "--jobs", "0", "--name", file.stem)
            assert self._command("baseline", self.spec("Plain"), *words).code == 0
            self.baselines[path] = file.read_text()
        file.write_text(self.baselines[path])
        return file


@pytest.fixture(scope="session")
def few_golden_texts():
    """Use few golden texts: common ones, all languages, and the family of the differences."""
    kinds = ("everyday", "language", "family:zero-width")
    texts = golden_texts(TargetFacts(("<|end|>",), profile="quick"))
    return [(group, text) for group, text in texts if group.startswith(kinds)]


@pytest.fixture(scope="session")
def few_ordinary_texts():
    return [*body_digests._ordinary_texts()][::50]


@pytest.fixture
def in_project(tmp_path, monkeypatch, command, few_golden_texts, few_ordinary_texts):
    """A working directory for each test, with the tokenizers to compare."""
    monkeypatch.setattr(snapshot, "golden_texts", lambda _: few_golden_texts)
    monkeypatch.setattr(body_digests, "_ordinary_texts", lambda: few_ordinary_texts)
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "HYPOTHESIS_STORAGE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    return Project(tmp_path, command)
