from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.added_tokens import AddedToken
from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.normalizers.mapping import Lowercase
from tokharness_tokenizers.reference.normalizers.replacing import Strip
from tokharness_tokenizers.reference.tokenizer_json.file import make_added_tokens, normalized_texts

SPECIAL = {"special": True}


def cut(text: str, *tokens: AddedToken, special: bool = True, normalizer=None):
    """Return the parts of a text; an added token as a pair with its id."""
    normalize = normalizer.normalize if normalizer else lambda text: text
    added = make_added_tokens(tokens, normalize, str.isalnum)
    parts = [
        part if number is None else (part, number)
        for _, part, number in added.parts(text, normalize, special=special)
    ]
    apply = normalizer.apply if normalizer else lambda text: text
    aligned = added.aligned_parts(Aligned.of(text), apply, special=special)
    same = [part.text if number is None else (part.text, number) for part, number in aligned]
    assert same == [part for part in parts if part]
    return parts


def test_of_tokens_that_begin_at_a_place_the_longest_is_taken() -> None:
    tokens = AddedToken("ab", 1), AddedToken("a", 2), AddedToken("abcd", 3)
    assert cut("xabcaab", *tokens) == ["x", ("ab", 1), "c", ("a", 2), ("ab", 1)]


def test_the_leftmost_token_is_taken_even_if_a_later_one_is_longer() -> None:
    assert cut("abcd", AddedToken("ab", 1), AddedToken("bcd", 2)) == [("ab", 1), "cd"]


def test_a_text_without_added_tokens_is_one_part() -> None:
    assert cut("hello") == ["hello"]
    assert cut("", AddedToken("a", 1)) == [""]
    assert cut("a.c", AddedToken("a+", 1), AddedToken("a.b", 2)) == ["a.c"]


def test_special_tokens_count_only_in_trusted_text() -> None:
    tokens = AddedToken("<s>", 1, special=True), AddedToken("<t>", 2)
    assert cut("<s>a<t>", *tokens) == [("<s>", 1), "a", ("<t>", 2)]
    assert cut("<s>a<t>", *tokens, special=False) == ["<s>a", ("<t>", 2)]


def test_a_match_that_does_not_count_hides_the_shorter_ones_inside_it() -> None:
    tokens = AddedToken("<s>", 1, special=True), AddedToken("<", 2), AddedToken("s", 3)
    assert cut("<s>s", *tokens, special=False) == ["<s>", ("s", 3)]
    single = AddedToken("ab", 1, single_word=True), AddedToken("a", 2), AddedToken("b", 3)
    assert cut("abx ab", *single) == ["abx ", ("ab", 1)]


def test_a_single_word_has_no_word_character_next_to_it() -> None:
    token = AddedToken("ing", 1, single_word=True)
    assert cut("sing", token) == ["sing"]
    assert cut("ings", token) == ["ings"]
    assert cut(".ing ing", token) == [".", ("ing", 1), " ", ("ing", 1)]
    assert cut("inging", token) == ["inging"]


def test_lstrip_takes_the_white_space_before_a_token() -> None:
    token = AddedToken("<m>", 1, lstrip=True)
    assert cut("a \u3000\n<m> b", token) == ["a", (" \u3000\n<m>", 1), " b"]
    assert cut(" <m>", token) == [(" <m>", 1)]


def test_rstrip_takes_the_white_space_behind_a_token() -> None:
    token = AddedToken("<m>", 1, rstrip=True)
    assert cut("a <m>\x85 b", token) == ["a ", ("<m>\x85 ", 1), "b"]


def test_white_space_that_a_token_took_is_not_taken_twice() -> None:
    left, right = AddedToken("<l>", 1, lstrip=True), AddedToken("<r>", 2, rstrip=True)
    assert cut("<r>  <l>", left, right) == [("<r>  ", 2), ("<l>", 1)]


def test_a_token_in_the_white_space_that_another_took_is_cut_out_again() -> None:
    token, space = AddedToken("<m>", 1, rstrip=True), AddedToken("\n", 2)
    assert cut("<m>\na", token, space) == [("<m>\n", 1), ("\n", 2), "a"]


