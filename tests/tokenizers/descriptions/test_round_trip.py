"""What is written is described as it was, and encodes as the file did."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tokharness.packing import pack, unpack
from tokharness_tokenizers import descriptions
from tokharness_tokenizers.adapters import reference_target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokharness.model import Description

LISTS = {"vocab.txt", "vocab.json and merges.txt", "CLIP merges"}
"""What is written as the tokenizer.json that it stands for."""

TEXTS = (
    "", " ", "The value of the example\n and 1234.", "  a \t b ", "unaffable", "caf\u00e9 e\u0301",
    "\u4f60\u597d \U0001f600", "<s>the<|end|></s>", "x\u2581y \u00a0\ufb01 \uff21",
)  # fmt: skip


def described(path: Path) -> Description:
    description = descriptions.describe(path)
    assert description is not None
    return description


def written(description: Description, folder: Path) -> Description:
    """Write a description, and return that of the file, with the name of its format."""
    found = described(descriptions.write(description, folder))
    if description.format in LISTS:
        assert found.format == "tokenizer.json"
        found = replace(found, format=description.format)
    if "template" not in description.stages:
        stages = {name: one for name, one in found.stages.items() if name != "template"}
        found = replace(found, stages=stages)
    return found


def results(path: Path) -> list[Any]:
    tokenizer: Any = reference_target.load(str(path))
    found: list[Any] = []
    for text in TEXTS:
        for name in ("encode", "encode_ordinary", "encode_special"):
            if (encode := getattr(tokenizer, name, None)) is None:
                continue
            try:
                found.append((ids := encode(text), tokenizer.decode(ids)))
            except (KeyError, ValueError) as error:
                found.append(type(error))
    return found


def test_what_is_written_is_described_as_it_was(path: Path, tmp_path: Path) -> None:
    description = described(path)
    assert written(description, tmp_path) == description


def test_what_is_written_encodes_as_the_file_did(path: Path, tmp_path: Path) -> None:
    assert results(descriptions.write(described(path), tmp_path)) == results(path)


def test_a_description_is_packed_without_loss(path: Path) -> None:
    description = described(path)
    assert unpack(pack(description)) == description


def with_stage(description: Description, name: str, stage: Any) -> Description:
    return replace(description, stages={**description.stages, name: stage})


def merges_of(description: Description) -> tuple[Any, ...]:
    assert description.merges is not None
    return description.merges


def drops_a_merge(one: Description) -> Description:
    return replace(one, merges=merges_of(one)[:-1])


def swaps_merges(one: Description) -> Description:
    first, *others, last = merges_of(one)
    return replace(one, merges=(last, *others, first))


def repeats_a_merge(one: Description) -> Description:
    return replace(one, merges=(*merges_of(one), merges_of(one)[0]))


def changes_a_score(one: Description) -> Description:
    *rows, last = one.tokens
    return replace(one, tokens=(*rows, last._replace(score=(last.score or 0) - 0.5)))


def changes_a_type(one: Description) -> Description:
    *rows, last = one.tokens
    return replace(one, tokens=(*rows, last._replace(type="control")))


def removes_an_added_token(one: Description) -> Description:
    return with_stage(one, "added tokens", one.stages["added tokens"][:-1])


def drops_a_token(one: Description) -> Description:
    """Drop the last token that has one id."""
    counts = Counter(row.token for row in one.tokens)
    at = max(at for at, row in enumerate(one.tokens) if counts[row.token] == 1)
    return replace(one, tokens=(*one.tokens[:at], *one.tokens[at + 1 :]))


def replaces_the_normalizer(one: Description) -> Description:
    return with_stage(one, "normalizer", {"type": "NFKC"})


def changes_a_flag_of_the_normalizer(one: Description) -> Description:
    stage, flag = one.stages["normalizer"], "remove_extra_whitespaces"
    return with_stage(one, "normalizer", {**stage, flag: not stage[flag]})


def changes_the_pattern(one: Description) -> Description:
    stage = one.stages["pre-tokenizer"]
    return with_stage(one, "pre-tokenizer", {**stage, "pattern": r"\d|\D"})


WITH_MERGES = ("subword_nmt", "vocabulary_and_merges", "byte_bpe", "gguf_byte_level")
WITH_SCORES = ("unigram", "sp_bpe", "sp_unigram", "gguf_unigram")
ALTERATIONS = {
    drops_a_merge: WITH_MERGES,
    swaps_merges: WITH_MERGES,
    repeats_a_merge: WITH_MERGES,
    changes_a_score: WITH_SCORES,
    changes_a_type: ("sp_bpe", "sp_unigram", "gguf_unigram"),
    removes_an_added_token: ("tiktoken", "tekken", "unigram", "wordpiece", "word_level"),
    drops_a_token: (*WITH_SCORES, "tiktoken", "tekken", "rwkv", "wordpiece", "word_level"),
    replaces_the_normalizer: ("byte_bpe", "unigram", "wordpiece", "vocabulary_and_merges"),
    changes_a_flag_of_the_normalizer: ("sp_bpe", "gguf_byte_level", "gguf_unigram"),
    changes_the_pattern: ("tiktoken", "tekken"),
}
"""The kinds of files that have what an alteration changes."""


@pytest.mark.parametrize(
    ("alter", "name"), [(alter, name) for alter, names in ALTERATIONS.items() for name in names]
)
def test_an_altered_description_is_written_as_it_is(
    alter: Callable[[Description], Description],
    name: str,
    write_file: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    altered = alter(described(write_file(name)))
    assert written(altered, tmp_path) == altered
