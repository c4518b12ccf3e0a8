"""Faults of GGUF files: conversions that lose or change a part of a tokenizer, and a reader."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._gguf_files import (
    BYTE,
    CONTROL,
    PREFIX,
    RECORDS,
    UNUSED,
    against,
    converted,
    healthy,
)
from planted._registry import fault


def _column(name: str, key: str) -> list[Any]:
    return list(RECORDS[name][PREFIX + key])


@fault("TOK201", cause="normalizer: add_space_prefix is false", families=["plain-words"],
       against=against("scored_bpe"))  # fmt: skip
def conversion_ignores_add_space_prefix() -> Any:
    """Says that no space is put before a text."""
    return converted("scored_bpe", add_space_prefix=False)


@fault("TOK201", cause="normalizer: remove_extra_whitespaces is false",
       families=["white-space"], against=against("unigram"))  # fmt: skip
def conversion_keeps_extra_spaces() -> Any:
    """Leaves out ``remove_extra_whitespaces``."""
    return converted("unigram", remove_extra_whitespaces=None)


@fault("TOK201", cause="normalizer: precompiled_charsmap is not applied",
       families=["zero-width"], against=against("unigram"))  # fmt: skip
def conversion_loses_the_charsmap() -> Any:
    """Leaves out ``precompiled_charsmap``."""
    return converted("unigram", precompiled_charsmap=None)


@fault("TOK201", cause="pre-tokenizer: pre is qwen2", families=["digits"],
       against=against("byte_level"))  # fmt: skip
def conversion_names_another_pattern() -> Any:
    """Names ``qwen2``, whose pattern splits numbers into digits, for that of ``llama-bpe``."""
    return converted("byte_level", pre="qwen2")


@fault("TOK201", cause="model: ignore_merges is false", families=["plain-words"],
       against=against("byte_level"), longest=12)  # fmt: skip
def conversion_names_a_pattern_without_whole_words() -> Any:
    """Names ``smaug-bpe``, which has the pattern of ``llama-bpe`` and follows the merges alone."""
    return converted("byte_level", pre="smaug-bpe")


@fault("TOK103", cause="special token", families=["special-tokens"], longest=16)
def conversion_loses_the_type_of_control_tokens() -> Any:
    """Makes control tokens user-defined ones, which plain text has, too."""
    kinds = [4 if kind == CONTROL else kind for kind in _column("byte_level", "token_type")]
    return converted("byte_level", token_type=kinds)


@fault("TOK201", cause="model: the tokens of bytes are not used", families=["emoji"],
       against=against("scored_bpe"))  # fmt: skip
def conversion_loses_the_tokens_of_bytes() -> Any:
    """Writes padding in the place of tokens of bytes, so that other characters are unknown."""
    rows = zip(*(_column("scored_bpe", key) for key in ("tokens", "token_type")), strict=True)
    padded = [(f"[PAD{text}]", UNUSED) if kind == BYTE else (text, kind) for text, kind in rows]
    texts, kinds = zip(*padded, strict=True)
    return converted("scored_bpe", tokens=list(texts), token_type=list(kinds))


@fault(
    "TOK201",
    cause="model: scores have no decimals",
    families=["plain-words"],
    against=against("scored_bpe"),
)
def conversion_rounds_scores() -> Any:
    """Rounds scores to whole numbers, so that the leftmost pair is merged where scores decide."""
    scores = [float(round(score)) for score in _column("scored_bpe", "scores")]
    return converted("scored_bpe", scores=scores)


@fault("TOK201", cause="model", families=["plain-words"], against=against("word_pieces"))
def reader_ignores_marks_of_words() -> Any:
    """Continues a word with the pieces that begin one, as if U+2581 were not there."""
    tokenizer = healthy("word_pieces")
    model: Any = tokenizer.model
    return replace(tokenizer, model=replace(model, prefix=""))


@fault("TOK201", cause="normalizer: lowercase is false", families=["letter-case"],
       against=against("word_pieces"))  # fmt: skip
def conversion_keeps_letter_case() -> Any:
    """Says that text keeps its case, and still loses its marks."""
    settings = {"normalizer.lowercase": False, "normalizer.strip_accents": True}
    return converted("word_pieces", **settings)


@fault("TOK201", cause="model", families=["white-space"], against=against("byte_strings"))
def conversion_escapes_twice() -> Any:
    """Writes the backslash of a line feed twice, so that its token is another one."""
    tokens = [text.replace("\\n", "\\\\n") for text in _column("byte_strings", "tokens")]
    return converted("byte_strings", tokens=tokens)
