"""The entry points that a library has besides those with names of tokharness.

They are in the module of the library in :mod:`..programs.releases`: ``encoders_of`` and
``decoders_of`` return, by the name of the entry point, a function that gives the ids of each text
of a list, or the text of each sequence of ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.programs.json_lines import Result, Variants, results

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Result", "Variants", "one_by_one", "results"]


def one_by_one(function: Callable[[Any], Any]) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a function of a list that calls an entry point with each item."""
    return lambda items: [function(item) for item in items]
