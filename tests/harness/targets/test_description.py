"""The content of a target's files, asked for by its spec."""

import base64
import json
from dataclasses import replace

import pytest

from tokharness.errors import UnknownNameError, UsageError, VocabularyError
from tokharness.targets import description
from tokharness.targets.loading import load_target


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "x.json"
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4}
    model = {"type": "BPE", "vocab": vocab, "merges": ["a b", "b c"]}
    path.write_text(json.dumps({"model": model, "decoder": None}))
    return path


@pytest.mark.parametrize("scheme", ["hf", "reference"])
def test_a_file_has_one_description_whatever_reads_it(scheme, file):
    found = description.describe(f"{scheme}:{file}")
    assert found.merges == (("a", "b"), ("b", "c"))
    assert [row.token for row in found.tokens] == ["a", "b", "c", "ab", "bc"]


def test_the_embedded_vocabulary_is_the_same_for_tiktoken_and_the_reference():
    with_tiktoken = description.describe("tiktoken:embedded")
    ours = description.describe("reference:")
    assert with_tiktoken.tokens == ours.tokens
    assert all(ours.stages[name] == stage for name, stage in with_tiktoken.stages.items())
    assert ours.stages["options"] == {"unicode_version": "16.0"}


@pytest.mark.parametrize("spec", ["python:healthy_tokenizers.py:x", "command:cat"])
def test_a_program_shows_no_file(spec):
    assert description.describe(spec) is None


def test_a_changed_file_is_loaded_by_its_spec(file, tmp_path):
    before = description.describe(f"reference:{file}")
    folder = tmp_path / "changed"
    folder.mkdir()
    spec = description.write(replace(before, merges=before.merges[1:]), folder)
    assert load_target(f"reference:{file}").encode("abc") == [3, 2]
    assert load_target(spec).encode("abc") == [0, 4]
    assert description.describe(spec).merges == (("b", "c"),)


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("reference:/no/such/file.json", VocabularyError),
        ("reference:nothing", UnknownNameError),
        ("tiktoken:unigram", UnknownNameError),
        ("nothing:x", UsageError),
    ],
)
def test_what_is_not_there_is_an_error(spec, error):
    with pytest.raises(error):
        description.describe(spec)


def test_a_damaged_file_is_an_error(tmp_path):
    path = tmp_path / "x.tiktoken"
    path.write_bytes(base64.b64encode(b"a") + b" 0\n")
    with pytest.raises(VocabularyError, match=r"the side file of x\.tiktoken"):
        description.describe(f"tiktoken:{path}")


def test_what_no_format_can_have_is_an_error(file, tmp_path):
    found = replace(description.describe(f"reference:{file}"), format="none")
    with pytest.raises(VocabularyError, match="the format 'none' is not known"):
        description.write(found, tmp_path)
