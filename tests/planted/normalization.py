"""Faults in Unicode normalization: undeclared, incomplete or of another Unicode version."""

from __future__ import annotations

from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING

import regex

from planted._builders import (
    engine,
    preprocess,
    substitute,
    tokenizer_with,
    vocabulary,
)
from planted._registry import fault
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace


@fault("TOK113", cause="drift: settle", families=["normal-forms"])
def composes_after_it_has_cut() -> SimpleNamespace:
    """Composes each pre-token after the split: decoded text is then split differently."""
    reference, encode = vocabulary(), engine().encode_ordinary

    def encode_composed(text: str) -> list[int]:
        pieces = (normalize("NFC", piece) for piece in reference.pretokens(text))
        return list(chain.from_iterable(map(encode, pieces)))

    return tokenizer_with(encode=encode_composed, normalizer="NFC")


@fault("TOK101", cause="normalizer: NFC in part", families=["hangul"])
def composes_hangul_only() -> SimpleNamespace:
    """Composes conjoining jamo to syllables and nothing else, as a filter for Korean text does."""
    return substitute(r"[\uAC00-\uD7A3\u1100-\u11FF]+", lambda run: normalize("NFC", run[0]))


@fault("TOK101", cause="normalizer: NFC in part", families=["normal-forms"])
def composes_latin_only() -> SimpleNamespace:
    """Composes Latin letters with their marks and leaves other scripts unchanged."""
    return substitute(r"\p{Latin}\p{M}+", lambda run: normalize("NFC", run[0]))


@fault("TOK101", cause="normalizer: NFC", families=["normal-forms"])
def composes_to_nfc() -> SimpleNamespace:
    """Applies NFC without declaring it: two texts become one, and offsets shift."""
    return preprocess(partial(normalize, "NFC"))


@fault("TOK101", cause="normalizer: NFKC", families=["normal-forms"])
def composes_to_nfkc() -> SimpleNamespace:
    """Applies NFKC without declaring it: superscripts become digits, fullwidth becomes markup."""
    return preprocess(partial(normalize, "NFKC"))


@fault("TOK101", cause="declared normalizer not applied: NFC", families=["normal-forms"])
def composes_what_nfc_excludes() -> SimpleNamespace:
    """Declares NFC and ignores its composition exclusions: letters with nukta are composed."""
    exclusions = {normalize("NFD", chr(point)): chr(point) for point in range(0x0958, 0x0960)}

    def compose(text: str) -> str:
        composed = normalize("NFC", text)
        for pair, letter in exclusions.items():
            composed = composed.replace(pair, letter)
        return composed

    return preprocess(compose, normalizer="NFC")


@fault("TOK101", cause="normalizer: NFC", families=["normal-forms"])
def composes_with_old_tables() -> SimpleNamespace:
    """Applies NFC with the tables of Unicode 13.0 and does not declare a normalizer."""
    return preprocess(lambda text: normalize("NFC", text, version="13.0"))


@fault("TOK101", cause="normalizer: NFKC", families=["normal-forms"])
def declares_nfc_applies_nfkc() -> SimpleNamespace:
    """Declares NFC and applies NFKC: callers that trust the declaration lose superscripts."""
    return preprocess(partial(normalize, "NFKC"), normalizer="NFC")


@fault("TOK101", cause="declared normalizer not applied: NFC", families=["normal-forms"])
def declares_nfc_applies_nothing() -> SimpleNamespace:
    """Declares NFC and applies nothing: two spellings of one word get different ids."""
    return tokenizer_with(normalizer="NFC")


@fault("TOK101", cause="replaced characters: U+0958", families=["indic-conjuncts"])
def decomposes_nukta_letters() -> SimpleNamespace:
    """Decomposes precomposed letters with nukta only, as a normalizer for Indic scripts does."""
    return substitute(
        "[\u0958-\u095f\u09dc\u09dd\u09df\u0a59-\u0a5b\u0a5e]",
        lambda letter: normalize("NFD", letter[0]),
    )


@fault("TOK101", cause="normalizer: NFD", families=["normal-forms"])
def decomposes_to_nfd() -> SimpleNamespace:
    """Applies NFD without declaring it, as a file system does: accented letters cost more."""
    return preprocess(partial(normalize, "NFD"))


@fault("TOK101", cause="normalizer: NFKD", families=["normal-forms"])
def decomposes_to_nfkd() -> SimpleNamespace:
    """Applies NFKD without declaring it: ligatures, fractions and Hangul syllables are lost."""
    return preprocess(partial(normalize, "NFKD"))


