"""TOK110: special ids, such as BOS, and other ids that an entry point adds to every text."""

import pytest

CODE = "TOK110"
TEXTS = ("a", "word", " two", "\u4e2d", "", "x\u200by")


def causes(findings):
    return [str(finding.cause) for finding in findings]


def strip_text(encode):
    return lambda text: encode(text.strip())


def batch_of(encode_batch):
    return lambda tokenizer: lambda texts: encode_batch(tokenizer.plain, texts)


BOS = 301


def with_bos(encode):
    return lambda text: [BOS, *encode(text)]


def with_suffix(encode, number=33):
    return lambda text: [*encode(text), number]


def cause_values(finding):
    return str(finding.cause).partition(": ")[2]


def declare_bos(tokenizer):
    tokenizer.special_tokens = {**tokenizer.special_tokens, "<|start|>": BOS}
    return tokenizer


@pytest.fixture
def bos_library(library):
    """Make a library whose entry points add BOS, except ``encode_ordinary``."""

    def make(**replaced):
        entry_points = {
            "encode": lambda tokenizer: with_bos(tokenizer.plain),
            "encode_special": lambda tokenizer: with_bos(tokenizer.encode_special),
            "encode_batch": batch_of(
                lambda plain, texts: [with_bos(plain)(text) for text in texts]
            ),
            "encode_bytes": lambda _: with_bos(list),
            "encode_with_offsets": lambda tokenizer: (
                lambda text: (with_bos(tokenizer.plain)(text), [])
            ),
            "count": lambda tokenizer: lambda text: 1 + len(tokenizer.plain(text)),
        }
        return library(**{**entry_points, **replaced})

    return make


NAMES = "encode, encode_special, encode_with_offsets, encode_bytes, count, encode_batch"


def test_bos_that_entry_points_add_is_one_fact(check_texts, bos_library):
    (fact,) = check_texts(CODE, declare_bos(bos_library()), TEXTS)
    assert fact.verdict == "fact"
    assert str(fact.cause) == f"entry point adds ids: {NAMES}, id 301 before"


@pytest.mark.parametrize("text", ["", "<s>", "[CLS]"])
def test_an_undeclared_bos_is_a_risk(check_texts, bos_library, text):
    tokenizer = bos_library()
    decode = tokenizer.decode
    tokenizer.decode = lambda ids: "".join(text if i == BOS else decode([i]) for i in ids)
    del tokenizer.decode_bytes
    (risk,) = check_texts(CODE, tokenizer, TEXTS)
    assert (risk.verdict, risk.cause.kind) == ("risk", "entry point adds ids")
    assert "does not declare" in risk.cause.message


def test_a_declared_bos_is_a_fact_and_an_undeclared_eos_a_risk(check_texts, library):
    tokenizer = declare_bos(
        library(
            encode=lambda tokenizer: with_bos(tokenizer.plain),
            encode_special=lambda tokenizer: with_suffix(tokenizer.encode_special, 302),
        )
    )
    findings = check_texts(CODE, tokenizer, TEXTS)
    assert {(cause_values(finding), finding.verdict) for finding in findings} == {
        ("encode, id 301 before", "fact"),
        ("encode_special, id 302 after", "risk"),
    }


@pytest.mark.parametrize("odd", ["x", None, (1, 2)])
def test_added_ids_of_mixed_types_are_a_bug_and_no_internal_error(check_texts, library, odd):
    tokenizer = library(encode=lambda tokenizer: lambda text: [odd, 33, *tokenizer.plain(text)])
    assert "entry points: encode" in causes(check_texts(CODE, tokenizer, TEXTS))


def test_bos_of_the_entry_point_for_plain_text_alone_is_a_fact(check_texts, library):
    tokenizer = declare_bos(library(encode_ordinary=lambda tokenizer: with_bos(tokenizer.plain)))
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(tokenizer, name)
    (fact,) = check_texts(CODE, tokenizer, TEXTS)
    assert (fact.verdict, str(fact.cause)) == (
        "fact",
        "entry point adds ids: encode, encode_special, none",
    )


def test_bytes_may_be_encoded_without_bos(check_texts, bos_library):
    tokenizer = declare_bos(bos_library(encode_bytes=lambda _: list))
    tokenizer.encode_ordinary = tokenizer.encode
    (fact,) = check_texts(CODE, tokenizer, TEXTS)
    assert str(fact.cause) == "entry point adds ids: encode_bytes, none"


ADDED = (
    ("encode", lambda tokenizer: with_suffix(tokenizer.plain)),
    ("encode", lambda tokenizer: lambda text: [BOS, BOS, *tokenizer.plain(text)]),
    ("encode_special", lambda tokenizer: with_suffix(tokenizer.encode_special)),
    ("encode_bytes", lambda _: lambda data: [*data, 0]),
    ("encode_bytes", lambda _: with_bos(list)),
    ("encode_with_offsets", lambda tokenizer: lambda text: ([*tokenizer.plain(text), 33], [])),
    ("encode_with_offsets", lambda tokenizer: lambda text: (with_bos(tokenizer.plain)(text), [])),
    ("encode_batch", batch_of(lambda plain, texts: [with_suffix(plain)(text) for text in texts])),
    ("encode_batch", batch_of(lambda plain, texts: [with_bos(plain)(text) for text in texts])),
    ("count", lambda tokenizer: lambda text: 1 + len(tokenizer.plain(text))),
)


@pytest.mark.parametrize(("name", "make"), ADDED)
def test_other_added_ids_are_a_bug(check_texts, library, name, make):
    findings = check_texts(CODE, declare_bos(library(**{name: make})), TEXTS)
    assert causes(findings) == [f"entry points: {name}"]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("encode", lambda tokenizer: strip_text(with_bos(tokenizer.plain))),
        (
            "encode",
            lambda tokenizer: lambda text: with_bos(tokenizer.plain)(text)[text.startswith(" ") :],
        ),
        ("encode_bytes", lambda _: lambda data: [BOS, *data.strip()]),
        ("count", lambda tokenizer: lambda text: 1 + len(tokenizer.plain(text.strip()))),
        ("count", lambda tokenizer: lambda text: 2 + len(tokenizer.plain(text))),
        ("encode_batch", batch_of(lambda plain, texts: [[BOS, *plain(t.strip())] for t in texts])),
    ],
)
def test_bos_does_not_hide_an_entry_point_that_disagrees(check_texts, bos_library, name, make):
    findings = check_texts(CODE, declare_bos(bos_library(**{name: make})), TEXTS)
    assert causes(findings.bugs) == [f"entry points: {name}"]


def test_text_lost_around_a_special_token_is_a_bug_despite_bos(check_texts, bos_library):
    def make(tokenizer):
        special = tokenizer.encode_special
        return lambda text: [BOS, *special(text.replace(" <|end|>", "<|end|>"))]

    findings = check_texts(CODE, declare_bos(bos_library(encode_special=make)))
    assert causes(findings.bugs) == ["text around a special token: lost"]
