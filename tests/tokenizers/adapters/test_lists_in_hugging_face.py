"""Lists of tokens in Hugging Face's library: it gives the ids and texts of the reference."""

from __future__ import annotations

import json
import os
import random
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from planted._files_of_lists import BYTES_OF, VOCABULARY

from tokharness.errors import TargetError
from tokharness_tokenizers.adapters import auto_tokenizer, hugging_face, reference_target
from tokharness_tokenizers.hugging_face.loaded import stage_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

needs_library = pytest.mark.needs("tokenizers", "0")
REAL = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
CHARACTERS = "aAbeE\u00e9\u0301 \n\t1.'s,[]<>|\u4e2d\u0130\u03a3\u200b\u00a0\x1c\ufffd\U0001f600"
SPECIAL = ("<|endoftext|>", "[MASK]", "[SEP] ", " in", "ing", "the", "12", "</w>", "##er")


def texts(number: int = 300) -> Iterator[str]:
    chosen = random.Random(0)
    for _ in range(number):
        units = chosen.choices([*CHARACTERS, *SPECIAL], k=chosen.randrange(12))
        yield "".join(units)


def assert_agree(path: Path) -> None:
    library = hugging_face.load(str(path))
    reading: Any = reference_target.load(str(path))
    reference = reading.with_stage_versions(stage_versions())
    assert library.special_tokens == reference.special_tokens
    assert library.n_vocab == reference.n_vocab
    assert library.normalizer == reference.normalizer
    for text in texts():
        ids = library.encode_ordinary(text)
        assert reference.encode_ordinary(text) == ids, ascii(text)
        assert reference.encode(text) == library.encode(text), ascii(text)
        assert reference.decode(ids) == library.decode(ids), ascii(text)


@needs_library
@pytest.mark.parametrize("name", [name for name in BYTES_OF if "list" in name])
def test_a_list_of_pieces(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.txt"
    path.write_bytes(BYTES_OF[name])
    assert_agree(path)
    assert hugging_face.recognize(path) == str(path)


@needs_library
@pytest.mark.parametrize("name", ["GPT2Tokenizer", "RobertaTokenizer", "CLIPTokenizer", None])
def test_a_folder_of_bpe(name: str | None, tmp_path: Path) -> None:
    folder = bpe_folder(tmp_path, name)
    assert_agree(folder)
    assert hugging_face.recognize(folder) == str(folder)


def bpe_folder(folder: Path, name: str | None) -> Path:
    vocabulary = dict(VOCABULARY)
    if name == "CLIPTokenizer":
        vocabulary |= {f"{token}</w>": len(VOCABULARY) + at for token, at in VOCABULARY.items()}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_bytes(b"#version: 0.2\n" + BYTES_OF["vocabulary_and_merges"])
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    return folder


@pytest.mark.slow
@needs_library
@pytest.mark.skipif(not REAL.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder")
@pytest.mark.parametrize(
    "name", ["wordpiece/bert-uncased-vocab.txt", "clip/bpe_simple_vocab_16e6.txt.gz"]
)
def test_real_files(name: str) -> None:
    assert_agree(REAL / name)


@pytest.mark.skipif(not REAL.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder")
def test_a_list_gives_the_ids_of_the_tokenizer_json_that_was_made_of_it() -> None:
    paths = (REAL / "wordpiece/bert-uncased-vocab.txt", REAL / "hf/bert-uncased.json")
    of_list, of_json = (reference_target.load(str(path)) for path in paths)
    assert all(of_list.encode_ordinary(text) == of_json.encode_ordinary(text) for text in texts())


@needs_library
def test_the_library_reads_a_space_before_a_piece_as_a_part_of_it(tmp_path: Path) -> None:
    """Its reader strips the end of a line only; BERT's own code strips both."""
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\n a\n")
    assert hugging_face.load(str(path)).token_text(1) == " a"
    reading: Any = reference_target.load(str(path))
    assert reading.token_text(1) == "a"


@needs_library
def test_what_the_library_refuses_is_an_error_with_its_message(tmp_path: Path) -> None:
    folder = bpe_folder(tmp_path, None)
    (folder / "merges.txt").write_text("x y\n")
    with pytest.raises(TargetError, match=r"refuses the file .* out of vocabulary"):
        hugging_face.load(str(folder))


@needs_library
def test_a_list_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"[UNK]\n\xff\n")
    with pytest.raises(TargetError, match=r"vocab\.txt: line 2 is not UTF-8"):
        hugging_face.load(str(path))
    with pytest.raises(TargetError, match="there is no file"):
        hugging_face.load(str(tmp_path / "none.txt"))


@pytest.mark.needs("tokenizers", "1")
def test_a_release_without_parts_says_so(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(BYTES_OF["cased_list"])
    with pytest.raises(TargetError, match=f"tokenizers {version('tokenizers')} loads a tokenizer"):
        hugging_face.load(str(path))


@pytest.mark.parametrize(("name", "is_known"), [("GPT2Tokenizer", True), ("XLMTokenizer", False)])
def test_a_folder_for_transformers_has_a_reference_if_its_class_is_known(
    name: str, is_known: bool, tmp_path: Path
) -> None:
    folder = bpe_folder(tmp_path, name)
    assert auto_tokenizer.reference(str(folder)) == (f"reference:{folder}" if is_known else None)


@pytest.mark.needs("transformers")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["GPT2Tokenizer", "RobertaTokenizer", "CLIPTokenizer"])
def test_transformers_gives_the_ids_of_the_reference(name: str, tmp_path: Path) -> None:
    folder = bpe_folder(tmp_path, name)
    target = auto_tokenizer.load(str(folder))
    reading: Any = reference_target.load(str(folder))
    reference = reading.with_stage_versions(stage_versions())
    assert target.special_tokens == reference.special_tokens
    for text in texts():
        assert target.encode_ordinary(text) == reference.encode_ordinary(text), ascii(text)
        assert target.encode(text) == reference.encode(text), ascii(text)
