"""Tokens of each CLDR language, on a text that has the same meaning as an English text.

``[{"code", "name", "script", "characters", "bytes", "tokens", "lossless", "english_tokens",
"english_words", "words", "single_token_words"}]``, English first, then by code. The text consists
of the names of months, days, languages and territories that CLDR has in the language;
``english_tokens`` and ``english_words`` count the same names in English. ``words`` counts different
words, ``single_token_words`` those that are one token after another word and a space; ``lossless``
is whether the text round-trips. ``tokens`` is null if the target raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_costs import count_single_token_words, text_cost
from tokharness.unicode.languages import language_name, parallel_texts
from tokharness.unicode.scripts import main_script, script_name

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of the text of each language and of the English text."""
    return [
        _row(code, text, english, subject) for code, (text, english) in parallel_texts().items()
    ]


def _row(code: str, text: str, english: str, subject: Subject) -> dict[str, Any]:
    words = list(dict.fromkeys(text.split(" ")))
    return {
        "code": code,
        "name": language_name(code),
        "script": script_name(main_script(text)),
        **text_cost(text, subject),
        "english_tokens": text_cost(english, subject)["tokens"],
        "english_words": len(english.split(" ")),
        "words": len(words),
        "single_token_words": count_single_token_words(words, subject),
    }
