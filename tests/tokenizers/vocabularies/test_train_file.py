from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokharness.errors import TokharnessError, UnknownNameError, UsageError
from tokharness.training import Trained, Training
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.reference.patterns import O200K
from tokharness_tokenizers.vocabularies import train_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def trained(path: Path, texts: Iterable[str], **settings: Any) -> Trained:
    training = Training(**{"vocab_size": 300, "pattern": "o200k", **settings})
    return reference_target.train(texts, path, training, str)


def test_what_is_written_is_a_target(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    trained(path, ["abc abc"] * 2, special_tokens=("<a>",), unicode_version="15.0", name="mine")
    loaded = reference_target.load(str(path))
    assert (loaded.name, loaded.pattern, loaded.unicode_version) == ("mine", O200K, "15.0")
    assert loaded.special_tokens == {"<a>": len(loaded.ranks)}
    assert b"abc" in loaded.ranks


def test_what_came_of_it_is_told(tmp_path: Path) -> None:
    told = trained(tmp_path / "mine", ["ab\u00e9 ", "ab\u00e9."], pattern=r"\w+")
    assert told == Trained(tokens=259, size=10, left_out=2)


def test_a_lone_surrogate_is_no_character_left_out(tmp_path: Path) -> None:
    assert trained(tmp_path / "mine", ["\ud800", "\ud83d\ude00"] * 2).left_out == 0


def test_the_same_texts_in_other_pieces_are_the_same_corpus(tmp_path: Path) -> None:
    written = []
    for texts in (["ab ab", " ab"], ["ab", " ab ab"]):
        trained(tmp_path / "mine", texts)
        written.append((tmp_path / "mine.json").read_bytes())
    assert written[0] == written[1]


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
def test_a_mistake_is_told_before_a_text_is_asked_for(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    texts = iter(["abc"])
    with pytest.raises(UsageError):
        trained(tmp_path / "mine", texts, **settings)
    assert list(texts) == ["abc"]


def test_a_misspelt_name_is_no_pattern(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'cl100k'"):
        trained(tmp_path / "mine", ["abc"], pattern="cl-100k")


def test_a_process_that_ends_early_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object, **__: object) -> None:
        raise ChildProcessError("a process has ended")

    monkeypatch.setattr(train_file, "count_pretokens", ended)
    with pytest.raises(TokharnessError, match="a process has ended"):
        trained(tmp_path / "mine", ["abc"])
