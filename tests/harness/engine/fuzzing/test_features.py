"""Features of texts, texts with new features, and merging the features of workers."""

import pytest

from tokharness.engine.fuzzing import features as module
from tokharness.engine.fuzzing.features import (
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


def features_of(rows, known=None, split=None, partial=NONE):
    """New features of texts, given with their ids, and the texts with most of them."""
    known = known or Features()
    return new_features(list(rows), list(rows.values()), known, split, partial)


def test_tokens_and_pairs_are_those_of_the_ids():
    features, _ = features_of({"ab": [1, 2, 3]})
    assert features.tokens == {1, 2, 3}
    assert features.pairs == {(1, 2), (2, 3)}


def test_a_text_without_new_features_is_not_chosen():
    known, _ = features_of({"ab": [1, 2]})
    features, best = features_of({"cd": [1, 2]}, known)
    assert features == Features()
    assert best == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [("cd", [1, 2, 3]), ("cd", [2, 1]), ("c1", [1, 2]), ("c", [1, 2])],
    ids=["token", "pair", "classes", "cost"],
)
def test_a_text_is_chosen_for_each_kind_of_new_feature(text, ids):
    known, _ = features_of({"ab": [1, 2]})
    features, best = features_of({text: ids}, known)
    assert best == [text]
    assert features != Features()


def test_the_first_of_two_texts_with_the_same_features_is_chosen():
    _, best = features_of({"ab": [1, 2], "cd": [1, 2]})
    assert best == ["ab"]


def test_texts_with_most_new_features_are_chosen():
    rows = {chr(0x4E00 + n) * 9: [10 * n + k for k in range(n)] for n in range(1, 20)}
    _, best = features_of(rows)
    assert list(rows)[-1] in best
    assert len(best) <= 4 * TEXTS_PER_KIND < len(rows) + 4


def test_a_token_that_is_part_of_a_character_counts_more():
    texts = [chr(0x4E00 + n) * 200 for n in range(TEXTS_PER_KIND + 1)]
    rows = {text: [3 * n, 3 * n] for n, text in enumerate(texts)}
    whole = {f"a{text}": [100 + 9 * n + k for k in range(9)] for n, text in enumerate(texts)}
    _, best = features_of({**whole, **rows}, Features(cost={8: 9.0}), partial={3 * TEXTS_PER_KIND})
    assert texts[-1] in best


@pytest.mark.parametrize("row", [None, []])
def test_a_text_without_ids_has_no_features(row):
    assert features_of({"ab": row}) == (Features(), [])


def test_a_long_text_is_ignored():
    assert features_of({"a" * (MAX_LENGTH + 1): [1]}) == (Features(), [])


def test_classes_are_those_that_patterns_distinguish():
    sequences = [
        module._sequences(text, None)
        for text in ("a", "A", "\u4e2d", "1", "'", ".", " ", "\n", "\u0301", "\U000e0001")
    ]
    assert len(set.union(*sequences)) == len(sequences)


def test_letters_of_one_class_give_the_same_sequence():
    assert module._sequences("abc", None) == module._sequences("xy", None)


def test_three_consecutive_pre_tokens_are_one_sequence():
    assert len(module._sequences("a 1 b 2", str.split)) == 2
    assert len(module._sequences("a 1", str.split)) == 1


def test_add_merges_features():
    known = Features({1}, {(1, 1)}, {"l"}, {1: 2.0})
    known.add(Features({2}, {(1, 2)}, {"U"}, {1: 1.0, 2: 3.0}))
    assert known == Features({1, 2}, {(1, 1), (1, 2)}, {"l", "U"}, {1: 2.0, 2: 3.0})


def test_the_number_of_pairs_is_limited(monkeypatch):
    monkeypatch.setattr(module, "MAX_PAIRS", 1)
    known = Features(pairs={(1, 1)})
    known.add(Features(tokens={2}, pairs={(1, 2)}))
    assert known == Features({2}, {(1, 1)})


def merge(*records):
    """Merge records after sending them through a pipe."""
    return merge_features([from_line(to_line(record)) for record in records])


def test_features_of_workers_are_merged():
    one, other = Features({1, 2}, {(1, 2)}, {"l"}, {1: 1.0}), Features({2, 3}, {(2, 3)}, {"U"}, {})
    features, partial = merge(features_record(one, {1}), features_record(other, {3}))
    assert partial == {1, 3}
    assert features == Features({1, 2, 3}, {(1, 2), (2, 3)}, {"l", "U"}, {1: 1.0})


def test_without_workers_there_are_no_features():
    assert count_features(*merge()) == dict.fromkeys(count_features(Features(), NONE), 0)


@pytest.mark.parametrize("strange", [b"a", object(), None, "1"])
def test_ids_that_are_not_integers_are_left_out_of_a_record(strange):
    features, _ = features_of({"ab": [1, 2, strange]})
    whole, _ = merge(features_record(features, NONE))
    assert (whole.tokens, whole.pairs) == ({1, 2}, {(1, 2)})


def test_each_kind_is_counted():
    features, _ = features_of({"ab": [1, 2, 3]})
    assert list(count_features(features, {2, 9}).values()) == [3, 1, 2, 1, 1.5]