@fault("TOK101", cause="replaced characters: U+FB00..U+FB06", families=["normal-forms"])
def expands_ligatures() -> SimpleNamespace:
    """Expands Latin ligatures, as a PDF reader does for search."""
    return substitute("[\ufb00-\ufb06]", lambda ligature: normalize("NFKC", ligature[0]))


@fault("TOK101", cause="replaced characters: U+FB50", families=["normal-forms"])
def folds_arabic_presentation_forms() -> SimpleNamespace:
    """Replaces Arabic presentation forms by the plain letters: old files change silently."""
    return substitute("[\ufb50-\ufdff\ufe70-\ufefc]+", lambda run: normalize("NFKC", run[0]))


@fault("TOK101", cause="replaced characters: U+FF0", families=["normal-forms"])
def folds_width() -> SimpleNamespace:
    """Replaces fullwidth ASCII by plain ASCII and nothing else: disguised markup becomes markup."""
    return preprocess(
        lambda text: text.translate({point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)})
    )


@fault("TOK101", cause="normalizer: NFC in part", families=["normal-forms"])
def composes_a_half_note() -> SimpleNamespace:
    """Composes U+1D157 and U+1D165 to U+1D15E, one of the characters that no NFC contains."""
    return preprocess(lambda text: text.replace("\U0001d157\U0001d165", "\U0001d15e"))


@fault("TOK101", cause="replaced characters: U+0340", families=["normal-forms"])
def grave_tone_mark_to_grave_accent() -> SimpleNamespace:
    """Replaces the deprecated U+0340 by U+0300: one singleton of NFC and no other."""
    return preprocess(lambda text: text.translate({0x340: 0x300}))


@fault(
    "TOK101",
    cause="declared normalizer not applied: NFC",
    families=["normal-forms", "long-inputs"],
    longest=1000,
)
def normalizes_short_texts_only() -> SimpleNamespace:
    """Declares NFC and skips texts of 1,000 characters or more, for speed."""
    return preprocess(
        lambda text: normalize("NFC", text) if len(text) < 1000 else text, normalizer="NFC"
    )


def _sort_marks(text: str, class_of: Callable[[str], int] = combining) -> str:
    runs = groupby(text, key=lambda char: class_of(char) > 0)
    return "".join("".join(sorted(run, key=class_of) if marks else run) for marks, run in runs)


def _with_wrong_class(form: str, mark: str, number: int) -> SimpleNamespace:
    """Declare a normal form, and apply it with a table of classes that is wrong for one mark."""

    def class_of(char: str) -> int:
        return number if char == mark else combining(char)

    return preprocess(lambda text: _sort_marks(normalize(form, text), class_of), normalizer=form)


@fault("TOK101", cause="reordered characters: combining marks", families=["mark-orders"])
def orders_a_hebrew_point_one_too_high() -> SimpleNamespace:
    """Has class 19 for U+05C7, which is 18 like U+05B8: two vowel points change places."""
    return _with_wrong_class("NFD", "\u05c7", 19)


@fault("TOK101", cause="reordered characters: combining marks", families=["mark-orders"])
def orders_a_tilde_below_one_too_low() -> SimpleNamespace:
    """Has class 219 for U+0330, which is 220: it moves before marks that were typed first."""
    return _with_wrong_class("NFC", "\u0330", 219)


@fault("TOK101", cause="reordered characters: combining marks", families=["mark-orders"])
def orders_a_vowel_sign() -> SimpleNamespace:
    """Has class 220 for the vowel sign U+102F, which is 0: marks move across a vowel."""
    return _with_wrong_class("NFC", "\u102f", 220)


@fault("TOK101", cause="normalizer: NFC in part", families=["combining-stacks"])
def reorders_marks() -> SimpleNamespace:
    """Sorts marks by combining class and composes nothing: canonical ordering alone."""
    return preprocess(_sort_marks)


def _strip_accents(text: str) -> str:
    return normalize("NFC", regex.sub(r"\p{Mn}+", "", normalize("NFD", text)))


@fault("TOK101", cause="normalizer: accents stripped and NFC", families=["normal-forms"])
def strips_accents() -> SimpleNamespace:
    """Strips accents, as many uncased vocabularies do: two Vietnamese words become one."""
    return preprocess(_strip_accents)
