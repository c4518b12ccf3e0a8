"""Many failing texts, few causes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.model import Cause, Verdict

NFC, NFKC, DROPPED, CASE = map(Cause, ("NFC", "NFKC", "dropped", "case"))

failures = st.lists(
    st.builds(
        DiagnosedText,
        text=st.text("abc", max_size=3),
        family=st.sampled_from(["digits", "emoji"]),
        causes=st.lists(st.sampled_from([NFC, NFKC, DROPPED, CASE]), min_size=1, unique=True).map(
            tuple
        ),
    ),
    max_size=12,
)


def failing(text, *causes, family="digits"):
    return DiagnosedText(text, family, causes)


def causes(groups):
    return [one.cause for one in groups]


def test_nothing_failed_nothing_to_group():
    assert group_by_cause([]) == []


@given(failures)
@settings(deadline=None)
def test_each_text_is_in_one_group_whose_cause_may_explain_it(rows):
    groups = group_by_cause(rows)
    members = [member for one in groups for member in one.members]
    assert sorted(map(id, members)) == sorted(map(id, rows))
    assert all(one.cause in member.causes for one in groups for member in one.members)


@given(failures)
@settings(deadline=None)
def test_no_cause_has_two_groups_and_the_largest_group_is_first(rows):
    groups = group_by_cause(rows)
    sizes = [len(one.members) for one in groups]
    assert len(set(causes(groups))) == len(groups)
    assert sizes == sorted(sizes, reverse=True)


@given(failures, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_the_texts_changes_no_group(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert {one.cause: {*one.members} for one in group_by_cause(shuffled)} == {
        one.cause: {*one.members} for one in group_by_cause(rows)
    }


@given(failures)
@settings(deadline=None)
def test_one_cause_that_explains_all_is_the_only_one(rows):
    common = Cause("common")
    everywhere = [DiagnosedText(r.text, r.family, (*r.causes, common)) for r in rows]
    assert len(group_by_cause(everywhere)) <= 1


@pytest.mark.parametrize("place", [0, 1])
def test_an_ambiguous_text_goes_to_the_cause_that_others_prove(place):
    ambiguous = [NFC, DROPPED]
    rows = [
        failing("a", *ambiguous),
        failing("b", ambiguous[place]),
        failing("c", ambiguous[place]),
    ]
    assert causes(group_by_cause(rows)) == [ambiguous[place]]


def test_among_equals_the_narrowest_wins_which_stands_first():
    assert causes(group_by_cause([failing("a", NFKC, NFC), failing("b", NFKC, NFC)])) == [NFKC]


def test_among_equally_narrow_ones_the_alphabet_decides():
    rows = [failing("a", NFKC, NFC), failing("b", NFC, NFKC)]
    assert causes(group_by_cause(rows)) == causes(group_by_cause(rows[::-1])) == [NFC]


def test_two_faults_give_two_groups_and_no_third():
    rows = [failing("a", NFC), failing("b", NFC, NFKC), failing("c", CASE), failing("d", CASE, NFC)]
    groups = group_by_cause(rows)
    assert causes(groups) == [NFC, CASE]
    assert [len(one.members) for one in groups] == [3, 1]


def test_causes_that_differ_in_words_only_are_one():
    told = Cause("NFC", verdict=Verdict.RISK, message="in other words")
    assert len(group_by_cause([failing("a", NFC), failing("b", told)])) == 1


def test_a_group_names_its_families_once_in_order():
    rows = [failing("a", NFC, family=name) for name in ("emoji", "digits", "emoji")]
    assert group_by_cause(rows)[0].families == ("digits", "emoji")
