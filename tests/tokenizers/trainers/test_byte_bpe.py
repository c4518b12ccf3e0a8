from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokharness.errors import TokharnessError, UnknownNameError, UsageError
from tokharness.training import TrainingOptions, TrainingResult
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.reference.patterns import O200K
from tokharness_tokenizers.trainers import byte_bpe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def train(path: Path, texts: Iterable[str], **settings: Any) -> TrainingResult:
    options = TrainingOptions(**{"vocab_size": 300, "pattern": "o200k", **settings})
    return byte_bpe.train(texts, path, options, str)


def test_a_trained_vocabulary_is_a_target(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    train(path, ["abc abc"] * 2, special_tokens=("<a>",), unicode_version="15.0", name="mine")
    loaded = reference_target.load_ranks(str(path))
    assert (loaded.name, loaded.pattern, loaded.unicode_version) == ("mine", O200K, "15.0")
    assert loaded.special_tokens == {"<a>": len(loaded.ranks)}
    assert b"abc" in loaded.ranks


def test_the_result_has_the_counts(tmp_path: Path) -> None:
    result = train(tmp_path / "mine", ["ab\u00e9 ", "ab\u00e9."], pattern=r"\w+")
    assert (result.tokens, result.special_tokens, result.corpus_bytes) == (259, 0, 10)


def test_a_lone_surrogate_is_covered(tmp_path: Path) -> None:
    notes = train(tmp_path / "mine", ["\ud800", "\ud83d\ude00"] * 2).notes
    assert not any("does not match" in note for note in notes)


def test_the_digest_of_the_corpus_ignores_the_ends_of_texts(tmp_path: Path) -> None:
    side_files = []
    for texts in (["ab ab", " ab"], ["ab", " ab ab"]):
        train(tmp_path / "mine", texts)
        side_files.append((tmp_path / "mine.json").read_bytes())
    assert side_files[0] == side_files[1]


@pytest.mark.parametrize(
    "settings",
    [
        {"vocab_size": 255},
        {"vocab_size": 1 << 30},
        {"pattern": "("},
        {"pattern": "o200"},
        {"special_tokens": ("",)},
        {"special_tokens": ("<a>", "<a>")},
        {"special_tokens": ("\udcff",)},
        {"unicode_version": "sixteen"},
    ],
)
def test_an_invalid_option_is_an_error_before_the_first_text_is_read(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    texts = iter(["abc"])
    with pytest.raises(UsageError):
        train(tmp_path / "mine", texts, **settings)
    assert list(texts) == ["abc"]


def test_a_misspelled_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'cl100k'"):
        train(tmp_path / "mine", ["abc"], pattern="cl-100k")


def test_an_early_end_of_a_process_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_early(*_: object, **__: object) -> None:
        raise ChildProcessError("a process ended")

    monkeypatch.setattr(byte_bpe, "count_pretokens", end_early)
    with pytest.raises(TokharnessError, match="a process ended"):
        train(tmp_path / "mine", ["abc"])
