from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tiktoken

from tokharness.errors import TargetError, UnknownNameError, VocabularyError
from tokharness.model import target_of
from tokharness.targets.loading import tokenizer_of
from tokharness_tokenizers.adapters import tiktoken_engine
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

if TYPE_CHECKING:
    from tokharness_tokenizers.adapters.tiktoken_engine import Engine


@pytest.fixture(scope="module")
def engine() -> Engine:
    return tiktoken_engine.load("embedded")


def test_encode_is_the_method_of_tiktoken(engine: Engine) -> None:
    target = target_of("tiktoken:embedded", engine)
    assert tokenizer_of(target).raw is engine
    assert target.encode("a") == engine.encode_ordinary("a")
    assert engine.encode_ordinary.__func__ is tiktoken.Encoding.encode_ordinary  # type: ignore[attr-defined]


def test_special_tokens_are_refused_allowed_or_plain_text_by_entry_point(engine: Engine) -> None:
    text = "<|im_end|>"
    with pytest.raises(ValueError, match="im_end"):
        engine.encode(text)
    assert engine.encode_special(text) == [engine.special_tokens[text]]
    assert len(engine.encode_ordinary(text)) > 1
    assert engine.encode_batch([text, "a"]) == [engine.encode_ordinary(t) for t in (text, "a")]


def test_attributes_are_those_of_the_vocabulary(engine: Engine, embedded: ByteBPE) -> None:
    assert dict(engine.special_tokens) == dict(embedded.special_tokens)
    assert engine.n_vocab == embedded.n_vocab
    assert engine.name == "embedded"


def test_capabilities_are_the_public_methods_of_tiktoken(engine: Engine) -> None:
    assert set(target_of("tiktoken:embedded", engine).capabilities) == {
        *("encode_ordinary", "encode_batch", "encode_special", "encode_with_offsets"),
        *("decode_batch", "decode_bytes", "decode_single_token_bytes"),
        *("encode_variants", "decode_variants"),
    }


def test_a_special_token_with_the_text_of_an_ordinary_one_has_its_own_id(tmp_path: Path) -> None:
    path = tmp_path / "own.tiktoken"
    ranks = {bytes([byte]): byte for byte in range(256)}
    special = {"a": 256, "ab": 257}
    ranks_file.save(path, ByteBPE("own", "(?s:.)", ranks, special, "16.0"))
    loaded = tiktoken_engine.load(str(path))
    assert dict(loaded.special_tokens) == special


def test_offsets_cover_the_text(engine: Engine) -> None:
    assert engine.encode_with_offsets("") == ([], [])
    text = "a\U0001f9d9b"
    ids, spans = engine.encode_with_offsets(text)
    assert len(ids) == len(spans)
    assert {index for start, end in spans for index in range(start, end)} == {0, 1, 2}


def test_decode_is_that_of_tiktoken(engine: Engine) -> None:
    ids = engine.encode_ordinary("hello")
    assert engine.decode(ids) == "hello"
    assert engine.decode_bytes(ids) == b"hello"
    assert b"".join(map(engine.decode_single_token_bytes, ids)) == b"hello"


def test_a_path_is_loaded_with_its_side_file(tmp_path: Path, embedded: ByteBPE) -> None:
    path = tmp_path / "copy.tiktoken"
    ranks_file.save(path, embedded)
    text = "import sys\n"
    assert tiktoken_engine.load(str(path)).encode_ordinary(text) == embedded.encode(text)
    path.unlink()
    with pytest.raises(VocabularyError, match="no vocabulary file"):
        tiktoken_engine.load(str(path))


def test_a_pattern_that_tiktoken_refuses_is_an_error(tmp_path: Path, embedded: ByteBPE) -> None:
    path = tmp_path / "copy.tiktoken"
    ranks_file.save(path, embedded)
    side = ranks_file.side_path(path)
    side.write_text(json.dumps(json.loads(side.read_text()) | {"pattern": "(unclosed"}))
    with pytest.raises(VocabularyError, match="tiktoken refuses") as caught:
        tiktoken_engine.load(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rest", ["", "no_such", "o200k_bas"])
def test_an_unknown_name_is_an_error(rest: str) -> None:
    with pytest.raises(UnknownNameError, match="tiktoken"):
        tiktoken_engine.load(rest)


def test_a_failed_download_is_an_error_of_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(url: str) -> bytes:
        raise ConnectionError(url)

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tiktoken.load.read_file", unreachable)
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    for name in ("r50k_base", "gpt2"):
        with pytest.raises(TargetError, match=r"ConnectionError.*TIKTOKEN_CACHE_DIR") as caught:
            tiktoken_engine.load(name)
        assert "\n" not in str(caught.value)


def test_a_corrupt_cached_file_is_an_error_and_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    cached = PUBLISHED["r50k_base"].cache_path
    cached.write_bytes(b"IQ== 0\n")
    with pytest.raises(VocabularyError, match="SHA-256 differs"):
        tiktoken_engine.load("r50k_base")
    assert cached.read_bytes() == b"IQ== 0\n"


def test_the_automatic_reference_is_ours_with_the_same_vocabulary() -> None:
    assert tiktoken_engine.reference("o200k_base") == "reference:o200k_base"
    assert tiktoken_engine.reference("embedded") == "reference:embedded"
    assert tiktoken_engine.reference("a/b.tiktoken") == "reference:a/b.tiktoken"
    assert tiktoken_engine.reference("gpt2") is None
    assert tiktoken_engine.reference("o200k_harmony") is None


@pytest.mark.parametrize(
    ("model", "name"),
    [("gpt-4", "cl100k_base"), ("gpt-4o-mini-2024", "o200k_base"), ("gpt-2", "gpt2")],
)
def test_a_model_has_the_vocabulary_that_tiktoken_names(model: str, name: str) -> None:
    assert tiktoken.encoding_name_for_model(model) == name
    assert tiktoken_engine.reference(model) == tiktoken_engine.reference(name)
    assert model.partition("-mini")[0] in tiktoken_engine.aliases()


def test_a_model_that_tiktoken_does_not_know_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'gpt-4o'"):
        tiktoken_engine.load("gpt-4oo")


def test_the_interface_of_the_adapter() -> None:
    assert {"embedded", "o200k_base", "gpt2"} <= set(tiktoken_engine.names())
    assert tiktoken_engine.versions() == {"tiktoken": tiktoken.__version__}
    assert tiktoken_engine.SCHEME == "tiktoken"


@pytest.mark.parametrize("name", ["mine.tiktoken", "mine.bpe", "o200k_base", "embedded"])
def test_a_rank_file_is_recognized_and_loaded_by_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks_file.save(name, ByteBPE("two hundred", ".", ranks, {}))
    rest = tiktoken_engine.recognize(Path(name))
    assert rest is not None
    assert tiktoken_engine.load(rest).name == "two hundred"
    assert tiktoken_engine.recognize(Path(f"{name}.json")) is None
    assert tiktoken_engine.recognize(tmp_path) is None
