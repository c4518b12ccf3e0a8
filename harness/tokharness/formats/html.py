"""A self-contained HTML page for a review, readable without scripts and printable.

It has the verdict and its reasons, every finding with its text as code points, bytes and tokens,
the checks by family, and metrics: vocabulary, special tokens, digits, spaces, invisible characters,
languages, Unicode coverage, growth, speed. Several targets are shown side by side. The page loads
nothing, and every hostile character is escaped.
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
    """Render the report as an HTML page."""
    return page(report)
