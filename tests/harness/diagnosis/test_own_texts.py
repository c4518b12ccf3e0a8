"""The own texts of tokens are encoded once, and what the target raises is kept too."""

from collections import Counter

from tokharness.diagnosis.reachability.tokens import encode_own_texts
from tokharness.model import target_of
from tokharness.outcome import Raised
from tokharness.targets.subject import Subject


class Counting:
    """Encodes a text to its code points, and counts how often it is asked for each."""

    def __init__(self):
        self.asked = Counter()

    def encode(self, text):
        self.asked[text] += 1
        if text == "bad":
            raise ValueError(text)
        return [*map(ord, text)]

    def decode(self, ids):
        return "".join(map(chr, ids))


def test_each_text_is_encoded_once():
    tokenizer = Counting()
    subject = Subject(target_of("mine", tokenizer))
    assert encode_own_texts(["a", "b"], subject) == [[97], [98]]
    b, bad, c = encode_own_texts(["b", "bad", "c"], subject)
    again = encode_own_texts(["bad"], subject)
    assert (b, c) == ([98], [99])
    assert isinstance(bad, Raised)
    assert again == [bad]
    assert set(tokenizer.asked.values()) == {1}
