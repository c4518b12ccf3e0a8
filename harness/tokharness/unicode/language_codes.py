"""English names of languages by their codes: of BCP 47, of ISO 639-3, or of both with a script.

``language_codes.json`` has them, made by :mod:`.generate_language_codes`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["language_of_code"]


def language_of_code(code: str) -> str | None:
    """Return "French" for fr, fra, fra_Latn and fr-CA; None for a code that CLDR does not have.

    A name in English is the code of itself. Scripts and regions count if the language with them
    has a name of its own, as "Traditional Chinese" for zh-Hant.
    """
    names, same = _table()["names"], _table()["same"]
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
def _table() -> Mapping[str, Any]:
    text = files("tokharness.unicode").joinpath("language_codes.json").read_text("ascii")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def _names_by_word() -> Mapping[str, str]:
    return {name.casefold(): name for name in _table()["names"].values()}
