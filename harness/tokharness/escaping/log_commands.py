"""Commands in a text that a CI service runs when it reads them in a log."""

from __future__ import annotations

import re

LOG_COMMAND = re.compile(r"#(?=#[A-Za-z]*\[)")
"""The beginning of ``##[error]`` and ``##vso[``, which CI services run anywhere in a line."""

LINE_COMMAND = re.compile(r"^((?:\s|\x1b\[[0-9;]*m)*):(?=:)", re.MULTILINE)
"""The beginning of ``::error::``, which GitHub runs if it begins a line."""
