"""One page for the review before production: self-contained, readable without scripts, printable.

The verdict and why, every finding with its text drawn as code points, bytes and tokens, families by
checks, and what was measured: vocabulary, special tokens, digits, spaces, invisible characters,
languages, coverage of Unicode, growth, speed. Several targets stand side by side. Nothing is loaded
from anywhere; every hostile character is shown and none acts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.formats._html.page import page

if TYPE_CHECKING:
    from tokharness.results.report import Report

__all__ = ["COMPARES", "MEASURES", "NAME", "render"]

NAME = "html"
MEASURES = True
COMPARES = True


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report as one page of HTML."""
    return page(report)
