"""Names of items: ASCII, unique, and safe in a node id, a terminal and a file of XML."""

from __future__ import annotations

import re

__all__ = ["ROOT", "escaped"]

ROOT = "tokharness"
"""What every node id begins with."""

# A node id is cut at "::", and some readers of it cut at "[" and "]" first.
_ACTIVE = re.compile(r"[^\x20-\x7e]|[\\\[\]]|(?<=:):|:\Z|\A:")


def escaped(name: str) -> str:
    r"""Name with all that is not printable ASCII, or would be read, as ``\u{...}``; injective."""
    return _ACTIVE.sub(_escape, name)


def _escape(match: re.Match[str]) -> str:
    return r"\\" if match[0] == "\\" else rf"\u{{{ord(match[0]):x}}}"
