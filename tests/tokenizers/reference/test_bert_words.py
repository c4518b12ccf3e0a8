from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.normalizers.bert import BertNormalizer
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert
from tokharness_tokenizers.reference.wordpiece_training import count_words

ODD = "ab, \t\n\x0b\x0c\x1c\x1f\x85\xa0\u2028\u3000\u200b\ufffd\u0301\u03a3\u00c9\u4e2d#\U0001f600"


@given(
    st.lists(st.text(alphabet=ODD, max_size=30) | st.text(max_size=9), max_size=5), st.booleans()
)
def test_the_words_are_those_of_each_whole_text(texts: list[str], lowercase: bool) -> None:
    normalizer = BertNormalizer(lowercase=lowercase)
    words = [word for text in texts for word in Bert().words(normalizer.normalize(text))]
    assert count_words(texts, lowercase=lowercase) == Counter(words)
