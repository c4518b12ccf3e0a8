"""The RGI emoji and their kinds."""

import pytest

from tokharness.unicode import sequences

KINDS = (
    sequences.zwj_sequences,
    sequences.modifier_sequences,
    sequences.flag_sequences,
    sequences.keycap_sequences,
)


@pytest.mark.parametrize("kind", [sequences.rgi_emoji, *KINDS])
def test_each_kind_is_sorted_without_duplicates(kind):
    assert kind() == tuple(sorted(set(kind())))
    assert kind()


def test_the_kinds_are_disjoint_subsets():
    parts = [text for kind in KINDS for text in kind()]
    assert len(parts) == len(set(parts))
    assert set(parts) < set(sequences.rgi_emoji())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (sequences.zwj_sequences, "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        (sequences.modifier_sequences, "\U0001f44d\U0001f3fd"),
        (sequences.flag_sequences, "\U0001f1eb\U0001f1f7"),
        (
            sequences.flag_sequences,
            "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        ),
        (sequences.keycap_sequences, "1\ufe0f\u20e3"),
    ],
)
def test_known_sequences_have_their_kind(kind, text):
    assert text in kind()


def test_there_are_twelve_keycaps():
    assert len(sequences.keycap_sequences()) == 12


def test_a_less_qualified_emoji_is_the_whole_one_without_some_selectors():
    pairs = sequences.less_qualified()
    assert pairs["\u2764"] == "\u2764\ufe0f"
    assert pairs["1\u20e3"] == "1\ufe0f\u20e3"
    assert not set(pairs) & set(sequences.rgi_emoji())
    for text, whole in pairs.items():
        assert len(text) < len(whole)
        assert text.replace("\ufe0f", "") == whole.replace("\ufe0f", "")
