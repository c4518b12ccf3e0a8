"""TOK110: marks, and other ids, that an entry point adds to every text."""

import pytest

CODE = "TOK110"
TEXTS = ("a", "word", " two", "\u4e2d", "", "x\u200by")


def causes(found):
    return [str(one.cause) for one in found]


def stripping(encode):
    return lambda text: encode(text.strip())


def several(encode_batch):
    return lambda one: lambda texts: encode_batch(one.plain, texts)


BOS = 301


def adding(encode):
    return lambda text: [BOS, *encode(text)]


def ending(encode, number=33):
    return lambda text: [*encode(text), number]


def cause(finding):
    return str(finding.cause).partition(": ")[2]


def declaring(one):
    one.special_tokens = {**one.special_tokens, "<|start|>": BOS}
    return one


@pytest.fixture
def adding_library(library):
    """Make a library whose ``encode_ordinary`` is raw, and whose other entry points add a BOS."""

    def make(**replaced):
        entry_points = {
            "encode": lambda one: adding(one.plain),
            "encode_special": lambda one: adding(one.encode_special),
            "encode_batch": several(lambda plain, texts: [adding(plain)(text) for text in texts]),
            "encode_bytes": lambda _: adding(list),
            "encode_with_offsets": lambda one: lambda text: (adding(one.plain)(text), []),
            "count": lambda one: lambda text: 1 + len(one.plain(text)),
        }
        return library(**{**entry_points, **replaced})

    return make


NAMES = "encode, encode_special, encode_with_offsets, encode_bytes, count, encode_batch"


def test_a_mark_that_entry_points_add_to_every_text_is_one_fact(check_texts, adding_library):
    (fact,) = check_texts(CODE, declaring(adding_library()), TEXTS)
    assert fact.verdict == "by design"
    assert str(fact.cause) == f"entry point adds ids: {NAMES}, 301 before"


@pytest.mark.parametrize("text", ["", "<s>", "[CLS]"])
def test_a_mark_that_is_not_declared_is_a_risk(check_texts, adding_library, text):
    one = adding_library()
    decode = one.decode
    one.decode = lambda ids: "".join(text if i == BOS else decode([i]) for i in ids)
    del one.decode_bytes
    (risk,) = check_texts(CODE, one, TEXTS)
    assert (risk.verdict, risk.cause.kind) == ("risk", "entry point adds ids")
    assert "does not declare" in risk.cause.message


def test_a_mark_that_is_declared_is_no_risk_beside_one_that_is_not(check_texts, library):
    one = declaring(
        library(
            encode=lambda one: adding(one.plain),
            encode_special=lambda one: ending(one.encode_special, 302),
        )
    )
    found = check_texts(CODE, one, TEXTS)
    assert {(cause(one), one.verdict) for one in found} == {
        ("encode, 301 before", "by design"),
        ("encode_special, 302 after", "risk"),
    }


@pytest.mark.parametrize("odd", ["x", None, (1, 2)])
def test_ids_of_several_kinds_at_every_text_are_a_bug_and_no_error_of_ours(
    check_texts, library, odd
):
    one = library(encode=lambda one: lambda text: [odd, 33, *one.plain(text)])
    assert "entry points: encode" in causes(check_texts(CODE, one, TEXTS))


def test_a_mark_of_the_plain_entry_point_alone_is_a_fact(check_texts, library):
    one = declaring(library(encode_ordinary=lambda one: adding(one.plain)))
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(one, name)
    (fact,) = check_texts(CODE, one, TEXTS)
    assert (fact.verdict, str(fact.cause)) == (
        "by design",
        "entry point adds ids: encode, encode_special, none",
    )


ADDED = (
    ("encode", lambda one: ending(one.plain)),
    ("encode", lambda one: lambda text: [BOS, BOS, *one.plain(text)]),
    ("encode_special", lambda one: ending(one.encode_special)),
    ("encode_bytes", lambda _: lambda data: [*data, 0]),
    ("encode_bytes", lambda _: adding(list)),
    ("encode_with_offsets", lambda one: lambda text: ([*one.plain(text), 33], [])),
    ("encode_with_offsets", lambda one: lambda text: (adding(one.plain)(text), [])),
    ("encode_batch", several(lambda plain, texts: [ending(plain)(text) for text in texts])),
    ("encode_batch", several(lambda plain, texts: [adding(plain)(text) for text in texts])),
    ("count", lambda one: lambda text: 1 + len(one.plain(text))),
)


@pytest.mark.parametrize(("name", "make"), ADDED)
def test_other_ids_at_every_text_are_a_bug(check_texts, library, name, make):
    found = check_texts(CODE, declaring(library(**{name: make})), TEXTS)
    assert causes(found) == [f"entry points: {name}"]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("encode", lambda one: stripping(adding(one.plain))),
        ("encode", lambda one: lambda text: adding(one.plain)(text)[text.startswith(" ") :]),
        ("encode_bytes", lambda _: lambda data: [BOS, *data.strip()]),
        ("count", lambda one: lambda text: 1 + len(one.plain(text.strip()))),
        ("count", lambda one: lambda text: 2 + len(one.plain(text))),
        ("encode_batch", several(lambda plain, texts: [[BOS, *plain(t.strip())] for t in texts])),
    ],
)
def test_marks_hide_no_entry_point_that_differs(check_texts, adding_library, name, make):
    found = check_texts(CODE, declaring(adding_library(**{name: make})), TEXTS)
    assert causes(found.bugs) == [f"entry points: {name}"]


def test_text_lost_around_a_special_token_is_a_bug_despite_marks(check_texts, adding_library):
    def make(one):
        special = one.encode_special
        return lambda text: [BOS, *special(text.replace(" <|end|>", "<|end|>"))]

    found = check_texts(CODE, declaring(adding_library(encode_special=make)))
    assert causes(found.bugs) == ["text around a special token: lost"]
