"""Digests of texts with their results: a change is seen, and the text that changed is found."""

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.errors import TargetDeath
from tokharness.targets.digests import (
    BLOCK_CHARACTERS,
    BLOCK_TEXTS,
    block_ends,
    confirmed,
    digest_of,
    first_difference,
)
from tokharness.targets.packed_digests import bits_for, pack, unpack

ROWS = st.lists(
    st.tuples(
        st.text(st.characters(), max_size=4),
        st.none() | st.lists(st.integers(-(2**70), 2**70), max_size=4),
        st.none() | st.text(st.characters(), max_size=4),
    ),
    min_size=1,
    max_size=12,
)


def _digest(rows, errors=None):
    texts, ids, decoded = map(list, zip(*rows, strict=True))
    if errors is None:
        raising = [row for row, one in enumerate(rows) if None in one]
        errors = dict.fromkeys(raising, ValueError("of any text"))
    return digest_of(texts, ids, decoded, errors)


@pytest.mark.slow
@given(ROWS, st.data())
def test_a_change_of_ids_or_decoded_text_is_seen_and_its_text_is_found(rows, data):
    number = data.draw(st.integers(0, len(rows) - 1))
    text, ids, decoded = rows[number]
    new_ids = data.draw(st.none() | st.lists(st.integers(-(2**70), 2**70), max_size=4))
    new_decoded = data.draw(st.none() | st.text(st.characters(), max_size=4))
    changed = [*rows[:number], (text, new_ids, new_decoded), *rows[number + 1 :]]
    difference = first_difference(_digest(rows), _digest(changed))
    if (ids, decoded) == (new_ids, new_decoded):
        assert not difference
    else:
        assert difference.rows == (number,)


@pytest.mark.slow
@given(ROWS, st.data())
def test_other_texts_are_not_taken_for_other_ids(rows, data):
    number = data.draw(st.integers(0, len(rows) - 1))
    _, ids, decoded = rows[number]
    changed = [*rows[:number], (data.draw(st.text()) + "!", ids, decoded), *rows[number + 1 :]]
    difference = first_difference(_digest(rows), _digest(changed))
    same = [text for text, _, _ in rows] == [text for text, _, _ in changed]
    assert (bool(difference), difference.other_texts) == (False, 0 if same else len(rows))


@pytest.mark.slow
@given(ROWS, st.sampled_from([8, 4, 2, 1]))
def test_a_packed_digest_has_the_same_differences(rows, bits):
    digest = _digest(rows)
    unpacked = unpack(pack(digest, bits))
    assert not first_difference(unpacked, digest)
    assert [block.results for block in unpacked.blocks] == [b.results for b in digest.blocks]
    assert pack(unpacked, bits) == pack(digest, bits)


@pytest.mark.parametrize("bits", [8, 2, 1, 0])
def test_no_text_is_located_whose_ids_are_equal(bits):
    # Ids that are exchanged change the same bits of a linear sum in every text with one of them.
    drawn = random.Random(bits)
    texts = [str(number) for number in range(BLOCK_TEXTS)]
    for trial in range(60):
        first, second = drawn.sample(range(50_000), 2)
        ids = [[drawn.randrange(50_000)] for _ in texts]
        for number in drawn.sample(range(BLOCK_TEXTS), 3 + trial % 3):
            ids[number] = [first if trial % 2 else drawn.choice((first, second))]
        exchanged = {first: second, second: first}
        new = [[exchanged.get(one, one) for one in row] for row in ids]
        old = unpack(pack(digest_of(texts, ids), bits))
        difference = first_difference(old, digest_of(texts, new))
        assert difference
        assert all(ids[row] != new[row] for row in difference.rows)


def test_a_digest_of_an_earlier_release_shows_the_block_that_differs():
    texts = [f"text {number}" for number in range(20)]
    ids = [[number, 1] for number in range(20)]
    packed = base64.b64decode(pack(digest_of(texts, ids)))
    of_earlier = base64.b64encode(bytes([packed[0] & 15]) + packed[1:]).decode()
    earlier = unpack(of_earlier)
    assert pack(earlier) == of_earlier
    assert not first_difference(earlier, digest_of(texts, ids))
    difference = first_difference(earlier, digest_of(texts, [[7], *ids[1:]]))
    assert (difference.rows, difference.ranges) == ((), ((0, 20),))


def test_one_text_of_a_block_that_differs_is_found_whatever_its_bits():
    texts = [f"text {number}" for number in range(BLOCK_TEXTS + 7)]
    ids = [[number, 1] for number in range(len(texts))]
    old = unpack(pack(digest_of(texts, ids), 1))
    for number in range(0, BLOCK_TEXTS, 37):
        changed = [*ids]
        changed[number], changed[-1] = [1, number], []
        assert first_difference(old, digest_of(texts, changed)).rows == (number, len(texts) - 1)


