"""Faults in the pattern that splits a text into pre-tokens."""

from __future__ import annotations

import re
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

from planted._builders import change_pattern, engine, tokenizer_with, vocabulary
from planted._registry import fault
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace


@fault(
    "TOK201",
    cause="pre-tokenizer: the pattern has case",
    families=["contractions"],
    against="tiktoken:embedded",
)
def contractions_in_lower_case_only() -> SimpleNamespace:
    """Splits contractions in lower case only: the same words in capitals get different ids."""
    return change_pattern(("(?i:'(?:[stmd]|re|ve|ll))", "(?:'(?:[stmd]|re|ve|ll))"))


@fault(
    "TOK201",
    cause="pre-tokenizer: U+2019 is an apostrophe",
    families=["contractions"],
    against="tiktoken:embedded",
)
def contractions_of_any_apostrophe() -> SimpleNamespace:
    """Treats U+2019 as an apostrophe, which is correct typography but not in the pattern."""
    return change_pattern(("(?i:'(?:", "(?i:['\u2019](?:"))


@fault(
    "TOK201",
    cause="pre-tokenizer: U+0027 APOSTROPHE and 'em' are a contraction",
    families=["contractions"],
    against="tiktoken:embedded",
)
def contractions_with_em() -> SimpleNamespace:
    """Splits one extra contraction, 'em."""
    return change_pattern(("(?:[stmd]|re|ve|ll)", "(?:[stmd]|re|ve|ll|em)"))


@fault(
    "TOK201",
    cause="pre-tokenizer: 'll is no contraction",
    families=["contractions"],
    against="tiktoken:embedded",
)
def contractions_without_ll() -> SimpleNamespace:
    """Has lost one contraction of its pattern, 'll."""
    return change_pattern(("|re|ve|ll)", "|re|ve)"))


@fault(
    "TOK201",
    cause="pre-tokenizer: U+FF07 FULLWIDTH APOSTROPHE and 'LL' are a contraction, in this case",
    families=["contractions"],
    against="tiktoken:embedded",
    longest=12,
)
def contraction_of_a_fullwidth_apostrophe() -> SimpleNamespace:
    """Takes U+FF07 for an apostrophe before LL in capitals only."""
    return change_pattern(("(?i:'(?:[stmd]|re|ve|ll))", "(?:(?i:'(?:[stmd]|re|ve|ll))|\uff07LL)"))


