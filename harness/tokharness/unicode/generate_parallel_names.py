"""Make ``parallel_names.json``: the same names of CLDR in each of its languages, through ``babel``.

``python -m tokharness.unicode.generate_parallel_names OUTPUT``

The names are units, relative times ("in days"), currencies, languages, territories, time zones,
months and days. If a kind has more names, the table has names that many languages have, evenly over
CLDR's codes: the names that most languages have belong to large countries and common currencies,
which are single tokens in English, so that other languages would seem to cost more than they do.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Key: TypeAlias = tuple[str, str]

NUMBERS = {
    "unit": 40,
    "relative time": 30,
    "currency": 20,
    "language": 30,
    "territory": 40,
    "time zone": 20,
    "month": 12,
    "day": 7,
}
"""Kinds of names, and the number of names of each kind in the table."""

MIN_LANGUAGES = 60
"""Smallest number of languages that have a name of the table."""

MIN_NAMES = 60
"""Smallest number of names that a language of the table has."""

COPIED = 0.9
"""Share of names in common with another language from which the names count as inherited."""


def main(arguments: list[str]) -> None:
    """Write the table."""
    from babel import Locale, core, localedata

    if len(arguments) != 1:
        sys.exit(__doc__)
    found = (Locale.parse(code) for code in sorted(localedata.locale_identifiers()))
    languages = (data for data in found if not data.territory and not data.variant)
    codes = [str(data) for data in languages if data.language != "en" or not data.script]
    placeholders = _names("root", {})
    names = {code: _names(code, placeholders) for code in codes}
    keys = _chosen(names)
    rows: dict[str, list[str | None]] = {}
    for code in sorted(names, key=lambda code: ("_" in code, code)):
        row = [names[code].get(key) for key in keys]
        if len(row) - row.count(None) >= MIN_NAMES and not any(
            _is_copy(row, other) for other in rows.values()
        ):
            rows[code] = row
    head = {
        "about": "names in each language, in the order of the keys; null for none",
        "command": "python -m tokharness.unicode.generate_parallel_names OUTPUT",
        "source": f"CLDR {core.get_cldr_version()}, through babel {version('babel')}",
        "keys": keys,
    }
    head_lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    lines = [f"  {json.dumps(code)}: {json.dumps(rows[code])}" for code in sorted(rows)]
    text = "\n".join(["{", *head_lines, ' "languages": {', ",\n".join(lines), " }", "}"])
    Path(arguments[0]).write_text(f"{text}\n", encoding="ascii")


def _is_copy(row: list[str | None], other: list[str | None]) -> bool:
    """Whether a language only inherits its names, as Haitian Creole does from French."""
    names = [(name, same) for name, same in zip(row, other, strict=True) if name is not None]
    return sum(name == same for name, same in names) > COPIED * len(names)


def _chosen(names: Mapping[str, Mapping[Key, str]]) -> list[Key]:
    """Return the keys of the table: for each kind, evenly, keys that enough languages have."""
    languages = Counter(key for row in names.values() for key in row if key in names["en"])
    chosen: list[Key] = []
    for kind, number in NUMBERS.items():
        keys = sorted(key for key, n in languages.items() if key[0] == kind and n >= MIN_LANGUAGES)
        chosen += [keys[at * len(keys) // number] for at in range(min(number, len(keys)))]
    return chosen


def _names(code: str, placeholders: Mapping[Key, str]) -> dict[Key, str]:
    """Return the names that a language has, without placeholders of CLDR."""
    from babel import localedata

    data: Any = localedata.LocaleDataDict(cast("Any", localedata.load(code)))
    names = {
        (kind, str(key)): re.sub(r"\s*\{0\}\s*", " ", name).strip()
        for kind, key, name in _all_names(data)
        if isinstance(name, str)
    }
    return {key: name for key, name in names.items() if name and placeholders.get(key) != name}


def _all_names(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield the kind, the code and the name of each name; None for a name that is missing."""
    for key, unit in data["unit_patterns"].items():
        yield "unit", key, _inside(unit, "long", "other")
    for field, forms in data["date_fields"].items():
        for direction in ("past", "future") if "-" not in field else ():
            yield "relative time", f"{field} {direction}", _inside(forms, direction, "other")
    for kind, table in (("month", "months"), ("day", "days")):
        for key, name in data[table]["format"]["wide"].items():
            yield kind, f"{key:02}", name
    for kind, table, path in (
        ("currency", "currency_names", ()),
        ("language", "languages", ()),
        ("territory", "territories", ()),
        ("time zone", "meta_zones", ("long", "standard")),
        ("time zone", "meta_zones", ("long", "generic")),
    ):
        for key, value in data[table].items():
            yield kind, key, _inside(value, *path)


def _inside(value: Any, *path: str) -> Any:
    for key in path:
        value = value[key] if hasattr(value, "get") and key in value else None
    return value


if __name__ == "__main__":
    main(sys.argv[1:])
