"""Damaged files are refused as their readers do, and what no file can have is not written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers import descriptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def described(path: Path) -> Description:
    description = descriptions.describe(path)
    assert description is not None
    return description


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"model": {}, "decoder": null', "is not JSON: Expecting"),
        ('{"model": {"type": "New", "vocab": {}}, "decoder": null}', "the model 'New', which is"),
        ('{"model": {"merges": [], "vocab": {"a": -1}}, "decoder": null}', "has the id -1 of"),
        ('{"model": {"merges": ["a"], "vocab": {}}, "decoder": null}', "not a pair of tokens"),
        ('{"model": {"vocab": [["a"]]}, "decoder": null}', "not a piece and its score"),
        ('{"model": {"vocab": {}}, "decoder": {"a": 1}}', "decoder.type is missing"),
        ('{"model": {"vocab": {}}, "decoder": 1}', "decoder is 1, not an object"),
        ('{"model": {"vocab": {}}, "added_tokens": [{"id": 1}]}', r"\[0\].content is missing"),
    ],
)
def test_a_damaged_file_is_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message) as raised:
        descriptions.describe(path)
    assert str(path) in str(raised.value)


def test_a_file_that_is_cut_off_is_refused_or_is_another_one(path: Path) -> None:
    file = next(path.glob("*.json")) if path.is_dir() else path
    before = descriptions.describe(path)
    file.write_bytes(file.read_bytes()[:-9])
    try:
        assert descriptions.describe(path) != before
    except ValueError as error:
        assert str(error)  # noqa: PT017 - some formats have no end, as a list of lines


def test_a_file_of_no_known_format_has_no_description(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("nothing")
    assert descriptions.describe(path) is None


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("tiktoken", {"format": "x"}, "the format 'x' is not known"),
        ("tiktoken", {"tokens": (TokenEntry(0, "a"),)}, "is a text, and those of the file are"),
        ("sp_bpe", {"tokens": (TokenEntry(1, "a"),)}, "the ids have no 0"),
        ("sp_bpe", {"tokens": (TokenEntry(0, b"a"),)}, "is bytes, and those of the file are"),
        ("sp_bpe", {"tokens": (TokenEntry(0, "a", 0.0, "odd"),)}, "no SentencePiece has this"),
        ("byte_bpe", {"stages": {}}, "no tokenizer.json has this description"),
        (
            "byte_bpe",
            {"tokens": (TokenEntry(0, "a"), TokenEntry(1, "a"))},
            "two entries have the text 'a'",
        ),
        ("sp_bpe", {"tokens": (TokenEntry(0, "a", 1e300, "normal"),)}, "no SentencePiece has this"),
        ("gguf_unigram", {"tokens": (TokenEntry(0, "a", "high", "byte"),)}, "could not convert"),
        (
            "rwkv",
            {"tokens": (TokenEntry(1, b"a"), TokenEntry(1, b"b"))},
            "two entries have the id 1",
        ),
    ],
)
def test_what_a_file_cannot_have_is_not_written(
    name: str,
    change: dict[str, object],
    message: str,
    write_file: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    description = replace(described(write_file(name)), **change)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        descriptions.write(description, tmp_path)
