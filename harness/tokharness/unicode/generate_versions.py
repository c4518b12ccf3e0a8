"""Make ``versions.json``: the general categories of all available Unicode versions.

``python -m tokharness.unicode.generate_versions OUTPUT SOURCE...``

A SOURCE is a Python interpreter, whose own ``unicodedata`` is read, or ``PYTHON==RELEASE``, for a
release of ``unicodedata2`` that is installed with that interpreter's pip into a temporary folder.
Old releases only build on old Pythons. Each source reports its Unicode version. Sources of the same
version must agree.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Runs under any Python from 2.7 on: prints version, origin and 1,114,112 categories.
_READ_CATEGORIES = """
import platform, sys
try:
    unichr
except NameError:
    unichr = chr
if len(sys.argv) > 1:
    import unicodedata2 as data
    origin = "unicodedata2 " + sys.argv[1]
else:
    import unicodedata as data
    origin = "unicodedata"
assert sys.maxunicode == 0x10FFFF
print(data.unidata_version)
print(origin + " of " + platform.python_implementation() + " " + platform.python_version())
print(" ".join(data.category(unichr(point)) for point in range(0x110000)))
"""


def main(arguments: list[str]) -> None:
    """Read each source and write the table."""
    if len(arguments) < 2:
        sys.exit(__doc__)
    output, *sources = arguments
    tables: dict[str, list[str]] = {}
    origins: dict[str, list[str]] = {}
    for source in sources:
        version, origin, table = _read(source)
        if tables.setdefault(version, table) != table:
            sys.exit(f"{origin} disagrees with {origins[version]} about Unicode {version}")
        origins.setdefault(version, []).append(origin)
    versions = sorted(tables, key=lambda version: [int(part) for part in version.split(".")])
    source_names = [Path(source).name for source in sources]
    document = {
        "about": "general categories, each version as what it changes in the one before",
        "command": " ".join(
            ["python -m tokharness.unicode.generate_versions OUTPUT", *source_names]
        ),
        "sources": {version: origins[version] for version in versions},
        "versions": versions,
        "categories": sorted({category for table in tables.values() for category in table}),
        "runs": {
            version: " ".join(_runs(tables.get(before, []), tables[version]))
            for before, version in zip(["", *versions], versions, strict=False)
        },
    }
    Path(output).write_text(json.dumps(document, indent=1) + "\n", encoding="ascii")


def _read(source: str) -> tuple[str, str, list[str]]:
    python, _, release = source.partition("==")
    with tempfile.TemporaryDirectory() as folder:
        if release:
            install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
            subprocess.run([python, *install, f"unicodedata2=={release}"], check=True)
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [python, "-c", _READ_CATEGORIES, *([release] if release else [])]
        run = subprocess.run(command, check=True, capture_output=True, env=environment, cwd=folder)
    version, origin, categories = run.stdout.decode("ascii").splitlines()
    return version.removesuffix(".0"), origin, categories.split(" ")


def _runs(before: list[str], table: list[str]) -> Iterator[str]:
    def differs(point: int) -> str:
        return "" if before and before[point] == table[point] else table[point]

    for category, points in groupby(range(len(table)), key=differs):
        if category:
            first, *rest = points
            yield f"{first:X}-{rest[-1] if rest else first:X}:{category}"


if __name__ == "__main__":
    main(sys.argv[1:])
