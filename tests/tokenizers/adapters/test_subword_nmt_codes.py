from __future__ import annotations

import importlib.metadata
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING, Any

import pytest
from planted._subword_nmt_codes import file

from tokharness import extras
from tokharness.errors import TargetError
from tokharness.model import target_of
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import reference_target, subword_nmt_codes
from tokharness_tokenizers.file_formats import is_a

if TYPE_CHECKING:
    from pathlib import Path

needs_library = pytest.mark.needs("subword-nmt")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "codes.bpe"
    path.write_text(file(), "utf-8")
    return path


def failure(rest: object) -> TargetError:
    with pytest.raises(TargetError) as caught:
        subword_nmt_codes.load(str(rest))
    assert "\n" not in str(caught.value)
    return caught.value


@needs_library
def test_a_file_of_codes_is_recognized_and_loaded(path: Path) -> None:
    assert subword_nmt_codes.recognize(path) == str(path)
    assert subword_nmt_codes.recognize(path.parent) is None
    assert subword_nmt_codes.reference(str(path)) == f"reference:{path}"
    assert reference_target.reference(str(path)) == f"subword-nmt:{path}"
    engine = subword_nmt_codes.load(str(path))
    assert [*map(engine.token_text, engine.encode("the  tot"))] == ["the", "t@@", "o@@", "t"]
    assert engine.decode(engine.encode("the  tot")) == engine.normalize("the  tot") == "the tot"


@needs_library
def test_attributes_are_those_of_the_reference(path: Path) -> None:
    target = target_of("subword-nmt:x", subword_nmt_codes.load(str(path)))
    reference = target_of("reference:x", reference_target.load(str(path)))
    assert dict(target.special_tokens) == dict(reference.special_tokens) == {"<unk>": 0}
    assert target.n_vocab == reference.n_vocab
    assert target.normalizer == reference.normalizer == "words"


@needs_library
@pytest.mark.parametrize("ids", [[], [1], [1, 2], [2, 1], [1, 1]])
def test_the_signs_of_a_last_subword_are_deleted_by_both(ids: list[int], path: Path) -> None:
    engine, ours = subword_nmt_codes.load(str(path)), reference_target.load(str(path))
    assert engine.token_text(1) == "t@@"
    assert engine.decode(ids) == ours.decode(ids)
    with pytest.raises(KeyError):
        engine.decode([-1])


@needs_library
def test_what_the_library_refuses_is_an_error_with_its_message(path: Path) -> None:
    path.write_text("#version: 0.2\na b\n\nc d</w>\n", "utf-8")
    error = failure(path)
    assert str(error).startswith(f"subword-nmt refuses the file {path}: Error: invalid line 3")
    assert error.failure == "SystemExit"
    assert "there is no file" in str(failure("no/such"))


@needs_library
def test_what_the_library_reads_and_we_do_not_is_an_error(path: Path) -> None:
    path.write_text("#version: 1.0\na b</w>\n", "utf-8")
    assert "is no version that is known" in str(failure(path))


CODES = ("a b</w>\n", "#version: 0.2\na b\nab c</w>\n", "\ufeff#version: 0.2\r\na b</w>\r\n")
OTHERS = (
    *("", "#version: 0.2\n", "#version: 0.2\na b\n", "a</w>\n", "a b</w>\nc\n", "a b</w> 3\n"),
    '"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\nh e</w>\n',
)


@pytest.mark.parametrize("content", [*CODES, *OTHERS])
def test_codes_are_pairs_of_symbols_with_an_end_of_a_word(content: str, path: Path) -> None:
    path.write_text(content, "utf-8", newline="")
    assert is_a("subword_nmt_codes", path) is (content in CODES)


def test_without_the_library_it_says_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "version", not_installed)
    assert extras.what_installs("subword-nmt") in str(failure(path))
    assert subword_nmt_codes.versions() == {}
    assert reference_target.reference(str(path)) is None
    assert reference_target.load(str(path)).decode([1, 2]) == "tt"


def not_installed(name: str) -> Any:
    raise PackageNotFoundError(name)


@needs_library
def test_the_version_of_the_library_is_reported() -> None:
    version = importlib.metadata.version("subword-nmt")
    assert subword_nmt_codes.versions() == {"subword-nmt": version}
