"""TOK111: bytes that are encoded and decoded do not come back unchanged."""

import pytest

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.targets.subject import scalar_text
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target

CODE = "TOK111"
TEXTS = (
    *("a", "word \u00e9", "\U0001f9ff", "", "e\u0301", "\udc80", "a\udcff b", "\udce2\udc82"),
    *("\ud800", "\udcc3\udca9", "\ud83d\ude00"),
)


class PanicError(BaseException):
    """An exception as native code raises it: not a subclass of Exception."""


@pytest.fixture
def target(byte_tokenizer):
    """Bytes as tokens; ``change`` changes bytes before they are encoded."""

    def make(change=bytes, back=bytes, **attributes):
        return byte_tokenizer(
            encode_bytes=lambda data: list(change(data)), decode_bytes=back, **attributes
        )

    return make


@pytest.fixture(scope="module")
def hostile():
    texts = [
        case.text
        for name in ("invalid-utf8", "emoji", "surrogates")
        for case in plugins.families()[name].cases(TargetFacts())
    ]
    return texts[::25]


def strict(data):
    data.decode()
    return data


def raising(error):
    def change(data):
        if data != data.decode("utf-8", "ignore").encode():
            raise error
        return data

    return change


def test_bytes_that_come_back_pass(check_texts, target, hostile):
    assert check_texts(CODE, target(), (*TEXTS, *hostile)) == []


def test_the_reference_passes(check_texts, hostile):
    assert check_texts(CODE, reference_target.load("embedded"), (*TEXTS, *hostile)) == []


@pytest.mark.parametrize("also", [True, False], ids=["bytes too", "text only"])
def test_a_declared_normal_form_is_allowed_in_text(check_texts, target, also):
    def change(data):
        text = data.decode("utf-8", "surrogateescape")
        return normalize("NFC", text).encode("utf-8", "surrogateescape") if also else data

    tokenizer = target(change, before=lambda text: normalize("NFC", text), normalizer="NFC")
    texts = TEXTS if also else [text for text in TEXTS if "\u0301" not in text]
    assert check_texts(CODE, tokenizer, texts).bugs == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda data: data.decode("utf-8", "replace").encode(), "U+FFFD"),
        (lambda data: data.decode("utf-8", "ignore").encode(), "nothing"),
        (lambda data: data if data.isascii() else data[:-1] + b"?", "other bytes"),
    ],
)
def test_what_invalid_bytes_become_is_named(check_texts, target, change, what):
    texts = [text for text in TEXTS if text != scalar_text(text)]
    (bug,) = check_texts(CODE, target(change), texts)
    assert (bug.verdict, str(bug.cause)) == ("bug", f"invalid UTF-8: {what}")
    assert len(bug.text) == 1


def test_refusing_invalid_utf8_is_by_design(check_texts, target):
    (fact,) = check_texts(CODE, target(strict), TEXTS)
    assert fact.verdict == "fact"
    assert str(fact.cause) == "refuses invalid UTF-8: UnicodeDecodeError"


def test_the_bytes_of_a_text_that_encode_refuses_are_checked(check_texts, target):
    def encode(text):
        return list(text.encode())

    tokenizer = target(lambda data: data.decode("utf-8", "replace").encode())
    tokenizer.encode = encode
    (bug,) = check_texts(CODE, tokenizer, TEXTS)
    assert str(bug.cause) == "invalid UTF-8: U+FFFD"


@pytest.mark.parametrize("error", [PanicError("no"), MemoryError()], ids=str)
def test_a_panic_on_invalid_utf8_is_a_bug(check_texts, target, error):
    (bug,) = check_texts(CODE, target(raising(error)), TEXTS)
    assert bug.verdict == "bug"
    assert str(bug.cause) == f"panics: encode_bytes, {type(error).__name__}"


@pytest.mark.parametrize(
    "encode_bytes",
    [
        lambda data: [*data, 0] if data else [],
        lambda data: [] if data == b"a" else list(data),
        lambda data: 1 / (data != b"a") and list(data),
    ],
)
def test_ids_of_bytes_that_are_not_those_of_the_text_are_entry_points(
    check_texts, target, encode_bytes
):
    tokenizer = target(back=lambda ids: bytes(ids).rstrip(b"\0") or b"a")
    tokenizer.encode_bytes = encode_bytes
    findings = check_texts(CODE, tokenizer, ("a", "ab", "\u00e9"))
    assert [str(bug.cause) for bug in findings] == ["entry points: encode_bytes"]


@pytest.mark.parametrize(
    ("back", "what"),
    [
        (lambda ids: bytes(ids).decode("latin-1").encode(), "letters of Latin-1"),
        (lambda ids: bytes(ids).decode("utf-8", "replace"), "a str"),
        (lambda _: 1 / 0, "decode_bytes raises ZeroDivisionError"),
    ],
)
def test_wrong_bytes_of_decode_bytes_are_named(check_texts, target, back, what):
    (bug,) = check_texts(CODE, target(back=back), ("\u00e9", "\u00e9\u00e9x"))
    assert (bug.verdict, str(bug.cause)) == ("bug", f"bytes: {what}")


