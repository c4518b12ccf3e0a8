"""The special tokens that a user adds."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["refuse_repeated"]


def refuse_repeated(special_tokens: Sequence[str], defaults: Iterable[str] = ()) -> None:
    """Raise UsageError if a special token is given twice, or is one that the model has anyway."""
    if repeated := [text for text in special_tokens if special_tokens.count(text) > 1]:
        raise UsageError(f"the special token {repeated[0]!r} is given twice: remove one of them")
    known = set(defaults)
    if needless := [text for text in special_tokens if text in known]:
        raise UsageError(
            f"the model has the token {needless[0]!r} by default: "
            f"remove --special-token {shlex.quote(needless[0])}"
        )
