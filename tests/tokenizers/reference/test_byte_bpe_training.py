from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.byte_bpe_training import learn_ranks, train
from tokharness_tokenizers.reference.patterns import O200K, R50K

if TYPE_CHECKING:
    from random import Random

EVERYTHING = r"(?s).+"


def learned(ranks: dict[bytes, int]) -> list[bytes]:
    return [token for token, rank in ranks.items() if rank >= 256]


def test_sennrichs_words() -> None:
    # Sennrich et al. 2016, algorithm 1; the underscore marks the end of a word.
    words = {"low_": 5, "lower_": 2, "newest_": 6, "widest_": 3}
    assert learned(learn_ranks(words, 256 + 8)) == [
        *(b"es", b"est", b"est_", b"lo", b"low"),  # 9, 9, 9, 7, 7 times
        *(b"ew", b"ewest_", b"newest_"),  # 6 times; e+w before n+e
    ]


def test_the_textbooks_aaabdaaabac() -> None:
    # Gage 1994, "A New Algorithm for Data Compression": Z=aa, Y=ab, X=ZY.
    tokenizer = train(["aaabdaaabac"], vocab_size=300, pattern=EVERYTHING)
    assert learned(dict(tokenizer.ranks)) == [b"aa", b"ab", b"aaab"]
    assert tokenizer.encode("aaabdaaabac") == [258, *b"d", 258, *b"ac"]


def test_of_equally_frequent_pairs_the_least_bytes_merge_first() -> None:
    assert learned(learn_ranks({"cd": 2, "ab": 2, "ad": 2}, 259)) == [b"ab", b"ad", b"cd"]


def test_training_stops_when_no_pair_occurs_twice() -> None:
    assert len(learn_ranks({"abc": 1, "d": 9}, 1000)) == 256
    assert len(learn_ranks({"ab": 2}, 1000)) == 257


def test_ids_of_bytes_are_their_values() -> None:
    ranks = learn_ranks({}, 256)
    assert ranks == {bytes([byte]): byte for byte in range(256)}


def test_a_vocab_size_below_256_is_an_error() -> None:
    with pytest.raises(ValueError, match="255 tokens"):
        train([], vocab_size=255, pattern=R50K)


def test_a_vocab_size_above_the_number_of_characters_is_an_error() -> None:
    with pytest.raises(ValueError, match="at most 1114112"):
        learn_ranks({}, 0x110001)


def test_progress_is_called_with_each_number_of_tokens() -> None:
    calls: list[int] = []
    learn_ranks({"aaab": 2}, 300, progress=calls.append)
    assert calls == [257, 258, 259]


def test_merges_do_not_cross_pretokens() -> None:
    tokenizer = train(["ab, ab, ab, ab"], vocab_size=300, pattern=R50K)
    assert learned(dict(tokenizer.ranks)) == [b"ab", b" ab"]


def test_special_tokens_get_the_ids_after_the_last() -> None:
    tokenizer = train(["aaaa"], vocab_size=257, pattern=R50K, special_tokens=["<a>", "<b>"])
    assert dict(tokenizer.special_tokens) == {"<a>": 257, "<b>": 258}
    assert tokenizer.n_vocab == 259


def test_the_result_has_the_unicode_version_of_the_training() -> None:
    new = "\U0001e4d0a"  # assigned in 15.0
    old = train([new] * 9, vocab_size=300, pattern=R50K, unicode_version="14.0")
    assert old.unicode_version == "14.0"
    assert new.encode() not in old.ranks
    assert new.encode() in train([new] * 9, vocab_size=300, pattern=R50K).ranks


def test_a_lone_surrogate_is_trained_as_the_replacement_character() -> None:
    assert "\ufffd".encode() in train(["\ud800"] * 3, vocab_size=300, pattern=R50K).ranks


@pytest.mark.slow
@given(st.lists(st.text(alphabet="ab '\u00e9\u0915\u094d", max_size=30)), st.randoms())
def test_the_order_of_the_texts_does_not_matter(texts: list[str], random: Random) -> None:
    shuffled = list(texts)
    random.shuffle(shuffled)
    first, second = (train(corpus, vocab_size=290, pattern=O200K) for corpus in (texts, shuffled))
    assert list(first.ranks.items()) == list(second.ranks.items())
    assert sorted(first.ranks.values()) == list(range(len(first.ranks)))


@given(st.lists(st.text(max_size=30), max_size=10), st.text())
def test_a_trained_tokenizer_round_trips_any_text(texts: list[str], text: str) -> None:
    tokenizer = train(texts, vocab_size=300, pattern=O200K)
    assert tokenizer.decode(tokenizer.encode(text)) == text
