"""Results of a target as exact built-in values of a bounded size.

These functions run code of the target, such as ``__iter__``: call them only where such code is
guarded.
"""

from __future__ import annotations

import operator
from array import array
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import Opaque, ResultTooLongError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_IDS, MOST_IDS_PER_CHARACTER = 1 << 18, 64
"""Ids of an empty text, at most, and further ids per character of a text."""

LONGEST_TEXT, LONGEST_TEXT_PER_ID = 1 << 18, 1 << 12
"""Characters, or bytes, that no ids decode to, at most, and further ones per id."""

LONGEST_STRING = 10_000
"""Characters of a string that stands in place of a number."""

MOST_BITS = 1024
LARGEST = (1 << MOST_BITS) - 1
NESTING = 3
SCALARS = (int, bool, float, type(None))


def all_exact(items: list[Any], kind: type) -> bool:
    """Whether all items are of this very type."""
    return operator.countOf(map(type, items), kind) == len(items)


def is_small(number: int) -> bool:
    """Whether an integer is small enough to be written as digits."""
    return -LARGEST <= number <= LARGEST


def take(items: Any, most: int, what: str) -> list[Any]:
    """Return at most ``most`` items as a list; raises ResultTooLongError if there are more."""
    taken = items if type(items) is list else list(islice(items, most + 1))
    if len(taken) > most:
        raise ResultTooLongError(f"{what} more than {most:,} items")
    return taken


def exact_ids(encoded: Any, characters: int) -> list[Any]:
    """Return the ids of a text of ``characters`` characters, the same list if it is exact.

    An id of another type stays if it is a built-in number or a string; otherwise it becomes Opaque.

    Raises:
        TypeError: the result is None, or something else without items.
        ResultTooLongError: there are too many ids.

    """
    if encoded is None:
        raise TypeError("encode gives None, not a list of ids")
    ids = take(encoded, MOST_IDS + MOST_IDS_PER_CHARACTER * characters, "encode gives")
    return ids if _are_small_integers(ids) else [_exact_id(item) for item in ids]


def are_usual_ids(items: Any) -> bool:
    """Whether this is a list of exact ids, as most results are, and not a long list."""
    return type(items) is list and len(items) <= MOST_IDS and _are_small_integers(items)


def _are_small_integers(items: list[Any]) -> bool:
    if operator.countOf(map(type, items), int) != len(items):
        return False
    try:
        array("q", items)  # the cheapest way to see that each id has at most 64 bits
    except OverflowError:
        return False
    return True


def _exact_id(item: Any) -> Any:
    if type(item) in (bool, float, type(None)):
        return item
    if type(item) in (str, bytes):
        return item if len(item) <= LONGEST_STRING else Opaque(item)
    number = _integer(item)
    return number if type(number) is int and is_small(number) else Opaque(item)


def _integer(item: Any) -> Any:
    """Return an integer of any type as an exact integer; any other item unchanged."""
    try:
        return operator.index(item)
    except TypeError:
        return item


def given_back(ids: Any) -> list[Any]:
    """Return ids for the target: a list of its own, with the objects out of their boxes."""
    return [item.raw if type(item) is Opaque else item for item in ids]


def exact_text(decoded: Any, ids: int) -> str | bytes:
    """Return the text, or the bytes, of so many ids.

    Raises:
        TypeError: there is something else.
        ResultTooLongError: it is too long.

    """
    data = text_or_bytes(decoded)
    if data is None:
        raise TypeError(f"decode returned {Opaque(decoded).type_name}, not str or bytes")
    if len(data) > LONGEST_TEXT + LONGEST_TEXT_PER_ID * ids:
        unit = "characters" if isinstance(data, str) else "bytes"
        raise ResultTooLongError(f"decode gives {len(data):,} {unit} for {ids:,} ids")
    return data


def exact_spans(result: Any, ids_of: Callable[[Any, int], list[Any]], characters: int) -> Any:
    """Return ids and spans, each span as a tuple; None if the result has no items."""
    if type(result) is tuple and len(result) == 2 and are_usual_ids(result[0]):
        return result[0], _exact_pairs(result[1])
    if not hasattr(type(result), "__iter__"):
        return None
    parts = list(islice(result, 3))  # a third part shows that it is not a pair
    ids = [
        ids_of(part, characters) if hasattr(type(part), "__iter__") else plain(part)
        for part in parts[:1]
    ]
    return (*ids, *map(_exact_pairs, parts[1:]))


def _exact_pairs(spans: Any) -> Any:
    pairs: list[Any] = list(spans) if type(spans) is list else [None]
    if all_exact(pairs, tuple) and _are_small_integers(list(chain.from_iterable(pairs))):
        return pairs
    rows = plain(spans, 2)
    if type(rows) is not list:
        return rows
    return [tuple(row) if type(row) is list else row for row in rows]


def exact_data(value: Any, ids: int = 1) -> Any:
    """Return bytes or text of ``ids`` ids; convert anything else as :func:`plain` does.

    Raises:
        ResultTooLongError: it is too long.

    """
    return plain(value) if text_or_bytes(value) is None else exact_text(value, ids)


def plain(value: Any, nesting: int = NESTING) -> Any:
    """Return a value as exact built-in scalars and lists of them, or else as Opaque.

    Raises:
        ResultTooLongError: it has too many items.

    """
    if type(value) in SCALARS and (type(value) is not int or is_small(value)):
        return value
    if type(value) not in (list, tuple):
        data = text_or_bytes(value)
        if data is not None:
            return data if len(data) <= LONGEST_TEXT else Opaque(value)
        number = _integer(value)
        if type(number) is int:
            return number if is_small(number) else Opaque(value)
    if not nesting or not hasattr(type(value), "__iter__"):
        return Opaque(value)
    if are_usual_ids(value):
        return value[:]
    items = take(iter(value), LONGEST_TEXT, "a result has")
    return [plain(item, nesting - 1) for item in items]


def text_or_bytes(value: Any) -> str | bytes | None:
    """Return the exact text or bytes of a value, whatever its class overrides."""
    if issubclass(type(value), str):
        return str.__str__(value)
    if issubclass(type(value), bytes | bytearray):
        return memoryview(value).tobytes()
    return None
