"""Sorts marks by their combining class and composes nothing: the canonical order alone."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.unicode.properties import combining
from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "normalizer: NFC in part")
FAMILIES = ("combining-stacks",)
AGAINST = "none"


def _sorted(text: str) -> str:
    runs = groupby(text, key=lambda one: combining(one) > 0)
    return "".join("".join(sorted(run, key=combining) if marks else run) for marks, run in runs)


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(_sorted)
