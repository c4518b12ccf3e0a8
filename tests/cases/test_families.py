"""What every family owes: the same cases each time, no text twice, texts of the right kind."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import tokharness_cases
from tokharness.model import Case, TargetFacts

FAMILIES = tuple(
    module.name
    for module in pkgutil.iter_modules(tokharness_cases.__path__)
    if not module.name.startswith("_")
)
DELIVERED = {
    *("bidi", "contractions", "digits", "emoji", "homoglyphs", "leading_space", "letter_case"),
    *("new_code_points", "noncharacters", "normal_forms", "plain_words", "special_tokens"),
    *("surrogates", "zero_width"),
}
HASHED = """
import importlib, hashlib, sys
for name in sys.argv[1:]:
    module = importlib.import_module(f"tokharness_cases.{name}")
    digest = hashlib.sha256()
    for case in module.cases():
        digest.update(ascii((case.text, case.why, case.twin)).encode())
    print(name, digest.hexdigest())
print("hypothesis" in sys.modules)
"""

every_family = pytest.mark.parametrize("family", FAMILIES)


def module(family: str) -> Any:
    return importlib.import_module(f"tokharness_cases.{family}")


@cache
def cases(family: str) -> tuple[Case, ...]:
    return tuple(module(family).cases())


def has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def test_all_families_are_there() -> None:
    assert set(FAMILIES) >= DELIVERED


def test_all_cases_together_are_neither_few_nor_too_many() -> None:
    assert 60_000 < sum(len(cases(family)) for family in FAMILIES) < 160_000


@every_family
def test_a_family_has_a_sane_number_of_cases(family: str) -> None:
    fewest = 100 if family == "long_inputs" else 500
    assert fewest < len(cases(family)) < 40_000


@every_family
def test_no_text_stands_twice_in_a_family(family: str) -> None:
    texts = [case.text for case in cases(family)]
    assert len(texts) == len(set(texts))


@every_family
def test_no_text_and_no_reason_is_empty(family: str) -> None:
    assert all(case.text and case.why.isascii() and case.why for case in cases(family))


@every_family
def test_a_family_yields_the_same_cases_again(family: str) -> None:
    assert tuple(module(family).cases(TargetFacts())) == cases(family)


def test_another_process_with_other_hashes_makes_the_same_cases_without_hypothesis() -> None:
    def run(seed: str) -> str:
        command = [sys.executable, "-c", HASHED, *FAMILIES]
        paths = os.pathsep.join(sys.path)
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    first = run("1")
    assert first == run("2")
    assert first.splitlines()[-1] == "False"


@every_family
def test_lone_surrogates_stand_in_their_own_family_only(family: str) -> None:
    found = [has_surrogate(case.text) for case in cases(family)]
    assert all(found) if family == "surrogates" else not any(found)


@every_family
def test_a_twin_is_another_text_and_of_scalar_values(family: str) -> None:
    for case in cases(family):
        if case.twin is not None:
            assert case.twin
            assert case.twin != case.text
            assert not has_surrogate(case.twin)


@pytest.mark.parametrize("family", [each for each in FAMILIES if each != "long_inputs"])
def test_most_texts_are_short(family: str) -> None:
    lengths = [len(case.text) for case in cases(family)]
    assert sum(length >= 40 for length in lengths) < 0.15 * len(lengths)
    assert max(lengths) <= (600 if family != "combining_stacks" else 25_000)


@every_family
def test_every_public_name_of_a_family_is_the_contract(family: str) -> None:
    assert module(family).__all__ in (["cases", "strategy"], ["cases", "strategy", "texts"])
    assert "Source:" in module(family).__doc__


@every_family
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_strategy_draws_texts_of_its_kind(family: str, data: st.DataObject) -> None:
    text = data.draw(module(family).strategy())
    assert isinstance(text, str)
    assert len(text) < (2_000 if family != "long_inputs" else 50_000)
    assert family == "surrogates" or not has_surrogate(text)


@every_family
def test_a_strategy_shrinks_to_something_short(family: str) -> None:
    few = settings(max_examples=20, deadline=None, database=None)
    assert len(find(module(family).strategy(), bool, settings=few)) <= len("<|endoftext|>")
