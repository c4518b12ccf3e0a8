"""Numbers are split in inconsistent ways.

Why it matters: a model learns arithmetic, dates and identifiers from how digits are grouped. If 380
is one token and 381 is two, or a number is split differently after a space than after a letter,
place value does not follow from position.

Oracle: metamorphic. The policy is inferred from outside, by encoding numbers of 1 to 12 digits:
single digits; groups of at most n from the left, or from the right; or unbounded merges, where any
run of digits may be one token.

Verdicts: *fact*, once, for the policy. *Risk* for each way in which the target breaks its own
policy: numbers of one length, some of them one token, others several; a number split differently
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

from itertools import accumulate, pairwise
from random import Random
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.own_encoding import merged_digit_failures, tokens_encoded_differently
from tokharness.diagnosis.ids.token_texts import inner_boundaries
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK302"
NAME = "digit-split-inconsistency"

__all__ = ["CODE", "NAME", "audit", "digit_policy"]

Boundaries = dict[str, frozenset[int]]
"""Where tokens end inside each number, in characters."""

LONGEST = 12
LARGEST_GROUP = 6
TEXTS_BEFORE = (" ", "-", "+", "$", "(", "a", "x=", ".", "\n", "\t", "\u00a0")
TEXTS_AFTER = (" ", ",000", ".5", "e5", "%", ")", "a", "-1", ":00", "\u00bd", "\u2163", "\n")


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the policy, then what breaks it."""
    numbers = _numbers()
    boundaries = inner_boundaries(numbers, subject)
    if not boundaries:
        return
    policy = _policy(boundaries)
    example = numbers[-1]
    yield Failure(
        Cause(
            "digit policy",
            (("is", policy),),
            Verdict.FACT,
            f"digits are split by this policy: {policy}",
        ),
        text=example,
        evidence={"policy": policy, "example": _split_by_bars(example, boundaries.get(example))},
    )
    yield from merged_digit_failures(tokens_encoded_differently(subject), policy)
    yield from _numbers_of_one_length(subject)
    every_third = dict(list(boundaries.items())[::3])
    yield from _next_to_text("after", TEXTS_BEFORE, every_third, subject)
    yield from _next_to_text("before", TEXTS_AFTER, every_third, subject)
    yield from _other_scripts(boundaries, subject)


def digit_policy(subject: Subject) -> str | None:
    """Name of the policy by which a target splits numbers; None if it encodes no number."""
    boundaries = inner_boundaries(_numbers(), subject)
    return _policy(boundaries) if boundaries else None


def _numbers() -> list[str]:
    random = Random(0)
    return [
        "".join(random.choice("0123456789") for _ in range(length))
        for length in range(1, LONGEST + 1)
        for _ in range(20)
    ]


def _policy(boundaries: Boundaries) -> str:
    longest = max(
        end - start
        for number, places in boundaries.items()
        for start, end in pairwise([0, *sorted(places), len(number)])
    )
    if longest == 1:
        return "single digits"
    for size in range(longest, LARGEST_GROUP + 1):
        if all(
            places.issuperset(range(size, len(number), size))
            for number, places in boundaries.items()
        ):
            return f"groups of at most {size} from the left"
        if all(
            places.issuperset(range(len(number) % size or size, len(number), size))
            for number, places in boundaries.items()
        ):
            return f"groups of at most {size} from the right"
    return "unbounded merges"


def _split_by_bars(number: str, places: frozenset[int] | None) -> str:
    """Return a number with a bar at each of its boundaries, such as ``123|4``."""
    if places is None:
        return number
    return "|".join(number[a:b] for a, b in pairwise([0, *sorted(places), len(number)]))


def _numbers_of_one_length(subject: Subject) -> Iterator[Failure]:
    """Report numbers of two and three digits of which some are one token and others several."""
    by_length: dict[int, tuple[list[str], list[str]]] = {}
    messages, minorities = [], []
    for length in (2, 3):
        numbers = [f"{n:0{length}}" for n in range(10**length)]
        boundaries = inner_boundaries(numbers, subject)
        whole = [number for number, places in boundaries.items() if not places]
        split = [number for number, places in boundaries.items() if places]
        if whole and split:
            fewer = min(whole, split, key=len)
            more = split if fewer is whole else whole
            by_length[length] = whole, split
            minorities.append(fewer)
            messages.append(
                f"numbers with {length} digits: {len(whole):,} of {len(numbers):,} are one token "
                f"and {len(split):,} are several, for example {_contrast(fewer, more, boundaries)}"
            )
    if by_length:
        yield Failure(
            Cause(
                "same length, other tokens",
                (("digits", " and ".join(map(str, by_length))),),
                Verdict.RISK,
                "; ".join(messages),
            ),
            count=sum(map(len, minorities)),
            text=minorities[0][0],
            evidence={
                name: [number for pair in by_length.values() for number in pair[place][:20]]
                for place, name in enumerate(("one token", "several"))
            },
        )


