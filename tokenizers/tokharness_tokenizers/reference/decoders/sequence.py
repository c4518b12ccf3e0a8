"""Decoders one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.components import Decoder

__all__ = ["Sequence"]


@dataclass(frozen=True, slots=True)
class Sequence:
    """Give the texts of each decoder to the next one."""

    components: tuple[Decoder, ...]

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of the last decoder."""
        for component in self.components:
            tokens = component.decode(tokens)
        return tokens
