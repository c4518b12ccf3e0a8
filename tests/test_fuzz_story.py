"""The README's story of train, fuzz, fix, gate: its commands, as a reader runs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import regex

README = Path(__file__).parents[1] / "README.md"
STORY = regex.compile(r"<!-- story -->\n```sh\n(.*?)```", regex.DOTALL)
SECONDS = "6s"
"""Less than the README has."""


def shell(script, folder):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "200"}
    environment.pop("HYPOTHESIS_STORAGE_DIRECTORY", None)
    words = ["bash", "-ec", script.replace("20s", SECONDS)]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.slow
def test_a_reader_trains_fuzzes_mends_and_gates(tmp_path):
    first, second = STORY.findall(README.read_text("utf-8"))
    faulty = shell(first, tmp_path)
    assert faulty.returncode == 1, faulty.stderr
    assert "bug     TOK101 lossy-round-trip: dropped characters: U+000B..U+000D" in faulty.stdout
    kept = (tmp_path / "cases/regressions/lossy-round-trip.jsonl").read_text()
    assert "TOK101" in kept
    setting = first.splitlines()[0]
    mended = shell(f"{setting}\n{second}", tmp_path)
    assert mended.returncode == 0, mended.stdout + mended.stderr
    assert (tmp_path / "cases/regressions/lossy-round-trip.jsonl").read_text() == kept
    replayed = shell("tokharness check tiktoken:mine.tiktoken --family regressions", tmp_path)
    assert "mine.tiktoken: 1 cases" in replayed.stdout.replace("against reference:", "")
