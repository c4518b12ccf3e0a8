"""TOK407: holes, ids past the end, special ids that are shared."""

import copy

import pytest
from planted._tokenizer_files import record_of

from tokharness_tokenizers.reference.tokenizer_json import read

CODE = "TOK407"
BYTES = [bytes([byte]) for byte in range(256)]


@pytest.fixture
def vocabulary(byte_tokenizer):
    """Make a byte tokenizer with ``more`` tokens; None is a hole."""

    def make(*more, n_vocab=None, special=None, added=None, words=()):
        tokens = dict(enumerate([*BYTES, *more]))
        tokenizer = byte_tokenizer(
            n_vocab=n_vocab or len(tokens),
            special_tokens=special or {},
            added_tokens=added or {},
            decode_single_token_bytes=lambda i: bytes(tokens[i]),
        )
        plain, known = (
            tokenizer.encode,
            {words: number for number, words in tokens.items() if words},
        )
        tokenizer.encode = lambda text: [known[text.encode()]] if text in words else plain(text)
        return tokenizer

    return make


def test_a_full_id_space_passes(check_texts, vocabulary):
    assert check_texts(CODE, vocabulary(b"<s>", special={"<s>": 256})) == []


def test_holes_are_counted_once_as_runs(check_texts, vocabulary):
    (fact,) = check_texts(CODE, vocabulary(None, None, b"ab", None, n_vocab=300))
    assert (fact.verdict, str(fact.cause), fact.count) == ("fact", "id-space holes", 43)
    assert "256 to 257, 259 to 299" in fact.message


def test_special_ids_past_the_end_are_a_bug(check_texts, vocabulary):
    special = {"<s>": 256, "<end>": 300}
    (bug,) = check_texts(CODE, vocabulary(n_vocab=256, special=special)).bugs
    assert (str(bug.cause), bug.count, bug.text) == ("ids past n_vocab: special", 2, "<s>")


def test_a_negative_special_id_is_a_bug(check_texts, vocabulary):
    (bug,) = check_texts(CODE, vocabulary(special={"<s>": -1})).bugs
    assert str(bug.cause) == "ids past n_vocab: special"


def test_special_ids_are_checked_without_the_bytes_of_tokens(check_texts, byte_tokenizer):
    target = byte_tokenizer(n_vocab=256, special_tokens={"<s>": 256})
    (bug,) = check_texts(CODE, target)
    assert str(bug.cause) == "ids past n_vocab: special"


def test_a_token_past_the_end_is_a_bug(check_texts, vocabulary):
    target = vocabulary(b"the", n_vocab=256, words=("the",))
    (bug,) = check_texts(CODE, target).bugs
    assert (str(bug.cause), bug.text) == ("ids past n_vocab: ordinary", "the")


def test_bytes_that_an_id_past_the_end_borrows_are_no_token(check_texts, byte_tokenizer):
    target = byte_tokenizer(n_vocab=256, decode_single_token_bytes=lambda i: bytes([i % 256]))
    assert check_texts(CODE, target) == []


def test_a_special_id_that_plain_text_gives_is_a_bug(check_texts, vocabulary):
    (bug,) = check_texts(CODE, vocabulary(special={"<s>": 97})).bugs
    assert str(bug.cause) == "shared special id: an ordinary token"
    assert (bug.text, bug.count) == ("a", 1)


@pytest.mark.parametrize(
    ("special", "added", "cause"),
    [
        ({"<s>": 256, "<bos>": 256}, {}, "shared special id: another special token"),
        ({}, {"<s>": 256, "<bos>": 256}, "shared added id: another added token"),
        ({"<s>": 256}, {"<bos>": 256}, "shared added id: another added token"),
    ],
)
def test_two_declared_tokens_with_one_id_are_a_bug(check_texts, vocabulary, special, added, cause):
    target = vocabulary(b"<s>", special=special, added=added)
    (bug,) = check_texts(CODE, target)
    assert (bug.verdict, bug.count, str(bug.cause)) == ("bug", 1, cause)


def test_declared_tokens_with_ids_of_their_own_pass(check_texts, vocabulary):
    target = vocabulary(b"<s>", b"<bos>", special={"<s>": 256}, added={"<bos>": 257})
    assert check_texts(CODE, target) == []


def test_the_unknown_token_shares_its_id_with_no_ordinary_token(check_texts, vocabulary):
    target = vocabulary("\ufffd".encode(), special={"<unk>": 256})
    plain = target.encode
    target.encode = lambda text: plain(text) if text.isascii() else [256]
    assert check_texts(CODE, target) == []


def test_a_special_id_that_the_vocabulary_file_gives_a_token_is_a_bug(check_texts, vocabulary):
    target = vocabulary(b"<s>", b"ab", special={"<s>": 256})
    target.conflicting_tokens = {256: b"\xff", 300: b"ab"}
    (bug,) = check_texts(CODE, target).bugs
    assert str(bug.cause) == "shared special id: an ordinary token"
    assert (bug.count, bug.text) == (1, b"\xff")


class OtherToken:
    """A library that reads a file, and that decodes shared ids to another token than ours."""

    def __init__(self, file, shared):
        self._file, self._shared = file, shared
        self.n_vocab, self.special_tokens = file.n_vocab, file.special_tokens

    def encode(self, text):
        return self._file.encode_ordinary(text)

    def decode(self, ids):
        return "".join(self._shared.get(i) or self._file.decode([i]) for i in ids)

    def token_text(self, number):
        return self._shared.get(number) or self._file.token_text(number)


@pytest.fixture
def shared_ids():
    """Return a library and the reference of a file in which two pairs of letters have one id."""
    record = copy.deepcopy(record_of("byte_bpe"))
    vocab = record["model"]["vocab"]
    vocab["X"], vocab["Y"] = vocab["x"], vocab["y"]
    file = read(record, "file")
    other = {vocab[one]: one.swapcase() for one in (file.texts[vocab["x"]], file.texts[vocab["y"]])}
    return OtherToken(file, other), file


def test_an_id_of_several_ordinary_tokens_is_one_bug(check_texts, shared_ids):
    library, file = shared_ids
    (bug,) = check_texts(CODE, library, reference=file).bugs
    assert (str(bug.cause), bug.count) == ("shared id: several tokens", 2)


@pytest.mark.parametrize(
    ("code", "wanted"), [("TOK101", {"shared id: several tokens"}), ("TOK203", set())]
)
def test_what_a_shared_id_decodes_to_is_that_fault(check_texts, shared_ids, code, wanted):
    library, file = shared_ids
    found = check_texts(code, library, ["x", "X", "axy", "b"], reference=file)
    assert {str(one.cause) for one in found.bugs} == wanted


def test_a_second_id_of_a_token_is_no_shared_id(check_texts, vocabulary):
    target = vocabulary(b"ab", b"ab")
    target.conflicting_tokens = {257: b"ab"}
    target.token_text = lambda number: "ab" if number == 256 else chr(number)
    assert check_texts(CODE, target).bugs == []