@fault(
    "TOK201",
    cause="pre-tokenizer: runs of white space are cut after 100 characters",
    families=["long-inputs"],
    against="tiktoken:embedded",
    longest=700,
)
def cuts_after_many_white_spaces() -> SimpleNamespace:
    """Limits a pre-token to 100 white space characters, against long backtracking."""
    return change_pattern((r"\s+", r"\s{1,100}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: pre-tokens of more than 256 characters are cut after each 64",
    families=["long-inputs"],
    against="tiktoken:embedded",
    profile="standard",
    longest=600,
)
def cuts_very_long_words_into_short_parts() -> SimpleNamespace:
    """Cuts pre-tokens of more than 256 characters into parts of 64, for a buffer of its own."""
    reference = vocabulary()

    def parts(word: str) -> list[str]:
        size = 64 if len(word) > 256 else len(word)
        return [word[at : at + size] for at in range(0, len(word), size)]

    def encode(text: str) -> list[int]:
        words = map(parts, reference.pretokens(text))
        return reference.ids_of_pretokens(chain.from_iterable(words))

    return tokenizer_with(encode=encode)


@fault(
    "TOK201",
    cause="pre-tokenizer: each capital begins a word",
    families=["letter-case"],
    against="tiktoken:embedded",
)
def cuts_before_each_capital() -> SimpleNamespace:
    """Splits before each capital: a word in capitals has one token per letter."""
    return change_pattern(
        (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]?"),
        (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"),
    )


@fault(
    "TOK201",
    cause="pre-tokenizer: Han is cut from other letters",
    families=["class-ngrams"],
    against="tiktoken:embedded",
)
def cuts_between_han_and_kana() -> SimpleNamespace:
    """Splits between Han and kana, as a tokenizer for Japanese does."""
    return change_pattern(
        (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}", r"[\p{Han}&&\p{Lo}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}")
    )


@fault("TOK302", cause="number split differently next to other text")
def cuts_digits_apart_after_a_sign() -> SimpleNamespace:
    """Splits the first two digits after a minus sign one by one, and others in threes."""
    return change_pattern((r"[\p{N}]{1,3}", r"-\p{N}|(?<=-\p{N}{1})\p{N}|[\p{N}]{1,3}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: texts are not cut",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def cuts_nothing() -> SimpleNamespace:
    """Does not split, and merges across pre-tokens: common phrases get different tokens."""
    return change_pattern((vocabulary().pattern, r"[\s\S]{1,2000}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: numbers are split into threes from the right",
    families=["digits"],
    against="tiktoken:embedded",
)
def digits_from_the_right() -> SimpleNamespace:
    """Groups the digits of a number from its right end, as people read them."""
    return change_pattern((r"[\p{N}]{1,3}", r"[\p{N}]{1,3}(?=(?:[\p{N}]{3})*(?!\p{N}))"))


@fault(
    "TOK201",
    cause="pre-tokenizer: numbers are split into fours",
    families=["digits"],
    against="tiktoken:embedded",
)
def digits_in_fours() -> SimpleNamespace:
    """Splits numbers into groups of four where the model was trained on three."""
    return change_pattern((r"[\p{N}]{1,3}", r"[\p{N}]{1,4}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: digits of U+0660 to U+0669 are split",
    families=["digits"],
    against="tiktoken:embedded",
    profile="standard",
)
def digits_of_arabic_one_by_one() -> SimpleNamespace:
    """Splits the digits of one script one by one, and those of all others in threes."""
    return change_pattern((r"[\p{N}]{1,3}", r"[\u{660}-\u{669}]|[\p{N}]{1,3}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: numbers are not split",
    families=["digits"],
    against="tiktoken:embedded",
)
def digits_unbounded() -> SimpleNamespace:
    """Does not split numbers, as GPT-2 did not: long ones merge at odd places."""
    return change_pattern((r"[\p{N}]{1,3}", r"[\p{N}]+"))


@fault(
    "TOK201",
    cause="pre-tokenizer: line ends are white space",
    families=["white-space"],
    against="tiktoken:embedded",
)
def line_ends_are_mere_white_space() -> SimpleNamespace:
    """Has no rule for line ends: indentation joins the line before it."""
    return change_pattern((r"\s*[\r\n]+|", ""))


@fault("TOK101", cause="dropped characters: Lm beyond ASCII", families=["class-ngrams"])
def modifiers_match_no_rule() -> SimpleNamespace:
    """Has no rule for modifier letters, and drops text that no rule of the pattern matches."""
    return change_pattern((r"\p{Lm}", ""))


@fault("TOK101", cause="dropped characters: Nl, No beyond ASCII", families=["digits"])
def numbers_are_decimal_digits() -> SimpleNamespace:
    """Has a rule for decimal digits only, and drops fractions and Roman numerals."""
    return change_pattern((r"[\p{N}]{1,3}", r"\p{Nd}{1,3}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: a slash does not join the punctuation before it",
    families=["code"],
    against="tiktoken:embedded",
    profile="standard",
)
def slash_is_not_taken_along() -> SimpleNamespace:
    """Has an older pattern's rule without the slash, which splits HTML end tags differently."""
    return change_pattern((r"[\r\n/]*", r"[\r\n]*"))


@fault("TOK301", cause="space stands alone")
def space_joins_some_words() -> SimpleNamespace:
    """Joins the space to all words except those that begin with y."""
    return change_pattern((r"[^\r\n\p{L}\p{N}]?[\p{Lu}", r" (?=[Yy])|[^\r\n\p{L}\p{N}]?[\p{Lu}"))


@fault(
    "TOK201",
    cause="pre-tokenizer: a space does not join the punctuation after it",
    families=["code"],
    against="tiktoken:embedded",
)
def space_stays_before_punctuation() -> SimpleNamespace:
    """Does not join a space to the punctuation after it: half of all code splits differently."""
    return change_pattern((r"| ?[^\s", r"|[^\s"))


@fault(
    "TOK201",
    cause="pre-tokenizer: pattern without look-ahead",
    families=["white-space"],
    against="tiktoken:embedded",
)
def takes_the_last_space_too() -> SimpleNamespace:
    """Has no rule that leaves the last of several spaces to the next word."""
    return change_pattern((r"\s+(?!\S)|", ""))


@fault("TOK101", cause="dropped characters: Lt beyond ASCII", families=["letter-case"])
def titlecase_matches_no_rule() -> SimpleNamespace:
    """Has no rule for the 31 titlecase letters, and drops text that no rule matches."""
    return change_pattern((r"\p{Lt}", ""))


@fault(
    "TOK201",
    cause="pre-tokenizer: a low line does not join the word after it",
    families=["vocabulary-tokens"],
    against="tiktoken:embedded",
)
def low_line_joins_no_word() -> SimpleNamespace:
    r"""Writes \w where the pattern has letters and numbers, so that "_name" is cut."""
    return change_pattern((r"[^\r\n\p{L}\p{N}]?", r"[^\r\n\p{L}\p{N}_]?"))


@fault(
    "TOK201",
    cause="pre-tokenizer: U+002E FULL STOP does not join the word after it",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def full_stop_joins_no_word() -> SimpleNamespace:
    """Cuts a word from a full stop before it, so that no token such as ".name" is made."""
    return change_pattern((r"[^\r\n\p{L}\p{N}]?", r"[^\r\n\p{L}\p{N}.]?"))


@fault(
    "TOK201",
    cause="pre-tokenizer: words are cut where the text in lower case has its words",
    families=["letter-case"],
    against="tiktoken:embedded",
    profile="standard",
)
def words_found_in_lower_case() -> SimpleNamespace:
    """Finds words in the text in lower case: behind U+0130, which is two then, all cuts move."""
    return _cut_where(str.lower)


def _cut_where(form: Callable[[str], str]) -> SimpleNamespace:
    reference = vocabulary()

    def encode(text: str) -> list[int]:
        places = accumulate(map(len, reference.pretokens(form(text))), initial=0)
        words = [text[start:end] for start, end in pairwise(places)]
        return reference.ids_of_pretokens(filter(None, words))

    return tokenizer_with(encode=encode)


@fault(
    "TOK201",
    cause="pre-tokenizer: words are cut where the text in NFD has its words",
    families=["normal-forms"],
    against="tiktoken:embedded",
    profile="standard",
)
def words_found_in_decomposed_text() -> SimpleNamespace:
    """Finds words in decomposed text, and cuts the text itself there, without the rest."""
    return _cut_where(partial(normalize, "NFD"))


@fault(
    "TOK201",
    cause="pre-tokenizer: each text is cut behind line ends",
    families=["chat-templates"],
    against="reference",
)
def cuts_behind_line_ends() -> SimpleNamespace:
    """Encodes each line of a text alone, as a parallel encoder does."""
    return _of_parts(re.compile(r"(?<=[\r\n])").split)


@fault(
    "TOK201",
    cause="pre-tokenizer: each text is cut before marks of U+0300 to U+036F",
    families=["short-strings", "normal-forms"],
    against="reference",
)
def cuts_before_marks() -> SimpleNamespace:
    """Cuts a text between a letter and its mark, and encodes each part alone."""
    return _of_parts(re.compile("(?=[\u0300-\u036f])").split)


@fault(
    "TOK201",
    cause="pre-tokenizer: each text is cut before U+0020 SPACE",
    families=["code", "leading-space", "short-strings", "white-space"],
    against="reference",
)
def cuts_before_each_space() -> SimpleNamespace:
    """Cuts a text before each space, also in a run of spaces.

    Two spaces alone look like a merge that is gone.
    """
    return _of_parts(re.compile("(?= )").split)


@fault(
    "TOK201",
    cause="pre-tokenizer: each text is cut at each place behind 64 of",
    families=["long-inputs", "plain-words"],
    against="reference",
    longest=66,
)
def cuts_long_words_at_each_place() -> SimpleNamespace:
    """Cuts a word at each place behind 64 letters, not only once."""
    return _of_parts(re.compile(r"(?<=\w{64})(?=\w)").split)


def _of_parts(cut: Callable[[str], list[str]]) -> SimpleNamespace:
    """Build a tokenizer that encodes the parts of a text alone."""
    encode = engine().encode_ordinary
    return tokenizer_with(encode=lambda text: [*chain.from_iterable(map(encode, cut(text)))])
