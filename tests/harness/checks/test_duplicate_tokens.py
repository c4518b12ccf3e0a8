"""TOK406: two ids with the same bytes, or with texts that are equal in another form."""

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
        last = {token: number for number, token in enumerate(self.tokens)}
        return [last[bytes([byte])] for byte in text.encode("utf-8", "replace")]

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
        [*BYTES, "\u041e".encode()],  # one character looks alike
        [*BYTES, b"\xef\xbf\xbd", b"\xef\xbf\xbd\xef"],  # U+FFFD, and a part of a character
    ],
)
def test_different_tokens_pass(check_texts, tokens):
    assert check_texts(CODE, Vocabulary(tokens)) == []


@pytest.mark.parametrize(
    ("first", "second", "form"),
    [
        ("\u00e9", "e\u0301", "NFC"),
        ("oo", "\u043e\u043e", "skeleton"),
        ("corn", "com", "skeleton"),
        ("\u1e69x", "s\u0307\u0323x", "NFC"),
    ],
)
def test_tokens_that_are_equal_in_another_form_are_one_fact(check_texts, first, second, form):
    (fact,) = check_texts(CODE, Vocabulary([*BYTES, first.encode(), second.encode()]))
    assert (fact.verdict, str(fact.cause)) == ("fact", "tokens equal in another form")
    assert fact.evidence["forms"] == [
        {
            "equal in": form,
            "groups": 1,
            "tokens": 2,
            "example": first,
            "its id": 256,
            "equal to": second,
            "id of that": 257,
            "ids": [[256, 257]],
        }
    ]


def test_tokens_that_differ_only_in_a_mark_of_the_format_are_equal_as_text(check_texts):
    target = Vocabulary([b"[UNK]", b"ing", b"##ing"])
    target.token_text = lambda number: target.tokens[number].decode()
    target.decode_single_token_bytes = None
    (fact,) = check_texts(CODE, target)
    assert [row["equal in"] for row in fact.evidence["forms"]] == ["text"]
    assert fact.evidence["forms"][0]["ids"] == [[1, 2]]


def test_ids_with_the_same_bytes_are_one_bug_with_the_shortest(check_texts):
    (bug,) = check_texts(CODE, Vocabulary([*BYTES, b"abc", b"ab", b"abc", b"ab"])).bugs
    assert (str(bug.cause), bug.count, bug.text) == ("duplicate tokens", 2, b"ab")
    assert bug.evidence == {"ids": [[256, 258], [257, 259]]}


def test_a_byte_with_a_second_id_is_a_bug(check_texts):
    assert check_texts(CODE, Vocabulary([*BYTES, b"a"])).bugs[0].text == b"a"


@pytest.mark.parametrize("pieces", [range(32, 127), range(ord("a"), ord("z") + 1)])
def test_the_twins_of_a_byte_fallback_are_by_design(check_texts, pieces):
    (fact,) = check_texts(CODE, Vocabulary([b"ab", *BYTES, *(bytes([byte]) for byte in pieces)]))
    assert (fact.verdict, str(fact.cause)) == ("fact", "byte fallback")
    assert fact.count == len(pieces)


def test_bytes_with_a_twin_that_the_encoder_never_uses_are_a_bug(check_texts):
    tokens = [*BYTES, *(bytes([byte]) for byte in range(32, 127))]
    target = Vocabulary(tokens)
    target.encode = lambda text: list(text.encode("utf-8", "replace"))
    (bug,) = check_texts(CODE, target)
    assert (str(bug.cause), bug.count) == ("duplicate tokens", 95)


def test_ids_for_the_start_of_a_word_and_within_one_are_different_tokens(check_texts):
    target = Vocabulary([*BYTES, *(bytes([byte]) for byte in range(ord("a"), ord("z") + 1))])
    shift = 256 - ord("a")
    target.encode = lambda text: [
        byte + shift if place and chr(byte).islower() and text[place - 1].isalpha() else byte
        for place, byte in enumerate(text.encode("utf-8", "replace"))
    ]
    assert check_texts(CODE, target) == []


def test_duplicates_in_addition_to_a_byte_fallback_are_a_bug(check_texts):
    pieces = [bytes([byte]) for byte in range(32, 127)]
    findings = check_texts(CODE, Vocabulary([*BYTES, *pieces, b"a", b"ab", b"ab"]))
    assert [(finding.count, finding.text) for finding in findings.bugs] == [(2, b"a")]


def test_a_second_id_that_only_the_vocabulary_file_has_is_a_bug(check_texts):
    target = Vocabulary([*BYTES, b"ab"])
    target.conflicting_tokens = {300: b"ab"}
    (bug,) = check_texts(CODE, target).bugs
    assert bug.evidence == {"ids": [[256, 300]]}
