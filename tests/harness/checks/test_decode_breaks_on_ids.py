"""TOK112: decoding ids that do not come from the encoder."""

import codecs

import pytest

from tokharness.checks import decode_breaks_on_ids
from tokharness.diagnosis.ids.aliases import alias_failures, silent_id_failures
from tokharness.diagnosis.probes.after_errors import first_decoded
from tokharness.model import target_of
from tokharness.targets.subject import Subject

CODE = "TOK112"
TOKENS = [*(bytes([byte]) for byte in range(256)), b" the", b"ab", b"<s>", b"\xe4\xb8", b" zyg"]


class Panic(BaseException):
    """An exception as a panic of Rust is in Python."""


class Vocabulary:
    """Bytes and some more tokens; the last id is a special token."""

    def __init__(self, tokens=TOKENS):
        self.tokens = dict(enumerate(tokens))
        self.n_vocab = len(tokens) + 1
        self.special_tokens = {"<|end|>": len(tokens)}

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        data = b"".join(self.decode_single_token_bytes(number) for number in ids)
        return data.decode("utf-8", "replace")

    def decode_single_token_bytes(self, number):
        if number in self.special_tokens.values():
            return b"<|end|>"
        return self.tokens[number]


@pytest.fixture
def vocabulary():
    def make(decode=None, **attributes):
        tokenizer = Vocabulary()
        if decode is not None:
            plain = tokenizer.decode
            tokenizer.decode = lambda ids: decode(tokenizer, plain, ids)
        vars(tokenizer).update(attributes)
        return tokenizer

    return make


def causes(findings):
    return [str(finding.cause) for finding in findings]


def test_a_decoder_that_raises_an_ordinary_error_passes(check_texts, vocabulary):
    assert check_texts(CODE, vocabulary()) == []


def test_a_target_with_encode_and_decode_only_passes(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer()) == []


@pytest.mark.parametrize("unknown", ["", "\ufffd", "<unk>"])
def test_one_text_for_all_invalid_ids_passes(check_texts, vocabulary, unknown):
    def decode(tokenizer, plain, ids):
        return "".join(plain([i]) if 0 <= i < tokenizer.n_vocab else unknown for i in ids)

    assert check_texts(CODE, vocabulary(decode)).bugs == []


def test_a_decoder_that_adds_or_strips_spaces_passes(check_texts, vocabulary):
    assert check_texts(CODE, vocabulary(lambda _, plain, ids: plain(ids).strip())).bugs == []
    assert check_texts(CODE, vocabulary(lambda _, plain, ids: " " + plain(ids))).bugs == []


def test_a_decoder_that_decodes_each_id_alone_passes(check_texts, vocabulary):
    target = vocabulary(lambda _, plain, ids: "".join(plain([i]) for i in ids))
    assert check_texts(CODE, target) == []


def panics(where):
    def decode(tokenizer, plain, ids):
        if any(where(tokenizer, i) for i in ids):
            raise Panic("index out of bounds")
        return plain(ids)

    return decode


@pytest.mark.parametrize(
    ("where", "which"),
    [
        (lambda tokenizer, i: i >= tokenizer.n_vocab, "past the end"),
        (lambda tokenizer, i: i == tokenizer.n_vocab, "past the end"),
        (lambda _, i: i >= 2**32, "past the end"),
        (lambda _, i: i < 0, "negative"),
        (lambda tokenizer, i: not 0 <= i < tokenizer.n_vocab, "negative, past the end"),
        (lambda _, i: i == 257, "ordinary"),
        (lambda _, i: i == 261, "special"),
        (lambda _, i: i == 259, "part of a character"),
    ],
)
def test_a_panic_is_one_bug_that_names_which_ids(check_texts, vocabulary, where, which):
    (bug,) = check_texts(CODE, vocabulary(panics(where))).bugs
    assert str(bug.cause) == f"decode breaks: the panic Panic, {which}"
    assert "index out of bounds" in bug.message


@pytest.mark.parametrize("fatal", [set(), {"past the end"}, {"negative"}])
def test_ids_of_a_kind_that_ends_the_process_are_not_decoded_again(vocabulary, fatal):
    decoded = []

    def decode(_, plain, ids):
        decoded.extend(ids)
        return plain(ids)

    subject = Subject(target_of("target", vocabulary(decode)))
    alone = {number: subject.target.decode([number]) for number in range(len(TOKENS) + 1)}
    assert [*alias_failures(alone, subject, fatal)] == []
    assert [*silent_id_failures(subject, fatal)] == []
    kinds = {"past the end": max(decoded) > len(TOKENS), "negative": min(decoded) < 0}
    assert {kind for kind, is_decoded in kinds.items() if not is_decoded} == fatal


