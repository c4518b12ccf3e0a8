from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokharness.errors import TokharnessError, UnknownNameError, VocabularyError
from tokharness.model import OPTIONAL_METHODS, target_of
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.byte_bpe import ByteBPE


def test_the_scheme_alone_is_the_embedded_vocabulary(embedded: ByteBPE) -> None:
    assert reference_target.load("").ranks == embedded.ranks
    assert reference_target.load("embedded").ranks == embedded.ranks


def test_a_path_is_loaded_with_its_side_file(tmp_path: Path, embedded: ByteBPE) -> None:
    path = tmp_path / "copy.tiktoken"
    ranks_file.save(path, embedded.with_unicode_version("15.0"))
    loaded = reference_target.load(str(path))
    assert loaded.ranks == embedded.ranks
    assert loaded.unicode_version == "15.0"


def test_a_published_vocabulary_has_the_expected_size(vocabulary_name: str) -> None:
    loaded = reference_target.load(vocabulary_name)
    if vocabulary_name in PUBLISHED:
        assert loaded.n_vocab == PUBLISHED[vocabulary_name].n_vocab
    assert loaded.decode(loaded.encode("hello world")) == "hello world"


OF_A_PIPELINE = {
    *("normalize", "token_text", "stages", "score", "scores", "decode_altered"),
    "with_stage_versions",
    "load_differences",
    "stages_in_file",
    "bytes_inside",  # its tokens have the same bytes everywhere
}
OF_A_LIBRARY = {"encode_variants", "decode_variants", "decode_stream_calls"}


def test_byte_level_bpe_has_every_optional_method_that_needs_no_stages(embedded: ByteBPE) -> None:
    target = target_of("reference", embedded)
    assert set(OPTIONAL_METHODS) - set(target.capabilities) == OF_A_PIPELINE | OF_A_LIBRARY
    assert target.unicode_version == "16.0"
    assert target.n_vocab == embedded.n_vocab


@pytest.mark.parametrize("rest", ["no_such", "no.tiktoken", "no/such/file"])
def test_a_vocabulary_that_cannot_be_loaded_is_an_error_of_one_sentence(rest: str) -> None:
    with pytest.raises(TokharnessError) as caught:
        reference_target.load(rest)
    assert "\n" not in str(caught.value)
    assert rest in str(caught.value)


def test_the_type_of_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(UnknownNameError, match="o200k_base"):
        reference_target.load("o200k_bas")
    with pytest.raises(VocabularyError, match="TIKTOKEN_CACHE_DIR"):
        reference_target.load("o200k_base")
    (tmp_path / "x.tiktoken").write_bytes(b"")
    with pytest.raises(VocabularyError, match="side file"):
        reference_target.load(str(tmp_path / "x.tiktoken"))


def test_the_automatic_reference_is_tiktoken_with_the_same_vocabulary() -> None:
    assert reference_target.reference("") == "tiktoken:embedded"
    assert reference_target.reference("cl100k_base") == "tiktoken:cl100k_base"
    assert reference_target.reference("a/b.tiktoken") == "tiktoken:a/b.tiktoken"


def test_the_interface_of_the_adapter() -> None:
    assert "embedded" in reference_target.names()
    assert "regex" in reference_target.versions()
    assert reference_target.SCHEME == "reference"
