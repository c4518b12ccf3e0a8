"""Files that the libraries refuse."""

import pytest

from tokharness.errors import TargetError
from tokharness.targets.loading import load_target

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
