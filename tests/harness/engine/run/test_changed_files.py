"""A file that changes while a run uses it makes the run not finished."""

import shutil
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import SkipRecorded, TargetStarted
from tokharness.engine.run.run import run
from tokharness.plugins.spec_paths import changed_path, identities_of
from tokharness_tokenizers import vocabularies

SMALL = Path(vocabularies.__file__).parent / "small" / "byte-level-bpe.json"
OPTIONS = Options(profile="quick", families=("plain-words",), select=("TOK101",), against="none")


@pytest.mark.parametrize("is_changed", [True, False])
def test_a_file_that_changes_makes_the_run_not_finished(tmp_path, is_changed):
    path = shutil.copy(SMALL, tmp_path / "tokenizer.json")
    skips = []
    for event in run([f"reference:{path}"], OPTIONS, jobs=0):
        if is_changed and isinstance(event, TargetStarted):
            path.write_bytes(path.read_bytes() + b" ")
        if isinstance(event, SkipRecorded) and event.skip.unfinished:
            skips.append(event.skip)
    assert [skip.what for skip in skips] == [str(path)] * is_changed


def test_files_of_a_folder_are_those_of_tokenizers(tmp_path):
    for name in ("tokenizer.json", "run.jsonl"):
        (tmp_path / name).write_text("{}")
    before = identities_of([f"transformers:{tmp_path}"])
    (tmp_path / "run.jsonl").unlink()
    assert changed_path(before) is None
    (tmp_path / "tokenizer.json").unlink()
    assert changed_path(before) == tmp_path / "tokenizer.json"
