"""The entry points that a library has besides those with names of tokharness, one module a library.

A module has ``encoders`` and ``decoders``: by the name of the entry point, a function that gives
the ids of each text of a list, or the text of each sequence of ids. ``NOT_CALLED`` has the public
methods that encode or decode and are not called, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Variants: TypeAlias = Mapping[str, Callable[[Any], Sequence[Any]]]

__all__ = ["Result", "Variants", "one_by_one", "results"]


Result = tuple[str, Any, str]
"""The name of an entry point, what it gives for an item, and what it raises or does wrong."""


def results(variants: Variants, items: Sequence[Any]) -> list[list[Result]]:
    """Return for each text, or each sequence of ids, what each entry point gives for it in a list.

    What an entry point raises for the list is the result of each of its items.
    """
    columns = [_column(name, variant, list(items)) for name, variant in variants.items()]
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in items]


def _column(name: str, variant: Callable[[Any], Sequence[Any]], items: list[Any]) -> list[Result]:
    number = len(items)
    try:
        given = list(variant(items))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic is not an Exception
        return [(name, None, f"{type(error).__name__}: {error}")] * number
    if len(given) != number:
        return [(name, None, f"{len(given):,} results for {number:,}")] * number
    return [(name, one, "") for one in given]


def one_by_one(function: Callable[[Any], Any]) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a function of a list that calls an entry point with each item."""
    return lambda items: [function(item) for item in items]
