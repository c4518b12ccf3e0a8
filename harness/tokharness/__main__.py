"""``python -m tokharness`` is the command ``tokharness``."""

import sys

# `python -m` puts the current folder first, where a json.py would hide the standard library's.
if not sys.flags.safe_path:
    del sys.path[0]

from tokharness.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
