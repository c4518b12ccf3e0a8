"""What each language of CLDR costs, on text that says the same as an English one.

``[{"code", "name", "script", "characters", "bytes", "tokens", "english", "english_words", "words",
"kept", "same"}]``, English first, then by code. ``tokens`` are those of the names of months, days,
languages and territories, as far as the language has them, ``english`` those of the same names in
English, which have ``english_words``; ``words`` counts its words and ``kept`` those that are one
token behind a space; ``same`` says whether the text comes back. Languages on which the target
raises have ``tokens`` null.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.calling import Raised
from tokharness.checks._each import decoded_each, encoded_each
from tokharness.unicode.languages import language_name, parallel_texts
from tokharness.unicode.scripts import script, script_name

if TYPE_CHECKING:
    from tokharness.subject import Subject

__all__ = ["measure", "script_of"]


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of each language's text, and of the English one beside it."""
    texts = parallel_texts()
    pairs = list(texts.values())
    own = encoded_each([text for text, _ in pairs], subject)
    english = encoded_each([text for _, text in pairs], subject)
    words = [list(dict.fromkeys(text.split(" "))) for text, _ in pairs]
    kept = iter(encoded_each([f" {word}" for row in words for word in row], subject))
    found = []
    for code, (text, english_text), ids, beside, row in zip(
        texts, pairs, own, english, words, strict=True
    ):
        whole = sum(
            not isinstance(one, Raised) and len(one) == 1 for _, one in zip(row, kept, strict=False)
        )
        found.append(
            {
                "code": code,
                "name": language_name(code),
                "script": script_name(script_of(text)),
                "characters": len(text),
                "bytes": len(text.encode()),
                "tokens": None if isinstance(ids, Raised) else len(ids),
                "english": None if isinstance(beside, Raised) else len(beside),
                "english_words": len(english_text.split(" ")),
                "words": len(row),
                "kept": whole,
                "same": not isinstance(ids, Raised) and decoded_each([ids], subject) == [text],
            }
        )
    return found


def script_of(text: str) -> str:
    """Script of most characters of a text, those that all scripts share left out."""
    counts = Counter(map(script, text))
    for shared in ("Zyyy", "Zinh"):
        counts.pop(shared, None)
    return counts.most_common(1)[0][0] if counts else "Zyyy"
