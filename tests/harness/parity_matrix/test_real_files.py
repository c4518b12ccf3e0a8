"""Real files of one tokenizer are in parity: nothing healthy is reported."""

import os
from pathlib import Path

import pytest

from tokharness.model import Verdict
from tokharness.parity_matrix.model import exit_code
from tokharness_tokenizers.programs import known_engines
from tokharness_tokenizers.programs.starting import is_installed

FOLDER = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("tokenizers"),
    pytest.mark.skipif(not FOLDER.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder"),
]


def test_llama_2_as_json_and_gguf_is_one_tokenizer(compared):
    file, converted = FOLDER / "hf/llama2.json", FOLDER / "gguf/ggml-vocab-llama-spm.gguf"
    specs = (f"hf:{file}", f"reference:{file}", f"reference:{converted}")
    result = compared(*specs, families=("plain-words", "zero-width"))
    assert exit_code(result, "bug") == 0
    assert {form.vocabulary for form in result.forms} == {
        "the vocabulary of Llama 2: 31,997 tokens"
    }
    assert all(one.state == "same" for one in result.cells if one.aspect != "offsets")
    assert all(one.verdict is Verdict.RISK for one in result.causes)


def test_a_list_of_words_has_another_decoder_than_the_json(compared):
    specs = (f"hf:{FOLDER / 'hf/bert-uncased.json'}",)
    specs += (f"reference:{FOLDER / 'wordpiece/bert-uncased-vocab.txt'}",)
    result = compared(*specs, families=("digits",))
    assert result.cell(0, 1, "ids").state == "same"
    bugs = [one for one in result.causes if one.verdict is Verdict.BUG]
    assert [(one.stage, one.name) for one in bugs] == [
        ("decoder", "decoder: WordPiece: cleanup is false")
    ]


@pytest.mark.nightly
@pytest.mark.needs("tiktoken")
@pytest.mark.skipif("TIKTOKEN_CACHE_DIR" not in os.environ, reason="needs TIKTOKEN_CACHE_DIR")
def test_the_unicode_version_of_an_engine_is_compared_with_that_of_the_library(compared):
    if not is_installed(known_engines()["js-tiktoken"]):
        pytest.skip("js-tiktoken is not installed")
    names = ("reference:cl100k_base", "tiktoken:cl100k_base", "engine:js-tiktoken:cl100k_base")
    result = compared(*names, families=("digits",))
    assert result.cell(0, 1, "ids").state == "same"
    same = result.cell(0, 2, "ids").state == "same"  # depends on the tables of node
    assert [one.stage for one in result.causes] == ["Unicode version"] * (not same)
