from __future__ import annotations

import dataclasses
import hashlib
import tempfile
from pathlib import Path

import pytest

from tokharness.errors import UnknownNameError, VocabularyError
from tokharness_tokenizers.vocabularies import locate

R50K = locate.PUBLISHED["r50k_base"]


def test_names_and_paths_are_distinguished() -> None:
    assert locate.path_of("embedded") == locate.EMBEDDED_PATH
    assert locate.path_of("r50k_base") is None
    assert locate.path_of("mine.tiktoken") == Path("mine.tiktoken")
    assert locate.path_of("some/where") == Path("some/where")


def test_an_unknown_name_suggests_similar_names() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'o200k_base'"):
        locate.path_of("o200_base")


def test_the_cache_is_where_tiktoken_has_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    assert R50K.cache_path.parent == Path(tempfile.gettempdir(), "data-gym-cache")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "old"))
    assert R50K.cache_path.parent == tmp_path / "old"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert R50K.cache_path == tmp_path / "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4"


def test_the_error_of_a_missing_file_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(VocabularyError, match=r"not in tiktoken's cache .* TIKTOKEN_CACHE_DIR"):
        locate.read_published(R50K)


@pytest.mark.parametrize("content", [b"", b"IQ== 0\n"])
def test_a_file_with_another_digest_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    R50K.cache_path.write_bytes(content)
    with pytest.raises(VocabularyError, match=f"SHA-256 differs; {len(content)} bytes"):
        locate.read_published(R50K)


def test_a_file_with_the_digest_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    small = dataclasses.replace(R50K, sha256=hashlib.sha256(b"content").hexdigest())
    small.cache_path.write_bytes(b"content")
    assert locate.read_published(small) == b"content"
