"""The numbers that are tried: in ASCII and other digits, and in digits without a token."""

from __future__ import annotations

from itertools import accumulate, product
from random import Random
from typing import TYPE_CHECKING, Any

from tokharness.checks.digit_split_inconsistency.policies import LONGEST, Fit, Places, find_policy
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.token_texts import inner_boundaries
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.model import Cause, Failure, Verdict
from tokharness.unicode.properties import digit_sets, script

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.checks.digit_split_inconsistency.policies import Policy
    from tokharness.targets.subject import Subject

# Numbers in digits of other scripts, and in characters that only look like digits.

ASCII = "0123456789"
PARTS = "parts of characters"

NUMERALS = {
    "superscripts": "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
    "subscripts": "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089",
    "circled digits": "\u24ea\u2460\u2461\u2462\u2463\u2464\u2465\u2466\u2467\u2468",
    "Roman numerals": "\u2169\u2160\u2161\u2162\u2163\u2164\u2165\u2166\u2167\u2168",
}
"""Characters of the categories No and Nl, in the places of 0 to 9."""

DIGITS_OF_PI = "3141592653589793"
NUMBERS = [
    DIGITS_OF_PI[start : start + length] for length in range(1, 17) for start in (0, 16 - length)
]


def policies_of_other_digits(subject: Subject) -> dict[str, list[str]]:
    """Return the sets of digits, by script or name, that each policy splits.

    Sets that the target changes, for example by a normal form, are left out.
    """
    sets = {
        f"{script(digits[0])} {digits[0]}": digits for digits in digit_sets() if digits != ASCII
    }
    found: dict[str, list[str]] = {}
    for name, digits in (sets | NUMERALS).items():
        if (policy := _policy(digits, subject)) is not None:
            found.setdefault(policy, []).append(name)
    return found


def _policy(digits: str, subject: Subject) -> str | None:
    table = str.maketrans(ASCII, digits)

    def split(numbers: Sequence[str]) -> dict[str, Places]:
        texts = {number.translate(table): number for number in numbers}
        return {texts[text]: row for text, row in inner_boundaries(list(texts), subject).items()}

    numbers = list(dict.fromkeys(NUMBERS))
    splits = split(numbers)
    if len(splits) == len(numbers):
        return find_policy(splits, split).name
    ends = [_token_ends(number.translate(table), subject) for number in numbers]
    return None if None in ends else PARTS


def other_digit_failures(policy: Policy, subject: Subject) -> Iterator[Failure]:
    """Report sets of ten digits that are not split in every place where ASCII digits are."""
    number = "1234567"
    inconsistent = []
    for digits in digit_sets():
        text = number.translate(str.maketrans(ASCII, digits))
        ends = _token_ends(text, subject)
        width = len(digits[0].encode())
        if ends is not None and not ends.issuperset(
            place * width for place in policy.places_of(number)
        ):
            inconsistent.append(text)
    if inconsistent:
        scripts = sorted({script(text[0]) for text in inconsistent})
        yield Failure(
            Cause(
                "digits of other scripts split differently",
                (("scripts", ", ".join(scripts)),),
                Verdict.RISK,
                f"the policy of the ASCII digits ({policy.name}) does not hold for "
                f"{len(inconsistent)} of {len(digit_sets())} sets of decimal digits: "
                f"{', '.join(scripts)}",
            ),
            count=len(inconsistent),
            text=inconsistent[0],
            evidence={"numbers": inconsistent[:20]},
        )


def _token_ends(text: str, subject: Subject) -> frozenset[int] | None:
    """Return where tokens end in the UTF-8 of a text; None if unknown or if the text is changed."""
    ids = subject.encode(text)
    pieces = None if ids is None else subject.token_bytes(without_affixes(ids, subject))
    if pieces is None or b"".join(pieces) != text.encode():
        return None
    return frozenset(accumulate(map(len, pieces)))


# Digits for which a vocabulary has no token.

RUN = 3
"""Digits of the run that shows how several unknown digits are read."""


def unknown_digits(subject: Subject) -> str:
    """Return the ASCII digits that get the id for unknown text; "" if there are none."""
    return "".join(digit for digit in "0123456789" if _count_unknown(digit, subject))


def unknown_digit_failure(digits: str, subject: Subject) -> Failure:
    """Return the fact that these digits are unknown, with how a run of them is read."""
    run = digits[0] * RUN
    tokens = _count_unknown(run, subject)
    read = {
        1: "a run of them is one unknown token",
        RUN: "each of them is an unknown token",
    }.get(tokens, f"{run} has {tokens} unknown tokens")
    listed = ", ".join(digits)
    return Failure(
        Cause(
            "unknown digits",
            (("digits", listed),),
            Verdict.FACT,
            f"digits without a token: {listed}; {read}, so numbers have no policy",
        ),
        count=len(digits),
        text=run,
        evidence={"digits": list(digits), "run": run, "unknown tokens": tokens},
    )


