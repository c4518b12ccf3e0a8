"""Lines of a journal: JSON objects in ASCII, each with a checksum of it and of all lines before.

The checksum is the last key. It covers the bytes of the line before it and the checksum of the line
before, so that a line that was changed, removed, repeated or moved does not match.
"""

from __future__ import annotations

import hashlib
from typing import Any

from tokharness.targets.processes.json_lines import to_ascii_line

__all__ = ["START", "seal", "sealed_record"]

START = "0" * 16
"""Takes the place of the checksum before the first line."""

SEAL = ', "checksum": "0123456789abcdef"}\n'


def seal(record: dict[str, Any], before: str) -> tuple[bytes, str]:
    """Return the line of a record, and its checksum; ``before`` is that of the line before."""
    return _sealed(to_ascii_line(record).removesuffix("}\n").encode("ascii"), before)


def sealed_record(line: bytes, before: str) -> tuple[bytes, str] | None:
    """Return the JSON of a line, and its checksum; None if the checksum does not match."""
    content = line[: -len(SEAL)]
    sealed, checksum = _sealed(content, before)
    return (content + b"}", checksum) if sealed == line else None


def _sealed(content: bytes, before: str) -> tuple[bytes, str]:
    checksum = hashlib.sha256(before.encode("ascii") + content).hexdigest()[: len(START)]
    return content + f', "checksum": "{checksum}"}}\n'.encode("ascii"), checksum
