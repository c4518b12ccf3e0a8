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

import shlex

from tokharness.errors import TargetError
from tokharness.targets.processes.remote import Remote

__all__ = ["GUARDED", "SCHEME", "load"]

SCHEME = "command"
GUARDED = True


def load(rest: str) -> Remote:
    """Start the program; raises TargetError if it cannot be started or sends no valid info."""
    try:
        argv = shlex.split(rest)
    except ValueError as error:
        raise TargetError(f"command:{rest} is not quoted as for a shell: {error}") from error
    if not argv:
        raise TargetError("command: has no program: write command:PROGRAM ARGUMENT ...")
    return Remote(argv)
