r"""Has the white space of JavaScript's \s, without U+0085, and is right otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "character class: U+0085")
FAMILIES = ("contractions",)
AGAINST = "tiktoken:embedded"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting(
        (r"[^\s", r"[^[\s&&[^\x85]]"),
        (r"\s+(?!\S)", r"[\s&&[^\x85]]+(?![^\s]|\x85)"),
        (r"|\s+", r"|[\s&&[^\x85]]+"),
        (r"\s*", r"[\s&&[^\x85]]*"),
    )
