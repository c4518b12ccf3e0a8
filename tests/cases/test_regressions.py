"""The family of a project's own texts has those of its facts and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from tokharness.model import Case, TargetFacts
from tokharness_cases import regressions

REGRESSIONS = (("a\u200bb", "it was dropped"), ("\ud83d", "it was replaced"))


def facts(*regressions: tuple[str, str]) -> TargetFacts:
    return TargetFacts(regressions=regressions)


def test_cases_are_the_texts_of_the_facts_in_order() -> None:
    assert list(regressions.cases(facts(*REGRESSIONS))) == [
        Case(text, why) for text, why in REGRESSIONS
    ]


def test_a_text_of_two_findings_is_one_case() -> None:
    duplicate = (REGRESSIONS[0][0], "another reason")
    assert [case.why for case in regressions.cases(facts(*REGRESSIONS, duplicate))] == [
        why for _, why in REGRESSIONS
    ]


def test_a_project_without_regressions_has_no_cases() -> None:
    assert list(regressions.cases()) == []


def test_the_strategy_is_empty_without_regressions() -> None:
    @given(regressions.strategy())
    def draws(text: str) -> None:
        """Hypothesis has nothing to draw."""

    with pytest.raises(Unsatisfiable):
        draws()


@pytest.mark.slow
@given(texts=st.lists(st.text(min_size=1), min_size=1), data=st.data())
def test_the_strategy_draws_one_of_the_texts(texts: list[str], data: st.DataObject) -> None:
    target = facts(*((text, "why") for text in texts))
    assert data.draw(regressions.strategy(target)) in texts


def test_the_family_is_replayed_and_has_a_source() -> None:
    assert regressions.REPLAYED
    assert "Source:" in (regressions.__doc__ or "")
