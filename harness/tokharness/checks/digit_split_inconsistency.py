"""Numbers are split in inconsistent ways.

Why it matters: a model learns arithmetic, dates and identifiers from how digits are grouped. If 380
is one token and 381 is two, or a number is split differently after a space than after a letter,
place value does not follow from position.

Oracle: metamorphic. The policy is inferred from outside, by encoding numbers of 1 to 12 digits:
single digits; groups of at most n from the left, or from the right; or unbounded merges, where any
run of digits may be one token.

Verdicts: *by design*, once, for the policy. *Risk* for what breaks the target's own policy: numbers
of the same length of which some are one token and others several; the same number split differently
next to a space, a sign or a letter; decimal digits of other scripts that do not follow the policy
of the ASCII digits; tokens with more digits than the policy keeps together, which no text produces,
for example if the vocabulary was trained with another pattern. A group that is longer than the
pattern allows shows as a difference from the reference (TOK201).

Example: a vocabulary that merges only the numbers that are frequent in its corpus::

    TOK302 risk  same length, other tokens: 3   380 is one token, 381 is 38|1

What to do: split digits in the pre-tokenizer, one by one or in groups of a fixed size, before
training.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.own_encoding import merged_digit_failures, tokens_encoded_differently
from tokharness.diagnosis.ids.token_texts import inner_boundaries
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK302"
NAME = "digit-split-inconsistency"

__all__ = ["CODE", "NAME", "audit", "digit_policy"]

LONGEST = 12
LARGEST_GROUP = 6
BEHIND = (" ", "-", "+", "$", "(", "a", "x=", ".", "\n", "\t", "\u00a0")
BEFORE = (" ", ",000", ".5", "e5", "%", ")", "a", "-1", ":00", "\u00bd", "\u2163", "\n")


def audit(subject: Subject) -> Iterator[Failure]:
    """Name the policy, then tell what breaks it."""
    numbers = _numbers()
    seen = inner_boundaries(numbers, subject)
    if not seen:
        return
    policy = _policy(seen)
    example = numbers[-1]
    yield Failure(
        Cause(
            "digit policy",
            (("is", policy),),
            Verdict.BY_DESIGN,
            f"digits are split by this policy: {policy}",
        ),
        text=example,
        evidence={"policy": policy, "example": _drawn(example, seen.get(example))},
    )
    yield from merged_digit_failures(tokens_encoded_differently(subject), policy)
    yield from _same_length(subject)
    some = dict(list(seen.items())[::3])
    yield from _beside("behind", BEHIND, some, subject)
    yield from _beside("before", BEFORE, some, subject)
    yield from _other_scripts(seen, subject)


def digit_policy(subject: Subject) -> str | None:
    """Name the policy by which a target splits numbers; None where it encodes none."""
    seen = inner_boundaries(_numbers(), subject)
    return _policy(seen) if seen else None


def _numbers() -> list[str]:
    random = Random(0)
    return [
        "".join(random.choice("0123456789") for _ in range(length))
        for length in range(1, LONGEST + 1)
        for _ in range(20)
    ]


def _policy(cuts: dict[str, frozenset[int]]) -> str:
    longest = max(
        end - start
        for number, at in cuts.items()
        for start, end in pairwise([0, *sorted(at), len(number)])
    )
    if longest == 1:
        return "single digits"
    for size in range(longest, LARGEST_GROUP + 1):
        if all(at.issuperset(range(size, len(number), size)) for number, at in cuts.items()):
            return f"groups of at most {size} from the left"
        if all(
            at.issuperset(range(len(number) % size or size, len(number), size))
            for number, at in cuts.items()
        ):
            return f"groups of at most {size} from the right"
    return "unbounded merges"


def _drawn(number: str, cuts: frozenset[int] | None) -> str:
    if cuts is None:
        return number
    return "|".join(number[a:b] for a, b in pairwise([0, *sorted(cuts), len(number)]))


def _same_length(subject: Subject) -> Iterator[Failure]:
    """Numbers of two and three digits of which some are one token and some are not."""
    found: dict[int, tuple[list[str], list[str]]] = {}
    said, counts = [], []
    for length in (2, 3):
        numbers = [f"{n:0{length}}" for n in range(10**length)]
        cuts = inner_boundaries(numbers, subject)
        whole = [number for number, at in cuts.items() if not at]
        split = [number for number, at in cuts.items() if at]
        if whole and split:
            fewer = min(whole, split, key=len)
            other = split if fewer is whole else whole
            found[length] = whole, split
            counts.append(fewer)
            said.append(
                f"of the {len(numbers):,} numbers of {length} digits {len(whole):,} are one "
                f"token and {len(split):,} are several: {_pair(fewer, other, cuts)}"
            )
    if found:
        yield Failure(
            Cause(
                "same length, other tokens",
                (("digits", " and ".join(map(str, found))),),
                Verdict.RISK,
                "; ".join(said),
            ),
            count=sum(map(len, counts)),
            text=counts[0][0],
            evidence={
                name: [number for both in found.values() for number in both[place][:20]]
                for place, name in enumerate(("one token", "several"))
            },
        )


def _pair(fewer: list[str], other: list[str], cuts: dict[str, frozenset[int]]) -> str:
    near = min(other, key=lambda number: abs(int(number) - int(fewer[0])))
    return f"{_drawn(fewer[0], cuts[fewer[0]])} but {_drawn(near, cuts[near])}"


def _beside(
    where: str, others: Sequence[str], cuts: dict[str, frozenset[int]], subject: Subject
) -> Iterator[Failure]:
    """Numbers that are cut otherwise behind, or before, something else."""
    moved: dict[str, list[str]] = {}
    for other in others:
        beside = {one: other + one if where == "behind" else one + other for one in cuts}
        found = inner_boundaries(list(beside.values()), subject)
        start = len(other) if where == "behind" else 0
        for number, text in beside.items():
            if text in found and _within(number, start, found[text]) != cuts[number]:
                moved.setdefault(other, []).append(number)
    if not moved:
        return
    other, numbers = next(iter(moved.items()))
    number = min(numbers, key=len)
    names = ", ".join(ascii(other) for other in moved)
    yield Failure(
        Cause(
            f"number cut otherwise {where} other text",
            ((where, names),),
            Verdict.RISK,
            f"the same number is cut otherwise {where} {names}",
        ),
        count=sum(map(len, moved.values())),
        text=other + number if where == "behind" else number + other,
        evidence={ascii(other): numbers[:10] for other, numbers in moved.items()},
    )


def _within(number: str, start: int, cuts: frozenset[int]) -> frozenset[int]:
    """Cuts in a number that begins at ``start``; -1 where a token crosses its border."""
    end = start + len(number)
    within = frozenset(cut - start for cut in cuts if start < cut < end)
    return within if (start or end) in cuts else within | {-1}


def _other_scripts(cuts: dict[str, frozenset[int]], subject: Subject) -> Iterator[Failure]:
    """Sets of ten digits whose numbers are not cut wherever the policy cuts ASCII ones."""
    from tokharness.unicode.properties import digit_sets, script

    policy = _policy(cuts)
    if policy == "unbounded merges":
        return
    number = "1234567"
    ascii_cuts = _policy_cuts(policy, len(number))
    astray = []
    for digits in digit_sets():
        text = number.translate(str.maketrans("0123456789", digits))
        try:
            ends = _byte_cuts(text, subject)
        except KeyboardInterrupt:
            raise
        except BaseException:
            continue
        width = len(digits[0].encode())
        if not ends.issuperset(cut * width for cut in ascii_cuts):
            astray.append(text)
    if astray:
        scripts = sorted({script(text[0]) for text in astray})
        yield Failure(
            Cause(
                "digits of other scripts split otherwise",
                (("scripts", ", ".join(scripts)),),
                Verdict.RISK,
                f"{len(astray)} of {len(digit_sets())} sets of decimal digits do not follow the "
                f"policy of the ASCII digits ({policy}): {', '.join(scripts)}",
            ),
            count=len(astray),
            text=astray[0],
            evidence={"numbers": astray[:20]},
        )


def _policy_cuts(policy: str, length: int) -> set[int]:
    if policy == "single digits":
        return set(range(1, length))
    size = int(policy.split()[4])
    first = size if policy.endswith("left") else length % size or size
    return set(range(first, length, size))


def _byte_cuts(text: str, subject: Subject) -> frozenset[int]:
    at, cuts = 0, set()
    for data in subject.token_bytes(subject.encode(text)):
        at += len(data)
        cuts.add(at)
    return frozenset(cuts)
