"""Faults in the handling of upper and lower case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from planted._builders import preprocess, substitute
from planted._registry import fault
from tokharness.unicode.case_mapping import lowercase_of

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault("TOK101", cause="replaced characters: U+0130", families=["letter-case"])
def drops_dot_of_capital_i() -> SimpleNamespace:
    """Replaces the dotted capital I of Turkish by I, as folding to ASCII does."""
    return preprocess(lambda text: text.replace("\u0130", "I"))


@fault("TOK101", cause="normalizer: case folding", families=["letter-case"])
def folds_case() -> SimpleNamespace:
    """Applies case folding, which is more than lowercasing: one sharp s becomes two letters."""
    return preprocess(str.casefold)


@fault("TOK101", cause="replaced characters: U+03C2", families=["letter-case"])
def folds_final_sigma() -> SimpleNamespace:
    """Replaces the final small sigma by the other one, which Greek spelling keeps apart."""
    return preprocess(lambda text: text.replace("\u03c2", "\u03c3"))


@fault("TOK101", cause="replaced characters: U+017F", families=["letter-case"])
def folds_long_s() -> SimpleNamespace:
    """Replaces the long s of old prints by s, and so misquotes them."""
    return preprocess(lambda text: text.replace("\u017f", "s"))


@fault("TOK101", cause="normalizer: lowercase", families=["letter-case"])
def lowercases() -> SimpleNamespace:
    """Lowercases all letters, as an uncased model's tokenizer does, and claims to be lossless."""
    return preprocess(str.lower)


@fault("TOK101", cause="normalizer: lowercase", families=["letter-case", "new-code-points"])
def lowercases_with_newer_tables() -> SimpleNamespace:
    """Lowercases each character alone, with the tables of Unicode 17.0, as Rust's char does."""
    return preprocess(lambda text: "".join(lowercase_of(char, "17.0") for char in text))


@fault("TOK101", cause="normalizer: ASCII letters in lowercase", families=["letter-case"])
def lowercases_ascii_only() -> SimpleNamespace:
    """Lowercases A to Z only, as the C library does."""
    return preprocess(lambda text: re.sub("[A-Z]+", lambda run: run[0].lower(), text))


@fault("TOK101", cause="normalizer: case folding in part", families=["letter-case"])
def lowers_sigma_at_the_end_of_capitals() -> SimpleNamespace:
    """Replaces the capital sigma at the end of an uppercase Greek word by a final small one."""
    return substitute(r"(?<=[\u0391-\u03A1]{2})\u03A3(?!\p{L})", "\u03c2")
