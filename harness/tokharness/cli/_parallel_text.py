"""The parallel text that ``--parallel`` names, read once and before any target runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokharness.escaping import terminal
from tokharness.formats._wording import pluralize
from tokharness.parallel.reading import read

if TYPE_CHECKING:
    from tokharness.parallel.model import ParallelText

__all__ = ["read_parallel"]

MAX_NAMED = 3
"""Languages that are left out and named, with the reason."""


def read_parallel(path: str) -> ParallelText:
    """Read a parallel text, and print which languages are left out.

    Raises UsageError if it cannot be read.
    """
    parallel = read(Path(path))
    left_out = parallel.left_out
    if left_out:
        named = "; ".join(f"{code}, since {reason}" for code, reason in left_out[:MAX_NAMED])
        more = f"; and {len(left_out) - MAX_NAMED} more" if len(left_out) > MAX_NAMED else ""
        count = pluralize(len(left_out), "language")
        sentence = f"tokharness: of the parallel text {path}, {count} left out: {named}{more}"
        click.echo(terminal(sentence), err=True)
    return parallel
