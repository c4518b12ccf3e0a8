"""The family of a project's own texts: what its facts have, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from tokharness.model import Case, TargetFacts
from tokharness_cases import regressions

FOUND = (("a\u200bb", "it was dropped"), ("\ud83d", "it was replaced"))


def facts(*found: tuple[str, str]) -> TargetFacts:
    return TargetFacts(regressions=found)


def test_the_cases_are_the_texts_of_the_facts_in_their_order() -> None:
    assert list(regressions.cases(facts(*FOUND))) == [Case(text, why) for text, why in FOUND]


def test_a_text_that_two_findings_have_is_tried_once() -> None:
    again = (FOUND[0][0], "another reason")
    assert [case.why for case in regressions.cases(facts(*FOUND, again))] == [
        why for _, why in FOUND
    ]


def test_a_project_without_any_has_no_cases() -> None:
    assert list(regressions.cases()) == []


def test_nothing_is_drawn_where_there_is_nothing() -> None:
    @given(regressions.strategy())
    def draws(text: str) -> None:
        """Be given what cannot be."""

    with pytest.raises(Unsatisfiable):
        draws()


@given(texts=st.lists(st.text(min_size=1), min_size=1), data=st.data())
def test_what_is_drawn_is_one_of_the_texts(texts: list[str], data: st.DataObject) -> None:
    found = facts(*((text, "why") for text in texts))
    assert data.draw(regressions.strategy(found)) in texts


def test_it_says_that_it_is_replayed_and_where_its_texts_are_from() -> None:
    assert regressions.REPLAYED
    assert "Source:" in (regressions.__doc__ or "")
