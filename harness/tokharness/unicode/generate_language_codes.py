"""Make ``language_codes.json``: the English names of languages by code, through ``babel``.

``python -m tokharness.unicode.generate_language_codes OUTPUT``

The codes are CLDR's. ``same`` has the codes that CLDR replaces with them, such as "eng" with "en"
and "arb" (Standard Arabic) with "ar".
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Write the table."""
    from babel import Locale, core

    if len(arguments) != 1:
        sys.exit(__doc__)
    names = dict(sorted(Locale.parse("en").languages.items()))
    aliases = core.get_global("language_aliases")
    same = {code: new for code, new in sorted(aliases.items()) if new in names and "_" not in code}
    table = {
        "about": "the English name of each code, and the codes that have the name of another one",
        "command": "python -m tokharness.unicode.generate_language_codes OUTPUT",
        "source": f"CLDR {core.get_cldr_version()}, through babel {version('babel')}",
        "names": names,
        "same": same,
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    Path(arguments[0]).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
