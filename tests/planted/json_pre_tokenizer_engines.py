"""Faults in the engine that runs the pre-tokenizer of a healthy ``tokenizer.json``."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import regex

from planted._registry import fault
from planted._replaced_components import (
    first_pre_tokenizer_of,
    splitting_by,
    with_pre_tokenizer,
)
from planted._tokenizer_files import against
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace

STAGE = "pre-tokenizer"


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("whitespace_split"))
def splits_not_at_next_line() -> Any:
    """Does not split at U+0085, which is white space in Unicode and not in ASCII terms."""
    return splitting_by("whitespace_split", re.compile(WITHOUT_NEXT_LINE).findall)


WITHOUT_NEXT_LINE = "[^\\t-\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


@fault("TOK201", cause=STAGE, families=["short-strings"], against=against("bert_pre_tokenizer"))
def punctuation_lacks_ascii_symbols() -> Any:
    """Takes category P alone for punctuation, so that "$" and "+" stay in words."""
    return splitting_by("bert_pre_tokenizer", regex.compile(r"\p{P}|[^\p{P}\s]+").findall)


@fault("TOK201", cause=STAGE, families=["class-ngrams"], against=against("bert_pre_tokenizer"))
def punctuation_is_ascii() -> Any:
    """Takes ``ispunct`` of C for punctuation, so that a typographic quotation mark joins words."""
    cut = re.compile(r"[!-/:-@\[-`{-~]|[^!-/:-@\[-`{-~\s]+").findall
    return splitting_by("bert_pre_tokenizer", cut)


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("unicode_scripts"))
def cuts_kana_from_han() -> Any:
    """Splits Japanese text where Han and Kana meet, which the pre-tokenizer takes for one."""
    split = first_pre_tokenizer_of("unicode_scripts").words
    cut = regex.compile(r"[\p{Hiragana}\p{Katakana}]+|[^\p{Hiragana}\p{Katakana}]+").findall
    return splitting_by(
        "unicode_scripts", lambda text: list(chain.from_iterable(map(cut, split(text))))
    )


@fault("TOK201", cause=STAGE, families=["short-strings"], against=against("fixed_length"))
def fixed_lengths_are_bytes() -> Any:
    """Counts bytes in the place of code points, where a piece may not cut a character."""
    return splitting_by("fixed_length", _four_bytes)


def _four_bytes(text: str) -> list[str]:
    words = [""]
    for char in text:
        if len((words[-1] + char).encode()) > 4:
            words.append("")
        words[-1] += char
    return list(filter(None, words))


@fault("TOK201", cause=STAGE, families=["leading-space"], against=against("metaspace_always"))
def metaspace_prepends_twice() -> Any:
    """Prepends U+2581 also to a text that begins with a space."""
    return with_pre_tokenizer("metaspace_always", _PrependsTwice())


class _PrependsTwice(Metaspace):
    """A Metaspace that always prepends."""

    __slots__ = ()

    def _prepends(self, text: str, at_start: bool) -> bool:
        return True


@fault(
    "TOK201",
    cause=f"{STAGE}: CharDelimiterSplit: only the first match",
    families=["plain-words"],
    against=against("char_delimiter"),
)
def delimiter_splits_once() -> Any:
    """Splits at the first delimiter only."""
    return splitting_by("char_delimiter", lambda text: list(filter(None, text.split(" ", 1))))


def _byte_level(pattern: str) -> Any:
    """Read a file whose ByteLevel splits, and split by another pattern."""
    return with_pre_tokenizer("byte_level_ends", ByteLevel(add_prefix_space=False, pattern=pattern))


@fault(
    "TOK201", cause=f"{STAGE}: ByteLevel: all white space joins what is after it",
    families=["special-tokens", "white-space"], against=against("byte_level_ends"),
)  # fmt: skip
def tabs_join_the_word_after_them() -> Any:
    r"""Has ``\s?`` where the pattern of GPT-2 has a space."""
    return _byte_level(R50K.replace(" ?", r"\s?"))


@fault(
    "TOK201", cause=f"{STAGE}: ByteLevel: white space is JavaScript's",
    families=["white-space"], against=against("byte_level_ends"),
)  # fmt: skip
def white_space_is_that_of_javascript() -> Any:
    r"""Reads ``\s`` as JavaScript does: U+FEFF is in it, and U+0085 is not."""
    spaces = "\\t-\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
    pattern = R50K.replace(r"[^\s", f"[^{spaces}").replace(r"\S", f"[^{spaces}]")
    return _byte_level(pattern.replace(r"\s", f"[{spaces}]"))
