"""Sessions of pytest in this process, whose targets run in it too."""

from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.run.run import run
from tokharness.pytest_plugin import _outcomes
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH

FAULTY = "python:tokharness_tokenizers.demo:drops_zero_width_space"


def target_options(*specs):
    return [word for spec in specs for word in ("--tokharness-target", spec)]


@pytest.fixture(scope="session")
def target():
    """Return the options for targets."""
    return target_options


@pytest.fixture(scope="session")
def faulty():
    """Spec of a target that drops U+200B."""
    return FAULTY


@pytest.fixture(autouse=True, scope="session")
def imported():
    """Import all modules first: a session in this process forgets the modules that it imports."""
    options = Options(profile="quick", families=("surrogates",), select=("TOK101", "TOK302"))
    assert list(run([FAULTY, "reference"], options, jobs=0))


@pytest.fixture(autouse=True)
def run_in_this_process(monkeypatch):
    """Run targets in this process, which takes a fifth of the time."""

    def run_here(targets, options, *, jobs, earlier=()):
        assert jobs
        return run(targets, options, jobs=0, earlier=earlier)

    monkeypatch.setattr(_outcomes, "run", run_here)


@pytest.fixture
def tokenizer(pytester):
    """Write a byte tokenizer that appends to a file each time it is loaded."""

    def write(hostile="pass"):
        pytester.makepyfile(
            mine=f"""
            import os, pathlib

            class Tokenizer:
                def __init__(self):
                    with open({str(pytester.path / "loaded")!r}, "a") as file:
                        file.write("x")

                def encode(self, text):
                    {hostile}
                    return list(text.encode())

                def decode(self, ids):
                    return bytes(ids).decode()
            """
        )
        return f"python:{pytester.path / 'mine.py'}:Tokenizer"

    return write


@pytest.fixture
def vocabulary(pytester):
    """A vocabulary file without a name of its own."""
    for end in ("", ".json"):
        (pytester.path / f"mine.bpe{end}").write_bytes(Path(f"{EMBEDDED_PATH}{end}").read_bytes())
    return "mine.bpe"
