"""TOK108: decoding as a stream gives a different text than decoding at once."""

import codecs
from itertools import count, pairwise

import pytest

from tokharness import plugins
from tokharness.diagnosis.probes import growth
from tokharness.model import TargetFacts, target_of
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category
from tokharness_tokenizers.adapters import reference_target

CODE = "TOK108"
WITHOUT_GROWTH = {"checks": frozenset({"TOK101", CODE})}
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


class Known(Words):
    """The same, whose ids are all known."""

    decode_single_token_bytes = staticmethod(REFERENCE.decode_single_token_bytes)
    n_vocab = REFERENCE.n_vocab
    special_tokens = REFERENCE.special_tokens
    encode_ordinary = staticmethod(REFERENCE.encode_ordinary)


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


def without_first(ids):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for piece in list(pieces(ids))[1:]:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def with_none_for_nothing(ids):
    """Yield None where nothing is to be shown, as several incremental decoders do."""
    for part in REFERENCE.decode_stream(ids):
        yield part or None
    yield None


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


def dropping_first_points(ids):
    return (part.lstrip(".,") for part in REFERENCE.decode_stream(ids))


def dropping_last_points(ids):
    return (part.rstrip(".,") for part in REFERENCE.decode_stream(ids))


def repeating(ids):
    """Yield a character, and again with the combining mark that follows it."""
    text = REFERENCE.decode(ids)
    yield text[:1]
    for before, mark in pairwise(text):
        yield f"{before}{mark}" if category(mark)[0] == "M" else mark


def with_a_space(ids):
    yield from (" a", "", REFERENCE.decode(ids))


def keeping_all():
    earlier = []

    def stream(ids):
        earlier.append(REFERENCE.decode(ids))
        return list(earlier)

    return stream


