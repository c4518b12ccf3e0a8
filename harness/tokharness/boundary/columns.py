"""Calls of a target for many items, as columns.

As long as all results are exact and none is long, no Python code runs for each of them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.boundary.exceptions import exception_of
from tokharness.boundary.values import LONGEST_TEXT, MOST_IDS, all_exact, exact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Column", "decode_column", "encode_column"]

Column: TypeAlias = "tuple[list[Any], dict[int, BaseException]]"
"""A result for each item, None where the target raised, and what it raised by row."""

LARGEST_PART = 64
"""Results that are collected before their size is looked at."""


def encode_column(
    encode: Callable[[str], Any], texts: Sequence[str], exact: Callable[[Any, int], list[Any]]
) -> Column:
    """Return the ids of each text, in lists that the target does not have.

    ``exact`` makes ids exact that are not, from them and the length of their text.
    """
    column: list[Any] = []
    errors: dict[int, BaseException] = {}
    for part in _parts(texts, column):
        results, raised = _map(encode, part)
        copies = None if raised else _exact_copies(results)
        if copies is None:
            for row, (ids, text) in enumerate(zip(results, part, strict=True)):
                if row not in raised:
                    results[row] = _convert(exact, ids, len(text), row, raised)
            copies = [list(ids) if type(ids) is list else ids for ids in results]
        errors.update((len(column) + row, error) for row, error in raised.items())
        column += copies
    return column, errors


def decode_column(decode: Callable[[list[Any]], Any], rows: Sequence[list[Any]]) -> Column:
    """Return the text, or the bytes, of each list of ids; the target gets the lists themselves."""
    column: list[Any] = []
    errors: dict[int, BaseException] = {}
    sizes = list(map(len, rows))  # before the target changes the lists
    for part in _parts(rows, column):
        results, raised = _map(decode, part)
        if raised or not all_exact(results, str) or max(map(len, results)) > LONGEST_TEXT:
            for row, text in enumerate(results):
                if row not in raised:
                    size = sizes[len(column) + row]
                    results[row] = _convert(exact_text, text, size, row, raised)
        errors.update((len(column) + row, error) for row, error in raised.items())
        column += results
    return column, errors


def _parts(items: Sequence[Any], done: list[Any]) -> Iterator[Sequence[Any]]:
    """Yield the rest of the items in growing parts; ``done`` has the results so far."""
    size = 1
    while len(done) < len(items):
        yield items[len(done) : len(done) + size]
        size = min(size * 2, LARGEST_PART)


def _map(function: Callable[..., Any], items: Sequence[Any]) -> Column:
    results: list[Any] = []
    errors: dict[int, BaseException] = {}
    calls = map(function, items)
    while len(results) < len(items):
        try:
            # The results before an exception stay in the list, and the map continues after it.
            results.extend(calls)
            if len(results) < len(items):
                raise StopIteration  # noqa: TRY301 - the function raised it; it looks like the map's end
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            errors[len(results)] = exception_of(error)
            results.append(None)
    return results, errors


def _exact_copies(results: list[Any]) -> list[Any] | None:
    """Return copies of lists of exact integers; None if there is something else among them."""
    if not all_exact(results, list):
        return None
    copies = list(map(list, results))
    flat = list(chain.from_iterable(copies))
    if len(flat) > MOST_IDS and max(map(len, copies)) > MOST_IDS:
        return None
    return copies if all_exact(flat, int) else None


def _convert(
    convert: Callable[[Any, int], Any],
    result: Any,
    size: int,
    row: int,
    raised: dict[int, BaseException],
) -> Any:
    try:
        return convert(result, size)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raised[row] = exception_of(error)
        return None