def test_a_token_that_takes_the_white_space_before_it_is_not_cut_out_of_such_white_space() -> None:
    token, space = AddedToken("<m>", 1, rstrip=True), AddedToken("\n", 2, lstrip=True)
    assert cut("<m>\na", token, space) == [("<m>\n", 1), "a"]
    assert cut("<m>\n\na", token, space) == [("<m>\n\n", 1), "a"]  # the library panics


def test_u001c_to_u001f_are_no_white_space() -> None:
    token = AddedToken("<m>", 1, lstrip=True, rstrip=True)
    assert cut("\x1c<m>\x1f", token) == ["\x1c", ("<m>", 1), "\x1f"]


def test_normalized_tokens_are_looked_for_in_normalized_text() -> None:
    tokens = AddedToken("Day", 1, normalized=True), AddedToken("Night", 2)
    parts = cut("DAY Night NIGHT day", *tokens, normalizer=Lowercase())
    assert parts == [("day", 1), " ", ("Night", 2), " night ", ("day", 1)]


def test_the_text_between_tokens_is_normalized_part_by_part() -> None:
    assert cut(" a <m> b ", AddedToken("<m>", 1), normalizer=Strip(True, True)) == [  # noqa: FBT003
        *("a", ("<m>", 1), "b"),
    ]


def test_a_normalized_token_of_which_nothing_is_left_is_not_found() -> None:
    token = AddedToken(" ", 1, normalized=True)
    assert cut("a b", token, normalizer=Strip(True, True)) == ["a b"]  # noqa: FBT003


def test_of_two_tokens_that_are_one_in_normalized_text_the_later_counts() -> None:
    tokens = AddedToken("A", 1, normalized=True), AddedToken("a", 2, normalized=True)
    assert cut("A", *tokens, normalizer=Lowercase()) == [("a", 2)]


def test_a_normalized_token_is_decoded_as_the_normalizer_leaves_it() -> None:
    tokens = AddedToken("Day", 1, normalized=True), AddedToken("Night", 2), AddedToken("x", 3)
    assert normalized_texts(tokens, str.lower) == {1: "day"}


def test_ids_are_listed_by_text() -> None:
    tokens = AddedToken("<s>", 1, special=True), AddedToken("<t>", 2)
    added = make_added_tokens(tokens, str, str.isalnum)
    assert added.ids(special=True) == {"<s>": 1}
    assert added.ids(special=False) == {"<t>": 2}


def test_parts_say_whether_they_begin_where_the_text_does() -> None:
    tokens = AddedToken("<s>", 1), AddedToken("t", 2, normalized=True)
    added = make_added_tokens(tokens, str, str.isalnum)
    rows = added.parts("a<s>bt", str, special=True)
    assert rows == [
        *((True, "a", None), (False, "<s>", 1), (False, "b", None), (False, "t", 2)),
    ]
    assert added.parts("tb", str, special=True) == [(True, "t", 2), (False, "b", None)]


CONTENTS = st.text("ab< ", min_size=1, max_size=3)
TOKENS = st.lists(
    st.builds(
        AddedToken,
        content=CONTENTS,
        number=st.integers(0, 9),
        single_word=st.booleans(),
        lstrip=st.just(value=False),
        rstrip=st.just(value=False),
        normalized=st.booleans(),
        special=st.booleans(),
    ),
    max_size=5,
)


@pytest.mark.parametrize("special", [True, False])
@given(tokens=TOKENS, text=st.text("ab< x", max_size=12))
def test_nothing_of_a_text_gets_lost(special: bool, tokens: list[AddedToken], text: str) -> None:
    parts = cut(text, *tokens, special=special)
    assert "".join(part if isinstance(part, str) else part[0] for part in parts) == text
    plain = {one.content for one in tokens if special or not one.special}
    assert {part[0] for part in parts if not isinstance(part, str)} <= plain
