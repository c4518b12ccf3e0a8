"""A file that changes while a run uses it makes the run not finished."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from tokharness.config import Options
from tokharness.corpora.sources import find_sources
from tokharness.engine.events import SkipRecorded, TargetStarted
from tokharness.engine.fuzz import Budget, fuzz
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.run import compare, compare_vocabularies, run
from tokharness.errors import TargetError
from tokharness.parity_matrix.cells import unfinished
from tokharness.parity_matrix.opened import Opened
from tokharness.plugins.spec_paths import changed_path, identities_of
from tokharness.scanning.plan import Settings
from tokharness.scanning.scan import Corpus, Place, scan
from tokharness.targets.processes.isolated import isolated
from tokharness_tokenizers import vocabularies

SMALL = Path(vocabularies.__file__).parent / "small" / "byte-level-bpe.json"
OPTIONS = Options(profile="quick", families=("plain-words",), select=("TOK101",), against="none")


CORPUS = Corpus((__file__,), find_sources([__file__])[0][:1])
RUNS = {
    "run": lambda spec: run([spec], OPTIONS, jobs=0),
    "fuzz": lambda spec: fuzz(spec, OPTIONS, Budget(texts=1), jobs=0),
    "compare": lambda spec: compare([spec], OPTIONS, (), jobs=0),
    "two vocabularies": lambda spec: compare_vocabularies((spec, spec), OPTIONS, jobs=0),
    "scan": lambda spec: scan(spec, OPTIONS, CORPUS, Settings(), Place(jobs=0)),
}


@pytest.mark.parametrize(("name", "is_changed"), [*((name, True) for name in RUNS), ("run", False)])
def test_a_file_that_changes_makes_the_run_not_finished(tmp_path, name, is_changed):
    path = shutil.copy(SMALL, tmp_path / "tokenizer.json")
    skips = []
    for event in RUNS[name](f"reference:{path}"):
        if is_changed and isinstance(event, TargetStarted):
            path.write_bytes(path.read_bytes() + b" ")
        if isinstance(event, SkipRecorded) and event.skip.unfinished:
            skips.append(event.skip)
    assert {skip.what for skip in skips} == ({str(path)} if is_changed else set())


@pytest.mark.parametrize("option", ["corpus", "embeddings", "against"])
def test_a_further_file_of_a_run_is_watched(tmp_path, option):
    path = tmp_path / "further.txt"
    path.write_text("a")
    name = f"reference:{path}" if option == "against" else str(path)
    with Pool("reference:wordpiece", Options(**{option: name}), jobs=0) as pool:
        assert pool.changed_file() is None
        path.write_text("ab")
        assert pool.changed_file() == path


def test_a_parity_with_a_file_that_changes_is_not_finished(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}")
    with Pool(f"reference:{path}", OPTIONS, jobs=0) as pool:
        form = Opened(pool.spec, workers=SimpleNamespace(pool=pool))
        assert [*unfinished([form], [], named=True)] == []
        path.unlink()
        assert [(one.what, one.unfinished) for one in unfinished([form], [], named=True)] == [
            (str(path), True)
        ]


def test_what_is_shown_of_a_file_that_changes_is_an_error(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}")
    assert isolated(lambda: "shown", [f"reference:{path}"]) == "shown"
    with pytest.raises(TargetError, match=r"tokenizer\.json changed while it was read: run the"):
        isolated(lambda: str(path.write_text("[]")), [f"reference:{path}"])


def test_files_of_a_folder_are_those_of_tokenizers(tmp_path):
    for name in ("tokenizer.json", "run.jsonl"):
        (tmp_path / name).write_text("{}")
    before = identities_of([f"transformers:{tmp_path}"])
    (tmp_path / "run.jsonl").unlink()
    assert changed_path(before) is None
    (tmp_path / "tokenizer.json").unlink()
    assert changed_path(before) == tmp_path / "tokenizer.json"
