"""Lists of tokens and merges: which files they are, and which library reads them."""

from __future__ import annotations

import gzip
import os
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.file_formats import (
    clip_merges,
    find,
    vocabulary_and_merges,
    wordpiece_list,
)

REAL = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
FIRST_LINE = b'"bpe_simple_vocab_16e6.txt#version: 0.2\n'


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        (b"[PAD]\n[UNK]\nthe\n##s\n", True),
        (b"[UNK]\r\n\r\na\r\n", True),
        (b"a\nb\n", False),
        (b"[UNK]\ntwo words\n", False),
    ],
)
def test_a_list_of_pieces_has_an_unknown_token(
    content: bytes, is_one: bool, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert wordpiece_list.matches(path) is is_one


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        (gzip.compress(FIRST_LINE + b"i n\n", mtime=0), True),
        (gzip.compress(FIRST_LINE + b"i n\n", mtime=0)[:60], True),
        (gzip.compress(b"a\n" + FIRST_LINE, mtime=0), False),
        (FIRST_LINE, True),
        (b"a\n" + FIRST_LINE, False),
        (b"\x1f\x8bx", False),
    ],
)
def test_the_merges_of_clip_are_known_by_their_first_line(
    content: bytes, is_one: bool, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert clip_merges.matches(path) is is_one


def test_a_folder_has_the_two_files_of_bpe_before_a_list(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[UNK]\n")
    assert find(tmp_path) == (wordpiece_list, tmp_path / "vocab.txt")
    (tmp_path / "vocab.json").write_text("{}")
    assert find(tmp_path) == (wordpiece_list, tmp_path / "vocab.txt")
    (tmp_path / "merges.txt").write_text("")
    assert find(tmp_path) == (vocabulary_and_merges, tmp_path)


@pytest.mark.parametrize(
    ("release", "spec"), [("0.23.3", "hf:x"), ("1.0.0rc3", None), (None, None)]
)
def test_the_library_is_one_that_has_parts(
    release: str | None, spec: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if release is None:
            raise PackageNotFoundError(name)
        return release

    monkeypatch.setattr(libraries, "version", version)
    assert wordpiece_list.library(Path("x")) == spec


def test_a_file_without_its_library_is_a_target_of_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\na\n")
    monkeypatch.setattr(wordpiece_list, "library", lambda _: None)
    assert reference_target.recognize(path) == str(path)


@pytest.mark.skipif(not REAL.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder")
def test_real_files_have_their_format() -> None:
    clip = find(REAL / "clip/bpe_simple_vocab_16e6.txt.gz")
    bert = find(REAL / "wordpiece/bert-uncased-vocab.txt")
    assert clip is not None
    assert bert is not None
    assert (clip[0], bert[0]) == (clip_merges, wordpiece_list)
