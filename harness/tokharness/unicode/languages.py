"""Parallel text in many languages (CLDR, through ``babel``): the same names in each.

What a tokenizer costs in one language and in another can be compared only on text that says the
same: here the months, the days of the week and some languages, as each language names them.
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
"""CLDR's codes of languages that name everything asked for, English first.

Not Cantonese (yue), which names it as traditional Chinese does.
"""

NAMED = ("en", "de", "fr", "es", "ru", "zh", "ja")
TERRITORIES = ("US", "CN", "DE", "FR", "JP", "RU", "IN", "BR", "EG", "NG")


@cache
def parallel_text(code: str) -> str:
    """Names of the months, the days and some languages, with spaces between, in a language.

    Raises:
        LookupError: CLDR, as ``babel`` has it, does not know the language.

    """
    from babel import Locale, UnknownLocaleError

    try:
        data = Locale.parse(code)
    except UnknownLocaleError as error:
        raise LookupError(f"CLDR has no language {code!r}") from error
    return " ".join(name for (of, _), name in _names(data).items() if of != "territory")


@cache
def parallel_texts() -> Mapping[str, tuple[str, str]]:
    """Text in each language that names the months and the days, and the English one beside it.

    By CLDR's code, English first, then in alphabetical order. Both texts have the same names of
    months, days, languages and territories: those that this language has. Left out are variants for
    a territory, languages whose months or days CLDR does not have, and those that say what another
    one says: they are the same under two codes, or have only what they inherit, as Haitian Creole
    (ht) has French.
    """
    from babel import Locale, localedata

    english = _names(Locale.parse("en"))
    lacking = _names(Locale.parse("root")) if localedata.exists("root") else {}
    found: dict[str, tuple[str, str]] = {}
    said: set[str] = set()
    codes = localedata.locale_identifiers()
    for code in sorted(codes, key=lambda one: (one not in LANGUAGES, one)):
        data = Locale.parse(code)
        if data.territory or data.variant:
            continue
        names = _names(data)
        own = {key: name for key, name in names.items() if name != lacking.get(key)}
        if all(key in own and not _is_code(own[key]) for key in english if key[0] in "md"):
            both = [key for key in english if key in own]
            text = " ".join(own[key] for key in both)
            if text not in said:
                said.add(text)
                found[code] = text, " ".join(english[key] for key in both)
    return dict(sorted(found.items(), key=lambda item: (item[0] != "en", item[0])))


def _names(data: Locale) -> dict[tuple[str, int | str], str]:
    # Not the stand-alone forms: babel 2.18 gives those of whichever language was asked for before.
    months = data.months["format"]["wide"].items()
    days = data.days["format"]["wide"].items()
    return {
        **{("m", number): name for number, name in months},
        **{("d", number): name for number, name in days},
        **{("language", one): data.languages[one] for one in NAMED if one in data.languages},
        **{("territory", o): data.territories[o] for o in TERRITORIES if o in data.territories},
    }


def _is_code(name: str) -> bool:
    """Whether it is what CLDR has of a month that it does not know: "M01"."""
    return name.startswith("M") and name[1:].isdecimal()


@cache
def language_name(code: str) -> str:
    """English name of a language: "Burmese" for "my"; the code where there is none."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code).get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        return code
