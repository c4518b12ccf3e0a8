"""Commands in a text that a CI service runs when it reads them in a log."""

from __future__ import annotations

import re

LOG_COMMAND = re.compile(r"#(?=#[A-Za-z]*\[)")
"""How ``##[error]`` and ``##vso[`` begin, which CI services run wherever they are in a line."""

LINE_COMMAND = re.compile(r"^((?:\s|\x1b\[[0-9;]*m)*):(?=:)", re.MULTILINE)
"""How ``::error::`` begins, which GitHub runs if it begins a line."""
