"""Strategies of words, letters and digits, and of code, templates and special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.strategies._families import facts_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy


def plain_words() -> SearchStrategy[str]:
    """Healthy text: words, code, and the names of days, months and languages in 60 locales.

    Example: ``"the Monday"``. A tokenizer that fails on these texts fails on everything.

    Source: CLDR.
    """
    return texts_of("plain-words")


def confusables() -> SearchStrategy[str]:
    r"""Words with look-alike letters: Cyrillic, Greek, fullwidth, mathematical.

    At least one character is not ASCII; see :func:`confusable_twins` for pairs.

    Example: ``"p\u0430ypal"``.

    Source: UTS #39 (confusables.txt).
    """
    return texts_of("homoglyphs").filter(lambda text: not text.isascii())


def normal_forms() -> SearchStrategy[str]:
    r"""Characters that a normal form changes, marks in any order, jamo.

    Example: ``"a\u0301\u0323"``.

    Source: UAX #15 and its NormalizationTest.txt.
    """
    return texts_of("normal-forms")


def combining_stacks() -> SearchStrategy[str]:
    r"""Words with stacks of combining marks, up to twice the limit of Stream-Safe Text.

    Example: ``"a\u0301\u0301\u0301"``.

    Source: UAX #15, section 13 (Stream-Safe Text Format); UAX #44 (M, Canonical_Combining_Class).
    """
    return texts_of("combining-stacks")


def letter_case() -> SearchStrategy[str]:
    r"""Letters whose upper, lower or folded form is longer, shared or context-dependent.

    Example: ``"\u0130"``, whose lower case is two characters.

    Source: CaseFolding.txt; SpecialCasing.txt.
    """
    return texts_of("letter-case")


def contractions() -> SearchStrategy[str]:
    r"""Words with apostrophes and suffixes of English contractions, in every spelling.

    Example: ``"a\u2019S"``.

    Source: the patterns r50k_base, cl100k_base and o200k_base; CaseFolding.txt.
    """
    return texts_of("contractions")


def digits() -> SearchStrategy[str]:
    r"""Numbers in the digits of any script, with signs, separators and letters around them.

    Example: ``"12\u0663"``.

    Source: UAX #44 (Nd, Nl, No).
    """
    return texts_of("digits")


def hangul() -> SearchStrategy[str]:
    r"""Korean syllables, jamo that may or may not compose, and fillers.

    Example: ``"\u1112\u1161\u11ab"``.

    Source: the Unicode Standard, section 3.12; UAX #29 (GB6 to GB8).
    """
    return texts_of("hangul")


def indic_conjuncts() -> SearchStrategy[str]:
    r"""Consonants joined by viramas, and joiners that change how they join.

    Example: ``"\u0915\u094d\u200d\u0937"``.

    Source: UAX #29 (GB9c); the Unicode Standard, chapters 12, 13 and 16.
    """
    return texts_of("indic-conjuncts")


def code() -> SearchStrategy[str]:
    r"""Lines of code: operators, names, numbers, escapes and white space.

    Example: ``"    x->p\u0430ss"``.

    Source: UAX #31; UTS #55; language references.
    """
    return texts_of("code")


def property_names() -> SearchStrategy[str]:
    """Names that every object of a language has, and words that a format reads as values.

    Example: ``"__proto__"``, ``"constructor"``, ``"NaN"``.

    Source: ECMA-262 (Object.prototype); YAML 1.1; RFC 8259.
    """
    return texts_of("property-names")


def byte_alphabet() -> SearchStrategy[str]:
    r"""Words with the characters that vocabularies use for a byte, a space or a word end.

    Example: ``"\u0120the<0x0A>"``.

    Source: GPT-2's encoder.py (bytes_to_unicode); the documentation of SentencePiece.
    """
    return texts_of("byte-alphabet")


def chat_templates() -> SearchStrategy[str]:
    """Parts of chat templates, and of texts that forge a change of speaker, in any order.

    Example: ``"user<|im_end|>"``.

    Source: the published chat templates of each model; OWASP LLM01.
    """
    return texts_of("chat-templates")


def special_token_lookalikes(special_tokens: Sequence[str] = ()) -> SearchStrategy[str]:
    r"""Special tokens whole, truncated, nested and disguised.

    The tokens are special tokens of well-known models and your ``special_tokens``.

    Example: ``"<|end<|endoftext|>oftext|>"``, ``"\uff1c|endoftext|>"``.

    Source: OWASP AISVS C2.1; the published special tokens of each vocabulary.

    Raises:
        hypothesis.errors.InvalidArgument: ``special_tokens`` is not a sequence of strings.

    """
    return texts_of("special-tokens", facts_of(special_tokens))
