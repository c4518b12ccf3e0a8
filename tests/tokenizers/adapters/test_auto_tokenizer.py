"""The adapter of ``transformers``, which is no part of the extra for tests."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokharness import extras
from tokharness.errors import TargetError
from tokharness.model import target_of
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import auto_tokenizer
from tokharness_tokenizers.reference import tokenizer_json

if TYPE_CHECKING:
    from collections.abc import Callable


def with_library(test: Callable[..., None]) -> Callable[..., None]:
    """Skip a test if the library is missing; its own warnings are no errors."""
    skip = pytest.mark.needs("transformers")
    marked: Callable[..., None] = skip(pytest.mark.filterwarnings("default")(test))
    return marked


FILE: dict[str, Any] = json.loads(Path(__file__).with_name("tokenizer.json").read_bytes())
CONFIG = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tokenizer.json").write_text(json.dumps(FILE), encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return tmp_path


def failure(rest: object) -> TargetError:
    with pytest.raises(TargetError) as caught:
        auto_tokenizer.load(str(rest))
    assert "\n" not in str(caught.value)
    return caught.value


def not_installed(name: str) -> str:
    raise PackageNotFoundError(name)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    assert "there is no folder" in str(failure(tmp_path / "none"))


def test_without_the_library_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "version", not_installed)
    assert extras.what_installs("transformers") in str(failure(folder))
    assert auto_tokenizer.versions() == {}


def test_the_automatic_reference_is_the_file_of_the_folder(folder: Path) -> None:
    assert auto_tokenizer.reference(str(folder)) == f"reference:{folder / 'tokenizer.json'}"
    (folder / "tokenizer.json").unlink()
    assert auto_tokenizer.reference(str(folder)) is None


@with_library
def test_plain_text_has_no_special_tokens_and_the_default_reads_them(
    folder: Path,
) -> None:
    target = auto_tokenizer.load(str(folder))
    assert target.encode_ordinary("<s> a") == [*b"<s>", 256]
    assert target.encode_special("<s> a") == [258, 256]
    assert target.encode("<s> a") == [258, 258, 256]
    assert target.encode_ordinary("<s> a") == [*b"<s>", 256]


@with_library
def test_ids_are_those_of_the_reference(folder: Path) -> None:
    target = auto_tokenizer.load(str(folder))
    reading = tokenizer_json.load(folder / "tokenizer.json")
    texts = ["", "<s> a", "e\u0301 a<t>x", "\U0001f600\u0301", "a" * 50]
    rows = target.encode_batch(texts)
    assert rows == reading.encode_batch(texts)
    assert rows == [target.encode_ordinary(text) for text in texts]
    assert [*map(target.decode, rows)] == [*map(reading.decode, rows)]
    assert [*map(target.encode, texts)] == [*map(reading.encode, texts)]


@with_library
def test_facts(folder: Path) -> None:
    target = target_of("transformers:x", auto_tokenizer.load(str(folder)))
    assert dict(target.special_tokens) == {"<s>": 258}
    assert dict(target.added_tokens) == {"<t>": 259}
    assert target.n_vocab == 260
    assert target.normalizer == "NFC"
    assert target.plain_setting == "split_special_tokens=True"
    assert {"normalize", "token_text", "encode_batch"} <= set(target.capabilities)


@with_library
def test_decoding_keeps_special_tokens(folder: Path) -> None:
    target = auto_tokenizer.load(str(folder))
    assert target.decode([258, 256, 259]) == "<s> a<t>"


@with_library
def test_texts_of_tokens(folder: Path) -> None:
    target = auto_tokenizer.load(str(folder))
    assert target.token_text(256) == "\u0120a"
    for number in (260, -1, 1 << 40):
        with pytest.raises(KeyError, match="no token has the id"):
            target.token_text(number)


@with_library
def test_a_folder_that_the_library_refuses_is_an_error_with_its_message(
    folder: Path,
) -> None:
    (folder / "tokenizer.json").write_text("{")
    error = failure(folder)
    assert str(error).startswith(f"transformers refuses the folder {folder}: ")
    assert error.failure


@with_library
def test_truncation_and_padding_of_the_file_are_not_applied(folder: Path) -> None:
    cut = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    (folder / "tokenizer.json").write_text(json.dumps({**FILE, "truncation": cut}))
    assert auto_tokenizer.load(str(folder)).encode_ordinary("abc") == [*b"abc"]
    assert tokenizer_json.load(folder / "tokenizer.json").encode("abc") == [258, *b"a"]
