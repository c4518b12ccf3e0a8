from __future__ import annotations

import importlib.metadata
import json
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING, Any

import pytest
from planted._tekken_records import record

from tokharness import extras
from tokharness.errors import TargetError, UnknownNameError
from tokharness.model import target_of
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import mistral_tokenizer, reference_target

if TYPE_CHECKING:
    from pathlib import Path

needs_library = pytest.mark.needs("mistral-common")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "mine.json", record())


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")
    return path


def failure(rest: str) -> TargetError:
    with pytest.raises(TargetError) as caught:
        mistral_tokenizer.load(rest)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.slow
@needs_library
def test_a_file_is_loaded_whatever_its_name_is_and_a_folder_by_its_file(path: Path) -> None:
    folder = path.parent / "folder"
    inside = written(folder / "tekken.json", record())
    for rest, file in ((path, path), (folder, inside)):
        assert mistral_tokenizer.load(str(rest)).name == str(file)
        assert mistral_tokenizer.reference(str(rest)) == f"reference:{file}"
        assert mistral_tokenizer.recognize(rest) == str(rest)
        assert reference_target.reference(str(rest)) == f"mistral:{file}"


@needs_library
def test_plain_text_has_no_special_token_and_decoding_keeps_them(path: Path) -> None:
    engine = mistral_tokenizer.load(str(path))
    target = target_of("mistral:x", engine)
    assert 1 not in engine.encode("<s>")
    assert engine.decode([1]) == "<s>"
    assert target.entry_point == "encode"
    variants = {"encode_variants", "decode_variants"}
    assert set(target.capabilities) == {"token_text", "decode_single_token_bytes", *variants}


@needs_library
def test_names_are_the_vocabularies_that_the_library_carries() -> None:
    names = mistral_tokenizer.names()
    assert {"tekken_240718.json", "tekken_240911.json", "tokenizer.model.v1"} <= {*names}
    assert mistral_tokenizer.reference(names[-1]).endswith(f"/data/{names[-1]}")
    with pytest.raises(UnknownNameError, match="tekken_240911"):
        mistral_tokenizer.load("tekken_240912.json")


@pytest.mark.slow
@needs_library
@pytest.mark.needs("sentencepiece")
def test_a_sentencepiece_model_is_loaded_too_and_its_changes_are_declared() -> None:
    engine = mistral_tokenizer.load("tokenizer.model.v1")
    ours = reference_target.load(
        mistral_tokenizer.reference("tokenizer.model.v1").partition(":")[2]
    )
    assert engine.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2}
    assert engine.normalizer
    assert engine.normalizer.startswith("SentencePiece identity")
    assert engine.normalize
    for text in ("a <s>  b", "\u2581x", " \n", "\U0001f600\u0915\u094d", ""):
        ids = engine.encode(text)
        assert ids == ours.encode(text)
        assert engine.decode([1, *ids]) == engine.decode(ids) == engine.normalize(text)
        assert engine.token_text
        assert [*map(engine.token_text, ids)] == [*map(ours.token_text, ids)]  # type: ignore[attr-defined]


@needs_library
def test_a_missing_file_and_another_kind_of_file_are_errors(tmp_path: Path) -> None:
    assert "there is no file" in str(failure("no/such.json"))
    other = written(tmp_path / "other.json", {})
    assert "neither a Tekken vocabulary nor" in str(failure(str(other)))
    assert "has neither a Tekken vocabulary nor" in str(failure(str(tmp_path)))
    assert "write mistral:NAME or mistral:FILE" in str(failure(""))


@needs_library
@pytest.mark.parametrize("content", [{"rank": 0}, {}])
def test_a_file_that_the_library_refuses_is_an_error(content: Any, tmp_path: Path) -> None:
    file = record()
    file["vocab"][5] = content
    error = failure(str(written(tmp_path / "tekken.json", file)))
    assert str(error).startswith("mistral-common refuses the file ")
    assert error.failure == "AssertionError"


@needs_library
def test_a_damaged_file_is_an_error(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])
    assert mistral_tokenizer.recognize(path) == str(path)
    assert failure(str(path)).failure == "JSONDecodeError"


def test_without_the_library_it_says_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "version", not_installed)
    monkeypatch.setattr(mistral_tokenizer, "files", not_installed)
    assert extras.what_installs("mistral") in str(failure(str(path)))
    assert mistral_tokenizer.versions() == {}
    assert mistral_tokenizer.names() == ()
    assert reference_target.reference(str(path)) is None
    assert reference_target.load(str(path)).decode([8 + 97]) == "a"


def not_installed(name: str) -> Any:
    raise PackageNotFoundError(name)


@needs_library
def test_the_version_of_the_library_is_reported() -> None:
    version = importlib.metadata.version("mistral-common")
    assert mistral_tokenizer.versions() == {"mistral-common": version}
