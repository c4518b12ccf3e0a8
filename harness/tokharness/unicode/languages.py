"""Parallel text in many languages (CLDR, through ``babel``): the same names in each language.

The token counts of languages can only be compared on texts with the same content: here the names of
the months, the days of the week and some languages.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from babel import Locale

__all__ = ["LANGUAGES", "language_name", "parallel_text", "parallel_texts"]

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


@cache
def parallel_text(code: str) -> str:
    """Return the names of the months, the days and some languages in a language, space-separated.

    Raises:
        LookupError: ``babel`` does not have CLDR data for the language.

    """
    from babel import Locale, UnknownLocaleError

    try:
        data = Locale.parse(code)
    except UnknownLocaleError as error:
        raise LookupError(f"CLDR has no language {code!r}") from error
    return " ".join(name for (kind, _), name in _names(data).items() if kind != "territory")


@cache
def parallel_texts() -> Mapping[str, tuple[str, str]]:
    """Return a text in each language with its English translation, by CLDR code.

    English is first, then come the others in alphabetical order. Both texts have the same names of
    months, days, languages and territories: those that the language has. Left out are variants
    for territories, languages without names of months and days in CLDR, and languages with the text
    of another one: the same language under two codes, or one that only inherits its names, as
    Haitian Creole (ht) does from French.
    """
    from babel import Locale, localedata

    english = _names(Locale.parse("en"))
    placeholders = _names(Locale.parse("root")) if localedata.exists("root") else {}
    pairs: dict[str, tuple[str, str]] = {}
    texts: set[str] = set()
    codes = localedata.locale_identifiers()
    for code in sorted(codes, key=lambda code: (code not in LANGUAGES, code)):
        data = Locale.parse(code)
        if data.territory or data.variant:
            continue
        names = _names(data)
        own = {key: name for key, name in names.items() if name != placeholders.get(key)}
        if all(key in own and not _is_code(own[key]) for key in english if key[0] in "md"):
            shared = [key for key in english if key in own]
            text = " ".join(own[key] for key in shared)
            if text not in texts:
                texts.add(text)
                pairs[code] = text, " ".join(english[key] for key in shared)
    return dict(sorted(pairs.items(), key=lambda item: (item[0] != "en", item[0])))


def _names(data: Locale) -> dict[tuple[str, int | str], str]:
    # Not the stand-alone forms: babel 2.18 may return those of a language that was used before.
    months = data.months["format"]["wide"].items()
    days = data.days["format"]["wide"].items()
    return {
        **{("m", number): name for number, name in months},
        **{("d", number): name for number, name in days},
        **_select(data.languages, "language", NAMED_LANGUAGES),
        **_select(data.territories, "territory", TERRITORIES),
    }


def _select(
    names: Mapping[str, str], kind: str, codes: tuple[str, ...]
) -> dict[tuple[str, int | str], str]:
    return {(kind, code): names[code] for code in codes if code in names}


def _is_code(name: str) -> bool:
    """Whether a name is CLDR's placeholder for an unknown month, such as "M01"."""
    return name.startswith("M") and name[1:].isdecimal()


@cache
def language_name(code: str) -> str:
    """Return the English name of a language, "Burmese" for "my"; the code if it has none."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code).get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        return code
