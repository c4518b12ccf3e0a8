"""Mutations of texts."""

import random

from hypothesis import example, given
from hypothesis import strategies as st

from tokharness.engine.fuzzing.sources.mutations import MAX_LENGTH, MUTATORS, mutations

seeds = st.integers(0, 2**64)
anything = st.text(st.characters(), min_size=1, max_size=30)  # lone surrogates, too
lists = st.lists(anything, min_size=1, max_size=6)


@given(seeds, lists, lists)
@example(0, ["\ud800"], ["\udfff\ud800"])
def test_a_mutation_is_not_empty_and_not_too_long(seed, texts, pieces):
    mutated = mutations(random.Random(seed), texts, pieces, 60)
    assert len(mutated) == 60
    assert all(1 <= len(text) <= MAX_LENGTH for text in mutated)


@given(seeds, anything, anything)
def test_each_mutator_accepts_any_texts(seed, text, other):
    rng = random.Random(seed)
    assert all(isinstance(mutate(rng, text, other), str) for mutate in MUTATORS)


def test_a_text_of_maximal_length_does_not_grow():
    mutated = mutations(random.Random(0), ["a" * MAX_LENGTH], ["b" * MAX_LENGTH], 300)
    assert max(map(len, mutated)) == MAX_LENGTH


def test_most_texts_are_changed():
    mutated = mutations(random.Random(0), ["one"], ["other"], 300)
    assert mutated.count("one") < 60
    assert len(set(mutated)) > 100


@given(seeds)
def test_the_mutations_depend_on_the_seed_only(seed):
    first, second = (mutations(random.Random(seed), ["one", "two"], ["x"], 30) for _ in range(2))
    assert first == second


def test_later_texts_are_mutated_more_often():
    texts = [chr(0x4E00 + 100 * n) * 9 for n in range(10)]
    mutated = mutations(random.Random(0), texts, ["x"], 2000)
    counts = [sum(text[0] * 3 in mutation for mutation in mutated) for text in texts]
    assert counts[-1] > 2 * counts[1] > 0


def test_the_first_text_is_also_mutated():
    mutated = mutations(random.Random(0), ["q" * 9, "w" * 9, "e" * 9], ["x"], 2000)
    assert all(any(text in mutation for mutation in mutated) for text in ("qqq", "www", "eee"))


def test_pieces_are_inserted():
    mutated = mutations(random.Random(0), ["aaaa"], ["\u200b"], 300)
    assert any("\u200b" in text for text in mutated)
