"""Which policy is named for numbers that are split by a known rule."""

import random
from itertools import groupby, pairwise

import pytest
import regex

from tokharness.checks.digit_split_inconsistency.numbers import fit_of, splits_of
from tokharness.checks.digit_split_inconsistency.policies import groups
from tokharness.model import target_of
from tokharness.targets.subject import Subject


class BySplitting:
    """A tokenizer for which the groups of a rule, and all other characters, are tokens."""

    def __init__(self, rule):
        self.rule = rule
        self.ids = {}

    def encode(self, text):
        runs = regex.findall("[0-9]+|[^0-9]", text)
        pieces = [piece for run in runs for piece in (self.rule(run) if run.isdigit() else [run])]
        return [self.ids.setdefault(piece, len(self.ids)) for piece in pieces]

    def decode(self, ids):
        texts = list(self.ids)
        return "".join(texts[number] for number in ids)


def subject_of(rule):
    return Subject(target_of("target", BySplitting(rule)))


def left(size):
    return lambda run: [run[i : i + size] for i in range(0, len(run), size)]


def right(size):
    def split(run):
        first = len(run) % size
        return [run[:first]] * bool(first) + left(size)(run[first:])

    return split


def zeros_first(rule):
    def split(run):
        rest = run.lstrip("0")
        return [*("0" * (len(run) - len(rest))), *(rule(rest) if rest else [])]

    return split


def whole(run):
    return [run]


NAMED = {
    "single digits": list,
    "groups of at most 3 from the left": left(3),
    "groups of at most 4 from the right": right(4),
    "whole numbers": whole,
    "whole numbers up to 4 digits, longer ones in single digits": (
        lambda run: [run] if len(run) <= 4 else list(run)
    ),
    "numbers of even length in groups of at most 2 from the left, of odd length in single digits": (
        lambda run: list(run) if len(run) % 2 else left(2)(run)
    ),
    "the first 2 together, then single digits": lambda run: [run[:2], *run[2:]],
    "single digits, then the last 3 together": lambda run: [*run[:-3], run[-3:]],
    "leading zeros as single digits, then groups of at most 3 from the left": zeros_first(left(3)),
    "whole numbers of 4 digits, other ones in single digits": (
        lambda run: [run] if len(run) == 4 else list(run)
    ),
    "whole numbers that are tokens, other ones in groups of at most 2 from the left": (
        lambda run: [run] if run in {"365", "1984", "65536"} else left(2)(run)
    ),
    "groups of at most 3 from the right up to 6 digits, longer ones in groups of at most 4 from "
    "the left": lambda run: (right(3) if len(run) <= 6 else left(4))(run),
    "the first 1 together, then groups of at most 3 from the right": (
        lambda run: [run[:1], *right(3)(run[1:])]
    ),
    "whole numbers up to 4 digits, longer ones in groups of at most 3 from the left": (
        lambda run: [run] if len(run) == 4 else left(3)(run)
    ),
    "groups of at most 2 from the right, then the last 3 together": (
        lambda run: [*right(2)(run[:-3]), run[-3:]]
    ),
    "the first 1 together, then groups of at most 2 from the left": (
        lambda run: [run[:1], *left(2)(run[1:])]
    ),
    "leading zeros as single digits, then groups of at most 3 from the right": zeros_first(
        right(3)
    ),
    "whole numbers that are tokens, other ones in single digits": (
        lambda run: [run] if len(run) < 4 and int(run) < 256 else list(run)
    ),
}

_DRAW = random.Random(302)
FRESH = ["".join(_DRAW.choices("0123456789", k=_DRAW.randint(1, 24))) for _ in range(500)]
"""Other numbers than those from which a policy is inferred."""


@pytest.mark.parametrize("name", NAMED)
def test_a_policy_that_predicts_all_numbers_is_named(name):
    fit = fit_of(subject_of(NAMED[name]))
    assert fit.name == name
    assert fit.exceptions == ()
    for run in FRESH:
        whole = fit.tokens_stay_whole and NAMED[name](run) == [run]
        assert whole or groups(run, fit.policy.places_of(run)) == NAMED[name](run)


def cut(run, places):
    return [run[a:b] for a, b in pairwise([0, *places, len(run)]) if a < min(b, len(run))]


def with_777_in_single_digits(run):
    """Split the whole number in another way for three of its digits."""
    return list(run) if "777" in run else right(3)(run)


MIXED = {
    "a group ends after each 9": lambda run: regex.findall("[0-8]*9|[0-8]+", run),
    "groups of 1, 2, 3 ...": lambda run: cut(run, (1, 3, 6, 10, 15, 21)),
    "halves": lambda run: cut(run, (len(run) // 2,)),
    "runs of one digit": lambda run: ["".join(same) for _, same in groupby(run)],
    "palindromes in pairs": lambda run: left(2)(run) if run == run[::-1] else list(run),
    "pairs in the middle": lambda run: [run[:1], *left(2)(run[1:-1]), *run[1:][-1:]],
    "a token in longer numbers": lambda run: regex.findall("380|.", run),
    "multiples of five from the left": lambda run: (right if int(run) % 5 else left)(3)(run),
    "starts with 1": lambda run: (left if run[0] == "1" else right)(3)(run),
    "random": lambda run: cut(run, sorted(random.Random(run).sample(range(1, 24), 12))),
    "numbers with 777": with_777_in_single_digits,
}


@pytest.mark.slow
def test_a_group_that_changes_how_other_groups_are_split_is_no_refined_policy():
    assert fit_of(subject_of(with_777_in_single_digits)).exceptions[0] == "777"


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("rule", MIXED)
def test_numbers_without_a_policy_are_mixed_with_a_true_exception(rule):
    subject = subject_of(MIXED[rule])
    fit = fit_of(subject)
    assert fit.name == "mixed"
    number = fit.exceptions[0]
    actual = {end for end in range(1, len(number)) if end in splits_of(subject)[number]}
    assert actual != fit.policy.places_of(number)
    assert cut(number, sorted(actual)) == MIXED[rule](number)
    shorter = (one for one in splits_of(subject) if len(one) < len(number))
    assert all(splits_of(subject)[one] == fit.policy.places_of(one) for one in shorter)
