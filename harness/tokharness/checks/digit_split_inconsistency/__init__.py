"""Numbers are split in inconsistent ways.

Why it matters: a model learns arithmetic, dates and identifiers from how digits are grouped. If 380
is one token and 381 is two, or a number is split differently after a space than after a letter,
place value does not follow from position.

Oracle: metamorphic. The policy is inferred from how numbers are split. The hypotheses are: single
digits; groups of at most n digits from the left or from the right; whole numbers; whole up to n
digits; the first or the last n digits together; one policy for even lengths and another for odd
lengths; leading zeros as single digits; numbers that are tokens stay whole. Numbers of 1 to 24
digits are encoded: all numbers of up to three digits, random numbers, numbers with leading zeros,
and numbers that are tokens of the vocabulary. A policy is named if it predicts the split of every
number. The vocabulary may refine a policy of groups, by splitting a group as it splits the group
alone.

Verdicts: *fact*, once, for the policy, with the policies of other decimal digits, superscripts,
circled digits and Roman numerals where they differ; or, without a policy, for digits without a
token, and how a run of them is read. *Risk*, at most one of each: *no digit policy*, with the
policy that explains most numbers, its share and the smallest number that it does not explain; *same
length, other tokens*, if some groups of a length are one token and others several; *number split
differently next to other text*, if the digits of a number are grouped differently next to a sign, a
letter or a space (a token that merely includes the space or the sign does not count); *digits of
other scripts split differently*, if tokens cross the groups that the policy makes of ASCII digits;
and *tokens of merged digits*, tokens of ASCII digits that no text produces, for example if the
vocabulary was trained with another pattern. A group that is longer than the pattern allows shows as
a difference from the reference (TOK201).

Example: a vocabulary that merges only the numbers that are frequent in its corpus::

    TOK302 risk  same length, other tokens: 3   380 is one token, 381 is 38|1

What to do: split digits in the pre-tokenizer, one by one or in groups of a fixed size, before
training. Without a new vocabulary, expect errors in arithmetic and in the comparison of
identifiers, and give such values to the model with separators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.digit_split_inconsistency.numbers import (
    fit_of,
    numbers_in_context,
    other_digit_failures,
    policies_of_other_digits,
    splits_of,
    unknown_digit_failure,
    unknown_digits,
)
from tokharness.checks.digit_split_inconsistency.policies import Fit, split_by_bars
from tokharness.diagnosis.reachability.faults import merged_digit_failures, numbers_without_reach
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK302"
NAME = "digit-split-inconsistency"
NEEDS_REACH = True

__all__ = ["CODE", "NAME", "NEEDS_REACH", "audit", "digit_policy"]

TEXTS_BEFORE = (" ", "-", "+", "$", "(", "a", "x=", ".", "\n", "\t", "\u00a0")
TEXTS_AFTER = (" ", ",000", ".5", "e5", "%", ")", "a", "-1", ":00", "\u00bd", "\u2163", "\n")
EXAMPLE = "9" * 12


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the policy, then what breaks it; or the digits that have no token."""
    if digits := unknown_digits(subject):
        yield unknown_digit_failure(digits, subject)
        return
    fit = fit_of(subject)
    if fit is None:
        return
    yield _policy(fit, subject)
    if subject.target.n_vocab is not None:
        yield from merged_digit_failures(numbers_without_reach(subject), fit.name)
    if fit.exceptions:
        yield _no_policy(fit, subject)
        return
    if fit.refined or fit.tokens_stay_whole:
        yield from _numbers_of_one_length(subject)
    yield from _next_to_text(subject)
    yield from other_digit_failures(fit.policy, subject)


def digit_policy(subject: Subject) -> str | None:
    """Name of the policy by which a target splits numbers; None if no number shows it.

    If the vocabulary has no token for a digit, the unknown digits take its place.
    """
    if digits := unknown_digits(subject):
        return f"unknown digits: {', '.join(digits)}"
    fit = fit_of(subject)
    return None if fit is None else fit.name


def _policy(fit: Fit, subject: Subject) -> Failure:
    example = next((text for text in splits_of(subject) if len(text) == len(EXAMPLE)), EXAMPLE)
    others = policies_of_other_digits(subject)
    different = {name: sets for name, sets in others.items() if name != fit.name}
    listed = ", ".join(f"{len(sets)} in {name}" for name, sets in sorted(different.items()))
    message = f"digits are split by this policy: {fit.name}"
    if fit.exceptions:
        message = "digits are split by no policy that predicts all numbers"
    if listed:
        message += f"; other sets of digits and numerals: {listed}"
    return Failure(
        Cause("digit policy", (("is", fit.name),), Verdict.FACT, message),
        text=example,
        evidence={
            "policy": fit.name,
            "numbers": fit.numbers,
            "example": split_by_bars(example, splits_of(subject).get(example, frozenset())),
            "other digits": others,
        },
    )


def _no_policy(fit: Fit, subject: Subject) -> Failure:
    first = fit.exceptions[0]
    places = splits_of(subject)[first]
    split = split_by_bars(first, places) if places else "one token"
    return Failure(
        Cause(
            "no digit policy",
            (),
            Verdict.RISK,
            f"numbers are split by no policy: {fit.policy.name} explains {fit.share:.0%} of "
            f"{fit.numbers:,} numbers, but not {first} ({split})",
        ),
        count=len(fit.exceptions),
        text=first,
        evidence={"exceptions": list(fit.exceptions[:20])},
    )


def _numbers_of_one_length(subject: Subject) -> Iterator[Failure]:
    """Report numbers of two and three digits if some of a length are one token and some several."""
    by_length: dict[int, tuple[list[str], list[str]]] = {}
    messages, minorities = [], []
    splits = splits_of(subject)
    for length in (2, 3):
        whole = [text for text, places in splits.items() if len(text) == length and not places]
        split = [text for text, places in splits.items() if len(text) == length and places]
        if whole and split:
            fewer = min(whole, split, key=len)
            more = split if fewer is whole else whole
            near = min(more, key=lambda number: abs(int(number) - int(fewer[0])))
            pair = (split_by_bars(number, splits[number]) for number in (fewer[0], near))
            by_length[length] = whole, split
            minorities.append(fewer)
            messages.append(
                f"numbers with {length} digits: {len(whole):,} of {len(whole) + len(split):,} are "
                f"one token and {len(split):,} are several, for example {' and '.join(pair)}"
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


def _next_to_text(subject: Subject) -> Iterator[Failure]:
    """Report numbers whose digits are grouped differently before or after other text."""
    changed = numbers_in_context(TEXTS_BEFORE, TEXTS_AFTER, subject)
    if not changed:
        return
    after = ", ".join(ascii(before) for before, _ in changed if before)
    before = ", ".join(ascii(after) for _, after in changed if after)
    names = " and ".join(
        f"{where} {texts}" for where, texts in (("after", after), ("before", before)) if texts
    )
    (left, right), numbers = next(iter(changed.items()))
    number = min(numbers, key=len)
    alone, there = split_by_bars(number, splits_of(subject)[number]), numbers[number]
    where = f"after {left!a}" if left else f"before {right!a}"
    yield Failure(
        Cause(
            "number split differently next to other text",
            (("where", names),),
            Verdict.RISK,
            f"the digits of the same number are grouped differently {names}; for example alone as "
            f"{alone} and {where} as {split_by_bars(number, there)}",
        ),
        count=sum(map(len, changed.values())),
        text=left + number + right,
        evidence={ascii(a + b): list(numbers)[:10] for (a, b), numbers in changed.items()},
    )
