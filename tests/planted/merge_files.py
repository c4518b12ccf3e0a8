"""Faults in reading ``merges.txt`` and the merges of CLIP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._files_of_lists import (
    BYTES_OF,
    MOST_MERGES,
    clip_record,
    merges_record,
)
from planted._registry import fault
from planted._replaced_components import with_model
from planted._tokenizer_files import against, altered, record_of
from tokharness_tokenizers.reference.tokenizer_json import read

CLIP = against("clip_merges")
MERGES = against("vocabulary_and_merges")


@fault("TOK203", cause="loaded vocabulary: other special tokens", against=CLIP)
def reads_merges_that_clip_does_not_use() -> Any:
    """Reads one merge more than CLIP uses, so that the special tokens have later ids."""
    return read(clip_record(BYTES_OF["clip_merges"], MOST_MERGES + 1), "one merge more")


@fault("TOK201", cause="model", families=["plain-words"], against=CLIP)
def the_last_letter_does_not_end_a_word() -> Any:
    """Writes the last letter of a word without ``</w>``, as inside a word."""
    return with_model("clip_merges", lambda model: replace(model, suffix=""))


@fault("TOK201", cause="pre-tokenizer", families=["digits"], against=CLIP)
def numbers_of_clip_stay_together() -> Any:
    """Makes all digits of a number one word, where CLIP makes each one a word."""
    pre_tokenizer = record_of("clip_merges")["pre_tokenizer"]
    pattern = pre_tokenizer["pretokenizers"][0]["pattern"]["Regex"].replace(r"[\p{N}]", r"\p{N}+")
    place = ("pre_tokenizer", "pretokenizers", 0, "pattern", "Regex")
    return altered("clip_merges", *place, to=pattern)


@fault("TOK201", cause="model", families=["plain-words"], against=MERGES)
def the_first_line_is_no_merge() -> Any:
    """Leaves out the first line, although it is no ``#version``, as GPT-2's own code does."""
    data = BYTES_OF["vocabulary_and_merges"].partition(b"\n")[2]
    return read(merges_record(data), "without the first line")


@fault("TOK201", cause="model", families=["digits"], against=MERGES)
def a_line_without_an_end_is_no_merge() -> Any:
    """Leaves out the last line, which no U+000A ends, as GPT-2's own code does."""
    data = BYTES_OF["vocabulary_and_merges"].rpartition(b"\n")[0]
    return read(merges_record(data), "without the last line")
