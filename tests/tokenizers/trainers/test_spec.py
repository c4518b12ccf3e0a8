"""The target of a trained file is the library that reads it, or else our reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokharness_tokenizers.trainers._corpus import library_spec

TOKENIZER_JSON = Path(__file__).parents[1] / "adapters" / "tokenizer.json"


@pytest.mark.needs("tokenizers")
def test_a_file_of_a_library_is_its_target() -> None:
    assert library_spec(TOKENIZER_JSON) == f"hf:{TOKENIZER_JSON}"


def test_a_file_of_no_library_is_a_target_of_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words").write_text("no vocabulary")
    assert library_spec(tmp_path / "words") == f"reference:{tmp_path / 'words'}"
    monkeypatch.chdir(tmp_path)
    assert library_spec(Path("words")) == "reference:./words"
