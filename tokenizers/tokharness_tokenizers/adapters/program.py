"""A program of any language, which speaks JSON lines over its standard input and output.

``command:ARGV``   the program and its arguments, quoted as for a shell, such as
                   ``command:node tokenizer.js`` or ``command:old-venv/bin/python served.py``

The program reads one JSON object a line and answers each with one line, in order, until its input
ends: ``{"op": "info"}`` with its name, version, n_vocab, special_tokens, normalizer and ops;
``{"op": "encode", "texts": [...]}`` with ``{"results": [[ids], ...]}``; ``{"op": "decode", "ids":
[[...], ...]}`` with ``{"results": ["text", ...]}``, or ``{"bytes": "hex"}`` for a text. What raises
is ``{"error": "..."}`` in place of its result. The README has a complete example. It is compared
with nothing unless you say with what.
"""

from __future__ import annotations

import shlex

from tokharness.errors import TargetError
from tokharness.targets.processes.remote import Remote

__all__ = ["GUARDED", "SCHEME", "load"]

SCHEME = "command"
GUARDED = True


def load(rest: str) -> Remote:
    """Start the program; raises TargetError if it cannot be started or does not say what it is."""
    try:
        argv = shlex.split(rest)
    except ValueError as error:
        raise TargetError(f"command:{rest} is not quoted as a shell would: {error}") from error
    if not argv:
        raise TargetError("command: names no program: write command:PROGRAM ARGUMENT ...")
    return Remote(argv)
