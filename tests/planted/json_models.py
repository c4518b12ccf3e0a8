"""Faults in the model of a ``tokenizer.json``: in the vocabulary, the merges and the settings."""

from __future__ import annotations

from typing import Any

from planted._registry import fault
from planted._tokenizer_files import against, altered, record_of

STAGE = "model"


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("byte_bpe"))
def loses_one_merge() -> Any:
    """Lacks one merge of the file."""
    merges = [merge for merge in record_of("byte_bpe")["model"]["merges"] if merge != "in g"]
    return altered("byte_bpe", "model", "merges", to=merges)


@fault(
    "TOK201",
    cause=f"{STAGE}: the merges are sorted",
    families=["plain-words"],
    against=against("byte_bpe"),
)
def sorts_the_merges() -> Any:
    """Has the merges in alphabetical order."""
    return altered(
        "byte_bpe", "model", "merges", to=sorted(record_of("byte_bpe")["model"]["merges"])
    )


@fault("TOK201", cause=STAGE, families=["vocabulary-tokens"], against=against("byte_bpe"))
def loses_the_last_five_merges() -> Any:
    """Lacks the last five merges, whose tokens it keeps, as of a list that was cut off."""
    merges = record_of("byte_bpe")["model"]["merges"]
    return altered("byte_bpe", "model", "merges", to=merges[:-5])


@fault(
    "TOK201",
    cause=f"{STAGE}: tokens without a merge are merged, too",
    families=["vocabulary-tokens"],
    against=against("short_list"),
)
def merges_what_is_below_the_list() -> Any:
    """Has five merges below the last one, of tokens that the vocabulary keeps."""
    return altered("short_list", "model", "merges", to=record_of("byte_bpe")["model"]["merges"])


@fault("TOK201", cause=STAGE, families=["zero-width"], against=against("fallback_bpe"))
def byte_fallback_is_off() -> Any:
    """Makes a character that is no token the unknown token, in the place of its bytes."""
    return altered("fallback_bpe", "model", "byte_fallback", to=False)


@fault("TOK201", cause=STAGE, families=["homoglyphs"], against=against("unknown_bpe"))
def unknown_characters_are_not_fused() -> Any:
    """Makes each of several unknown characters one unknown token."""
    return altered("unknown_bpe", "model", "fuse_unk", to=False)


@fault(
    "TOK201", cause=STAGE, families=["plain-words"], against=against("ignores_merges"), longest=9
)
def heeds_merges_of_whole_words() -> Any:
    """Does not take a word that is a token as a whole, because no merges lead to it."""
    return altered("ignores_merges", "model", "ignore_merges", to=False)


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("wordpiece"), longest=12)
def longer_words_are_unknown() -> Any:
    """Makes words of more than ten characters the unknown token."""
    return altered("wordpiece", "model", "max_input_chars_per_word", to=10)


@fault("TOK201", cause=STAGE, families=["long-inputs"], against=against("wordpiece"), longest=101)
def longest_word_has_one_more_character() -> Any:
    """Splits a word of 101 characters, which is the unknown token, and no other."""
    return altered("wordpiece", "model", "max_input_chars_per_word", to=101)


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("wordpiece"))
def has_another_continuing_prefix() -> Any:
    """Looks for pieces inside words with a prefix that no token has."""
    return altered("wordpiece", "model", "continuing_subword_prefix", to="@@")


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("unigram"))
def loses_one_piece() -> Any:
    """Lacks the piece "ing"."""
    vocab = record_of("unigram")["model"]["vocab"]
    lacking = [[{"ing": "[unused]"}.get(piece, piece), score] for piece, score in vocab]
    return altered("unigram", "model", "vocab", to=lacking)


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("unigram"))
def has_another_score() -> Any:
    """Has a score of one piece that a conversion has rounded to something worse."""
    vocab = record_of("unigram")["model"]["vocab"]
    worse = [[piece, {"he": -40.0}.get(piece, score)] for piece, score in vocab]
    return altered("unigram", "model", "vocab", to=worse)


@fault("TOK201", cause=STAGE, families=["zero-width"], against=against("unigram"))
def unigram_has_no_byte_fallback() -> Any:
    """Makes a character that is no piece the unknown token, in the place of its bytes."""
    return altered("unigram", "model", "byte_fallback", to=False)
