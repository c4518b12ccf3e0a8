"""The formats of a parity, by name."""

from __future__ import annotations

from tokharness.parity_matrix import markdown, page, record, sarif, terminal
from tokharness.plugins import Format

FORMATS = {
    name: Format(name, "", render)
    for name, render in {
        "terminal": terminal.render,
        "json": record.render,
        "markdown": markdown.render,
        "html": page.render,
        "sarif": sarif.render,
    }.items()
}
