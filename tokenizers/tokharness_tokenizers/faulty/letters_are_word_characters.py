r"""Takes the low line for a letter, as one does who writes \w for letters and digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "character class: U+005F LOW LINE, letters")
FAMILIES = ("code",)
AGAINST = "tiktoken:embedded"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"\p{L}", r"\p{L}_"), (r"\p{Lo}", r"\p{Lo}_"))
