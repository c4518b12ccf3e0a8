"""Failing texts are grouped by few causes.

No failing text is without a cause.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause, narrow_symptoms
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Verdict, target_of
from tokharness.plugins import Check
from tokharness.targets.subject import Subject

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
    return [group.cause for group in groups]


def test_a_cause_of_half_of_the_texts_is_chosen_before_a_symptom_of_all():
    symptom = Cause("NFKC in part", weak=True)
    both, alone = failing("\ufb01", NFKC, symptom), failing("\xb2", symptom)
    assert causes(group_by_cause([both, both, alone])) == [NFKC, symptom]
    assert causes(group_by_cause([both, alone, alone])) == [symptom]


def test_a_symptom_is_named_by_the_narrowest_symptom_of_nearly_all_of_its_texts():
    at_start, added, changed = (
        Cause(name, weak=True, message=name) for name in ("at the start", "added", "changed")
    )
    start = [failing("a" * size, at_start, added, changed) for size in range(1, 19)]
    groups = group_by_cause([*start, failing("b", added, changed), failing("c", changed)])
    (named,) = narrow_symptoms(groups)
    assert (named.cause, named.members) == (at_start, groups[0].members)
    assert named.cause.message == "at the start; 2 of 20 texts change otherwise"
    half = [replace(one, causes=one.causes[1:]) for one in start[:9]]
    (unnamed,) = narrow_symptoms(group_by_cause([*half, *start[9:]]))
    assert unnamed.cause == added


def test_no_texts_give_no_groups():
    assert group_by_cause([]) == []


@pytest.mark.slow
@given(failures)
def test_each_text_is_in_one_group_whose_cause_explains_it(rows):
    groups = group_by_cause(rows)
    members = [member for group in groups for member in group.members]
    assert sorted(map(id, members)) == sorted(map(id, rows))
    assert all(group.cause in member.causes for group in groups for member in group.members)


@pytest.mark.slow
@given(failures)
def test_no_cause_has_two_groups_and_the_largest_group_is_first(rows):
    groups = group_by_cause(rows)
    sizes = [len(group.members) for group in groups]
    assert len(set(causes(groups))) == len(groups)
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.slow
@given(failures, st.randoms(use_true_random=False))
def test_the_order_of_texts_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert {group.cause: {*group.members} for group in group_by_cause(shuffled)} == {
        group.cause: {*group.members} for group in group_by_cause(rows)
    }


@pytest.mark.slow
@given(failures)
def test_a_cause_that_explains_all_texts_is_the_only_one(rows):
    common = Cause("common")
    everywhere = [DiagnosedText(r.text, r.family, (*r.causes, common)) for r in rows]
    assert len(group_by_cause(everywhere)) <= 1


@pytest.mark.parametrize("proven", [0, 1])
def test_an_ambiguous_text_belongs_to_the_cause_that_others_prove(proven):
    ambiguous = [NFC, DROPPED]
    rows = [
        failing("a", *ambiguous),
        failing("b", ambiguous[proven]),
        failing("c", ambiguous[proven]),
    ]
    assert causes(group_by_cause(rows)) == [ambiguous[proven]]


def test_the_first_of_equally_frequent_causes_wins():
    assert causes(group_by_cause([failing("a", NFKC, NFC), failing("b", NFKC, NFC)])) == [NFKC]


def test_among_equally_narrow_causes_the_alphabetical_order_decides():
    rows = [failing("a", NFKC, NFC), failing("b", NFC, NFKC)]
    assert causes(group_by_cause(rows)) == causes(group_by_cause(rows[::-1])) == [NFC]


def test_two_faults_give_two_groups_and_no_third():
    rows = [failing("a", NFC), failing("b", NFC, NFKC), failing("c", CASE), failing("d", CASE, NFC)]
    groups = group_by_cause(rows)
    assert causes(groups) == [NFC, CASE]
    assert [len(group.members) for group in groups] == [3, 1]


def test_causes_that_differ_only_in_message_are_one():
    reworded = Cause("NFC", verdict=Verdict.RISK, message="in other words")
    assert len(group_by_cause([failing("a", NFC), failing("b", reworded)])) == 1


def test_a_group_names_its_families_once_in_order():
    rows = [failing("a", NFC, family=name) for name in ("emoji", "digits", "emoji")]
    assert group_by_cause(rows)[0].families == ("digits", "emoji")


FAILING = dict.fromkeys(("a", "b", "c"), "plain-words")
CAUSE = Cause("known")


def no_row(*_):
    return []


def unknown(*_):
    return []


def known(*_):
    return [CAUSE]


def check_of(diagnose, failing=no_row):
    return Check("TOK999", "planted", "", (), (), failing, diagnose, None)


def dies(*_):
    raise TargetDeath("SIGABRT")


def every_row(batch, _):
    return range(len(batch.texts))


@pytest.mark.parametrize(
    ("diagnose", "failing", "kind"),
    [
        (known, every_row, "known"),
        (unknown, every_row, "no cause is known"),
        (None, every_row, "no cause is known"),
        (unknown, no_row, "state"),
        (dies, every_row, "failed, and differently when run again"),
        (unknown, dies, "failed, and differently when run again"),
    ],
)
def test_each_failing_text_is_in_a_group(byte_tokenizer, diagnose, failing, kind):
    subject = Subject(target_of("target", byte_tokenizer()))
    groups = group_by_cause(explain_texts(check_of(diagnose, failing), subject, FAILING))
    assert {member.text for group in groups for member in group.members} == set(FAILING)
    assert {group.cause.kind for group in groups} == {kind}


def test_a_text_that_raises_now_failed_differently(byte_tokenizer):
    def raising(text):
        raise KeyError(text)

    subject = Subject(target_of("target", byte_tokenizer(raising)))
    check = check_of(unknown)
    (group,) = group_by_cause(explain_texts(check, subject, FAILING))
    assert "raises KeyError in encode" in str(group.cause)


def test_a_text_that_fails_at_times_is_state(byte_tokenizer):
    calls = iter(range(100))
    subject = Subject(target_of("target", byte_tokenizer()))
    check = check_of(unknown, lambda *_: [0] * (next(calls) % 2))
    (group,) = group_by_cause(explain_texts(check, subject, FAILING))
    assert group.cause.kind == "state"
