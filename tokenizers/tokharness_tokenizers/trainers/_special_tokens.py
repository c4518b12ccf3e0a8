"""The special tokens that a user adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["refuse_repeated"]


def refuse_repeated(special_tokens: Sequence[str]) -> None:
    """Raise UsageError if a special token is given twice."""
    if repeated := [text for text in special_tokens if special_tokens.count(text) > 1]:
        raise UsageError(f"the special token {repeated[0]!r} is given twice: remove one of them")
