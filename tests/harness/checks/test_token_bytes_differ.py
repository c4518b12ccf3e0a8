"""TOK106: the bytes of a text's tokens, joined, are not the bytes of the text."""

import pytest

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine

CODE = "TOK106"
TEXTS = ("a", " a b", "\u00e9", "\u4e2d \u00e9", "\U0001f9ff\n", "", "x\ufffdy", "\ud800")
FAMILIES = ("emoji", "special-tokens", "normal-forms")
FACTS = TargetFacts(("<|endoftext|>",))


def letter(byte):
    """Letter that a byte-level vocabulary writes for a byte."""
    hidden = [b for b in range(256) if not (33 <= b < 127 or 161 <= b < 173 or b > 173)]
    return chr(256 + hidden.index(byte) if byte in hidden else byte)


@pytest.fixture(scope="module")
def embedded():
    return reference_target.load("embedded")


@pytest.fixture(scope="module")
def hostile():
    """Some texts of some families."""
    texts = [case.text for name in FAMILIES for case in plugins.families()[name].cases(FACTS)]
    return texts[::25]


@pytest.fixture
def target(byte_tokenizer):
    """Bytes as tokens; ``write`` changes the bytes that the target gives for each token."""

    def make(write=lambda data: data, **attributes):
        def single(number):
            return write(bytes([number]))

        return byte_tokenizer(decode_single_token_bytes=single, **attributes)

    return make


@pytest.fixture
def words(embedded):
    """The embedded vocabulary, with tokens of many bytes and of parts of a character."""

    class Words:
        special_tokens = embedded.special_tokens

        def __init__(self, write=lambda data: data):
            self.write = write

        def encode(self, text):
            return embedded.encode_ordinary(text)

        def decode(self, ids):
            return embedded.decode(ids)

        def decode_single_token_bytes(self, number):
            return self.write(embedded.decode_single_token_bytes(number))

    return Words


def test_bytes_of_the_text_pass(check_texts, target, hostile):
    assert check_texts(CODE, target(decode_bytes=bytes), (*TEXTS, *hostile)) == []


@pytest.mark.parametrize("load", [reference_target.load, tiktoken_engine.load])
def test_the_reference_and_tiktoken_pass(check_texts, load, hostile):
    assert check_texts(CODE, load("embedded"), (*TEXTS, *hostile)) == []


def test_tokens_have_the_bytes_of_the_declared_normal_form(check_texts, target, hostile):
    tokenizer = target(
        before=lambda text: normalize("NFC", text), normalizer="NFC", decode_bytes=bytes
    )
    assert check_texts(CODE, tokenizer, ("e\u0301", *TEXTS, *hostile)) == []


def test_lost_text_is_left_to_another_check(check_texts, target):
    tokenizer = target(before=lambda text: text.replace("a", ""))
    assert check_texts(CODE, tokenizer, TEXTS) == []


@pytest.mark.parametrize("special", [{"<s>": 300}, {}])
def test_ids_around_every_text_are_left_out(check_texts, target, special):
    def single(number):
        if number == 300:
            raise KeyError(number)
        return bytes([number])

    tokenizer = target(decode_bytes=lambda ids: b"".join(map(single, ids)), special_tokens=special)
    plain, read = tokenizer.encode, tokenizer.decode
    tokenizer.decode_single_token_bytes = single
    tokenizer.encode = lambda text: [300, *plain(text), 300]
    tokenizer.decode = lambda ids: read([i for i in ids if i != 300])
    assert check_texts(CODE, tokenizer, TEXTS) == []


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda data: data.replace(b" ", b"\xe2\x96\x81"), "U+2581 for a space"),
        (lambda data: data.replace(b" ", b"\xc4\xa0"), "U+0120 for a space"),
        (
            lambda data: "".join(map(letter, data)).encode(),
            "letters of the byte-level alphabet",
        ),
        (
            lambda data: data.decode("utf-8", "replace").encode(),
            "U+FFFD for a part of a character",
        ),
        (lambda data: data if data.isascii() else b"<0x%02X>" % data[0], "<0x..> for a byte"),
        (lambda data: data.decode("latin-1").encode(), "UTF-8 encoded twice"),
        (lambda data: data.strip() or b"", "white space"),
        (lambda data: data.replace(b"a", b""), "bytes missing"),
        (lambda data: data.replace(b"a", b"aa"), "bytes added"),
        (lambda data: data.replace(b"a", b"b"), "other bytes"),
        (lambda data: data.decode("latin-1"), "not bytes: str"),
    ],
)
def test_wrong_bytes_are_one_bug_that_names_them(check_texts, target, write, what):
    (bug,) = check_texts(CODE, target(write), TEXTS)
    assert (bug.verdict, str(bug.cause)) == ("bug", f"token bytes: {what}")
    assert len(bug.text) == 1


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda data: data.replace(b" ", b"\xe2\x96\x81"), "U+2581 for a space"),
        (
            lambda data: "".join(map(letter, data)).encode(),
            "letters of the byte-level alphabet",
        ),
        (
            lambda data: data.decode("utf-8", "replace").encode(),
            "U+FFFD for a part of a character",
        ),
        (bytes.strip, "white space"),
    ],
)
def test_wrong_bytes_are_named_if_tokens_have_several_bytes(check_texts, words, write, what):
    (bug,) = check_texts(CODE, words(write), TEXTS)
    assert str(bug.cause) == f"token bytes: {what}"


def test_a_token_without_bytes_is_a_bug(check_texts, target):
    def write(data):
        if data == b"a":
            raise KeyError(97)
        return data

    (bug,) = check_texts(CODE, target(write), TEXTS)
    assert (str(bug.cause), bug.text) == ("token bytes: raises KeyError", "a")


def test_a_space_before_every_text_is_by_design(check_texts, words):
    tokenizer = words()
    plain, read = tokenizer.encode, tokenizer.decode
    tokenizer.encode = lambda text: plain(f" {text}")
    tokenizer.decode = lambda ids: read(ids)[1:]
    (fact,) = check_texts(CODE, tokenizer, ("the", "word", "\u00e9", " x", "\U0001f9ff"))
    assert fact.verdict == "fact"


def test_white_space_that_a_normalizing_target_drops_is_by_design(check_texts, target):
    tokenizer = target(lambda data: data.strip(), before=str.lower, normalizer="lowercase")
    (fact,) = check_texts(CODE, tokenizer, ("a b", "A"))
    assert fact.verdict == "fact"


@pytest.mark.parametrize(
    "whole",
    [
        lambda ids: bytes(ids).decode("utf-8", "replace").encode()[:1],
        lambda ids: bytes(ids).decode("utf-8", "replace"),
        lambda _: 1 / 0,
    ],
)
def test_wrong_bytes_of_decode_bytes_are_one_bug(check_texts, target, whole):
    (bug,) = check_texts(CODE, target(decode_bytes=whole), TEXTS)
    assert str(bug.cause) == "entry points: decode_bytes"
