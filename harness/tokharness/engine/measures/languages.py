"""What each language of CLDR costs, on text that says the same as an English one.

``[{"code", "name", "script", "characters", "bytes", "tokens", "english", "english_words", "words",
"kept", "same"}]``, English first, then by code. ``tokens`` are those of the names of months, days,
languages and territories, as far as the language has them, ``english`` those of the same names in
English, which have ``english_words``; ``words`` counts its words and ``count_single_token_words`` those that are one
token behind a space; ``same`` says whether the text comes back. Languages on which the target
raises have ``tokens`` null.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.costs import count_single_token_words, text_cost
from tokharness.unicode.languages import language_name, parallel_texts
from tokharness.unicode.scripts import script, script_name

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure", "script_of"]


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of each language's text, and of the English one beside it."""
    return [
        _row(code, text, english, subject) for code, (text, english) in parallel_texts().items()
    ]


def _row(code: str, text: str, english: str, subject: Subject) -> dict[str, Any]:
    words = list(dict.fromkeys(text.split(" ")))
    return {
        "code": code,
        "name": language_name(code),
        "script": script_name(script_of(text)),
        **text_cost(text, subject),
        "english_tokens": text_cost(english, subject)["tokens"],
        "english_words": len(english.split(" ")),
        "words": len(words),
        "single_token_words": count_single_token_words(words, subject),
    }


def script_of(text: str) -> str:
    """Script of most characters of a text, those that all scripts share left out."""
    counts = Counter(map(script, text))
    for shared in ("Zyyy", "Zinh"):
        counts.pop(shared, None)
    return counts.most_common(1)[0][0] if counts else "Zyyy"
