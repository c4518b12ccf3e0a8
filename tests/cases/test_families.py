"""The contract of every family: repeatable cases, unique texts, texts of the right kind.

Exhaustive families, and those that are too long for the reference, have further tests; these tests
use their first cases only.
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
from hypothesis import find, given, settings
from hypothesis import strategies as st

import tokharness_cases
from tokharness.model import Case, TargetFacts

WITHOUT_TEXTS = {"merge_orders", "regressions", "vocabulary_tokens"}
"""Families without texts of their own, which have tests of their own."""
FAMILIES = tuple(
    module.name
    for module in pkgutil.iter_modules(tokharness_cases.__path__)
    if not module.name.startswith("_") and module.name not in WITHOUT_TEXTS
)
BUILT_IN = {
    *("bidi", "byte_alphabet", "chat_templates", "class_ngrams", "code", "combining_stacks"),
    *("contractions", "controls", "digits", "emoji", "hangul", "homoglyphs", "indic_conjuncts"),
    *("invalid_utf8", "invisible_bits", "leading_space", "letter_case", "long_inputs"),
    *("chat_language", "code_switching", "decorated_text", "encoded_text", "mark_orders"),
    *("naughty_strings", "sentences"),
    *("new_code_points", "noncharacters", "normal_forms", "plain_words", "property_names"),
    *("scalar_sweep", "short_strings", "special_tokens", "surrogates", "tag_smuggling"),
    *("variation_selectors", "very_long_inputs", "white_space", "zero_width"),
}
WITH_SURROGATES = {"surrogates", "invalid_utf8"}
"""Families whose texts all have surrogates; of the others only exhaustive ones have any."""
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
    """The number of cases of a family to test; None for all."""
    if is_ordinary(family):
        return None
    return FIRST if getattr(module(family), "COMPARED", True) else 2


ORDINARY = tuple(filter(is_ordinary, FAMILIES))
LAZY = tuple(family for family in FAMILIES if hasattr(module(family), "texts"))
"""Families whose texts are generated on demand."""

every_family = pytest.mark.parametrize("family", FAMILIES)
every_ordinary_family = pytest.mark.parametrize("family", ORDINARY)


@cache
def cases(family: str) -> tuple[Case, ...]:
    return tuple(islice(module(family).cases(), most(family)))


def digest(family: str) -> str:
    result = hashlib.sha256()
    for case in cases(family):
        result.update(ascii((case.text, case.why, case.twin)).encode())
    return result.hexdigest()


def has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def test_all_built_in_families_exist() -> None:
    assert set(FAMILIES) >= BUILT_IN


@pytest.mark.slow
def test_the_total_number_of_cases_is_sane() -> None:
    assert 60_000 < sum(len(cases(family)) for family in ORDINARY) < 270_000


@every_ordinary_family
def test_a_family_has_a_sane_number_of_cases(family: str) -> None:
    fewest = 100 if family == "long_inputs" else 500
    assert fewest < len(cases(family)) < 40_000, "docs/extending.md says how many a family has"


@every_ordinary_family
def test_texts_of_a_family_are_unique(family: str) -> None:
    texts = [case.text for case in cases(family)]
    assert len(texts) == len(set(texts))


@every_family
def test_texts_and_reasons_are_not_empty(family: str) -> None:
    assert all(case.text and case.why.isascii() and case.why for case in cases(family))


@every_family
def test_a_family_yields_the_same_cases_on_a_second_call(family: str) -> None:
    assert tuple(islice(module(family).cases(TargetFacts()), most(family))) == cases(family)


@pytest.mark.parametrize("family", LAZY)
def test_texts_on_demand_equal_those_of_the_cases(family: str) -> None:
    texts = module(family).texts()
    number = len(cases(family))
    assert list(texts[:number]) == [case.text for case in cases(family)]
    assert len(texts) == number or most(family) == number


def test_some_families_generate_texts_on_demand() -> None:
    assert LAZY


@pytest.mark.slow
def test_another_process_with_another_hash_seed_yields_the_same_cases_without_hypothesis() -> None:
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
def test_only_two_families_have_surrogates(family: str) -> None:
    flags = [has_surrogate(case.text) for case in cases(family)]
    assert all(flags) if family in WITH_SURROGATES else not any(flags)


@every_family
def test_a_twin_differs_from_its_text_and_has_no_surrogates(family: str) -> None:
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
def test_a_family_exports_the_contract_only(family: str) -> None:
    names = set(module(family).__all__)
    assert {"cases", "strategy"} <= names <= {"cases", "strategy", "texts", "unpack", *FLAGS}
    assert "texts" in names or is_ordinary(family)
    assert "Source:" in module(family).__doc__


@every_family
@settings(max_examples=15)
@given(data=st.data())
def test_a_strategy_draws_texts_of_its_kind(family: str, data: st.DataObject) -> None:
    text = data.draw(module(family).strategy())
    assert isinstance(text, str)
    assert len(text) < (2_000 if "long_inputs" not in family else 50_000)
    assert has_surrogate(text) is (family in WITH_SURROGATES)


@pytest.mark.slow(every=3)
@every_family
def test_a_strategy_shrinks_to_a_short_text(family: str) -> None:
    few = settings(max_examples=20, database=None)
    assert len(find(module(family).strategy(), bool, settings=few)) <= len("<|endoftext|>")
