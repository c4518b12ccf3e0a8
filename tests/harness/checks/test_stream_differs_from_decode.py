"""TOK108: decoding as a stream gives a different text than decoding at once."""

import codecs
from itertools import pairwise

import pytest

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target

CODE = "TOK108"
REFERENCE = reference_target.load("embedded")
TEXTS = (
    "a",
    "word and",
    "e\u0301",
    "\u00e9",
    "a\u4e2d",
    "\U0001f9ff x",
    "",
    "\ufffd",
    "a\ufffd\n",
    "\ud800",
)


class Words:
    """The embedded vocabulary, with another stream."""

    encode = staticmethod(REFERENCE.encode_ordinary)
    decode = staticmethod(REFERENCE.decode)

    def __init__(self, stream):
        self.decode_stream = stream


def pieces(ids):
    return map(REFERENCE.decode_single_token_bytes, ids)


def each_alone(ids):
    for piece in pieces(ids):
        yield piece.decode("utf-8", "replace")


def never_ended(ids):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for piece in pieces(ids):
        yield decoder.decode(piece)


def waiting_behind_replacements(ids):
    """Yield the text so far unless it ends with U+FFFD."""
    yielded = ""
    for size in range(1, len(ids) + 1):
        text = REFERENCE.decode(ids[:size])
        if not text.endswith("\ufffd"):
            yield text[len(yielded) :]
            yielded = text


def without_last(ids):
    yield from each_alone(ids[:-1])


def leaking():
    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def stream(ids):
        for piece in pieces(ids):
            yield decoder.decode(piece)

    return stream


def raising(ids):
    yield "a"
    raise ValueError(ids)


def without_end(ids):
    while True:
        yield REFERENCE.decode(ids) or "a"


def stripping(ids):
    return (part.strip(" ") for part in REFERENCE.decode_stream(ids))


def repeating(ids):
    """Yield a character, and again with the combining mark that follows it."""
    text = REFERENCE.decode(ids)
    return (
        f"{before}{mark}" if mark == "\u0301" else mark for before, mark in pairwise(f" {text}")
    )


def with_a_space(ids):
    yield from (" a", "", REFERENCE.decode(ids))


def keeping_all():
    earlier = []

    def stream(ids):
        earlier.append(REFERENCE.decode(ids))
        return list(earlier)

    return stream


FAULTS = [
    (repeating, "added text"),
    (with_a_space, "added text"),
    (stripping, "lost white space"),
    (lambda ids: REFERENCE.decode(ids).replace("o", "").replace("\u4e2d", ""), "lost text"),
    (lambda ids: (part + " " for part in REFERENCE.decode_stream(ids)), "other white space"),
    (each_alone, "U+FFFD for parts of a character"),
    (never_ended, "lost at the end"),
    (waiting_behind_replacements, "lost at the end"),
    (raising, "raises ValueError"),
    (lambda ids: list(pieces(ids)), "raises TypeError"),
    (lambda ids: REFERENCE.decode(ids).upper(), "other text"),
    pytest.param(without_end, "without an end", marks=pytest.mark.slow),
]


@pytest.fixture(scope="module")
def hostile():
    texts = [
        case.text
        for name in ("emoji", "noncharacters", "surrogates")
        for case in plugins.families()[name].cases(TargetFacts())
    ]
    return texts[::25]


def test_the_reference_passes(check_texts, hostile):
    assert check_texts(CODE, REFERENCE, (*TEXTS, *hostile)) == []


def test_a_stream_in_other_parts_passes(check_texts, hostile):
    target = Words(lambda ids: iter(REFERENCE.decode(ids)))
    assert check_texts(CODE, target, (*TEXTS, *hostile)) == []


def test_a_target_that_refuses_a_part_of_a_character_passes(check_texts):
    target = Words(REFERENCE.decode_stream)
    target.decode = lambda ids: REFERENCE.decode_bytes(ids).decode()
    assert check_texts(CODE, target, TEXTS[:-1]) == []


def test_the_number_of_replacement_characters_for_a_cut_is_not_compared(check_texts):
    target = Words(REFERENCE.decode_stream)

    def decode(ids):
        data = REFERENCE.decode_bytes(ids)
        escaped = data.decode("utf-8", "surrogateescape")
        return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in escaped)

    target.decode = decode
    assert check_texts(CODE, target, TEXTS) == []


def test_a_normalizing_target_streams_what_it_decodes(check_texts, byte_tokenizer, hostile):
    def stream(ids):
        return [bytes(ids).decode("utf-8", "replace")]

    target = byte_tokenizer(lambda t: normalize("NFC", t), normalizer="NFC", decode_stream=stream)
    assert check_texts(CODE, target, (*TEXTS, "e\u0301", *hostile)) == []


@pytest.mark.parametrize("stream", [leaking(), keeping_all()])
def test_a_stream_that_begins_with_the_one_before_it_is_a_leak(check_texts, stream):
    (bug,) = check_texts(CODE, Words(stream), TEXTS)
    assert str(bug.cause) == "stream: leak from the stream before"


@pytest.mark.parametrize(("stream", "what"), FAULTS)
def test_a_faulty_stream_is_one_bug_that_names_the_fault(check_texts, stream, what):
    (bug,) = check_texts(CODE, Words(stream), TEXTS)
    assert (bug.verdict, str(bug.cause)) == ("bug", f"stream: {what}")
    assert len(bug.text) <= 2


@pytest.mark.parametrize(("stream", "what"), FAULTS)
def test_a_faulty_stream_is_found_without_texts(check_texts, stream, what):
    (bug,) = check_texts(CODE, Words(stream))
    assert str(bug.cause) == f"stream: {what}"


def test_a_lost_end_is_named(check_texts):
    (bug,) = check_texts(CODE, Words(lambda ids: REFERENCE.decode(ids)[:-1]), ("a", "abc"))
    assert str(bug.cause) == "stream: lost at the end"


def test_a_stream_that_is_right_the_second_time_is_state(check_texts):
    calls = []

    def stream(ids):
        calls.append(ids)
        return [REFERENCE.decode(ids) if len(calls) % 2 == 0 else "x"]

    bugs = check_texts(CODE, Words(stream), ("word",)).bugs
    assert "state" in {bug.cause.kind for bug in bugs}
