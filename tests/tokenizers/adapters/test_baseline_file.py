"""The target ``baseline:FILE`` is the tokenizer file of an undamaged baseline only."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from tokharness.baseline import Baseline, RunOptions
from tokharness.baseline.writing import baseline_text
from tokharness.errors import VocabularyError
from tokharness.model import Description, TokenEntry
from tokharness.packing import pack
from tokharness.targets.snapshot import FileState, Fingerprint, Golden
from tokharness_tokenizers.adapters import baseline_file

if TYPE_CHECKING:
    from pathlib import Path

FILE = Description("RWKV list", {"model": {"type": "longest match"}}, (TokenEntry(1, b"a"),))


def packed(description: Description) -> str:
    return base64.b85encode(pack(description)).decode("ascii")


def written(path: Path, file: FileState | None) -> str:
    """Write a baseline, and return its text."""
    baseline = Baseline(
        name="mine",
        spec="rwkv:mine.txt",
        against=None,
        run=RunOptions("quick", 0, None),
        versions={},
        fingerprint=Fingerprint(),
        capabilities=(),
        checks=(),
        skips={},
        golden=(Golden("everyday", "\U0001f600 \ud83d", (1, 2)),),
        metrics={},
        facts={},
        file=file,
    )
    path.write_text(baseline_text(baseline), encoding="ascii")
    return path.read_text(encoding="ascii")


def test_the_file_of_a_baseline_is_described(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    written(path, FileState("RWKV list", {}, packed(FILE)))
    assert baseline_file.describe(str(path)) == FILE


def test_the_packed_file_of_another_baseline_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    text = written(path, FileState("RWKV list", {}, packed(FILE)))
    other = Description(FILE.format, FILE.stages, (TokenEntry(2, b"b"),))
    path.write_text(text.replace(packed(FILE), packed(other)), encoding="ascii")
    with pytest.raises(VocabularyError, match="its digest does not match"):
        baseline_file.describe(str(path))


def test_a_baseline_of_a_target_without_a_file_has_none(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    written(path, None)
    with pytest.raises(VocabularyError, match="keeps no tokenizer file"):
        baseline_file.describe(str(path))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"digest": 1}', "\u00e9"])
def test_what_is_no_baseline_is_refused_in_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(VocabularyError, match=r"\A.* is (not a baseline, or is )?damaged.*\Z"):
        baseline_file.describe(str(path))
