"""Make ``cldr_names.json``: names of CLDR in each of its languages, through ``babel``.

``python -m tokharness.unicode.generate_cldr_names OUTPUT``

The table has no variants for territories, and no languages without months and days of their own.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from babel import Locale

LANGUAGES = (
    *("en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ko", "ar", "he"),
    *("hi", "bn", "ta", "th", "vi", "tr", "el", "sw"),
)
TERRITORIES = ("US", "CN", "DE", "FR", "JP", "RU", "IN", "BR", "EG", "NG")


def main(arguments: list[str]) -> None:
    """Write the table."""
    from babel import Locale, core, localedata

    if len(arguments) != 1:
        sys.exit(__doc__)
    found = (Locale.parse(code) for code in sorted(localedata.locale_identifiers()))
    languages = (data for data in found if not data.territory and not data.variant)
    root = Locale.parse("root")
    rows = {str(data): names for data in languages if (names := _names(data, root))}
    head = {
        "about": "the English name of each language, and names in it",
        "command": "python -m tokharness.unicode.generate_cldr_names OUTPUT",
        "source": f"CLDR {core.get_cldr_version()}, through babel {version('babel')}",
    }
    head_lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    lines = [f"  {json.dumps(code)}: {json.dumps(names)}" for code, names in rows.items()]
    text = "\n".join(["{", *head_lines, ' "languages": {', ",\n".join(lines), " }", "}"])
    Path(arguments[0]).write_text(f"{text}\n", encoding="ascii")


def _names(data: Locale, root: Locale) -> dict[str, Any]:
    """Return the names that a language has; nothing if it lacks the name of a month or a day."""
    # Not the stand-alone forms: babel 2.18 may return the forms of a language that was used before.
    months, days = (
        [name for number, name in names.items() if name != placeholders[number]]
        for names, placeholders in (
            (data.months["format"]["wide"], root.months["format"]["wide"]),
            (data.days["format"]["wide"], root.days["format"]["wide"]),
        )
    )
    if (len(months), len(days)) != (12, 7) or any(map(_is_code, months)):
        return {}
    return {
        "name": data.get_display_name("en") or str(data),
        "months": months,
        "days": days,
        "languages": {code: data.languages[code] for code in LANGUAGES if code in data.languages},
        "territories": {
            code: data.territories[code] for code in TERRITORIES if code in data.territories
        },
    }


def _is_code(name: str) -> bool:
    """Whether a name is CLDR's placeholder for an unknown month, such as M01."""
    return name.startswith("M") and name[1:].isdecimal()


if __name__ == "__main__":
    main(sys.argv[1:])
