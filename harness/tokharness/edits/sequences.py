"""How one list became another: which items are gone, are new, moved, or changed places."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

Item = TypeVar("Item", bound="Hashable")

Kind = Literal["gone", "new", "moved", "swapped", "doubled"]


@dataclass(frozen=True, slots=True)
class Step(Generic[Item]):
    """One step from a list to another; ``old`` and ``new`` are places from 0, or None.

    An item that has ``swapped`` places with ``other`` is at ``new`` now, where ``other`` was. In
    the first list that place is ``home``, which differs from ``new`` if items before it are gone. A
    ``doubled`` item is new at ``new``, and is elsewhere too.
    """

    kind: Kind
    item: Item
    old: int | None = None
    new: int | None = None
    other: Item | None = None
    home: int | None = None

    def apply(self, items: Sequence[Item], after: Sequence[Item]) -> list[Item]:
        """Return a list with this step done; ``after`` is the list that all steps lead to."""
        items = list(items)
        if self.kind == "swapped" and self.other is not None:
            one, other = items.index(self.item), items.index(self.other)
            items[one], items[other] = items[other], items[one]
            return items
        if self.kind in ("gone", "moved"):
            items.remove(self.item)
        if self.new is not None:
            items.insert(_place(items, after[: self.new]), self.item)
        return items


def _place(items: Sequence[Item], before: Sequence[Item]) -> int:
    """Return the place after the last of the items ``before`` that the list has."""
    places = {item: place for place, item in enumerate(items)}
    for item in reversed(before):
        if item in places:
            return places[item] + 1
    return 0


def steps(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Step[Item]]:
    """Yield the fewest steps that turn ``old`` into ``new``, apart from repeated items.

    Two items that exchange their places are one step, not two; every other item that leaves the
    longest common order has moved.
    """
    if old == new:
        return
    found = list(_steps(old, new, _numbered))
    if any(step.kind == "doubled" for step in found):  # the copy may be before the item
        found = min(found, list(_steps(old, new, _numbered_from_the_end)), key=len)
    yield from found


def _steps(
    old: Sequence[Item],
    new: Sequence[Item],
    numbered: Callable[[Sequence[Item]], list[tuple[Item, int]]],
) -> Iterator[Step[Item]]:
    ours, theirs = Counter(old), Counter(new)
    olds, news = numbered(old), numbered(new)
    known, present = set(olds), set(news)
    for place, key in enumerate(olds):
        if key not in present:
            yield Step("gone", key[0], place)
    yield from _moves(
        {key: place for place, key in enumerate(olds) if key in present},
        {key: place for place, key in enumerate(news) if key in known},
    )
    for place, key in enumerate(news):
        if key not in known:
            doubled = theirs[key[0]] > max(ours[key[0]], 1)
            yield Step("doubled" if doubled else "new", key[0], None, place)


def _numbered(items: Iterable[Item]) -> list[tuple[Item, int]]:
    """Return the items, each with the number of equal items before it."""
    seen: Counter[Item] = Counter()
    numbered = []
    for item in items:
        numbered.append((item, seen[item]))
        seen[item] += 1
    return numbered


def _numbered_from_the_end(items: Sequence[Item]) -> list[tuple[Item, int]]:
    """Return the items, each with the number of equal items behind it."""
    return _numbered(items[::-1])[::-1]


def _moves(
    old: Mapping[tuple[Item, int], int], new: Mapping[tuple[Item, int], int]
) -> Iterator[Step[Item]]:
    """Yield exchanged and moved items of two orders of the same items, given as their places."""
    before, after = list(old), list(new)
    if before == after:
        return
    swaps, moved = _exchanged(before, after), _moved(before, after)
    while swaps:
        restored = list(after)
        for place, home in swaps:
            restored[place], restored[home] = restored[home], restored[place]
        others = _moved(before, restored)
        # If one of two items that changed places has moved too, only the move counts.
        kept = [pair for pair in swaps if not {before[place] for place in pair} & set(others)]
        if kept == swaps:
            break
        swaps = kept
    if swaps and len(swaps) + len(others) <= len(moved):
        moved = others
    else:
        swaps = []
    for place, home in swaps:
        one, other = before[place], before[home]
        yield Step("swapped", one[0], old[one], new[one], other[0], old[other])
    for key in moved:
        yield Step("moved", key[0], old[key], new[key])


def _exchanged(before: Sequence[object], after: Sequence[object]) -> list[tuple[int, int]]:
    """Return the pairs of places whose items have exchanged their places."""
    homes = {key: place for place, key in enumerate(before)}
    pairs = ((place, homes[key]) for place, key in enumerate(after))
    return [(place, home) for place, home in pairs if place < home and after[home] == before[place]]


def _moved(before: Sequence[Item], after: Sequence[Item]) -> list[Item]:
    homes = {key: place for place, key in enumerate(before)}
    return [after[place] for place in changed_places([homes[key] for key in after])]


def changed_places(order: Sequence[int]) -> list[int]:
    """Return the places of numbers outside of a longest increasing subsequence, in O(n log n).

    Source: Fredman 1975, "On computing the length of longest increasing subsequences".
    """
    tails: list[int] = []
    places: list[int] = []
    previous: list[int] = []
    for place, number in enumerate(order):
        length = bisect_left(tails, number)
        previous.append(places[length - 1] if length else -1)
        if length == len(tails):
            tails.append(number)
            places.append(place)
        else:
            tails[length] = number
            places[length] = place
    kept = set()
    place = places[-1] if places else -1
    while place >= 0:
        kept.add(place)
        place = previous[place]
    return [place for place in range(len(order)) if place not in kept]
