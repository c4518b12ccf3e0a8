"""``python contents.py WHEEL``: a wheel is small, and holds the three packages and no test."""

import sys
import zipfile
from pathlib import Path

MOST_BYTES = 6 << 20
PACKAGES = {"tokharness", "tokharness_tokenizers", "tokharness_cases"}

path = Path(sys.argv[1])
names = zipfile.ZipFile(path).namelist()
folders = {name.partition("/")[0] for name in names}
metadata = {folder for folder in folders if folder.endswith(".dist-info")}
tests = [name for name in names if {"tests", "planted", "conftest.py"} & set(name.split("/"))]
if path.stat().st_size > MOST_BYTES:
    sys.exit(f"{path.name} has {path.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
if folders - metadata != PACKAGES:
    sys.exit(f"{path.name} has the folders {', '.join(sorted(folders))}")
if tests:
    sys.exit(f"{path.name} has files of tests: {', '.join(tests[:5])}")
print(f"{path.name}: {path.stat().st_size:,} bytes, {len(names)} files")
