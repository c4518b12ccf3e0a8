"""A program in any language that serves a tokenizer over JSON lines.

``command:ARGV``   the program and its arguments, quoted as for a shell, such as
                   ``command:node tokenizer.js`` or ``command:old-venv/bin/python served.py``

The program reads one JSON object per line from its standard input and writes one line for each, in
the same order, until the input ends:

``{"op": "info"}``
    the name, version, n_vocab, special_tokens, normalizer and ops of the tokenizer
``{"op": "encode", "texts": [...]}``
    ``{"results": [[ids], ...]}``
``{"op": "decode", "ids": [[...], ...]}``
    ``{"results": ["text", ...]}``, with ``{"bytes": "hex"}`` in place of a text for bytes

The result of an item that raises is ``{"error": "..."}``. There is no automatic reference; use
--against.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

from tokharness.errors import TargetError
from tokharness.targets.processes.remote import Remote

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["GUARDED", "SCHEME", "load", "recognize"]

SCHEME = "command"
GUARDED = True
MAGIC = (b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ")
"""Beginnings of an executable: a script, and the formats of Linux, macOS and Windows."""
NODE = (".js", ".mjs", ".cjs")


def load(rest: str) -> Remote:
    """Start the program; raises TargetError if it cannot be started or sends no valid info."""
    try:
        argv = shlex.split(rest)
    except ValueError as error:
        raise TargetError(f"command:{rest} is not quoted as for a shell: {error}") from error
    if not argv:
        raise TargetError("command: has no program: write command:PROGRAM ARGUMENT ...")
    return Remote(argv)


def recognize(path: Path) -> str | None:
    """Return the command that runs an executable program, a script of node or a Python script.

    A Python script counts if it reads its standard input.
    """
    from tokharness_tokenizers.vocabularies.file_heads import read_head

    if not path.is_file():
        return None
    program = path.as_posix()
    if os.access(path, os.X_OK) and read_head(path, 4).startswith(MAGIC):
        return shlex.quote(program if "/" in program else f"./{program}")
    if path.suffix in NODE:
        return shlex.join(["node", program])
    if path.suffix == ".py" and re.search(rb"\bstdin\b", read_head(path)):
        return shlex.join(["python", program])
    return None
