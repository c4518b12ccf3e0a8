"""The command, called as a shell would call it, but within this process."""

import subprocess
import sys
from dataclasses import dataclass

import pytest

from tokharness import cli

FEW = (
    *("--family", "digits,contractions", "--profile", "quick", "--examples", "0", "--jobs", "0"),
    *("--ignore", "TOK109,TOK110,TOK114"),  # their audits take seconds
)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def command(monkeypatch, capsys):
    """Run ``tokharness`` with some words; gives exit code, output and errors."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tokharness", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Outcome(ended.value.code or 0, *capsys.readouterr())

    return run


@pytest.fixture
def check(command):
    """Run ``tokharness check`` on two small families."""
    return lambda *words: command("check", *words, *FEW)


@pytest.fixture
def process(tmp_path):
    """Run a command in a process of its own, in an empty folder."""

    def run(*argv, **options):
        given = {"capture_output": True, "cwd": tmp_path, "timeout": 120}
        return subprocess.run(argv, check=False, **(given | options))

    return run
