"""Parallel text in many languages (CLDR, through ``babel``): the same names in each.

What a tokenizer costs in one language and in another can be compared only on text that says the
same: here the months, the days of the week and some languages, as each language names them.
"""

from __future__ import annotations

from functools import cache

__all__ = ["LANGUAGES", "language_name", "parallel_text"]

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
    # Not the stand-alone forms: babel 2.18 gives those of whichever language was asked for before.
    names = (
        *data.months["format"]["wide"].values(),
        *data.days["format"]["wide"].values(),
        *(data.languages[one] for one in NAMED if one in data.languages),
    )
    return " ".join(names)


@cache
def language_name(code: str) -> str:
    """English name of a language: "Burmese" for "my"; the code where there is none."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code).get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        return code
