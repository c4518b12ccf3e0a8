"""Faults in the pre-tokenizer of a ``tokenizer.json``."""

from __future__ import annotations

from typing import Any

from planted._files_of_text_stages import PATTERN, RUNS
from planted._registry import fault
from planted._tokenizer_files import against, altered

STAGE = "pre-tokenizer"
FIRST = ("pre_tokenizer", "pretokenizers", 0)


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("split_removed"))
def split_keeps_what_it_removes() -> Any:
    """Keeps the matches of a Split that removes them."""
    return altered("split_removed", *FIRST, "behavior", to="Isolated")


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("split_merged"))
def split_merges_with_previous() -> Any:
    """Joins the matches of a Split to what is before them in the place of what is behind."""
    return altered("split_merged", *FIRST, "behavior", to="MergedWithPrevious")


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("split_contiguous"))
def split_isolates_neighbours() -> Any:
    """Isolates each of several matches that follow each other in a Split that joins them."""
    return altered("split_contiguous", *FIRST, "behavior", to="Isolated")


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("split_inverted"))
def split_ignores_invert() -> Any:
    """Ignores ``invert``, so that it removes words and keeps what is between them."""
    return altered("split_inverted", *FIRST, "invert", to=False)


@fault("TOK201", cause=STAGE, families=["contractions"], against=against("split"))
def contractions_have_case() -> Any:
    """Splits contractions in lower case only."""
    pattern = {"Regex": PATTERN.replace("(?i:", "(?:")}
    return altered("split", *FIRST, "pattern", to=pattern)


@fault("TOK201", cause=STAGE, families=["digits"], against=against("split"))
def numbers_are_not_in_threes() -> Any:
    """Splits numbers into digits where the pattern has groups of three."""
    pattern = {"Regex": PATTERN.replace("{1,3}", "")}
    return altered("split", *FIRST, "pattern", to=pattern)


@fault("TOK201", cause=STAGE, families=["digits"], against=against("digits"))
def digits_become_individual() -> Any:
    """Splits numbers into digits, which the file keeps together."""
    return altered("digits", *FIRST, "individual_digits", to=True)


@fault("TOK201", cause=STAGE, families=["digits"], against=against("digits_individually"))
def digits_stay_together() -> Any:
    """Keeps numbers together, which the file splits into digits."""
    return altered("digits_individually", *FIRST, "individual_digits", to=False)


@fault("TOK201", cause=STAGE, families=["zero-width"], against=against("byte_level"))
def adds_no_prefix_space() -> Any:
    """Adds no space before the first word, which the file asks for."""
    return altered("byte_level", "pre_tokenizer", "add_prefix_space", to=False)


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("byte_level"))
def byte_level_does_not_split() -> Any:
    """Does not split by GPT-2's pattern, which the file asks for."""
    return altered("byte_level", "pre_tokenizer", "use_regex", to=False)


@fault("TOK201", cause=STAGE, families=["zero-width"], against=against("metaspace_always"))
def metaspace_never_prepends() -> Any:
    """Puts no U+2581 before the first word."""
    return altered("metaspace_always", "pre_tokenizer", "prepend_scheme", to="never")


@fault(
    "TOK201", cause=STAGE, families=["special-tokens"], against=against("metaspace_first"),
    longest=30,
)  # fmt: skip
def metaspace_prepends_after_added_tokens() -> Any:
    """Puts U+2581 before the text after an added token, as converters of old models do."""
    return altered("metaspace_first", "pre_tokenizer", "prepend_scheme", to="always")


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("whitespace"))
def splits_at_white_space_only() -> Any:
    """Has WhitespaceSplit in the place of Whitespace."""
    return altered("whitespace", *FIRST, "type", to="WhitespaceSplit")


@fault("TOK201", cause=STAGE, families=["short-strings"], against=against("punctuation"))
def punctuation_is_contiguous() -> Any:
    """Keeps neighbouring punctuation together, which the file isolates."""
    return altered("punctuation", *FIRST, "behavior", to="Contiguous")


@fault("TOK201", cause=f"{STAGE}: no border between lowercase letters and ASCII digits",
       families=["vocabulary-tokens"], against=against("class_borders"))  # fmt: skip
def keeps_a_digit_with_the_letter_before() -> Any:
    """Does not split between a letter and a digit, which only a token with both shows."""
    return altered("class_borders", *FIRST, "pattern", to={"Regex": rf"\p{{L}}+\p{{N}}+|{RUNS}"})


@fault("TOK201", cause=f"{STAGE}: no border between line ends and U+0020 SPACE",
       families=["vocabulary-tokens"], against=against("class_borders"))  # fmt: skip
def keeps_spaces_with_the_line_end_before() -> Any:
    """Does not split between a line end and a space, which only a token with both shows."""
    return altered("class_borders", *FIRST, "pattern", to={"Regex": rf"[\r\n]+ +|{RUNS}"})


@fault("TOK201", cause=f"{STAGE}: no border between other characters and lowercase letters",
       families=["vocabulary-tokens"], against=against("class_borders"))  # fmt: skip
def keeps_a_letter_with_the_punctuation_before() -> Any:
    """Does not split between punctuation and a letter, which only a token with both shows."""
    pattern = rf"[^\s\p{{L}}\p{{M}}\p{{N}}]\p{{L}}|{RUNS}"
    return altered("class_borders", *FIRST, "pattern", to={"Regex": pattern})


@fault("TOK201", cause=STAGE, families=["vocabulary-tokens"], against=against("class_borders"))
def cuts_marks_from_letters() -> Any:
    """Splits between a letter and a mark, which only a token with both shows."""
    pattern = RUNS.replace(r"[\p{L}\p{M}]+", r"\p{L}+|\p{M}+")
    return altered("class_borders", *FIRST, "pattern", to={"Regex": pattern})