def test_a_panic_in_a_hole_is_a_bug(check_texts, vocabulary):
    target = vocabulary(
        panics(lambda tokenizer, i: i not in tokenizer.tokens and i != 261), n_vocab=270
    )
    (bug,) = check_texts(CODE, target).bugs
    assert str(bug.cause) == "decode breaks: the panic Panic, in a hole, negative, past the end"


def test_a_panic_on_no_ids_is_a_bug(check_texts, vocabulary):
    def decode(tokenizer, plain, ids):
        if not ids:
            raise Panic
        return plain(ids)

    assert causes(check_texts(CODE, vocabulary(decode)).bugs) == [
        "decode breaks: the panic Panic, no ids"
    ]


def test_exhausted_memory_is_a_bug(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    plain = target.decode

    def decode(ids):
        if ids and max(ids) >= 2**31:
            raise MemoryError
        return plain(ids)

    target.decode = decode
    assert causes(check_texts(CODE, target).bugs) == ["decode breaks: out of memory, past the end"]


@pytest.mark.parametrize(
    ("alias", "how"),
    [
        (
            lambda tokenizer, i: i + tokenizer.n_vocab if -tokenizer.n_vocab <= i < 0 else i,
            "counted from the end",
        ),
        (lambda tokenizer, i: i % tokenizer.n_vocab if i >= 0 else i, "modulo n_vocab"),
        (lambda _, i: i & 0xFF if i > 300 else i, "the low 8 bits"),
        (lambda _, i: i & 0xFFFF if i > 0 else i, "the low 16 bits"),
        (lambda _, i: i & 0xFFFFFFFF if i > 0 else i, "the low 32 bits"),
        (lambda _, i: abs(i), "the absolute value"),
    ],
)
def test_an_index_that_wraps_around_is_one_bug(check_texts, vocabulary, alias, how):
    target = vocabulary(lambda tokenizer, plain, ids: plain([alias(tokenizer, i) for i in ids]))
    (bug,) = check_texts(CODE, target).bugs
    assert str(bug.cause) == f"id decodes to another token's text: {how}"


def test_without_n_vocab_a_lost_sign_is_a_bug(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    plain = target.decode
    target.decode = lambda ids: plain(list(map(abs, ids)))
    assert causes(check_texts(CODE, target).bugs) == [
        "id decodes to another token's text: the absolute value"
    ]


class Leaking(Vocabulary):
    """Keeps the bytes of a part of a character for the next call."""

    def __init__(self):
        super().__init__()
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def decode(self, ids):
        return self.decoder.decode(b"".join(map(self.decode_single_token_bytes, ids)))


def test_bytes_of_one_call_in_the_next_are_a_bug(check_texts):
    (bug,) = check_texts(CODE, Leaking()).bugs
    assert str(bug.cause) == "state: decode"
    assert bug.evidence["after"].startswith("decode([")
    assert bug.evidence["given"] != bug.evidence["expected"]


def test_bytes_of_one_call_in_the_next_are_found_without_a_vocabulary(check_texts, byte_tokenizer):
    tokenizer = Leaking()
    target = byte_tokenizer()
    target.decode = tokenizer.decode
    assert causes(check_texts(CODE, target).bugs) == ["state: decode"]


def test_silently_lost_bytes_are_a_risk(check_texts, vocabulary):
    def decode(tokenizer, plain, ids):
        return b"".join(map(tokenizer.decode_single_token_bytes, ids)).decode("utf-8", "ignore")

    (risk,) = check_texts(CODE, vocabulary(decode))
    assert (risk.verdict, str(risk.cause)) == ("risk", "bytes lost silently: decode")


def test_one_token_that_decodes_to_another_is_a_bug(check_texts, vocabulary):
    def decode(tokenizer, plain, ids):
        return plain([257 if i == 260 else i for i in ids])

    (bug,) = check_texts(CODE, vocabulary(decode)).bugs
    assert str(bug.cause) == "entry points: decode"
    assert (bug.evidence["for"], bug.evidence["ids"]) == ([260], [260])


@pytest.mark.parametrize(
    ("read_from_file", "name"),
    [((), "decode_single_token_bytes"), (("decode_single_token_bytes",), "decode")],
)
def test_a_token_whose_bytes_are_not_the_text_that_becomes_it_is_a_bug(
    check_texts, read_from_file, name
):
    tokenizer = Vocabulary()
    tokenizer.read_from_file = read_from_file  # a library without the method is not blamed for it
    plain, encode = tokenizer.decode_single_token_bytes, tokenizer.encode

    def decode(ids):
        return b"".join(map(plain, ids)).decode("utf-8", "replace")

    tokenizer.encode = lambda text: [260] if text == " zyg" else encode(text)
    tokenizer.decode = decode
    tokenizer.decode_single_token_bytes = lambda i: plain(i)[::-1] if i == 260 else plain(i)
    (bug,) = check_texts(CODE, tokenizer).bugs
    assert str(bug.cause) == f"entry points: {name}"
    assert (bug.evidence["for"], bug.evidence["ids"]) == ([260], [260])


def test_special_tokens_that_are_left_out_are_by_design(check_texts, vocabulary):
    def decode(tokenizer, plain, ids):
        return plain([i for i in ids if i not in tokenizer.special_tokens.values()])

    (fact,) = check_texts(CODE, vocabulary(decode))
    assert (fact.verdict, str(fact.cause)) == ("fact", "special ids left out: decode")


def test_several_ids_that_decode_to_other_text_than_their_bytes_are_a_bug(check_texts, vocabulary):
    def decode(tokenizer, plain, ids):
        return plain(ids[:7])

    assert causes(check_texts(CODE, vocabulary(decode)).bugs) == ["decoder: any ids"]


def test_decode_bytes_must_join_the_same_bytes(check_texts, vocabulary):
    target = vocabulary(decode_bytes=lambda ids: bytes(ids[:1]))
    assert causes(check_texts(CODE, target).bugs) == ["entry points: decode_bytes"]


class Words(Vocabulary):
    """Whole words, and parts of words that follow without a space, as WordPiece has them."""

    normalizer = "lowercase"

    def __init__(self):
        super().__init__([b"the", b"quick", b"fox", b"es", b"a", b"b", b"c", b"d", b"z"])

    def encode(self, text):
        return [0 if word == "the" else 1 for word in text.split()]

    def decode(self, ids):
        return " ".join(self.decode_single_token_bytes(i).decode() for i in ids)

    def decode_bytes(self, ids):
        return self.decode(ids).encode()


def test_a_declared_normalizer_may_change_the_spaces_between_words(check_texts):
    assert check_texts(CODE, Words()).bugs == []


def test_wrong_letters_are_a_bug_despite_a_normalizer(check_texts):
    tokenizer = Words()
    plain = tokenizer.decode
    tokenizer.decode = lambda ids: plain(ids[:3])
    assert "decoder: any ids" in causes(check_texts(CODE, tokenizer).bugs)


def test_spaces_between_words_are_a_bug_without_a_declared_normalizer(check_texts):
    tokenizer = Words()
    tokenizer.normalizer = None
    assert "decoder: any ids" in causes(check_texts(CODE, tokenizer).bugs)


class UnhashableError(Exception):
    """An exception like a dataclass with equality."""

    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, UnhashableError)


def test_an_unhashable_exception_is_no_internal_error(check_texts, vocabulary):
    tokens = [*TOKENS, *(b"word%d" % number for number in range(200))]

    def decode(tokenizer, plain, ids):
        if ids == [256]:
            raise UnhashableError
        return plain(ids)

    target = vocabulary(decode, tokens=dict(enumerate(tokens)), n_vocab=len(tokens))
    target.special_tokens = {}
    assert check_texts(CODE, target).bugs == []


class Soiled(Vocabulary):
    """Begins each text with U+FFFD once it has decoded a part of a character."""

    cut = False

    def decode(self, ids):
        text = super().decode(ids)
        if self.cut:
            return f"\ufffd{text}"
        self.cut = text.endswith("\ufffd")
        return text


@pytest.mark.parametrize("tokenizer", [Soiled, Vocabulary])
def test_a_decoder_that_another_probe_has_soiled_is_found(tokenizer):
    subject = Subject(target_of("target", tokenizer()))
    first_decoded(subject)
    subject.decode([0xE4])
    causes = [str(failure.cause) for failure in decode_breaks_on_ids.audit(subject)]
    assert ("state: decode" in causes) is (tokenizer is Soiled)
