"""What the results of a batch have in common that are not the results of its items alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence


def difference_of_rows(got: Sequence[Any] | Raised, alone: Sequence[Any]) -> str:
    """Say how the results of a batch differ from the results of its items alone; "" if equal."""
    if isinstance(got, Raised):
        return f"raises {type(got.error).__name__}"
    if named := named_difference(got, alone):
        return named
    if len(got) != len(alone):
        return f"returns {len(got):,} results"
    pairs = zip(got, alone, strict=True)
    first = next((row for row, (one, other) in enumerate(pairs, 1) if one != other), 0)
    return f"gives other results than its items get alone, first for number {first:,}" * bool(first)


def named_difference(got: Sequence[Any], alone: Sequence[Any]) -> str:
    """Name what explains the results of a whole batch; "" without an explanation."""
    if len(got) < len(alone) and list(got) == [row for row in alone if row]:
        return "leaves out results that are empty"
    if len(got) != len(alone) or list(got) == list(alone):
        return ""
    if sorted(map(str, got)) == sorted(map(str, alone)):
        return "returns its results in another order"
    for place, name in ((-1, "last"), (0, "first")):
        if all(row == alone[place] for row in got):
            return f"gives each item the result of the {name} one"
    pairs = list(zip(got, alone, strict=True))
    lengths = [len(row) for row in alone]
    for side, part in (("end", slice(None)), ("start", slice(None, None, -1))):
        rows = [(row[part], own[part]) for row, own in pairs]
        added = {n for row, own in rows for n in row[len(own) :]}
        is_longest = all(row[: len(own)] == own and len(row) == max(lengths) for row, own in rows)
        if is_longest and len(added) == 1:
            return f"pads its results to the length of the longest, at the {side}"
        if all(row == own[: len(row)] and len(row) == min(lengths) for row, own in rows):
            return f"cuts its results to the length of the shortest, at the {side}"
    return ""
