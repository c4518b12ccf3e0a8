"""Encodings of a word with an invisible character in it: ``[{"label", "text", ...}]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.worker.token_columns import Encoding, encodings
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]

CHARACTERS = (
    *("\u00ad", "\u034f", "\u061c", "\u115f", "\u17b4", "\u180e", "\u200b", "\u200c", "\u200d"),
    *("\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2060", "\u2062"),
    *("\u2066", "\u2067", "\u2068", "\u2069", "\u2800", "\u3164", "\ufe0e", "\ufe0f", "\ufeff"),
    *("\uffa0", "\ufff9", "\ufffc", "\x00", "\x08", "\x1b", "\x7f", "\x9b", "\U0001d173"),
    *("\U000e0001", "\U000e0041", "\U000e007f", "\U000e0100"),
)


def measure(subject: Subject) -> list[Encoding]:
    """Encode a word with each character in its middle; the first row is the word alone."""
    texts = {"the word alone": "paypal"}
    texts |= {label(char): f"pay{char}pal" for char in CHARACTERS}
    rows = encodings(list(texts.values()), subject)
    return [{"label": name, **row} for name, row in zip(texts, rows, strict=True)]
