"""Golden texts whose ids changed are grouped by Unicode version, special token and cause."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.targets.snapshot import NOT_TRIED, ChangedText, Golden

CAT, ITS, END, NEW_LETTER = "a cat", "it's", "bye<|end|>", "\u1c89"


def test_the_same_ids_are_no_change(gate, make_target):
    assert gate(make_target()).changes == ()


def test_all_golden_texts_are_counted(gate, make_target, golden):
    assert gate(make_target()).golden_texts == len(golden)


def test_a_change_has_the_ids_before_and_after(gate, make_target, with_ids):
    result = gate(make_target(golden=with_ids({CAT: (1, 1, 2)})))
    (change,) = result.failing
    (example,) = change.examples
    assert change.kind == "changed-ids"
    assert (example.text, example.before, example.after) == (CAT, (1, 2), (1, 1, 2))


def test_texts_of_one_cause_are_one_change(gate, make_target, with_ids, why):
    now = make_target(golden=with_ids({CAT: (9, 9), ITS: (9, 8)}), why=[why("a split", CAT, ITS)])
    (change,) = gate(now).failing
    assert (change.what, change.count) == ("a split", 2)


def test_texts_whose_earlier_ids_a_digest_confirmed_are_those_of_their_cause(
    gate, make_target, with_ids, why
):
    now = make_target(golden=with_ids({CAT: (9, 9)}), why=[why("a split", CAT, "cat")])
    changed = [ChangedText("tokens' own texts", text, (4,), (1, 1)) for text in ("cat", "dog")]
    snapshot = replace(
        now.snapshot,
        changed=(*changed, ChangedText("tokens' own texts", "eel", None, (1, 1))),
        changed_counts={"tokens' own texts": 3},
        sizes={"tokens' own texts": 40},
    )
    (change,) = gate(replace(now, snapshot=snapshot)).failing
    assert (change.what, change.count, change.examples[0].text) == ("a split", 1, "cat")
    assert change.message.startswith("1 of 8 golden texts, 1 of 40 tokens' own texts have")
    (other,) = change.related
    assert other.message.startswith("2 of 40 tokens' own texts have different ids; the baseline")


def test_two_causes_are_two_changes(gate, make_target, with_ids, why):
    now = make_target(
        golden=with_ids({CAT: (9, 9), ITS: (9, 8)}), why=[why("one", CAT), why("other", ITS)]
    )
    assert [change.what for change in gate(now).failing] == ["one", "other"]


def test_texts_without_a_cause_are_a_change_of_their_own(gate, make_target, with_ids, why):
    now = make_target(golden=with_ids({CAT: (9, 9), ITS: (9, 8)}), why=[why("a split", CAT)])
    changes = gate(now).failing
    assert {change.what for change in changes} == {"a split", "no cause was found"}


def test_a_cause_of_texts_with_unchanged_ids_is_no_change(gate, make_target, why):
    assert not gate(make_target(why=[why("a split", CAT)])).changes


def test_exceptions_are_grouped_by_name(gate, make_target, with_ids):
    now = make_target(golden=with_ids({CAT: "ValueError", ITS: "KeyError"}))
    changes = gate(now).failing
    assert [change.what.split()[0] for change in changes] == ["KeyError", "ValueError"]


def test_ids_instead_of_an_exception_are_a_change(
    gate, make_target, make_baseline, with_ids, kinds
):
    before = make_baseline(make_target(golden=with_ids({CAT: "ValueError"})))
    assert kinds(gate(make_target(), before)) == ["changed-ids"]


def test_the_same_exception_is_no_change(gate, make_target, make_baseline, with_ids):
    now = make_target(golden=with_ids({CAT: "ValueError"}))
    assert not gate(now, make_baseline(now)).changes


def test_a_text_with_a_special_token_is_special_handling(gate, make_target, with_ids, kinds):
    now = make_target(golden=with_ids({END: (15, 1, 2), CAT: (9, 9)}))
    assert set(kinds(gate(now))) == {"special-handling", "changed-ids"}


def test_a_special_id_in_a_plain_text_is_special_handling(gate, make_target, with_ids, kinds):
    now = make_target(golden=with_ids({CAT: (1, 2, 258)}))
    assert kinds(gate(now)) == ["special-handling"]


def test_a_special_id_before_and_after_is_not(gate, make_target, make_baseline, with_ids, kinds):
    before = make_baseline(make_target(golden=with_ids({CAT: (258, 1)})))
    now = make_target(golden=with_ids({CAT: (258, 2)}))
    assert kinds(gate(now, before)) == ["changed-ids"]


def test_an_empty_special_token_is_in_no_text(
    gate, make_target, make_baseline, with_ids, fingerprint, kinds
):
    odd = replace(fingerprint, special_tokens={"": 300})
    before = make_baseline(make_target(fingerprint=odd))
    now = make_target(golden=with_ids({CAT: (9, 9)}), fingerprint=odd)
    assert kinds(gate(now, before)) == ["changed-ids"]


def of_version(fingerprint, version):
    return replace(fingerprint, unicode_version=version)


def test_a_unicode_version_is_reported_with_the_code_points_it_reclassifies(
    gate, make_target, make_baseline, with_ids, fingerprint
):
    before = make_baseline(make_target(fingerprint=of_version(fingerprint, "15.1")))
    (change,) = gate(make_target(golden=with_ids({NEW_LETTER: (1,)})), before).failing
    assert change.kind == "unicode-version"
    assert "Unicode 16.0 instead of 15.1" in change.message
    assert "U+1C89" in change.message
    assert "1 golden text with" in change.message


def test_texts_that_it_does_not_reclassify_are_a_separate_change(
    gate, make_target, make_baseline, with_ids, fingerprint, kinds
):
    before = make_baseline(make_target(fingerprint=of_version(fingerprint, "15.1")))
    now = make_target(golden=with_ids({NEW_LETTER: (1,), CAT: (1,)}))
    assert set(kinds(gate(now, before))) == {"unicode-version", "changed-ids"}


def test_a_unicode_version_that_affects_no_golden_text_is_reported(
    gate, make_target, fingerprint, kinds
):
    now = make_target(fingerprint=of_version(fingerprint, "15.1"))
    assert kinds(gate(now)) == ["unicode-version"]


@pytest.mark.parametrize("version", [None, "of the house"])
def test_an_unknown_unicode_version_is_compared_by_ids(
    gate, make_target, fingerprint, kinds, with_ids, version
):
    other = of_version(fingerprint, version)
    assert kinds(gate(make_target(fingerprint=other))) == []
    now = make_target(fingerprint=other, golden=with_ids({NEW_LETTER: (1,)}))
    assert kinds(gate(now)) == ["changed-ids"]


def test_a_text_of_new_characters_is_no_version_change_if_the_version_is_the_same(
    gate, make_target, with_ids, kinds
):
    now = make_target(golden=with_ids({NEW_LETTER: (1,)}))
    assert kinds(gate(now)) == ["changed-ids"]


def test_a_long_list_of_code_points_is_truncated(gate, make_target, fingerprint):
    now = make_target(fingerprint=of_version(fingerprint, "7.0"))
    (change,) = gate(now).failing
    assert len(change.message) < 600
    assert "and more" in change.message


def test_the_shortest_of_many_texts_are_the_examples(gate, make_target, make_baseline):
    golden = [Golden("everyday", "x" * size, (size,)) for size in range(100, 0, -1)]
    now = make_target(golden=[replace(one, ids=(0,)) for one in golden])
    (change,) = [
        one
        for one in gate(now, make_baseline(make_target(golden=golden))).failing
        if one.kind == "changed-ids"
    ]
    assert (change.count, len(change.examples)) == (100, 20)
    assert [example.text for example in change.examples] == ["x" * size for size in range(1, 21)]


IDS = st.lists(st.integers(0, 3), max_size=2).map(tuple) | st.sampled_from(["KeyError", "SIGSEGV"])


@given(st.fixed_dictionaries(dict.fromkeys((CAT, ITS, END, NEW_LETTER), IDS)))
def test_every_text_whose_ids_changed_is_in_one_failing_change(
    gate, make_target, with_ids, why, golden, after
):
    before = {one.text: one.ids for one in golden}
    now = make_target(golden=with_ids(after), why=[why("a split", CAT, END)])
    changes = gate(now).failing
    texts = [example.text for change in changes for example in change.examples]
    assert sorted(texts) == sorted(text for text, ids in after.items() if ids != before[text])


@given(*[st.fixed_dictionaries(dict.fromkeys((CAT, ITS), IDS))] * 2)
def test_an_acceptance_covers_only_the_same_ids_of_the_same_texts(
    gate, make_target, with_ids, accepting, first, second
):
    then, now = make_target(golden=with_ids(first)), make_target(golden=with_ids(second))
    accepted = gate(then).failing
    left = [one for one in gate(now, accepting(*accepted)).failing if one.kind == "changed-ids"]
    known = {one.fingerprint for one in accepted}
    assert not known.intersection(change.fingerprint for change in left)
    assert bool(left) == bool({one.fingerprint for one in gate(now).failing} - known)


@pytest.mark.parametrize("after", [{CAT: (9, 9)}, {CAT: (9, 9), ITS: (8,)}, {ITS: (9, 9)}], ids=str)
def test_another_set_of_texts_or_of_ids_is_another_change(
    gate, make_target, with_ids, accepting, after
):
    accepted = gate(make_target(golden=with_ids({CAT: (7, 7)}))).failing
    result = gate(make_target(golden=with_ids(after)), accepting(*accepted))
    assert result.accepted == 0
    assert "changed-ids" in [one.kind for one in result.failing]


def test_a_character_and_its_surrogate_pair_are_two_texts(gate, make_target, make_baseline):
    def fingerprint_of(text):
        before = make_baseline(make_target(golden=[Golden("everyday", text, (1,))]))
        now = make_target(golden=[Golden("everyday", text, (2,))])
        return gate(now, before).failing[0].fingerprint

    assert fingerprint_of("\U0001f600") != fingerprint_of("\ud83d\ude00")


def test_an_entry_point_that_turns_text_into_special_ids_is_reported(
    gate, make_target, make_baseline, kinds
):
    now = make_target()
    special = Golden("encode", "bye<|end|>", (258,))
    now = replace(now, snapshot=replace(now.snapshot, entries=(special,)))
    (change,) = gate(now).failing
    assert (change.kind, change.what) == ("special-handling", "encode of special tokens")
    assert change.message == (
        "1 of 3 everyday texts and texts with special tokens has different ids from encode, which "
        "may give special ids; no other golden text was tried"
    )
    assert not gate(now, make_baseline(now)).changes


def test_a_text_that_was_not_run_is_a_skip(gate, make_target, with_ids, kinds):
    assert kinds(gate(make_target(golden=with_ids({CAT: NOT_TRIED})))) == ["new-skip"]


def test_an_accepted_unicode_version_covers_no_other_ids(
    gate, make_target, make_baseline, with_ids, fingerprint, accept
):
    older = make_target(fingerprint=of_version(fingerprint, "15.1"))
    now = make_target(golden=with_ids({NEW_LETTER: (1,)}))
    (change,) = gate(now, make_baseline(older)).failing
    before = make_baseline(older, accepted=[accept(change)])
    assert not gate(now, before).failing
    later = make_target(golden=with_ids({NEW_LETTER: (2,)}))
    assert "unicode-version" in {one.kind for one in gate(later, before).failing}
