"""Tokens of each language of CLDR, on names that it has in common with English.

``[{"code", "name", "script", "characters", "bytes", "tokens", "lossless", "english_tokens",
"english_words", "words", "single_token_words", "band"}]``, English first, then by code. The text
consists of 60 to 199 names (:mod:`tokharness.unicode.languages`); ``english_tokens`` and
``english_words`` count the same names in English. ``words`` counts different words,
``single_token_words`` those that are one token after another word and a space; ``lossless`` is
whether the text round-trips. ``tokens`` is null if the target raised.

``band`` is the cost relative to English as far as names can bear it, null if the text was not
encoded or is mostly lost. Against
running text, measured as :mod:`tokharness.unicode.languages` says, the cost by names of four
of five languages is between 0.7 and 1.4 times the true one, which is about the distance of two
bands. The band of o200k_base is the true one for 84 of 131 languages, and it or a neighbour of it
for 130; for 129 and 130 with cl100k_base and r50k_base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.costs.language_bands import BANDS, MOST_LOST, band_for
from tokharness.engine.worker.token_columns import (
    count_single_token_words,
    lossy_cost,
    text_cost,
)
from tokharness.unicode.languages import language_name, language_of_code, parallel_names
from tokharness.unicode.properties import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject

__all__ = ["BANDS", "band_of", "measure"]


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of the names in each language and in English."""
    return [
        _row(code, text, english, subject) for code, (text, english) in parallel_names().items()
    ]


def _row(code: str, text: str, english: str, subject: Subject) -> dict[str, Any]:
    words = list(dict.fromkeys(text.split(" ")))
    cost = lossy_cost(text, subject)
    is_lost = cost.pop("lost_characters") > MOST_LOST * len(text)
    row = {
        "code": code,
        "name": _name(code),
        "script": script_name(main_script(text)),
        **cost,
        "english_tokens": text_cost(english, subject)["tokens"],
        "english_words": len(english.split(" ")),
        "words": len(words),
        "single_token_words": count_single_token_words(words, subject),
    }
    return {**row, "band": None if is_lost else _band(row)}


def _name(code: str) -> str:
    name = language_name(code)
    return language_of_code(code) or code if name == code else name


def band_of(row: Mapping[str, Any]) -> str | None:
    """Return the band of a row; None if a text was not encoded, or is mostly lost."""
    if "band" in row:
        band: str | None = row["band"]
        return band
    return _band(row) if row["lossless"] else None  # a row of an earlier release


def _band(row: Mapping[str, Any]) -> str | None:
    if not row["tokens"] or not row["english_tokens"]:
        return None
    return band_for(row["tokens"] / row["english_tokens"])
