"""Encodings of white space and line ends: ``[{"label", "text", "ids", "bytes", ...}]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.worker.token_columns import Encoding, encodings
from tokharness.unicode.properties import label, members

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]

RUNS = (1, 2, 3, 4, 8, 16, 40)
ENDS = {
    "CR LF": "a\r\nb",
    "two CR LF": "a\r\n\r\nb",
    "two line feeds": "a\n\nb",
    "an indented line": "a:\n    b",
    "a line indented with a tab": "a:\n\tb",
    "a space at the end": "a ",
    "a line feed at the end": "a\n",
    "spaces at the end of a line": "a  \nb",
    "a space at the beginning": " a",
    "only a space": " ",
    "the empty text": "",
}


def measure(subject: Subject) -> list[Encoding]:
    """Encode runs of spaces and tabs, line ends, and each White_Space character between letters."""
    texts = {f"{count} space{'s' * (count > 1)}": f"a{' ' * count}b" for count in RUNS}
    texts |= {f"{count} tabs": f"a{chr(9) * count}b" for count in (2, 3, 8)}
    texts |= ENDS
    texts |= {label(char): f"a{char}b" for char in map(chr, members(r"\p{White_Space}"))}
    rows = encodings(list(texts.values()), subject)
    return [{"label": name, **row} for name, row in zip(texts, rows, strict=True)]
