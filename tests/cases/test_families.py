"""What every family owes: the same cases each time, no text twice, texts of the right kind.

A family that is exhaustive, or too long for the reference, has tests of its own as well; here only
its first cases are looked at.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import subprocess
import sys
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import tokharness_cases
from tokharness.model import Case, TargetFacts

REPLAYED = "regressions"
"""A family that has no texts of its own; ``test_regressions.py`` gives it some."""
FAMILIES = tuple(
    module.name
    for module in pkgutil.iter_modules(tokharness_cases.__path__)
    if not module.name.startswith("_") and module.name != REPLAYED
)
DELIVERED = {
    *("bidi", "byte_alphabet", "chat_templates", "class_ngrams", "code", "combining_stacks"),
    *("contractions", "controls", "digits", "emoji", "hangul", "homoglyphs", "indic_conjuncts"),
    *("invalid_utf8", "invisible_bits", "leading_space", "letter_case", "long_inputs"),
    *("new_code_points", "noncharacters", "normal_forms", "plain_words", "property_names"),
    *("scalar_sweep", "short_strings", "special_tokens", "surrogates", "tag_smuggling"),
    *("variation_selectors", "very_long_inputs", "white_space", "zero_width"),
}
BROKEN = {"surrogates", "invalid_utf8"}
"""Families whose every text has a surrogate; of the others only exhaustive ones have any."""
LONG = {"long_inputs", "chat_templates"}
"""Families whose texts are long by their nature."""
FLAGS = {"EXHAUSTIVE", "COMPARED"}
FIRST = 2_000
HASHED = """
import importlib, hashlib, sys
from itertools import islice
for argument in sys.argv[1:]:
    name, _, most = argument.partition("=")
    module = importlib.import_module(f"tokharness_cases.{name}")
    digest = hashlib.sha256()
    for case in islice(module.cases(), int(most) if most else None):
        digest.update(ascii((case.text, case.why, case.twin)).encode())
    print(name, digest.hexdigest())
print("hypothesis" in sys.modules)
"""


def module(family: str) -> Any:
    return importlib.import_module(f"tokharness_cases.{family}")


def is_ordinary(family: str) -> bool:
    return not FLAGS.intersection(module(family).__all__)


def most(family: str) -> int | None:
    """How many cases of a family to look at; None for all."""
    if is_ordinary(family):
        return None
    return FIRST if getattr(module(family), "COMPARED", True) else 2


ORDINARY = tuple(filter(is_ordinary, FAMILIES))
LAZY = tuple(family for family in FAMILIES if hasattr(module(family), "texts"))
"""Families with texts that are made as they are asked for."""

every_family = pytest.mark.parametrize("family", FAMILIES)
every_ordinary_family = pytest.mark.parametrize("family", ORDINARY)


@cache
def cases(family: str) -> tuple[Case, ...]:
    return tuple(islice(module(family).cases(), most(family)))


def digest(family: str) -> str:
    found = hashlib.sha256()
    for case in cases(family):
        found.update(ascii((case.text, case.why, case.twin)).encode())
    return found.hexdigest()


def has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def test_all_families_are_there() -> None:
    assert set(FAMILIES) >= DELIVERED


@pytest.mark.slow
def test_all_cases_together_are_neither_few_nor_too_many() -> None:
    assert 60_000 < sum(len(cases(family)) for family in ORDINARY) < 260_000


@every_ordinary_family
def test_a_family_has_a_sane_number_of_cases(family: str) -> None:
    fewest = 100 if family == "long_inputs" else 500
    assert fewest < len(cases(family)) < 40_000


@every_ordinary_family
def test_no_text_stands_twice_in_a_family(family: str) -> None:
    texts = [case.text for case in cases(family)]
    assert len(texts) == len(set(texts))


@every_family
def test_no_text_and_no_reason_is_empty(family: str) -> None:
    assert all(case.text and case.why.isascii() and case.why for case in cases(family))


@every_family
def test_a_family_yields_the_same_cases_again(family: str) -> None:
    assert tuple(islice(module(family).cases(TargetFacts()), most(family))) == cases(family)


@pytest.mark.parametrize("family", LAZY)
def test_texts_made_as_they_are_asked_for_are_those_of_the_cases(family: str) -> None:
    texts = module(family).texts()
    number = len(cases(family))
    assert list(texts[:number]) == [case.text for case in cases(family)]
    assert len(texts) == number or most(family) == number


def test_some_families_make_their_texts_as_they_are_asked_for() -> None:
    assert LAZY


@pytest.mark.slow
def test_another_process_with_other_hashes_makes_the_same_cases_without_hypothesis() -> None:
    families = [f"{family}={most(family) or ''}" for family in FAMILIES]
    environment = os.environ | {
        "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-c", HASHED, *families]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *digests, has_hypothesis = done.stdout.splitlines()
    assert digests == [f"{family} {digest(family)}" for family in FAMILIES]
    assert has_hypothesis == "False"


@every_ordinary_family
def test_surrogates_stand_in_their_own_families_only(family: str) -> None:
    found = [has_surrogate(case.text) for case in cases(family)]
    assert all(found) if family in BROKEN else not any(found)


@every_family
def test_a_twin_is_another_text_and_of_scalar_values(family: str) -> None:
    for case in cases(family):
        if case.twin is not None:
            assert case.twin
            assert case.twin != case.text
            assert not has_surrogate(case.twin)


@pytest.mark.parametrize("family", [each for each in ORDINARY if each not in LONG])
def test_most_texts_are_short(family: str) -> None:
    lengths = [len(case.text) for case in cases(family)]
    assert sum(length >= 40 for length in lengths) < 0.15 * len(lengths)
    assert max(lengths) <= (600 if family != "combining_stacks" else 25_000)


@every_family
def test_every_public_name_of_a_family_is_the_contract(family: str) -> None:
    names = set(module(family).__all__)
    assert {"cases", "strategy"} <= names <= {"cases", "strategy", "texts", *FLAGS}
    assert "texts" in names or is_ordinary(family)
    assert "Source:" in module(family).__doc__


@every_family
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_strategy_draws_texts_of_its_kind(family: str, data: st.DataObject) -> None:
    text = data.draw(module(family).strategy())
    assert isinstance(text, str)
    assert len(text) < (2_000 if "long_inputs" not in family else 50_000)
    assert has_surrogate(text) is (family in BROKEN)


@pytest.mark.slow
@every_family
def test_a_strategy_shrinks_to_something_short(family: str) -> None:
    few = settings(max_examples=20, deadline=None, database=None)
    assert len(find(module(family).strategy(), bool, settings=few)) <= len("<|endoftext|>")
