"""Faults that change white space in the text before it is encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import (
    engine,
    preprocess,
    remove,
    substitute,
    tokenizer_with,
)
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault("TOK101", cause="added characters: U+0020 SPACE, at the start", families=["plain-words"])
def adds_a_leading_space() -> SimpleNamespace:
    """Adds a space before every text and does not remove it in decode."""
    return preprocess(lambda text: f" {text}")


@fault(
    "TOK201",
    cause="added before every text: U+0020",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def adds_a_space_and_takes_it_away() -> SimpleNamespace:
    """Adds a space before every text and removes it in decode: lossless, with different ids."""
    healthy = engine()
    return tokenizer_with(
        encode=lambda text: healthy.encode_ordinary(f" {text}"),
        decode=lambda ids: healthy.decode(ids)[1:],
    )


@fault(
    "TOK101",
    cause="normalizer: white space as Python has it collapsed and stripped",
    families=["white-space"],
)
def collapses_and_strips_white_space() -> SimpleNamespace:
    """Splits at Python's white space, which has U+001C to U+001F, and joins with spaces."""
    return preprocess(lambda text: " ".join(text.split()))


@fault("TOK101", cause="normalizer: white space collapsed", families=["white-space"])
def collapses_white_space() -> SimpleNamespace:
    """Replaces each run of white space by one space: indentation and tables are lost."""
    return substitute(r"\s+", " ")


@fault("TOK101", cause="normalizer: CRLF to LF", families=["white-space"])
def crlf_to_lf() -> SimpleNamespace:
    """Replaces CR LF by LF, so that text of a network protocol cannot be written."""
    return preprocess(lambda text: text.replace("\r\n", "\n"))


@fault("TOK101", cause="normalizer: spaces stripped at the start", families=["leading-space"])
def drops_leading_spaces() -> SimpleNamespace:
    """Drops spaces at the start of a text: the first line of code loses its indentation."""
    return preprocess(lambda text: text.lstrip(" "))


@fault("TOK101", cause="normalizer: spaces stripped at the end", families=["leading-space"])
def drops_trailing_spaces() -> SimpleNamespace:
    """Drops spaces at the end of a text, which a completion needs."""
    return preprocess(lambda text: text.rstrip(" "))


@fault("TOK101", cause="replaced characters: U+3000", families=["white-space"])
def folds_ideographic_space() -> SimpleNamespace:
    """Replaces the ideographic space, which indents Japanese paragraphs, by a plain space."""
    return preprocess(lambda text: text.replace("\u3000", " "))


@fault("TOK101", cause="dropped characters: U+2009", families=["white-space"], profile="standard")
def joins_spaces_of_two_kinds() -> SimpleNamespace:
    """Drops a thin space after an em space, as a typographic clean-up does."""
    return remove(r"(?<=\u2003)\u2009")


@fault("TOK101", cause="normalizer: line ends to LF", families=["white-space"])
def line_ends_to_lf() -> SimpleNamespace:
    """Replaces CR LF and CR by LF, as Python's text files do by default."""
    return preprocess(lambda text: "\n".join(text.replace("\r\n", "\n").split("\r")))


@fault("TOK101", cause="replaced characters: U+2028", families=["white-space"])
def line_separator_to_line_feed() -> SimpleNamespace:
    """Replaces U+2028 by a line feed, as a workaround for old JavaScript string literals does."""
    return preprocess(lambda text: text.replace("\u2028", "\n"))


@fault("TOK101", cause="replaced characters: U+00A0", families=["white-space"])
def no_break_space_to_space() -> SimpleNamespace:
    """Replaces U+00A0 by a plain space: French punctuation changes, and lines may break there."""
    return preprocess(lambda text: text.replace("\u00a0", " "))


@fault(
    "TOK101", cause="normalizer: white space as Python has it stripped", families=["white-space"]
)
def strips_white_space() -> SimpleNamespace:
    """Strips white space at both ends, so that the end of a prompt changes."""
    return preprocess(str.strip)


@fault("TOK101", cause="replaced characters: U+0009", families=["code"])
def tabs_to_spaces() -> SimpleNamespace:
    """Replaces each tab by four spaces: a Makefile no longer works."""
    return preprocess(lambda text: text.replace("\t", "    "))
