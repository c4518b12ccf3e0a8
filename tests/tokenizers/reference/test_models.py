"""WordPiece, WordLevel and Unigram."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece

PIECES = {
    "[UNK]": 0,
    "un": 1,
    "##aff": 2,
    "##able": 3,
    "##a": 4,
    "u": 5,
    "\u4e2d": 6,
    "##\u4e2d": 7,
}
BYTES = [(f"<0x{byte:02X}>", 0.0) for byte in range(256)]


def unigram(*pieces: tuple[str, float], **options) -> Unigram:
    return Unigram([("<unk>", 0.0), *pieces], 0, **options)


def texts(model: Unigram, word: str) -> list[str]:
    return [model.pieces[number][0] for number, _ in model.tokens(word)]


def test_wordpiece_takes_the_longest_piece_from_the_left() -> None:
    assert WordPiece(PIECES).tokens("unaffable") == [(1, 2), (2, 3), (3, 4)]
    assert WordPiece(PIECES).tokens("ua\u4e2d") == [(5, 1), (4, 1), (7, 1)]


def test_wordpiece_does_not_go_back() -> None:
    # "un" leaves "x", which no piece covers, though "u" and "##nx" would cover the word.
    assert WordPiece({**PIECES, "##nx": 8}).tokens("unx") == [(0, 3)]


def test_a_word_that_no_pieces_cover_is_one_unknown_token() -> None:
    assert WordPiece(PIECES).tokens("unaffables") == [(0, 10)]


def test_a_longer_word_than_the_limit_is_unknown() -> None:
    assert WordPiece({**PIECES, "##u": 8}, max_characters=3).tokens("uuu") == [
        (5, 1),
        (8, 1),
        (8, 1),
    ]
    assert WordPiece({**PIECES, "##u": 8}, max_characters=3).tokens("uuuu") == [(0, 4)]
    assert WordPiece({"[UNK]": 0, "\U0001f600": 1}, max_characters=1).tokens("\U0001f600") == [
        (1, 1)
    ]


def test_a_piece_without_prefix_does_not_continue_a_word() -> None:
    assert WordPiece(PIECES).tokens("\u4e2du") == [(0, 2)]


def test_an_empty_prefix_lets_all_pieces_continue_a_word() -> None:
    assert WordPiece(PIECES, prefix="").tokens("uun") == [(5, 1), (1, 2)]


def test_wordpiece_without_unknown_token_raises() -> None:
    with pytest.raises(KeyError, match="no pieces cover 'b'"):
        WordPiece({"a": 0}).tokens("b")


def test_wordlevel_looks_words_up() -> None:
    model = WordLevel({"<unk>": 0, "hello": 1, "": 2}, "<unk>")
    assert model.tokens("hello") == [(1, 5)]
    assert model.tokens("Hello") == [(0, 5)]
    assert model.tokens("") == [(2, 0)]


def test_wordlevel_without_unknown_token_raises() -> None:
    with pytest.raises(KeyError, match="no token stands for 'b'"):
        WordLevel({"a": 0}, "<unk>").tokens("b")


def test_unigram_takes_the_highest_sum_of_scores() -> None:
    model = unigram(("a", -1.0), ("b", -1.0), ("ab", -1.5), ("abc", -9.0), ("c", -1.0))
    assert texts(model, "abc") == ["ab", "c"]


def test_of_equal_sums_the_last_piece_that_begins_first_is_taken() -> None:
    model = unigram(("a", -1.0), ("b", -1.0), ("c", -1.0), ("ab", -2.0), ("bc", -2.0))
    assert texts(model, "ab") == ["ab"]
    assert texts(model, "abc") == ["a", "bc"]


@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3), st.integers(-20, 0).map(float), min_size=1
    ),
    st.text("abc", max_size=7),
)
def test_no_other_segmentation_has_a_higher_sum(pieces: dict[str, float], word: str) -> None:
    model = unigram(*pieces.items())
    lowest = min(0.0, *pieces.values()) - 10

    def score(cuts: tuple[bool, ...]) -> float:
        ends = [at for at, cut in enumerate(cuts, 1) if cut] + [len(word)]
        parts = [word[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        known = [pieces.get(part, lowest if len(part) == 1 else float("-inf")) for part in parts]
        return sum(known)

    found = model._best_path(word)
    assert "".join(found) == word
    best = max(map(score, product((False, True), repeat=max(0, len(word) - 1))), default=0.0)
    assert sum(pieces.get(part, lowest) for part in found) == (best if word else 0)


def test_neighbouring_unknown_characters_are_one_token() -> None:
    model = unigram(("a", -1.0))
    assert model.tokens("xya\u4e2d") == [(0, 2), (1, 1), (0, 1)]


def test_the_text_of_the_unknown_token_is_one_with_unknown_characters() -> None:
    model = unigram(("a", -1.0))
    assert model.tokens("<unk>") == [(0, 5)]
    assert model.tokens("x<unk>y<unk>a") == [(0, 12), (1, 1)]


def test_a_character_that_is_no_piece_scores_ten_less_than_the_lowest() -> None:
    model = unigram(("a", -1.0), ("b", -5.0), ("xb", -19.5))
    assert texts(model, "xb") == ["xb"]  # the sum of the other way is -15 - 5
    model = unigram(("a", -1.0), ("b", -5.0), ("c", -20.5), ("xb", -20.5), ("x", -15.0))
    assert texts(model, "xb") == ["x", "b"]


def test_the_bytes_of_unknown_characters_are_tokens() -> None:
    model = Unigram([("<unk>", 0.0), *BYTES], 0, byte_fallback=True)
    assert model.tokens("\xe9z") == [(0xC4, 1), (0xAA, 0), (0x7B, 1)]


def test_characters_are_unknown_if_one_of_their_bytes_has_no_token() -> None:
    some = [pair for pair in BYTES if pair[0] != "<0xA9>"]
    model = Unigram([("<unk>", 0.0), *some], 0, byte_fallback=True)
    assert model.tokens("z\xe9") == [(0, 2)]
    assert model.tokens("z") == [(0x7B, 1)]


def test_unigram_without_unknown_token_raises() -> None:
    with pytest.raises(KeyError, match="no piece stands for 'b'"):
        Unigram([("a", -1.0)]).tokens("ab")
    assert Unigram(BYTES, byte_fallback=True).tokens("z") == [(0x7A, 1)]


def test_of_two_pieces_with_one_text_the_later_one_counts() -> None:
    assert unigram(("a", -1.0), ("a", -2.0)).tokens("a") == [(2, 1)]


def test_an_empty_piece_is_never_used() -> None:
    assert unigram(("", 5.0), ("a", -1.0)).tokens("a") == [(2, 1)]


def test_scores_with_an_infinite_sum_still_give_a_path() -> None:
    assert unigram(("a", -1e308)).tokens("aaaa") == [(1, 1)] * 4


@pytest.mark.parametrize("word", ["", "a", "abc\u4e2d\U0001f600\u0301<unk>"])
def test_tokens_cover_the_word(word: str) -> None:
    models = (
        unigram(("a", -1.0), ("bc", -2.0)),
        Unigram([("<unk>", 0.0), *BYTES], 0, byte_fallback=True),
        WordPiece(PIECES),
    )
    for model in models:
        assert sum(length for _, length in model.tokens(word)) == len(word)
