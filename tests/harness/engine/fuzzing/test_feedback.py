"""What texts reach, which of them reach something new, and how that of several is put together."""

import pytest

from tokharness.engine.fuzzing import feedback as module
from tokharness.engine.fuzzing.feedback import (
    MAX_LENGTH,
    TEXTS_PER_KIND,
    Features,
    count_features,
    features_record,
    merge_features,
    new_features,
)
from tokharness.targets.processes.json_lines import from_line, to_line

NONE = frozenset()


def reached(rows, known=None, split=None, partial=NONE):
    """Reach of texts, given with their ids, and which are kept."""
    known = known or Features()
    return new_features(list(rows), list(rows.values()), known, split, partial)


def test_tokens_and_pairs_are_those_of_the_ids():
    found, _ = reached({"ab": [1, 2, 3]})
    assert found.tokens == {1, 2, 3}
    assert found.pairs == {(1, 2), (2, 3)}


def test_a_text_of_what_is_known_is_not_kept():
    known, _ = reached({"ab": [1, 2]})
    found, kept = reached({"cd": [1, 2]}, known)
    assert found == Features()
    assert kept == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [("cd", [1, 2, 3]), ("cd", [2, 1]), ("c1", [1, 2]), ("c", [1, 2])],
    ids=["token", "pair", "classes", "cost"],
)
def test_a_text_is_kept_for_each_kind_of_what_is_new(text, ids):
    known, _ = reached({"ab": [1, 2]})
    found, kept = reached({text: ids}, known)
    assert kept == [text]
    assert found != Features()


def test_of_two_texts_that_reach_the_same_the_first_is_kept():
    _, kept = reached({"ab": [1, 2], "cd": [1, 2]})
    assert kept == ["ab"]


def test_texts_that_reach_most_are_kept():
    rows = {chr(0x4E00 + n) * 9: [10 * n + k for k in range(n)] for n in range(1, 20)}
    _, kept = reached(rows)
    assert list(rows)[-1] in kept
    assert len(kept) <= 4 * TEXTS_PER_KIND < len(rows) + 4


def test_a_token_that_is_part_of_a_character_counts_for_many():
    texts = [chr(0x4E00 + n) * 200 for n in range(TEXTS_PER_KIND + 1)]
    rows = {text: [3 * n, 3 * n] for n, text in enumerate(texts)}
    whole = {f"a{text}": [100 + 9 * n + k for k in range(9)] for n, text in enumerate(texts)}
    _, kept = reached({**whole, **rows}, Features(cost={8: 9.0}), partial={3 * TEXTS_PER_KIND})
    assert texts[-1] in kept


@pytest.mark.parametrize("row", [None, []])
def test_a_text_without_ids_reaches_nothing(row):
    assert reached({"ab": row}) == (Features(), [])


def test_a_long_text_is_not_looked_at():
    assert reached({"a" * (MAX_LENGTH + 1): [1]}) == (Features(), [])


def test_classes_are_told_apart_as_patterns_tell_them():
    found = [
        module._sequences(text, None)
        for text in ("a", "A", "\u4e2d", "1", "'", ".", " ", "\n", "\u0301", "\U000e0001")
    ]
    assert len(set.union(*found)) == len(found)


def test_letters_of_one_class_are_the_same():
    assert module._sequences("abc", None) == module._sequences("xy", None)


def test_three_pre_tokens_in_a_row_are_one_sequence():
    assert len(module._sequences("a 1 b 2", str.split)) == 2
    assert len(module._sequences("a 1", str.split)) == 1


def test_what_is_reached_is_added_up():
    known = Features({1}, {(1, 1)}, {"l"}, {1: 2.0})
    known.add(Features({2}, {(1, 2)}, {"U"}, {1: 1.0, 2: 3.0}))
    assert known == Features({1, 2}, {(1, 1), (1, 2)}, {"l", "U"}, {1: 2.0, 2: 3.0})


def test_very_many_pairs_are_not_remembered(monkeypatch):
    monkeypatch.setattr(module, "MAX_PAIRS", 1)
    known = Features(pairs={(1, 1)})
    known.add(Features(tokens={2}, pairs={(1, 2)}))
    assert known == Features({2}, {(1, 1)})


def told(*records):
    """Put records together that came over a pipe."""
    return merge_features([from_line(to_line(one)) for one in records])


def test_what_two_workers_have_reached_is_the_union():
    one, other = Features({1, 2}, {(1, 2)}, {"l"}, {1: 1.0}), Features({2, 3}, {(2, 3)}, {"U"}, {})
    found, partial = told(features_record(one, {1}), features_record(other, {3}))
    assert partial == {1, 3}
    assert found == Features({1, 2, 3}, {(1, 2), (2, 3)}, {"l", "U"}, {1: 1.0})


def test_of_no_worker_nothing_was_reached():
    assert count_features(*told()) == dict.fromkeys(count_features(Features(), NONE), 0)


@pytest.mark.parametrize("strange", [b"a", object(), None, "1"])
def test_ids_that_are_no_numbers_cross_no_pipe(strange):
    found, _ = reached({"ab": [1, 2, strange]})
    whole, _ = told(features_record(found, NONE))
    assert (whole.tokens, whole.pairs) == ({1, 2}, {(1, 2)})


def test_each_kind_is_counted():
    found, _ = reached({"ab": [1, 2, 3]})
    assert list(count_features(found, {2, 9}).values()) == [3, 1, 2, 1, 1.5]
