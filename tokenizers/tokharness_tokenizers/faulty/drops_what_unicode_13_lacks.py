"""Drops characters that its tables of 2020 call unassigned: new emoji and new scripts vanish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.versions import assigned_after
from tokharness_tokenizers.faulty._wrapping import dropping

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters:")
FAMILIES = ("new-code-points",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    runs = "".join(rf"\U{run[0]:08X}-\U{run[-1]:08X}" for run in assigned_after("13.0"))
    return dropping(f"[{runs}]")
