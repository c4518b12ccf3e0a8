"""Policies by which numbers are split into groups of digits.

A policy says for each length where the groups of a number end. That it predicts the split of a
number means that each group is one token; a policy that the vocabulary *refines* has groups that
are split as they are alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "LONGEST",
    "Places",
    "Policy",
    "group_policies",
    "policies",
    "policies_after_zeros",
    "simple_policies",
]

LONGEST = 24
"""Digits of the longest number that is tried."""

LARGEST_GROUP = 12
MOST_TOGETHER = 8
"""Most digits that a policy treats on their own at the start or end of a number."""

Places = frozenset[int]
"""Where groups end inside a number, in digits."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A name, and a function that returns the places in a number of this length."""

    name: str
    places: Callable[[int], Places]

    def places_of(self, number: str) -> Places:
        """Return the places in a number."""
        return self.places(len(number))


@dataclass(frozen=True, slots=True)
class _LeadingZeros(Policy):
    """A policy for the digits after leading zeros, which stand one by one."""

    def places_of(self, number: str) -> Places:
        zeros = len(number) - len(number.lstrip("0"))
        rest = self.places(len(number) - zeros) if zeros < len(number) else ()
        alone = range(1, min(zeros + 1, len(number)))
        return frozenset((*alone, *(zeros + place for place in rest)))


SINGLE = Policy("single digits", lambda length: frozenset(range(1, length)))
WHOLE = Policy("whole numbers", lambda _: frozenset())


@cache
def group_policies() -> tuple[Policy, ...]:
    """Return groups of each size, from the left before from the right."""

    def left(size: int) -> Policy:
        name = f"groups of at most {size} from the left"
        return Policy(name, lambda length: frozenset(range(size, length, size)))

    def right(size: int) -> Policy:
        name = f"groups of at most {size} from the right"
        return Policy(name, lambda length: frozenset(range(length % size or size, length, size)))

    sizes = range(2, LARGEST_GROUP + 1)
    return tuple(make(size) for size in sizes for make in (left, right))


def simple_policies() -> tuple[Policy, ...]:
    """Return the policies that are not combined of others."""
    return (SINGLE, *group_policies(), WHOLE)


def policies_after_zeros() -> Iterator[Policy]:
    """Yield policies for the digits after leading zeros, which stand one by one."""
    for one in (*group_policies(), WHOLE):
        yield _LeadingZeros(f"leading zeros as single digits, then {one.name}", one.places)


def policies() -> Iterator[Policy]:
    """Yield all policies by which numbers of one length are split alike, the simple ones first."""
    basic = simple_policies()
    yield from basic
    for size, rest in product(range(2, LONGEST), basic):
        yield _up_to(size, WHOLE, rest)
    for size, rest in product(range(1, MOST_TOGETHER + 1), basic):
        yield _first(size, rest)
        yield _last(size, rest)
        yield _only(size, rest)
    for even, odd in product(basic, basic):
        yield _by_parity(even, odd)
    for size, (short, long) in product(range(2, LONGEST), product(basic, basic)):
        yield _up_to(size, short, long)


def _up_to(size: int, short: Policy, long: Policy) -> Policy:
    name = f"{short.name} up to {size} digits, longer ones in {long.name}"
    return Policy(name, lambda length: (short if length <= size else long).places(length))


def _only(size: int, rest: Policy) -> Policy:
    name = f"whole numbers of {size} digits, other ones in {rest.name}"
    return Policy(name, lambda length: (WHOLE if length == size else rest).places(length))


def _by_parity(even: Policy, odd: Policy) -> Policy:
    name = f"numbers of even length in {even.name}, of odd length in {odd.name}"
    return Policy(name, lambda length: (odd if length % 2 else even).places(length))


def _first(size: int, rest: Policy) -> Policy:
    def places(length: int) -> Places:
        if length <= size:
            return frozenset()
        return frozenset((size, *(size + place for place in rest.places(length - size))))

    return Policy(f"the first {size} together, then {rest.name}", places)


def _last(size: int, rest: Policy) -> Policy:
    def places(length: int) -> Places:
        if length <= size:
            return frozenset()
        return frozenset((*rest.places(length - size), length - size))

    return Policy(f"{rest.name}, then the last {size} together", places)
