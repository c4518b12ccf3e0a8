"""Alterations of BERT's stages that give the ids and texts of llama.cpp."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from planted._gguf_files import healthy

from tokharness_tokenizers.reference.gguf import reading
from tokharness_tokenizers.reference.gguf.word_pieces import DEPARTURES, departures

FILE = (
    Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
    / "gguf/ggml-vocab-bert-bge.gguf"
)
NAME = "word_pieces"


@pytest.mark.parametrize(
    ("text", "changed"),
    [("a\u0903b\u0488", "ab"), ("\uac01 \ud7a3", "\u1100 \u1112"), ("a\x0bb\x85", "a b ")],
)
def test_a_departure_changes_the_text_before_the_normalizer(text: str, changed: str) -> None:
    results = []
    for names in DEPARTURES:
        result = text
        for normalizer in departures(names, None):
            result = normalizer.normalize(result)
        results.append(result)
    assert sorted(results) == sorted([changed, text, text, changed])


def test_decoding_may_keep_the_space_at_the_start() -> None:
    tokenizer = healthy(NAME)
    ids = tokenizer.encode_ordinary("the example.")
    assert tokenizer.decode(ids) == "the example ."
    kept = "the space at the start is kept, and those before punctuation are removed"
    assert (kept, " the example.") in tokenizer.decode_altered(ids)


def test_a_mark_in_a_text_may_begin_a_word() -> None:
    tokenizer = healthy(NAME)
    rows = {what: ids for _, what, ids in tokenizer.encode_altered(("the\u2581example", None, ()))}
    assert rows["U+2581 in a text begins a word"] == tokenizer.encode_ordinary("the example")


@pytest.mark.slow
@pytest.mark.skipif(not FILE.is_file(), reason="TOKHARNESS_TEST_VOCABULARIES lacks the file")
def test_the_alterations_give_the_ids_of_llama_cpp() -> None:
    seen = {
        "a\u0903": [1037],
        "\uac00 a": [1455, 1037],
        "a\x0bb": [1037, 1038],
        "a\u2581a": [1037, 1037],
        "\ud55c" * 101: [1469, *[30005] * 100],
    }
    tokenizer = reading.load(FILE)
    for text, ids in seen.items():
        assert tokenizer.encode_ordinary(text) != ids
        assert ids in [row for _, _, row in tokenizer.encode_altered((text, None, ()))]
