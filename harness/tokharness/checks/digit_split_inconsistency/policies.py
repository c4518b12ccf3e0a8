"""Policies by which numbers are split, and the policy that predicts the split of every number.

A policy says for each length where the groups of a number end. It predicts the split of a number if
each group is one token, or, when the vocabulary *refines* the policy, if each group is split as it
is split alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice, pairwise, product
from statistics import mode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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
    """A policy for the digits after leading zeros; each leading zero is a group."""

    def places_of(self, number: str) -> Places:
        zeros = len(number) - len(number.lstrip("0"))
        rest = self.places(len(number) - zeros) if zeros < len(number) else ()
        alone = range(1, min(zeros + 1, len(number)))
        return frozenset((*alone, *(zeros + place for place in rest)))


SINGLE = Policy("single digits", lambda length: frozenset(range(1, length)))
WHOLE = Policy("whole numbers", lambda _: frozenset())


@cache
def group_policies() -> tuple[Policy, ...]:
    """Return policies of groups of each size, from the left before from the right."""

    def left(size: int) -> Policy:
        name = f"groups of at most {size} from the left"
        return Policy(name, lambda length: frozenset(range(size, length, size)))

    def right(size: int) -> Policy:
        name = f"groups of at most {size} from the right"
        return Policy(name, lambda length: frozenset(range(length % size or size, length, size)))

    sizes = range(2, LARGEST_GROUP + 1)
    return tuple(make(size) for size in sizes for make in (left, right))


def simple_policies() -> tuple[Policy, ...]:
    """Return the policies that are not combinations of others."""
    return (SINGLE, *group_policies(), WHOLE)


def policies_after_zeros() -> Iterator[Policy]:
    """Yield policies for the digits after leading zeros; each leading zero is a group."""
    for one in (*group_policies(), WHOLE):
        yield _LeadingZeros(f"leading zeros as single digits, then {one.name}", one.places)


def policies() -> Iterator[Policy]:
    """Yield all policies that split numbers of one length alike, the simple policies first."""
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


# Find the policy that predicts the split of every number that was tried.

Splits = dict[str, Places]
"""Where tokens end inside each number, in characters."""


MOST_TOKENS = 30
"""Tokens and unusual numbers that are placed where two groups meet, sampled evenly."""

LENGTHS = (9, 16, 24)
"""Lengths of the numbers that are made this way."""

SHORT = (2, 3)
"""Lengths at which some numbers may be split differently from most."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The policy that explains most numbers.

    Attributes:
        policy: The policy.
        numbers: How many numbers were tried.
        exceptions: Numbers that the policy does not predict, the smallest first.
        refined: Whether the vocabulary splits groups further, each as it is split alone.
        tokens_stay_whole: Whether a number that is a token stays whole, contrary to the policy.

    """

    policy: Policy
    numbers: int
    exceptions: tuple[str, ...] = ()
    refined: bool = False
    tokens_stay_whole: bool = False

    @property
    def name(self) -> str:
        """The name of the policy; "mixed" if it does not predict all numbers."""
        if self.exceptions:
            return "mixed"
        whole = "whole numbers that are tokens, other ones in "
        return f"{whole if self.tokens_stay_whole else ''}{self.policy.name}"

    @property
    def share(self) -> float:
        """The share of the numbers that the policy predicts."""
        return 1 - len(self.exceptions) / self.numbers


def find_policy(splits: Splits, split_alone: Callable[[Sequence[str]], Splits]) -> Fit:
    """Return the policy that predicts the most splits, ideally all.

    ``split_alone`` encodes groups of digits, for policies that the vocabulary refines.
    """
    by_length = {len(number): places for number, places in splits.items()}
    if all(by_length[len(number)] == places for number, places in splits.items()):
        for policy in policies():
            if all(policy.places(length) == places for length, places in by_length.items()):
                return Fit(policy, len(splits))
    for fit in _fits(splits, _each_once(split_alone)):
        if not fit.exceptions:
            return fit
    simple = [Fit(policy, len(splits), _exceptions(policy, splits)) for policy in simple_policies()]
    return min(simple, key=lambda fit: len(fit.exceptions))


def _each_once(split: Callable[[Sequence[str]], Splits]) -> Callable[[Sequence[str]], Splits]:
    """Return the function, which then splits each text once: policies share most groups."""
    known: dict[str, Places | None] = {}

    def split_new(texts: Sequence[str]) -> Splits:
        new = [text for text in texts if text not in known]
        known.update(dict.fromkeys(new))
        known.update(split(new) if new else {})
        return {text: places for text in texts if (places := known[text]) is not None}

    return split_new


def _fits(splits: Splits, split_alone: Callable[[Sequence[str]], Splits]) -> Iterator[Fit]:
    """Yield the fits of policies by which numbers of one length may be split differently."""
    for policy in policies_after_zeros():
        yield Fit(policy, len(splits), _exceptions(policy, splits))
    cut = {number: places for number, places in splits.items() if places or len(number) == 1}
    for policy in simple_policies():
        yield Fit(policy, len(splits), _exceptions(policy, cut), tokens_stay_whole=True)
    for policy in group_policies():
        yield Fit(
            policy, len(splits), _refined_exceptions(policy, splits, split_alone), refined=True
        )


def _exceptions(policy: Policy, splits: Splits) -> tuple[str, ...]:
    wrong = (number for number, places in splits.items() if policy.places_of(number) != places)
    return tuple(sorted(wrong, key=_size))


def _refined_exceptions(
    policy: Policy, splits: Splits, split_alone: Callable[[Sequence[str]], Splits]
) -> tuple[str, ...]:
    """Numbers whose groups are not split as they are alone; a number of one group proves nothing.

    Few numbers may have a token where two groups meet, so such numbers are made.
    """
    wrong = _unexplained(policy, splits, split_alone)
    if not wrong:
        wrong = _unexplained(policy, split_alone(_across_groups(policy, splits)), split_alone)
    return tuple(sorted(wrong, key=_size))


def _unexplained(
    policy: Policy, splits: Splits, split_alone: Callable[[Sequence[str]], Splits]
) -> list[str]:
    rows = {number: groups(number, policy.places_of(number)) for number in splits}
    alone = split_alone(list(dict.fromkeys(group for row in rows.values() for group in row)))
    return [
        number
        for number, row in rows.items()
        if len(row) > 1 and _joined(row, alone) != splits[number]
    ]


def _across_groups(policy: Policy, splits: Splits) -> list[str]:
    """Return numbers with the digits of a token or of an unusual number where a group ends."""
    parts = {part for number, places in splits.items() for part in groups(number, places)}
    tokens = sorted(part for part in parts if len(part) > 1)
    digits = cycle("3141592653589793")
    numbers = []
    for token in _sample(tokens) + _sample(_unusual(splits)):
        for length, before in product(LENGTHS, range(len(token))):
            for place in sorted(policy.places(length))[:2]:
                filler = "".join(islice(digits, length))
                start = place - before
                if 0 <= start <= length - len(token):
                    numbers.append(filler[:start] + token + filler[start + len(token) :])
    return list(dict.fromkeys(numbers))


def _unusual(splits: Splits) -> list[str]:
    """Return short numbers that are split differently from most of their length."""
    unusual = []
    for length in SHORT:
        rows = {number: places for number, places in splits.items() if len(number) == length}
        usual = mode(rows.values()) if rows else frozenset()
        unusual += [number for number, places in rows.items() if places != usual]
    return sorted(unusual)


def _sample(numbers: Sequence[str]) -> list[str]:
    return list(numbers[:: -(-len(numbers) // MOST_TOKENS) or 1])


def _joined(row: Sequence[str], alone: Mapping[str, Places]) -> Places | None:
    """Return where tokens end in these groups together; None if a group is not known."""
    places: list[int] = []
    start = 0
    for group in row:
        if group not in alone:
            return None
        places += (start, *(start + place for place in alone[group]))
        start += len(group)
    return frozenset(places) - {0}


def _size(number: str) -> tuple[int, str]:
    return len(number), number


def groups(number: str, places: Places) -> list[str]:
    """Return the parts of a number."""
    return [number[a:b] for a, b in pairwise([0, *sorted(places), len(number)])]


def split_by_bars(number: str, places: Places) -> str:
    """Return a number with a bar at each of its places, such as ``123|4``."""
    return "|".join(groups(number, places))
