"""Strategies of text that a program reads: code, templates and special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.strategies._families import facts_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy


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

    The tokens are those of well-known models and your ``special_tokens``.

    Example: ``"<|end<|endoftext|>oftext|>"``, ``"\uff1c|endoftext|>"``.

    Source: OWASP AISVS C2.1; the published special tokens of each vocabulary.

    Raises:
        hypothesis.errors.InvalidArgument: ``special_tokens`` is not a sequence of strings.

    """
    return texts_of("special-tokens", facts_of(special_tokens))