def test_ids_around_every_text_are_left_out(check_texts, target):
    tokenizer = target(back=lambda ids: bytes(i for i in ids if i < 256))
    plain, read = tokenizer.encode, tokenizer.decode
    tokenizer.encode = lambda text: [300, *plain(text)]
    tokenizer.decode = lambda ids: read(ids[1:])
    assert check_texts(CODE, tokenizer, TEXTS) == []


def test_lost_text_next_to_invalid_utf8_is_one_finding(check_texts, target):
    tokenizer = target(lambda data: data.partition(b"\0")[0])
    (bug,) = check_texts(CODE, tokenizer, ("a\0b", "\udc9c\0"))
    assert str(bug.cause) == "entry points: encode_bytes"
    (alone,) = check_texts(CODE, tokenizer, ("\udc9ca\0b",))
    assert str(alone.cause) == "entry points: encode_bytes"


def test_losses_of_text_are_left_to_another_check(check_texts, target):
    def change(data):
        return data.replace(b"a", b"")

    tokenizer = target(change, before=lambda text: text.replace("a", ""))
    assert check_texts(CODE, tokenizer, ("a", "ab", "a\udc80")) == []


@pytest.fixture
def encoder(byte_tokenizer):
    """Return a tokenizer with ``encode_bytes`` and no ``decode_bytes``."""
    return lambda change=bytes, **attributes: byte_tokenizer(
        encode_bytes=lambda data: list(change(data)), **attributes
    )


@pytest.mark.parametrize("after", [str, lambda text: text.replace("\ufffd", "")])
def test_bytes_pass_without_decode_bytes(check_texts, encoder, hostile, after):
    assert check_texts(CODE, encoder(after=after), (*TEXTS, *hostile)).bugs == []


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda data: data.decode("utf-8", "replace").encode(), "invalid UTF-8: U+FFFD"),
        (lambda data: data.decode("utf-8", "ignore").encode(), "invalid UTF-8: nothing"),
        (lambda data: data.decode("latin-1").encode(), "invalid UTF-8: letters of Latin-1"),
        (lambda data: data if data.isascii() else data[:-1] + b"?", "invalid UTF-8: another text"),
    ],
)
def test_what_invalid_bytes_become_is_named_without_decode_bytes(
    check_texts, encoder, change, cause
):
    texts = [text for text in TEXTS if text != scalar_text(text)]
    assert [str(bug.cause) for bug in check_texts(CODE, encoder(change), texts)] == [cause]


@pytest.mark.parametrize(
    ("ours", "theirs", "how"),
    [
        (bytes, lambda data: data.rjust(9, b"\xff"), "other ids"),
        (strict, bytes, "refused"),
        (bytes, strict, "refused by the reference only"),
    ],
)
def test_bytes_whose_ids_differ_from_the_named_references_are_a_bug(
    check_texts, encoder, ours, theirs, how
):
    def bugs(reference, *, claims_parity):
        findings = check_texts(
            CODE,
            encoder(ours),
            ("\udc80", "a\udcff b"),
            reference=encoder(reference),
            claims_parity=claims_parity,
        )
        return [str(bug.cause) for bug in findings.bugs]

    assert bugs(theirs, claims_parity=True) == [f"bytes: {how}"]
    assert bugs(theirs, claims_parity=False) == []
    assert bugs(ours, claims_parity=True) == []


def test_bytes_that_come_back_from_other_ids_than_the_named_references_are_a_risk(
    check_texts, target
):
    def shifted():
        tokenizer = target(back=lambda ids: bytes(i % 256 for i in ids))
        tokenizer.encode_bytes = lambda data: (
            [*map(int, data)] if data.isascii() else [256 + byte for byte in data]
        )
        return tokenizer

    (risk,) = check_texts(CODE, shifted(), ("a", "\udc80"), reference=target(), claims_parity=True)
    assert (risk.verdict, str(risk.cause)) == ("risk", "bytes: other ids")


def test_the_reference_gets_the_bytes_of_the_declared_form(check_texts, encoder):
    def nfkc(data):
        return normalize("NFKC", data.decode("utf-8", "surrogateescape")).encode(
            "utf-8", "surrogateescape"
        )

    tokenizer = encoder(nfkc, before=lambda text: normalize("NFKC", text), normalizer="NFKC")
    texts = ("a", "\ufe65", "\ufe65\udc80")
    assert check_texts(CODE, tokenizer, texts, reference=encoder(), claims_parity=True) == []
    tokenizer.encode_bytes = list
    bugs = check_texts(CODE, tokenizer, texts, reference=encoder(), claims_parity=True).bugs
    assert [str(bug.cause) for bug in bugs] == ["entry points: encode_bytes"]
