"""Parallel text in many languages: the same names of CLDR in each language.

The token counts of languages can only be compared on texts with the same content: here the names of
the months, the days of the week and some languages. ``cldr_names.json`` has them, made by
:mod:`.generate_cldr_names`, since CLDR's own files take a second to read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "LANGUAGES",
    "LanguageNames",
    "all_names",
    "language_name",
    "names_in",
    "parallel_text",
    "parallel_texts",
]

LANGUAGES = (
    *("en", "af", "am", "ar", "as", "az", "be", "bg", "bn", "bo", "bs", "ca", "cs", "cy", "da"),
    *("de", "dz", "el", "es", "et", "eu", "fa", "fi", "fil", "fr", "ga", "gd", "gl", "gu", "ha"),
    *("he", "hi", "hr", "hu", "hy", "id", "ig", "is", "it", "ja", "ka", "kk", "km", "kn", "ko"),
    *("ky", "lb", "lo", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "mt", "my", "nb", "ne", "nl"),
    *("or", "pa", "pl", "ps", "pt", "ro", "ru", "si", "sk", "sl", "so", "sq", "sr", "sv", "sw"),
    *("ta", "te", "th", "ti", "tr", "uk", "ur", "uz", "vi", "yo", "zh", "zh_Hant", "zu"),
)
"""CLDR codes of the languages that have all names, English first.

Without Cantonese (yue), which has the same names as traditional Chinese.
"""

NAMED_LANGUAGES = ("en", "de", "fr", "es", "ru", "zh", "ja")
TERRITORIES = ("US", "CN", "DE", "FR", "JP", "RU", "IN", "BR", "EG", "NG")


@dataclass(frozen=True, slots=True)
class LanguageNames:
    """Names of CLDR in a language.

    Attributes:
        name: The English name of the language.
        months: The names of the months, January first.
        days: The names of the days, in CLDR's order.
        languages: The names of some languages that it has, by code.
        territories: The names of some territories that it has, by code.

    """

    name: str
    months: tuple[str, ...]
    days: tuple[str, ...]
    languages: Mapping[str, str]
    territories: Mapping[str, str]

    def parallel(self) -> dict[tuple[str, int | str], str]:
        """Return the names that texts in several languages are made of, by kind and code."""
        return {
            **{("month", number): name for number, name in enumerate(self.months)},
            **{("day", number): name for number, name in enumerate(self.days)},
            **_select(self.languages, "language", NAMED_LANGUAGES),
            **_select(self.territories, "territory", TERRITORIES),
        }


def names_in(code: str) -> LanguageNames:
    """Return names in a language; raises LookupError if CLDR has no months and days in it."""
    try:
        return _table()[code]
    except KeyError:
        raise LookupError(f"CLDR has no names in the language {code!r}") from None


@cache
def _table() -> dict[str, LanguageNames]:
    text = files("tokharness.unicode").joinpath("cldr_names.json").read_text("ascii")
    return {
        code: LanguageNames(
            row["name"],
            tuple(row["months"]),
            tuple(row["days"]),
            row["languages"],
            row["territories"],
        )
        for code, row in json.loads(text)["languages"].items()
    }


def all_names() -> Iterator[str]:
    """Yield every name of CLDR in every language, as a word in a text: after a space."""
    for names in _table().values():
        whole = (*names.months, *names.days, *names.languages.values(), *names.territories.values())
        yield from (f" {name}" for name in whole)


@cache
def parallel_text(code: str) -> str:
    """Return the names of the months, the days and some languages in a language, space-separated.

    Raises LookupError if CLDR has no months and days in it.
    """
    names = names_in(code).parallel()
    return " ".join(name for (kind, _), name in names.items() if kind != "territory")


@cache
def parallel_texts() -> Mapping[str, tuple[str, str]]:
    """Return a text in each language with its English translation, by CLDR code.

    English is first, then come the others in alphabetical order. Both texts have the same names of
    months, days, languages and territories: those that the language has. Left out are languages
    with the text of another one: the same language under two codes, or one that only inherits its
    names, as Haitian Creole (ht) does from French.
    """
    english = names_in("en").parallel()
    pairs: dict[str, tuple[str, str]] = {}
    texts: set[str] = set()
    for code in sorted(_table(), key=lambda code: (code not in LANGUAGES, code)):
        own = names_in(code).parallel()
        shared = [key for key in english if key in own]
        text = " ".join(own[key] for key in shared)
        if text not in texts:
            texts.add(text)
            pairs[code] = text, " ".join(english[key] for key in shared)
    return dict(sorted(pairs.items(), key=lambda item: (item[0] != "en", item[0])))


def _select(
    names: Mapping[str, str], kind: str, codes: tuple[str, ...]
) -> dict[tuple[str, int | str], str]:
    return {(kind, code): names[code] for code in codes if code in names}


def language_name(code: str) -> str:
    """Return the English name of a language, "Burmese" for "my"; the code if it has none."""
    return _table()[code].name if code in _table() else code
