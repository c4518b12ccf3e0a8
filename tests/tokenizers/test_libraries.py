"""Files that the libraries refuse."""

import pytest

from tokharness.errors import TargetError
from tokharness.targets.loading import load_target
from tokharness_tokenizers import file_formats
from tokharness_tokenizers.libraries import mistaken_format, refusal

RWKV, CODES = b"1 'a' 1\n", b"#version: 0.2\na b</w>\n"
OTHER_FORMATS = {
    "hf": ("tokenizers", RWKV),
    "mistral": ("mistral-common", RWKV),
    "rwkv": ("rwkv", CODES),
    "sentencepiece": ("sentencepiece", RWKV),
    "subword-nmt": ("subword-nmt", b"GGUF\xff"),
}


@pytest.mark.parametrize(
    ("scheme", "content"),
    [
        pytest.param(scheme, content, marks=pytest.mark.needs(library), id=scheme)
        for scheme, (library, content) in OTHER_FORMATS.items()
    ],
)
def test_a_file_of_another_format_is_no_failure_of_the_library(tmp_path, scheme, content):
    path = tmp_path / "mine"
    path.write_bytes(content)
    with pytest.raises(TargetError, match=str(path)) as caught:
        load_target(f"{scheme}:{path}")
    assert not caught.value.failure


def test_the_error_says_what_the_file_is_and_which_target_reads_it(tmp_path):
    path = tmp_path / "mine"
    path.write_bytes(b"GGUF")
    error = mistaken_format("tokenizers", path, "tokenizer_json")
    assert str(error).startswith(f"{path} is a GGUF file, which tokenizers does not read: use ")
    assert mistaken_format("llama.cpp", path, "gguf_file") is None


def test_an_empty_file_is_said_to_be_empty(tmp_path):
    path = tmp_path / "mine"
    path.touch()
    error = refusal("rwkv", path, ValueError("line 1"), "rwkv_list")
    assert str(error) == f"the file {path} is empty: name another one"
    assert not error.failure


def test_a_pointer_of_git_lfs_is_no_failure_and_says_how_to_fetch_the_file(tmp_path):
    path = tmp_path / "mine"
    path.write_bytes(b"version https://git-lfs.example/spec/v1\noid sha256:00\nsize 9\n")
    error = refusal("tokenizers", path, ValueError("line 1"), "tokenizer_json")
    assert str(error) == f"{path} is a pointer of Git LFS: fetch it with `git lfs pull`"
    assert not error.failure


def test_a_damaged_file_of_no_known_format_is_a_failure(tmp_path):
    path = tmp_path / "mine"
    path.write_bytes(b"?")
    error = refusal("rwkv", path, ValueError("line 1"), "rwkv_list")
    assert str(error) == f"rwkv refuses the file {path}: line 1"
    assert error.failure == "ValueError"


def test_a_file_that_cannot_be_read_is_an_error_in_one_sentence(tmp_path, monkeypatch):
    path = tmp_path / "mine"
    path.write_bytes(b"?")

    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(file_formats, "find", refuse)
    error = refusal("rwkv", path, ValueError("line 1"), "rwkv_list")
    assert str(error) == f"cannot read the file {path}: Permission denied"
    assert not error.failure
