"""Added tokens of which one takes the texts of both."""

import pytest

CODE = "TOK201"
ONE, OTHER = "<1>", "<\u2460>"


class Added:
    """Bytes and two added tokens; ``ids`` has the id that the text of each gets."""

    added_tokens = {ONE: 300, OTHER: 301}  # noqa: RUF012 - as a library declares it

    def __init__(self, ids):
        self.ids = ids

    def encode(self, text):
        for token in (ONE, OTHER):
            if token in text:
                before, _, after = text.partition(token)
                return [*self.encode(before), self.ids[token], *self.encode(after)]
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return "".join(ONE if number >= 300 else chr(number) for number in ids)


@pytest.mark.parametrize("winner", [300, 301])
def test_two_tokens_that_are_equal_once_normalized_are_named_whichever_wins(check_texts, winner):
    target = Added({ONE: winner, OTHER: winner})
    reference = Added({ONE: 300, OTHER: 300})
    (bug,) = check_texts(CODE, target, ["a<1>b", "<\u2460>", "ab"], reference=reference).bugs
    assert str(bug.cause) == "added tokens: <1> and <\u2460>"


def test_two_such_tokens_with_their_own_ids_pass(check_texts):
    own = {ONE: 300, OTHER: 301}
    assert check_texts(CODE, Added(own), ["a<1>b"], reference=Added(own)).bugs == []
