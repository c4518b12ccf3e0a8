"""Names of items: ASCII, unique, and safe in a node id, a terminal and an XML file."""

from __future__ import annotations

import re

__all__ = ["ROOT", "escape_name"]

ROOT = "tokharness"
"""The first part of every node id."""

# Node ids are split at "::", and some tools split them at "[" and "]" first.
_UNSAFE = re.compile(r"[^\x20-\x7e]|[\\\[\]]|(?<=:):|:\Z|\A:")


def escape_name(name: str) -> str:
    r"""Escape a name: all but safe printable ASCII becomes ``\u{...}``; injective."""
    return _UNSAFE.sub(_escape, name)


def _escape(match: re.Match[str]) -> str:
    return r"\\" if match[0] == "\\" else rf"\u{{{ord(match[0]):x}}}"