def _contrast(fewer: list[str], more: list[str], boundaries: Boundaries) -> str:
    """Return a number of the minority, and the nearest one of the majority."""
    first = fewer[0]
    near = min(more, key=lambda number: abs(int(number) - int(first)))
    return (
        f"{_split_by_bars(first, boundaries[first])} and {_split_by_bars(near, boundaries[near])}"
    )


def _next_to_text(
    where: str, contexts: Sequence[str], boundaries: Boundaries, subject: Subject
) -> Iterator[Failure]:
    """Report numbers that are split differently ``after``, or ``before``, another text."""
    changed: dict[str, list[str]] = {}
    for context in contexts:
        texts = {
            number: context + number if where == "after" else number + context
            for number in boundaries
        }
        in_context = inner_boundaries(list(texts.values()), subject)
        start = len(context) if where == "after" else 0
        for number, text in texts.items():
            if text in in_context and (
                _within_number(number, start, in_context[text]) != boundaries[number]
            ):
                changed.setdefault(context, []).append(number)
    if not changed:
        return
    context, numbers = next(iter(changed.items()))
    number = min(numbers, key=len)
    names = ", ".join(map(ascii, changed))
    yield Failure(
        Cause(
            f"number split differently {where} other text",
            ((where, names),),
            Verdict.RISK,
            f"the same number is split differently {where} {names}",
        ),
        count=sum(map(len, changed.values())),
        text=context + number if where == "after" else number + context,
        evidence={ascii(context): numbers[:10] for context, numbers in changed.items()},
    )


def _within_number(number: str, start: int, places: frozenset[int]) -> frozenset[int]:
    """Boundaries in a number that begins at ``start``; with -1 if a token crosses its border."""
    end = start + len(number)
    within = frozenset(place - start for place in places if start < place < end)
    return within if (start or end) in places else within | {-1}


def _other_scripts(boundaries: Boundaries, subject: Subject) -> Iterator[Failure]:
    """Report sets of ten digits that are not split wherever the policy splits ASCII digits."""
    from tokharness.unicode.properties import digit_sets, script

    policy = _policy(boundaries)
    if policy == "unbounded merges":
        return
    number = "1234567"
    ascii_places = _policy_boundaries(policy, len(number))
    inconsistent = []
    for digits in digit_sets():
        text = number.translate(str.maketrans("0123456789", digits))
        ends = _token_ends(text, subject)
        if ends is None:
            continue
        width = len(digits[0].encode())
        if not ends.issuperset(place * width for place in ascii_places):
            inconsistent.append(text)
    if inconsistent:
        scripts = sorted({script(text[0]) for text in inconsistent})
        yield Failure(
            Cause(
                "digits of other scripts split differently",
                (("scripts", ", ".join(scripts)),),
                Verdict.RISK,
                f"the policy of the ASCII digits ({policy}) does not hold for "
                f"{len(inconsistent)} of {len(digit_sets())} sets of decimal digits: "
                f"{', '.join(scripts)}",
            ),
            count=len(inconsistent),
            text=inconsistent[0],
            evidence={"numbers": inconsistent[:20]},
        )


def _policy_boundaries(policy: str, length: int) -> set[int]:
    """Where a policy splits a number of this length."""
    if policy == "single digits":
        return set(range(1, length))
    size = int(policy.split()[4])
    first = size if policy.endswith("left") else length % size or size
    return set(range(first, length, size))


def _token_ends(text: str, subject: Subject) -> frozenset[int] | None:
    """Where tokens end in the UTF-8 of a text; None if that is unknown, or the text is changed."""
    ids = subject.encode(text)
    pieces = None if ids is None else subject.token_bytes(without_affixes(ids, subject))
    if pieces is None or b"".join(pieces) != text.encode():
        return None
    return frozenset(accumulate(map(len, pieces)))
