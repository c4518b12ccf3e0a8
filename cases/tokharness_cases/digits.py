r"""Numbers: runs, every number up to 1110, all sets of ten digits, signs, dates, exponents.

A vocabulary decides how many digits form one token, and a pattern decides where the groups start:
single digits, groups of three from the left or from the right, or no limit. Tokenizers fail where
vocabulary and pattern disagree: a number that is one token while its neighbour is two, a group that
moves after a space, a sign or a letter, one pattern with ``[0-9]`` and another with ``\p{N}``, and
number-like characters that are not decimal digits (superscripts, fractions, Roman numerals, circled
numbers).

Source: UAX #44 (General_Category Nd, Nl, No); the digit policies of published vocabularies.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import digit_sets, label, members, runs_of_members
from tokharness_cases._contexts import Context, in_contexts
from tokharness_cases._family import NO_FACTS, plural, range_samples, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

ASCII = "0123456789"
LONGEST = 20
SEPARATORS = ",\u066b\u066c"
"""Comma, and the decimal and thousands separators of Arabic."""
AROUND = (
    Context("after a letter", "a"),
    Context("after a space", " "),
    Context("after a minus", "-"),
    Context("before a letter", "", "a"),
    Context("after a word", "page "),
    Context("after a dollar sign", "$"),
    Context("after a line feed", "\n"),
    Context("before 's", "", "'s"),
)
NUMBERS = (
    *("0", "1", "12", "380", "381", "1000", "1234", "12345", "123456", "1234567", "9999999999"),
    *("2147483647", "2147483648", "18446744073709551615", "18446744073709551616"),
)
WRITTEN = (
    *("1,234,567", "1.234.567", "1 234 567", "1\u00a0234\u00a0567", "1\u202f234\u202f567"),
    *("1'234'567", "1_000_000", "12,34,567", "3.14159", "0.1", ".5", "5.", "1.2.3", "1..2"),
    *("+1", "-1", "\u22121", "\u20131", "--1", "1e10", "1E-10", "6.022e23", "1e+400", "0x1F"),
    *("0xdeadbeef", "0b1010", "0o755", "1F4A9", "2024-02-29", "29/02/2024", "12:34:56", "5'11\""),
    *("2024-02-29T12:34:56Z", "192.168.0.1", "::1", "+1 (555) 010-9999", "50%", "$1,000.00"),
    *("\u20ac9,99", "1st", "2nd", "3rd", "4th", "1/2", "1\u20442", "10^3", "1==1", "1+1=2", "v1.2"),
    *("NaN", "-inf", "1e", "00", "007", "0001", "000000", "1n", "10L", "3.0f", "1_2", "a1b2c3"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every number of the family, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for number in range(1111):
        yield Case(str(number), "a number up to 1110")
        yield Case(f" {number}", "a number up to 1110 after a space", str(number))
    for text in WRITTEN:
        yield Case(text, "a number in a written form")
    for text in NUMBERS:
        yield from in_contexts(text, "a number", AROUND)
        for zeros in (1, 2, 3, 6):
            yield Case("0" * zeros + text, "leading zeros", text)
    for digits in digit_sets():
        yield from _runs(digits)
    yield from _number_like()
    for length in range(1, 7):
        for letters in product("1 a", repeat=length):
            yield Case("".join(letters), "digits, spaces and letters")
    for digits in digit_sets():
        if digits != ASCII:
            yield from _punctuated(digits)


def _runs(digits: str) -> Iterator[Case]:
    """Runs of 1 to 20 digits of one set, each digit alone, and the set mixed with ASCII."""
    digit_set = f"of the set of {label(digits[0])}"
    why = f"digits {digit_set}"
    rising = (digits[1:] + digits[0]) * 2
    plain = str.maketrans(digits, ASCII)
    for length in range(1, LONGEST + 1):
        run = rising[:length]
        yield Case(run, f"{plural(length, 'digit')} {digit_set}", run.translate(plain))
    for digit in digits:
        yield Case(digit, why, digit.translate(plain))
    run = rising[:4]
    for context in AROUND:
        yield Case(context.around(run), f"{why}, {context.name}", context.around("1234"))
    if digits == ASCII:
        return
    for text in (f"12{digits[3]}45", f"{digits[1]}2345", f"123{digits[4]}", f"{run}1234"):
        yield Case(text, f"ASCII mixed with {why}", text.translate(plain))


def _punctuated(digits: str) -> Iterator[Case]:
    """Numbers of one set with a sign, with separators and with leading zeros."""
    plain = str.maketrans(digits, ASCII)
    zero, run = digits[0], digits[1:5]
    separated = {f"U+{ord(mark):04X} inside": f"{run[0]}{mark}{run[1:]}" for mark in SEPARATORS}
    spellings = {"after a plus": f"+{run}", **separated, "after zeros": f"{zero * 2}{run}"}
    for name, text in spellings.items():
        why = f"digits of the set of {label(zero)}, {name}"
        yield Case(text, why, text.translate(plain))


def _number_like() -> Iterator[Case]:
    """Letter numbers and other numbers next to digits, which may become part of the number."""
    for code_point in members(r"[\p{Nl}\p{No}]"):
        char = chr(code_point)
        why = f"{label(char)}, a number that is not a digit"
        yield Case(f"12{char}", f"{why}, after digits")
        yield Case(f"{char}12", f"{why}, before digits")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random numbers of one or more sets of digits, with separators and signs."""
    from hypothesis import strategies as st

    others = [chr(code_point) for code_point in range_samples(runs_of_members(r"[\p{Nl}\p{No}]"))]
    group = st.one_of(
        st.text(ASCII, min_size=1, max_size=LONGEST),
        st.sampled_from(sorted(digit_sets())).flatmap(
            lambda digits: st.text(digits, min_size=1, max_size=LONGEST)
        ),
        st.sampled_from(others),
    )
    between = st.sampled_from(["", " ", "-", ",", ".", "a", "e", "x", "_", "'", "\u00a0", "\n"])
    pairs = st.lists(st.tuples(between, group).map("".join), max_size=4).map("".join)
    return st.tuples(group, pairs, between).map("".join)
