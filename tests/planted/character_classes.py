"""Faults in the classes of characters, by which a pattern splits a text, and in their version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import (
    change_pattern,
    extend_white_space,
    tokenizer_with,
    vocabulary,
)
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault(
    "TOK201",
    cause="character class: U+FEFF ZERO WIDTH NO-BREAK SPACE, white space",
    families=["contractions"],
    against="tiktoken:embedded",
    profile="standard",
)
def byte_order_mark_is_white_space() -> SimpleNamespace:
    r"""Treats U+FEFF as white space, as JavaScript's \s does, and is correct for all else."""
    return extend_white_space(r"\x{FEFF}")


@fault(
    "TOK201",
    cause="character class: U+00D7 MULTIPLICATION SIGN, marks",
    families=["scalar-sweep"],
    against="tiktoken:embedded",
    profile="standard",
)
def multiplication_sign_is_a_mark() -> SimpleNamespace:
    r"""Has U+00D7 among marks; most texts do not show whether it is a letter."""
    return change_pattern((r"\p{M}", r"\p{M}\x{D7}"))


@fault(
    "TOK201",
    cause="character class: U+0378 <reserved-0378>, marks",
    families=["scalar-sweep"],
    against="tiktoken:embedded",
)
def unassigned_is_a_mark() -> SimpleNamespace:
    r"""Has the unassigned U+0378 among marks; most texts do not show that."""
    return change_pattern((r"\p{M}", r"\p{M}\x{378}"))


@fault(
    "TOK201",
    cause="character class: U+F0123 <private-use-F0123>, letters",
    families=["scalar-sweep"],
    against="tiktoken:embedded",
)
def icon_is_a_letter() -> SimpleNamespace:
    r"""Has the private use U+F0123, an icon of some fonts, among letters."""
    return change_pattern((r"\p{Lo}", r"\p{Lo}\x{F0123}"), (r"\p{L}", r"\p{L}\x{F0123}"))


@fault(
    "TOK201",
    cause="character class: U+4E94",
    families=["scalar-sweep"],
    against="tiktoken:embedded",
)
def han_five_is_a_number() -> SimpleNamespace:
    r"""Has U+4E94, the Han character for five, among numbers, as ``str.isnumeric`` does."""
    return change_pattern(
        (r"\p{N}", r"\p{N}\x{4E94}"),
        (r"\p{Lo}", r"[\p{Lo}&&[^\x{4E94}]]"),
    )


@fault(
    "TOK201",
    cause="character class: U+005F LOW LINE, letters",
    families=["code"],
    against="tiktoken:embedded",
    profile="standard",
)
def letters_are_word_characters() -> SimpleNamespace:
    r"""Treats the low line as a letter, as \w does."""
    return change_pattern((r"\p{L}", r"\p{L}_"), (r"\p{Lo}", r"\p{Lo}_"))


@fault(
    "TOK201",
    cause="pre-tokenizer: marks are not part of words",
    families=["indic-conjuncts"],
    against="tiktoken:embedded",
    profile="standard",
)
def marks_are_no_letters() -> SimpleNamespace:
    """Excludes marks from words: the vowel signs of Indic scripts split every word."""
    return change_pattern((r"\p{M}", ""))


@fault(
    "TOK201",
    cause="character class: U+0085",
    families=["contractions"],
    against="tiktoken:embedded",
    profile="standard",
)
def next_line_is_no_white_space() -> SimpleNamespace:
    r"""Excludes U+0085 from white space, as JavaScript's \s does, and is correct for all else."""
    return change_pattern(
        (r"[^\s", r"[^[\s&&[^\x85]]"),
        (r"\s+(?!\S)", r"[\s&&[^\x85]]+(?![^\s]|\x85)"),
        (r"|\s+", r"|[\s&&[^\x85]]+"),
        (r"\s*", r"[\s&&[^\x85]]*"),
    )


@fault(
    "TOK201",
    cause="pre-tokenizer: white space is JavaScript's",
    families=["contractions", "white-space"],
    against="tiktoken:embedded",
)
def white_space_of_javascript() -> SimpleNamespace:
    r"""Has the class of JavaScript's \s, which has U+FEFF and lacks U+0085."""
    spaces = r"\s\x{FEFF}&&[^\x85]"
    return change_pattern(
        (r"[^\s", rf"[^[{spaces}]"),
        (r"\s+(?!\S)", rf"[{spaces}]+(?![^{spaces}])"),
        (r"|\s+", rf"|[{spaces}]+"),
        (r"\s*", rf"[{spaces}]*"),
    )


@fault(
    "TOK201",
    cause="pre-tokenizer: white space is Python's, with U+001C to U+001F",
    families=["controls"],
    against="tiktoken:embedded",
)
def separators_of_ascii_are_white_space() -> SimpleNamespace:
    """Treats the controls U+001C to U+001F as white space, as Python's isspace does."""
    return extend_white_space(r"\x1c-\x1f")


@fault(
    "TOK201",
    cause="Unicode version: 13.0",
    families=["new-code-points"],
    against="tiktoken:embedded",
)
def splits_as_unicode_13() -> SimpleNamespace:
    """Splits by the tables of Unicode 13.0: letters of 2021 and later are not letters."""
    return tokenizer_with(encode=vocabulary().with_unicode_version("13.0").encode_ordinary)


@fault(
    "TOK201",
    cause="Unicode version: 15.0",
    families=["new-code-points"],
    against="tiktoken:embedded",
)
def splits_as_unicode_15() -> SimpleNamespace:
    """Splits by the tables of Unicode 15.0: the Han of extension I are not letters."""
    return tokenizer_with(encode=vocabulary().with_unicode_version("15.0").encode_ordinary)


@fault(
    "TOK201",
    cause="Unicode version: 18.0",
    families=["new-code-points"],
    against="tiktoken:embedded",
)
def splits_as_unicode_18() -> SimpleNamespace:
    """Splits by newer Unicode tables than the model was trained with, after a library upgrade."""
    return tokenizer_with(encode=vocabulary().with_unicode_version("18.0").encode_ordinary)


@fault(
    "TOK201",
    cause="character class: U+180E MONGOLIAN VOWEL SEPARATOR, white space",
    families=["contractions"],
    against="tiktoken:embedded",
    profile="standard",
)
def vowel_separator_is_white_space() -> SimpleNamespace:
    """Treats U+180E as white space, which it was until Unicode 6.3."""
    return extend_white_space(r"\x{180E}")
