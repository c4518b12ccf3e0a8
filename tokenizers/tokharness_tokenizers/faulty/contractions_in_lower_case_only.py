"""Cuts contractions off in lower case only: in capitals the same words have other ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "pre-token split: contraction")
FAMILIES = ("contractions",)
AGAINST = "tiktoken:embedded"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting(("(?i:'(?:[stmd]|re|ve|ll))", "(?:'(?:[stmd]|re|ve|ll))"))
