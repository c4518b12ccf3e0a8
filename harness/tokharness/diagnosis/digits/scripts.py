"""Numbers in digits of other scripts, and in characters that only look like digits."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.diagnosis.digits.fit import find_policy
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.token_texts import inner_boundaries
from tokharness.model import Cause, Failure, Verdict
from tokharness.unicode.properties import digit_sets
from tokharness.unicode.scripts import script

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.diagnosis.digits.policies import Places, Policy
    from tokharness.targets.subject import Subject

__all__ = ["other_digit_failures", "policies_of_other_digits"]

ASCII = "0123456789"
PARTS = "parts of characters"

NUMERALS = {
    "superscripts": "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
    "subscripts": "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089",
    "circled digits": "\u24ea\u2460\u2461\u2462\u2463\u2464\u2465\u2466\u2467\u2468",
    "Roman numerals": "\u2169\u2160\u2161\u2162\u2163\u2164\u2165\u2166\u2167\u2168",
}
"""Characters of the categories No and Nl, in the places of 0 to 9."""

DIGITS = "3141592653589793"
NUMBERS = [DIGITS[start : start + length] for length in range(1, 17) for start in (0, 16 - length)]


def policies_of_other_digits(subject: Subject) -> dict[str, list[str]]:
    """Return the sets of digits, by script or name, that each policy splits.

    Left out are sets whose text a target changes, such as a normal form.
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
    """Report sets of ten digits that are not split wherever the policy splits ASCII digits."""
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
    """Where tokens end in the UTF-8 of a text; None if that is unknown, or the text is changed."""
    ids = subject.encode(text)
    pieces = None if ids is None else subject.token_bytes(without_affixes(ids, subject))
    if pieces is None or b"".join(pieces) != text.encode():
        return None
    return frozenset(accumulate(map(len, pieces)))