FAULTS = [
    (repeating, "repeats before a combining mark"),
    (with_a_space, "added text"),
    (stripping, "lost white space"),
    (lambda ids: REFERENCE.decode(ids).replace("o", "").replace("\u4e2d", ""), "lost text"),
    (lambda ids: (part + " " for part in REFERENCE.decode_stream(ids)), "other white space"),
    (each_alone, "U+FFFD for parts of a character"),
    (never_ended, "lost at the end"),
    (waiting_behind_replacements, "lost at the end"),
    (raising, "raises ValueError"),
    (lambda ids: list(pieces(ids)), "gives parts that are no text"),
    (without_first, "forgets the first token"),
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


@pytest.mark.slow
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
    (bug,) = check_texts(CODE, Words(stream), TEXTS, **WITHOUT_GROWTH)
    assert (bug.verdict, str(bug.cause)) == ("bug", f"stream: {what}")
    assert len(bug.text) <= 2


@pytest.mark.parametrize(
    ("stream", "side", "texts"),
    [
        (dropping_first_points, "start", [".", "a,b", "'.", "a.append", ".\n"]),
        (dropping_last_points, "end", [".", "a,b", "().", "a.append", ".\n"]),
    ],
)
def test_characters_that_parts_begin_or_end_with_are_one_bug(check_texts, stream, side, texts):
    bugs = check_texts(CODE, Known(stream), texts, **WITHOUT_GROWTH)
    assert [str(bug.cause) for bug in bugs] == [f"stream: drops characters at the {side} of a part"]


@pytest.mark.parametrize(("stream", "what"), FAULTS)
def test_a_faulty_stream_is_found_without_texts(check_texts, stream, what):
    (bug,) = check_texts(CODE, Words(stream), **WITHOUT_GROWTH)
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


def waiting_for_whole_characters(ids):
    """Yield the ids so far as text unless it ends with U+FFFD, and the rest at the end."""
    pending = []
    for number in ids:
        pending.append(number)
        if len(pending) > 8 or not REFERENCE.decode(pending).endswith("\ufffd"):
            decoded = REFERENCE.decode(pending)
            if not decoded.endswith("\ufffd"):
                yield decoded
                pending = []
    yield REFERENCE.decode(pending)


def behind_a_prompt(rows):
    """Yield the text of each call; a part of a character in the prompt is completed."""
    prompt, *calls = rows
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(REFERENCE.decode_bytes(prompt))
    for ids in calls:
        yield decoder.decode(REFERENCE.decode_bytes(ids))
    yield decoder.decode(b"", final=True)


def without_the_prompt(rows):
    """Yield the text of the ids alone, as if there were no prompt."""
    yield from REFERENCE.decode_stream([number for ids in rows[1:] for number in ids])


@pytest.mark.parametrize("calls", [behind_a_prompt, without_the_prompt])
@pytest.mark.parametrize(
    "stream",
    [
        REFERENCE.decode_stream,
        waiting_for_whole_characters,
        with_none_for_nothing,
        lambda ids: iter(REFERENCE.decode(ids)),
        lambda ids: ["", REFERENCE.decode(ids), ""],
    ],
)
def test_a_sound_stream_of_any_ids_passes(check_texts, stream, calls):
    target = Known(stream)
    target.decode_stream_calls = calls
    assert check_texts(CODE, target, TEXTS, **WITHOUT_GROWTH) == []


def test_the_ids_of_a_finding_are_few(check_texts):
    (bug,) = check_texts(
        CODE, Known(lambda ids: (b.decode("utf-8", "ignore") for b in pieces(ids)))
    )
    assert str(bug.cause).startswith("stream: ")
    assert len(bug.evidence.get("for", ())) <= 4


class ByteTokens:
    """Bytes, all of which become U+FFFD in decode if they are not UTF-8."""

    n_vocab = 256

    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        try:
            return bytes(ids).decode()
        except UnicodeDecodeError:
            return "\ufffd" * len(ids)

    def decode_stream(self, ids):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for number in ids:
            yield decoder.decode(bytes([number]))
        yield decoder.decode(b"", final=True)


def test_a_decoder_that_replaces_valid_bytes_is_a_risk_and_no_fault_of_its_stream(check_texts):
    (risk,) = check_texts(CODE, ByteTokens(), ("a", "\u4e2d"), **WITHOUT_GROWTH)
    assert risk.verdict == "risk"
    assert str(risk.cause) == "stream: decode replaces characters next to invalid bytes"


@pytest.mark.slow
@pytest.mark.parametrize(("first", "is_leak"), [("right", True), ("wrong", False)])
def test_a_leak_is_named_only_if_the_first_stream_of_a_new_process_is_right(
    check_texts, first, is_leak
):
    streams = {"right": REFERENCE.decode_stream, "wrong": lambda ids: ["x", REFERENCE.decode(ids)]}

    def other_process(seed):
        return target_of("target", Words(streams[first]))

    found = check_texts(CODE, Words(keeping_all()), TEXTS, other_process=other_process)
    assert ("leak from the stream before" in str(found[0].cause)) == is_leak


@pytest.mark.parametrize("slow_call", [1, 4, 5, 6])
def test_a_stream_whose_time_grows_too_fast_is_found_in_spite_of_a_slow_call(
    check_texts, monkeypatch, slow_call
):
    """The stream itself moves the clock on, so that no other work is in the time."""
    now, calls = [0.0], count()

    def quadratic(ids):
        if len(ids) > 600:  # so long are only the streams whose time is measured
            now[0] += 1e-9 * len(ids) ** 2 * (40 if next(calls) == slow_call else 1)
        return iter([REFERENCE.decode(list(ids))])

    for clock in ("perf_counter", "process_time"):
        monkeypatch.setattr(growth.time, clock, lambda: now[0])
    (bug,) = check_texts(CODE, Known(quadratic), TEXTS)
    assert "time grows too fast, of the ids of a text" in str(bug.cause)


def test_a_decode_that_keeps_a_part_of_a_character_is_no_oracle_for_its_stream(check_texts):
    shared = codecs.getincrementaldecoder("utf-8")("replace")

    def decode(ids):
        return shared.decode(REFERENCE.decode_bytes(ids))

    sound, leaking = Known(REFERENCE.decode_stream), Known(lambda ids: [decode(ids)])
    for target in (sound, leaking):
        target.decode = decode
    assert check_texts(CODE, sound, **WITHOUT_GROWTH) == []
    (bug,) = check_texts(CODE, leaking, **WITHOUT_GROWTH)
    assert str(bug.cause) == "stream: leak from the stream before"
