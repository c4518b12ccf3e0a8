"""TOK406: two ids with the same bytes."""

import pytest

CODE = "TOK406"
BYTES = [bytes([byte]) for byte in range(256)]


class Vocabulary:
    """Tokens by their ids; None is a hole."""

    def __init__(self, tokens, special=None):
        self.tokens = tokens
        self.n_vocab = len(tokens)
        self.special_tokens = special or {}

    def encode(self, text):
        return [self.tokens.index(bytes([byte])) for byte in text.encode("utf-8", "replace")]

    def decode(self, ids):
        return b"".join(self.tokens[i] for i in ids)

    def decode_single_token_bytes(self, i):
        if self.tokens[i] is None:
            raise KeyError(i)
        return self.tokens[i]


@pytest.mark.parametrize(
    "tokens",
    [
        BYTES,
        [*BYTES, b"ab", None, None],
        [*BYTES, b"", b""],  # ids that stand for nothing
        [*BYTES, "\u00e9".encode(), "e\u0301".encode()],  # equal after NFC
        [*BYTES, b"oo", "\u043e\u043e".encode()],  # look alike
    ],
)
def test_different_tokens_are_not_accused(check_texts, tokens):
    assert check_texts(CODE, Vocabulary(tokens)) == []


def test_ids_with_the_same_bytes_are_one_bug_with_the_shortest(check_texts):
    (bug,) = check_texts(CODE, Vocabulary([*BYTES, b"abc", b"ab", b"abc", b"ab"])).bugs
    assert (str(bug.cause), bug.count, bug.text) == ("duplicate tokens", 2, b"ab")
    assert bug.evidence == {"ids": [[256, 258], [257, 259]]}


def test_a_byte_with_a_second_id_is_a_bug(check_texts):
    assert check_texts(CODE, Vocabulary([*BYTES, b"a"])).bugs[0].text == b"a"


def test_the_twins_of_a_byte_fallback_are_by_design(check_texts):
    pieces = [bytes([byte]) for byte in range(32, 127)]
    (fact,) = check_texts(CODE, Vocabulary([b"ab", *BYTES, *pieces]))
    assert (fact.verdict, str(fact.cause), fact.count) == ("by design", "byte fallback", 95)


def test_beside_a_byte_fallback_duplicates_are_told(check_texts):
    pieces = [bytes([byte]) for byte in range(32, 127)]
    found = check_texts(CODE, Vocabulary([*BYTES, *pieces, b"a", b"ab", b"ab"]))
    assert [(one.count, one.text) for one in found.bugs] == [(2, b"a")]
