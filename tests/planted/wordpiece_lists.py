"""Faults in reading the ``vocab.txt`` of a WordPiece model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._files_of_lists import BYTES_OF, list_record
from planted._registry import fault
from planted._replaced_components import with_model
from planted._tokenizer_files import against, altered
from tokharness_tokenizers.reference.token_files import wordpiece_list
from tokharness_tokenizers.reference.tokenizer_json import read


@fault(
    "TOK201",
    cause="moved ids: -1 from 9",
    families=["plain-words"],
    against=against("wordpiece_list"),
)
def an_empty_line_has_no_id() -> Any:
    """Leaves out an empty line, so that all later tokens have the id before their own."""
    lines = [line for line in BYTES_OF["wordpiece_list"].split(b"\n") if line]
    return read(list_record(b"\n".join(lines)), "without empty lines")


@fault("TOK201", cause="vocabulary", families=["plain-words"], against=against("wordpiece_list"))
def the_first_of_equal_lines_counts() -> Any:
    """Gives a token that is on two lines the id of the first one."""
    tokens = wordpiece_list.read_tokens(BYTES_OF["wordpiece_list"])
    first = {token: number for number, token in reversed([*enumerate(tokens)])}
    return with_model("wordpiece_list", lambda model: replace(model, vocabulary=first))


@fault("TOK201", cause="model", families=["plain-words"], against=against("list_of_windows"))
def pieces_keep_the_carriage_return() -> Any:
    """Cuts lines at U+000A only, so that the pieces of lines that end in U+000D are not found."""
    tokens = BYTES_OF["list_of_windows"].decode().split("\n")
    kept = {token: number for number, token in enumerate(tokens)}
    return with_model("list_of_windows", lambda model: replace(model, vocabulary=kept))


@fault(
    "TOK203",
    cause="loaded vocabulary: other special tokens",
    against=against("list_with_a_mark"),
)
def takes_the_byte_order_mark_away() -> Any:
    """Reads the first token without the byte order mark, where BERT's code makes it a part."""
    return read(list_record(BYTES_OF["list_with_a_mark"].decode("utf-8-sig").encode()), "unmarked")


@fault("TOK201", cause="normalizer", families=["plain-words"], against=against("cased_list"))
def makes_text_of_a_cased_list_lower_case() -> Any:
    """Makes text lower case, although the list has upper case letters."""
    return altered("cased_list", "normalizer", "lowercase", to=True)


@fault(
    "TOK201",
    cause="model",
    families=["long-inputs"],
    against=against("wordpiece_list"),
    longest=101,
)
def words_may_have_two_hundred_characters() -> Any:
    """Finds the pieces of a word of 101 to 200 characters, as BERT's own code does."""
    return with_model("wordpiece_list", lambda model: replace(model, max_characters=200))