def test_several_texts_that_differ_are_among_those_that_are_found():
    texts = [f"text {number}" for number in range(BLOCK_TEXTS)]
    ids = [[number, 1] for number in range(len(texts))]
    changed = [[*one, 1] if number % 100 == 5 else one for number, one in enumerate(ids)]
    for bits in (8, 4, 2, 1):
        old = unpack(pack(digest_of(texts, ids), bits))
        rows = first_difference(old, digest_of(texts, changed)).rows
        assert rows
        assert {row % 100 for row in rows} == {5}


def test_ids_that_move_to_the_next_text_are_a_change():
    texts = ["a", "b"]
    assert first_difference(digest_of(texts, [[1, 2], [3]]), digest_of(texts, [[1], [2, 3]]))


def test_digests_with_and_without_decoded_text_are_not_compared():
    texts, ids = ["a", "b"], [[1], [2]]
    with_decoded, without = digest_of(texts, ids, texts), digest_of(texts, ids)
    assert with_decoded.blocks[0].results == without.blocks[0].results
    assert first_difference(without, with_decoded).other_texts == len(texts)


def test_a_text_that_was_not_run_is_no_change_and_is_counted():
    texts = ["a", "b"]
    not_run = digest_of(texts, [[1], None])
    for old, new in ((not_run, digest_of(texts, [[1], [2]])), (not_run, not_run)):
        difference = first_difference(unpack(pack(old)), new)
        assert (bool(difference), difference.not_run) == (False, 2)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (ValueError("0x1"), ValueError("0x2"), True),
        (ValueError(), TypeError(), False),
        (TargetDeath("SIGSEGV", ""), TargetDeath("time limit", ""), False),
    ],
)
def test_of_an_exception_the_type_counts_and_of_a_death_the_reason(old, new, same):
    one, other = (digest_of(["a"], [None], None, {0: error}) for error in (old, new))
    assert bool(first_difference(one, other)) is not same


def test_blocks_are_cut_by_the_texts_alone():
    short, long = ["a"] * (BLOCK_TEXTS + 1), ["a" * (BLOCK_CHARACTERS + 1)] * 2
    assert list(block_ends([*long, *short])) == [1, 2, BLOCK_TEXTS + 2, BLOCK_TEXTS + 3]
    assert list(block_ends(["ab"] * 5, 4, 6)) == [2, 5]


@pytest.mark.parametrize(
    "packed",
    ["", "?", "AAAA", base64.b64encode(b"\x08\xff\xff\xff\xff").decode(), "\u00e9"],
)
def test_what_is_no_digest_is_refused(packed):
    with pytest.raises(ValueError, match=r".+"):
        unpack(packed)


@pytest.mark.slow
@given(ROWS, st.data())
def test_a_damaged_digest_is_refused_or_is_another_digest(rows, data):
    packed = pack(_digest(rows))
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(ValueError, match=r".+"):
        unpack(packed[:cut])


def test_a_file_with_more_texts_keeps_fewer_bits_of_each():
    assert [bits_for(number) for number in (1_000, 300_000, 500_000, 900_000)] == [8, 4, 2, 1]


def test_an_id_that_python_does_not_write_in_decimal_has_a_digest():
    large = digest_of(["a"], [[1 << 20_000]])
    assert large != digest_of(["a"], [[1 << 20_001]])
    assert large == digest_of(["a"], [[1 << 20_000]])


def test_guesses_of_earlier_ids_are_right_if_they_make_the_digest_of_their_block():
    texts, before, now = ["a", "b", "c"], [[1], [2], [3]], [[1], [7], [8]]
    old = unpack(pack(digest_of(texts, before), 0))  # no bits of the texts
    assert confirmed(old, texts, now, {1: (2,), 2: (3,)}) == {1: (2,), 2: (3,)}
    assert confirmed(old, texts, now, {1: (2,)}) == {}
    assert confirmed(old, texts, now, {1: (2,), 2: (4,)}, with_bits=True) == {}


def test_a_guess_with_the_bits_of_a_text_counts_only_if_it_is_said_to():
    texts, now = ["a", "b"], [[7], [8]]
    old = digest_of(texts, [[1], [2]])
    assert confirmed(old, texts, now, {0: (1,), 1: (3,)}, with_bits=True) == {0: (1,)}
    assert confirmed(old, texts, now, {0: (1,), 1: (3,)}) == {}
