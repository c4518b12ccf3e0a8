"""Whether some text holds a token of a reference: its proofs are asked, which stand above it.

The proofs of ``tokharness_tokenizers.reach`` read the parts of a reference. A reference names the
module of its proofs, which is only imported on use: it can be read and tested without the proofs.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

Reach: TypeAlias = Callable[[int], tuple[str, str]]
"""Returns a text that gives an id, or why there is none; both are "" if neither is known."""

Orphans: TypeAlias = Callable[[Iterable[int]], list[int]]
"""Returns the ids whose tokens no sequence of merges makes."""


def reach_of(reference: Any, proofs: str) -> Reach:
    """Return the function that searches for a text with a token, or proves that there is none."""
    return importlib.import_module(proofs).reach_of(reference)  # type: ignore[no-any-return]


def merge_orphans_of(reference: Any, proofs: str) -> Orphans | None:
    """Return the function that finds merge orphans; None for a reference that cannot have any."""
    return importlib.import_module(proofs).merge_orphans_of(reference)  # type: ignore[no-any-return]


def seams_of(reference: Any, proofs: str, examples: int) -> dict[str, Any]:
    """Return what is proven of the places at which a text may be cut."""
    return importlib.import_module(proofs).seams_of(reference).data(examples)  # type: ignore[no-any-return]
