"""Make ``blocks.json``: the blocks of Unicode from Blocks.txt, through ``fontTools``.

``python -m tokharness.unicode.generate_blocks OUTPUT``

The tests verify the table with ``regex``, which knows the blocks by name but cannot list them.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Write the table."""
    from fontTools.unicodedata import Blocks

    if len(arguments) != 1:
        sys.exit(__doc__)
    spans = pairwise([*Blocks.RANGES, sys.maxunicode + 1])
    rows = [
        [f"{first:04X}", f"{end - 1:04X}", name]
        for (first, end), name in zip(spans, Blocks.VALUES, strict=True)
        if name != "No_Block"
    ]
    head = {
        "about": "first and last code point of each block, and its name",
        "command": "python -m tokharness.unicode.generate_blocks OUTPUT",
        "source": f"Blocks.txt, through fontTools {version('fonttools')}",
    }
    head_lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    lines = [
        "{",
        *head_lines,
        ' "blocks": [',
        ",\n".join(f"  {json.dumps(row)}" for row in rows),
        " ]",
        "}",
    ]
    Path(arguments[0]).write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
