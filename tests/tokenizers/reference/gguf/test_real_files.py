"""Published files: the ids that the makers of llama.cpp expect, and those of other formats."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.gguf import reading
from tokharness_tokenizers.reference.splitting import join_surrogates

REAL = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
SEPARATOR = "\n__ggml_vocab_test__\n"
SAMPLE, STEP = 40, 10
LONGEST = 2000

pytestmark = pytest.mark.skipif(
    not (REAL / "gguf").is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES has no folder gguf"
)
slow = pytest.mark.slow
PAIRS = [
    ("llama-spm", "llama2"),
    pytest.param("bert-bge", "bert-uncased", marks=slow),
    pytest.param("qwen2", "qwen3", marks=slow),
]


@cache
def load(name):
    return reading.load(REAL / "gguf" / f"ggml-vocab-{name}.gguf")


@pytest.mark.parametrize(
    "name", ["llama-spm", "bert-bge", "gpt-2", pytest.param("qwen2", marks=slow)]
)
def test_the_ids_are_those_that_the_makers_of_llama_cpp_expect(name):
    file = REAL / "gguf" / f"ggml-vocab-{name}.gguf"
    content = file.with_name(f"{file.name}.inp").read_bytes().decode()
    texts = content.removesuffix(SEPARATOR).split(SEPARATOR)
    rows = file.with_name(f"{file.name}.out").read_text("utf-8").splitlines()
    expected = [[int(number) for number in row.split()] for row in rows]
    found = [load(name).encode_ordinary(text) for text in texts]
    assert found == expected


def texts_of(family):
    facts = TargetFacts(("<s>", "[CLS]", "<|im_end|>"), profile="quick")
    texts = map(join_surrogates, plugins.families()[family].texts(facts))
    return [text for text in texts if len(text) < LONGEST]


def different(name, other, texts):
    """Return the texts with ids that the other format does not give, but for what the format loses.

    The file of Qwen has no NFC, and lacks most added tokens.
    """
    form = (lambda text: normalize("NFC", text)) if name == "qwen2" else (lambda text: text)
    lost = other.added_tokens
    return [
        ascii(text)
        for text in texts
        if load(name).encode_ordinary(form(text)) != other.encode_ordinary(text)
        and not any(token in text for token in lost)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_a_sample_has_the_ids_of_the_tokenizer_json(name, other):
    tokenizer = tokenizer_json.load(REAL / "hf" / f"{other}.json")
    for family in ("white-space", "special-tokens", "hangul"):
        texts = texts_of(family)
        assert different(name, tokenizer, texts[:: len(texts) // SAMPLE]) == []


@slow
@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_every_tenth_text_has_the_ids_of_the_tokenizer_json(name, other):
    tokenizer = tokenizer_json.load(REAL / "hf" / f"{other}.json")
    for family in plugins.families():
        assert different(name, tokenizer, texts_of(family)[::STEP]) == []
