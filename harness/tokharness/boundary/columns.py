"""Calls of a target for many items, as columns.

As long as all results are exact and none is long, no Python code runs for each result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import ResultTooLongError, exception_of
from tokharness.boundary.id_columns import IdColumn, column_of
from tokharness.boundary.values import LONGEST_TEXT, MOST_IDS, all_exact, exact_text, given_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


@dataclass
class Encoded:
    """Encoded texts.

    Attributes:
        ids: The ids of each text, in lists that the target cannot change; None where it raised.
        errors: What the target raised, by row.
        all_ids: The ids of all texts in a row, one column for each call; None if an id is not an
            exact integer.
        own: The lists of the target for the rows with ids, to decode them.

    """

    ids: list[Any] = field(default_factory=list)
    errors: dict[int, BaseException] = field(default_factory=dict)
    all_ids: list[IdColumn] | None = field(default_factory=list)
    own: list[Any] = field(default_factory=list)


class Parts:
    """Cuts columns into parts; after each part, the size of its results is checked.

    The first part is small, and so is the part after a result that was too long.
    """

    FIRST, GROWTH, LARGEST = 1, 8, 4096

    def __init__(self) -> None:
        self._size = self.FIRST

    def of(self, items: Sequence[Any], done: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """Yield the rest of the items in parts; ``done`` grows by the results of each."""
        while len(done) < len(items):
            size = self._size
            self._size = min(size * self.GROWTH, self.LARGEST)
            yield items[len(done) : len(done) + size]

    def shrink_after(self, errors: Mapping[int, BaseException]) -> None:
        """Begin with small parts again if a result was too long."""
        if any(isinstance(error, ResultTooLongError) for error in errors.values()):
            self._size = self.FIRST


def encode_column(
    encode: Callable[[str], Any],
    texts: Sequence[str],
    exact: Callable[[Any, int], list[Any]],
    parts: Parts,
) -> Encoded:
    """Encode many texts.

    ``exact`` makes exact ids of other ids, given the length of their text.
    """
    encoded = Encoded()
    for part in parts.of(texts, encoded.ids):
        results, raised = _map(encode, part)
        copies, column = ([], None) if raised else _exact_copies(results)
        if column is None:
            for row, (ids, text) in enumerate(zip(results, part, strict=True)):
                if row not in raised:
                    results[row] = _convert(exact, ids, len(text), row, raised)
            copies = [list(ids) if type(ids) is list else None for ids in results]
            results = [given_back(ids) for ids in copies if ids is not None]
        parts.shrink_after(raised)
        encoded.errors.update((len(encoded.ids) + row, error) for row, error in raised.items())
        encoded.ids += copies
        encoded.own += results
        if column is None or encoded.all_ids is None:
            encoded.all_ids = None
        else:
            encoded.all_ids.append(column)
    return encoded


def decode_column(
    decode: Callable[[list[Any]], Any], encoded: Encoded, parts: Parts
) -> tuple[list[str | None], dict[int, BaseException]]:
    """Return the text of each row with ids, None where the target raised, and what it raised."""
    column: list[Any] = []
    errors: dict[int, BaseException] = {}
    for part in parts.of(encoded.own, column):
        results, raised = _map(decode, part)
        if raised or not all_exact(results, str) or len("".join(results)) > LONGEST_TEXT:
            sizes = [len(ids) for ids in encoded.ids if ids is not None][len(column) :]
            for row, (text, size) in enumerate(zip(results, sizes, strict=False)):
                if row not in raised:
                    results[row] = _convert(_decoded_text, text, size, row, raised)
        parts.shrink_after(raised)
        errors.update((len(column) + row, error) for row, error in raised.items())
        column += results
    return column, errors


def call_each(function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Return the result for each item; what the function raises takes the place of a result."""
    results, raised = _map(function, items)
    for row, error in raised.items():
        results[row] = error
    return results


def call_column(
    function: Callable[[Any], Any],
    items: Sequence[Any],
    usual: type[str | bytes],
    exact: Callable[[Any, int], Any],
    parts: Parts,
) -> list[Any]:
    """Return what a target gives for each item, in exact values, or the exception that it raised.

    ``exact`` makes an exact value of a result that is long or not of the ``usual`` type, given the
    length of its item.
    """
    column: list[Any] = []
    for part in parts.of(items, column):
        results, raised = _map(function, part)
        if raised or not all_exact(results, usual) or len(usual().join(results)) > LONGEST_TEXT:
            for row, (result, item) in enumerate(zip(results, part, strict=True)):
                if row not in raised:
                    size = len(item) if isinstance(item, list) else 1
                    results[row] = _convert(exact, result, size, row, raised)
            for row, error in raised.items():
                results[row] = error
        parts.shrink_after(raised)
        column += results
    return column


def _map(
    function: Callable[..., Any], items: Sequence[Any]
) -> tuple[list[Any], dict[int, BaseException]]:
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


def _exact_copies(results: list[Any]) -> tuple[list[Any], IdColumn | None]:
    """Return copies of lists of exact integers, and all integers; no lists for other items."""
    if not all_exact(results, list):
        return [], None
    copies = list(map(list.copy, results))
    column = column_of(copies)
    if column is None or len(column) > MOST_IDS:
        return [], None
    return copies, column


def _decoded_text(decoded: Any, ids: int) -> str:
    text = exact_text(decoded, ids)
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


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
