"""The family of texts in which merges and scores decide, with merging by brute force."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.model import TargetFacts
from tokharness_cases import merge_orders
from tokharness_cases._overlaps import overlaps_of_merges, overlaps_of_scores
from tokharness_cases.merge_orders import changed_texts

PROFILES = ("quick", "standard", "thorough")
ALPHABET = (b"a", b"b", b"c")
MERGES = (
    *((b"t", b"h"), (b"h", b"e"), (b" ", b"th"), (b"th", b"e"), (b"e", b"r"), (b"the", b"r")),
    *((b"\xe4", b"\xb8"), (b"\xe4\xb8", b"\xad"), (b"q", b"u")),
)


def facts(profile, merges=(), scores=()):
    return TargetFacts(profile=profile, merges=lambda: merges, scores=lambda: scores)


def merged(text, merges):
    """Merge the bytes of a text, the first pair of the list first."""
    parts = [bytes([byte]) for byte in text.encode()]
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    while known := [pair for pair in pairwise(parts) if pair in ranks]:
        at = list(pairwise(parts)).index(min(known, key=ranks.__getitem__))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


def best(text, scores):
    """Cut a text into the pieces with the highest sum of scores."""
    ways = {0: (0.0, ())}
    for end in range(1, len(text) + 1):
        found = [
            (ways[start][0] + scores[piece], (*ways[start][1], piece))
            for start in range(end)
            if start in ways and (piece := text[start:end]) in scores
        ]
        if found:
            ways[end] = max(found)
    return ways.get(len(text), (0.0, ()))[1]


@st.composite
def lists_of_merges(draw):
    """A list of merges over three letters, in an order in which their tokens are made."""
    tokens, merges = list(ALPHABET), []
    for _ in range(draw(st.integers(3, 9))):
        pair = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if pair not in merges and len(b"".join(pair)) <= 6:
            merges.append(pair)
            tokens.append(b"".join(pair))
    return merges


@pytest.mark.parametrize("profile", PROFILES)
def test_texts_are_those_of_the_cases_in_any_slice(profile):
    known = facts(profile, [MERGES, MERGES[::-1]])
    made = merge_orders.texts(known)
    listed = [case.text for case in merge_orders.cases(known)]
    assert list(made) == listed
    parts = [made[start : start + 7] for start in range(0, len(made), 7)]
    assert [text for part in parts for text in part] == listed


@pytest.mark.parametrize("profile", PROFILES)
def test_without_merges_and_scores_there_are_no_texts(profile):
    assert (
        list(merge_orders.texts(facts(profile))) == list(merge_orders.cases(facts(profile))) == []
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_each_merge_that_another_one_overlaps_is_in_a_text(profile):
    joined = "".join(merge_orders.texts(facts(profile, [MERGES])))
    for text in ("the", " the", "ther", "\u4e2d"):
        assert text in joined
    assert ("\nqu " in joined) is (profile != "quick")  # nothing overlaps it


def test_words_are_whole_and_have_the_space_before_them():
    joined = "".join(merge_orders.texts(facts("quick", [MERGES])))
    for word in (" January", " \u044f\u043d\u0432\u0430\u0440\u044c", " def"):
        assert f"{word} " in joined


@settings(max_examples=60)
@given(lists_of_merges(), st.data())
def test_a_change_that_shows_in_any_short_text_shows_in_those_of_what_changed(old, data):
    new, at = list(old), data.draw(st.integers(0, len(old) - 1))
    pair = new.pop(at)
    if data.draw(st.booleans()):
        new.insert(data.draw(st.integers(0, len(new))), pair)
    words = [""]
    for _ in range(5):
        words += [word + letter for word in words for letter in "abc" if len(word) < 5]
    if any(merged(word, old) != merged(word, new) for word in dict.fromkeys(words)):
        found = changed_texts(overlaps_of_merges(old), overlaps_of_merges(new))
        assert any(merged(text, old) != merged(text, new) for text in found)


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.text("abc", min_size=2, max_size=3), st.floats(-9, -1), min_size=2, max_size=8
    ),
    st.data(),
)
def test_a_changed_score_that_turns_an_overlap_shows(longer, data):
    old = {**dict.fromkeys("abc", -5.0), **longer}
    piece = data.draw(st.sampled_from(sorted(longer)))
    new = {**old, piece: old[piece] + data.draw(st.sampled_from((-3.0, -0.5, 0.5, 3.0)))}
    tables = [
        overlaps_of_scores([(text.encode(), score) for text, score in scores.items()])
        for scores in (old, new)
    ]
    found = list(changed_texts(*tables))
    turned = [
        word
        for first in old
        for second in old
        for size in (1, 2)
        if first[-size:] == second[:size] and len(first) > size < len(second)
        for word in [first + second[size:]]
        if piece in (first, second) and {first[:-size], second[size:]} <= old.keys()
    ]
    if any(best(word, old) != best(word, new) for word in turned):
        assert any(best(text, old) != best(text, new) for text in found)


def test_a_move_by_one_is_tried_with_the_merge_that_it_has_passed():
    new = [MERGES[1], MERGES[0], *MERGES[2:]]
    assert "the" in list(changed_texts(overlaps_of_merges(MERGES), overlaps_of_merges(new)))


@pytest.mark.slow
@given(st.data())
def test_random_texts_are_of_merges_if_they_are_known(data):
    text = data.draw(merge_orders.strategy(facts("quick", [((b"x", b"y"),)])))
    assert set(text) == {"x"}
    assert data.draw(merge_orders.strategy())