def _count_unknown(text: str, subject: Subject) -> int:
    """Count the ids of a text that stand for unknown text."""
    unknown = {subject.target.unknown_id, *unknown_ids(subject)} - {None}
    ids = without_affixes(subject.encode(text) or [], subject)
    return sum(number in unknown for number in ids)


DIGITS = "0123456789"
OF_A_LENGTH = 8
"""Random numbers of each length, and equally many with leading zeros."""

MARKS = " #@\u2581\u0120"
"""What vocabularies write before or after the text of a token, to mark where a word begins."""

KNOWN = ("1066", "1900", "1984", "1999", "2000", "2024", "8080", "10000", "65536", "1000000")
"""Numbers that are frequent in text, and so may be tokens."""

MOST_LEARNED = 60
"""Numbers that are one token and are joined to longer numbers, sampled evenly."""

EVERY = 7
"""Step at which numbers that are tried alone are tried next to other text too."""


def fit_of(subject: Subject) -> Fit | None:
    """Return the policy by which a target splits numbers; None if it encodes none.

    A single digit cannot be split.
    """
    splits = splits_of(subject)
    if all(len(number) == 1 for number in splits):
        return None
    return subject.cache.get_or_compute(
        "digit policy", lambda: find_policy(splits, lambda row: inner_boundaries(row, subject))
    )


def splits_of(subject: Subject) -> dict[str, Places]:
    """Return where tokens end inside each number that is tried alone."""

    def compute() -> dict[str, Places]:
        short = inner_boundaries(_short_numbers(), subject)
        whole = [number for number, places in short.items() if not places and len(number) > 1]
        learned = [] if len(whole) + len(DIGITS) == len(short) else _evenly(whole)
        learned += [*KNOWN, *_evenly(_number_tokens(subject))]
        return short | inner_boundaries(_long_numbers(list(dict.fromkeys(learned))), subject)

    return subject.cache.get_or_compute("splits of numbers", compute)


def _short_numbers() -> list[str]:
    """Return all numbers of at most three digits."""
    return ["".join(row) for length in (1, 2, 3) for row in product(DIGITS, repeat=length)]


def _long_numbers(learned: Sequence[str]) -> list[str]:
    """Return numbers of up to 24 digits, and numbers around the numbers that are one token."""
    random = Random(0)
    numbers = []
    for length in range(4, LONGEST + 1):
        for place in range(2 * OF_A_LENGTH):
            zeros = place % 4 if place >= OF_A_LENGTH else 0
            rest = "".join(random.choice(DIGITS) for _ in range(length - zeros - 1))
            numbers.append("0" * zeros + random.choice(DIGITS[1:]) + rest)
        numbers += ["0" * length, "9" * length]
    numbers += learned
    numbers += [a + b for a, b in zip(learned, reversed(learned), strict=True)]
    numbers += [random.choice(DIGITS) + number for number in learned]
    return [number for number in dict.fromkeys(numbers) if len(number) <= LONGEST]


def _number_tokens(subject: Subject) -> list[str]:
    """Return tokens of two or more ASCII digits, without the mark of a word."""
    texts = (data.decode("utf-8", "replace") for data in subject.vocabulary().values())
    if not subject.target.can("decode_single_token_bytes") and subject.target.can("token_text"):
        texts = (str(text) for text in _token_texts(subject))
    numbers = {text.strip(MARKS) for text in texts}
    return sorted(n for n in numbers if len(n) > 1 and n.isascii() and n.isdecimal())


def _token_texts(subject: Subject) -> list[Any]:
    return subject.target.call_each("token_text", range(subject.target.n_vocab or 0))


def _evenly(numbers: list[str]) -> list[str]:
    return numbers[:: -(-len(numbers) // MOST_LEARNED) or 1]


def numbers_in_context(
    before: Sequence[str], after: Sequence[str], subject: Subject
) -> dict[tuple[str, str], dict[str, Places]]:
    """Return the numbers whose digits are grouped differently between two texts than alone.

    Each pair of texts has its numbers, with the places in them. A token of digits and other text,
    such as a space, does not group the digits differently.
    """
    splits = dict(list(splits_of(subject).items())[::EVERY])
    changed: dict[tuple[str, str], dict[str, Places]] = {}
    for pair in [(text, "") for text in before] + [("", text) for text in after]:
        texts = {number: pair[0] + number + pair[1] for number in splits}
        in_context = inner_boundaries(list(texts.values()), subject)
        for number, text in texts.items():
            if text not in in_context:
                continue
            places = _within(number, len(pair[0]), in_context[text])
            if places != splits[number]:
                changed.setdefault(pair, {})[number] = places
    return changed


def _within(number: str, start: int, places: Places) -> Places:
    """Places in a number that begins at ``start``."""
    return frozenset(place - start for place in places if start < place < start + len(number))
