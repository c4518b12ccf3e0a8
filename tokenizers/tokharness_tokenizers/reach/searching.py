"""Search for a text with a token among candidates; if no candidate has it, ask for a proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True)
class TextSearch:
    """The functions that find a text with a token.

    Attributes:
        encode: Returns the ids of a plain text; raises KeyError if there are none.
        candidates: Returns texts that may have a token, likely ones first.
        reason: Returns why no text has a token; "" if that is not proven.

    """

    encode: Callable[[str], Sequence[int]] = field(repr=False)
    candidates: Callable[[int], Iterable[str]] = field(repr=False)
    reason: Callable[[int], str] = field(repr=False)

    def reach(self, number: int) -> tuple[str, str]:
        """Return a text that holds a token, or why there is none; both are "" if none is known."""
        for text in self.candidates(number):
            if self._holds(text, number):
                return text, ""
        return "", self.reason(number)

    def _holds(self, text: str, number: int) -> bool:
        try:
            return number in self.encode(text)
        except KeyError:
            return False
