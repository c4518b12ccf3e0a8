"""Grapheme clusters."""

from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode.properties import graphemes
from tokharness.unicode.sequences import rgi_emoji


@given(st.text(st.characters(exclude_categories=())))
def test_clusters_joined_are_the_text(text):
    assert "".join(graphemes(text)) == text


def test_a_mark_belongs_to_its_base():
    assert graphemes("e\u0301x") == ["e\u0301", "x"]


def test_crlf_is_one_cluster():
    assert graphemes("\r\n\n") == ["\r\n", "\n"]


def test_every_emoji_is_one_cluster():
    assert [text for text in rgi_emoji() if graphemes(text) != [text]] == []
