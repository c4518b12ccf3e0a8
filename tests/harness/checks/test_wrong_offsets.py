"""TOK107: offsets do not say which part of the text a token comes from."""

import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
from planted._file_parts import metaspace
from planted._tokenizer_files import healthy, record_of

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import graphemes
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine
from tokharness_tokenizers.reference.tokenizer_json import read

CODE = "TOK107"
TEXTS = (
    *("a", "one two", "\u00e9a", "a \u4e2d\u6587 b", "\U0001f9ff x", "x\U0001f9ff", ""),
    *("  spaced out ", "two\r\nlines", "e\u0301 a", "\ufb01x", "\ud800", "\ud83d\ude00a"),
    *("a\u00adb", "one\u00ad\u00ad\u00ad two three"),
)
OTHER = "offsets: other characters"
FAMILIES = ("emoji", "digits", "special-tokens", "normal-forms")
FACTS = TargetFacts(("<|endoftext|>",))
REFERENCE = reference_target.load("embedded")


class Words:
    """The embedded vocabulary; ``change`` gets text, ids and spans, and returns ids and spans."""

    encode = staticmethod(REFERENCE.encode_ordinary)
    decode = staticmethod(REFERENCE.decode)

    def __init__(self, change=lambda _, ids, spans: (ids, spans), **attributes):
        self.change = change
        vars(self).update(attributes)

    def encode_with_offsets(self, text):
        return self.change(text, *REFERENCE.encode_with_offsets(text))


BYTES = {"decode_single_token_bytes": REFERENCE.decode_single_token_bytes}


@pytest.fixture(scope="module")
def hostile():
    """Some texts of some families."""
    texts = [case.text for name in FAMILIES for case in plugins.families()[name].cases(FACTS)]
    return texts[::25]


def moved(move):
    return lambda text, ids, spans: (ids, [move(text, *span) for span in spans])


def widths(width):
    """Spans in another unit."""
    return moved(lambda text, start, end: (width(text[:start]), width(text[:end])))


def exact_bytes(text, ids, spans):
    ends = [0]
    for number in ids:
        ends.append(ends[-1] + len(REFERENCE.decode_single_token_bytes(number)))
    return ids, list(pairwise(ends))


def of_stripped(text, ids, spans):
    size, off = len(text.strip()), len(text) - len(text.lstrip())
    return ids, [tuple(min(max(place - off, 0), size) for place in span) for span in spans]


def in_graphemes(text, ids, spans):
    number = [place for place, cluster in enumerate(graphemes(text)) for _ in cluster]
    number.append(len(graphemes(text)))
    return ids, [(number[start], number[end]) for start, end in spans]


def trimmed(text, start, end):
    """Span without the white space around it, as some byte-level tokenizers give it."""
    inside = text[start:end]
    start = end - len(inside.lstrip())
    return start, max(start, end - (len(inside) - len(inside.rstrip())))


def trimmed_of_spaces(text, start, end):
    inside = text[start:end]
    start = end - len(inside.lstrip(" "))
    return start, max(start, end - (len(inside) - len(inside.rstrip(" "))))


def of_left_stripped(text, ids, spans):
    off = len(text) - len(text.lstrip())
    return ids, [(max(start - off, 0), max(end - off, 0)) for start, end in spans]


FAULTS = {
    "grapheme clusters": in_graphemes,
    "empty span": moved(lambda *_: (0, 0)),
    "UTF-16 code units": widths(lambda text: len(text.encode("utf-16-le", "replace")) // 2),
    "bytes of UTF-8": widths(lambda text: len(text.encode("utf-8", "replace"))),
    "shifted by +1": moved(lambda _, start, end: (start + 1, end + 1)),
    "shifted by -1": moved(lambda _, start, end: (start - 1, end - 1)),
    "end inclusive": moved(lambda _, start, end: (start, end - 1)),
    "start and length": moved(lambda _, start, end: (start, end - start)),
    "counted from each token": moved(lambda _, start, end: (0, end - start)),
    "of the stripped text": of_stripped,
    "without what does not show": widths(lambda text: len(text.replace("\u00ad", ""))),
    "fewer than ids": lambda _, ids, spans: (ids, spans[1:]),
    "more than ids": lambda text, ids, spans: (ids, [*spans, (len(text), len(text))]),
    "not integers": moved(lambda _, start, end: (float(start), float(end))),
    "not pairs": moved(lambda _, start, end: (start, end, 0)),
    "not ids and spans": lambda _, ids, spans: [*zip(ids, spans, strict=True), (), ()],
    "gap of white space": moved(
        lambda text, start, end: (start + (text[start] == " " and end > start + 1), end)
    ),
}


@pytest.mark.parametrize("load", [reference_target.load, tiktoken_engine.load])
def test_the_reference_and_tiktoken_pass(check_texts, load, hostile):
    assert check_texts(CODE, load("embedded"), (*TEXTS, *hostile)) == []


@pytest.mark.parametrize("attributes", [BYTES, {}], ids=["bytes", "no bytes"])
def test_right_offsets_pass(check_texts, attributes, hostile):
    assert check_texts(CODE, Words(**attributes), (*TEXTS, *hostile)) == []


@pytest.mark.parametrize("what", FAULTS)
def test_wrong_offsets_are_one_bug_that_names_them(check_texts, what):
    (bug,) = check_texts(CODE, Words(FAULTS[what], **BYTES), TEXTS)
    assert (bug.verdict, str(bug.cause)) == ("bug", f"offsets: {what}")
    assert len(bug.text) <= 3


@pytest.mark.parametrize("what", FAULTS)
def test_wrong_offsets_are_named_without_the_bytes_of_tokens(check_texts, what):
    (bug,) = check_texts(CODE, Words(FAULTS[what]), TEXTS)
    assert str(bug.cause) == f"offsets: {what}"


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("what", ["grapheme clusters", "empty span", "end inclusive"])
def test_hostile_texts_show_one_fault_as_one_bug(check_texts, what, hostile):
    (bug,) = check_texts(CODE, Words(FAULTS[what]), (*TEXTS, *hostile[::4]))
    assert str(bug.cause) == f"offsets: {what}"


@pytest.mark.parametrize(
    ("change", "what"),
    [(of_left_stripped, "of the stripped text"), (moved(trimmed), "gap of white space")],
)
def test_white_space_left_out_of_spans_is_one_bug(check_texts, change, what):
    texts = (*TEXTS, " ", "\n", " \u4e94", " a", "a ", " \u3000x", "\t\t word")
    (bug,) = check_texts(CODE, Words(change, **BYTES), texts)
    assert str(bug.cause) == f"offsets: {what}"


def test_spaces_left_out_of_spans_are_by_design_only_if_the_target_declares_it(check_texts):
    texts = (*TEXTS, " ", " \u4e94", " a", "a ")
    change = moved(trimmed_of_spaces)
    (fact,) = check_texts(CODE, Words(change, trims_offsets=True, **BYTES), texts)
    assert (fact.verdict, str(fact.cause)) == ("fact", "offsets: without the spaces around a token")
    (bug,) = check_texts(CODE, Words(change, **BYTES), texts)
    assert bug.verdict == "bug"


def test_other_wrong_spans_are_bugs_of_a_target_that_leaves_out_spaces(check_texts):
    shifted = FAULTS["shifted by +1"]
    (bug,) = check_texts(CODE, Words(shifted, trims_offsets=True, **BYTES), TEXTS)
    assert str(bug.cause) == "offsets: shifted by +1"


def test_spans_inside_a_character_are_named_as_bytes(check_texts):
    (bug,) = check_texts(CODE, Words(exact_bytes, **BYTES), TEXTS)
    assert str(bug.cause) == "offsets: bytes of UTF-8"


def test_spans_of_a_normalized_text_are_named(check_texts):
    target = Words(widths(lambda text: len(normalize("NFC", text))), **BYTES)
    (bug,) = check_texts(CODE, target, ("e\u0301 a", "a", "xo\u0308y", "a\u030a"))
    assert str(bug.cause) == "offsets: of the text in NFC"


def test_an_empty_span_inside_a_character_is_a_bug(check_texts):
    def change(text, ids, spans):
        changed = [
            (start, start) if spans[place + 1 : place + 2] == [(start, end)] else (start, end)
            for place, (start, end) in enumerate(spans)
        ]
        return ids, changed

    (bug,) = check_texts(CODE, Words(change, **BYTES), ("\U0001f9ff", "a\ua9c5"))
    assert str(bug.cause) == "offsets: empty span"


def test_spans_that_move_between_two_calls_are_state(check_texts):
    calls = []

    def change(text, ids, spans):
        calls.extend([text] * (text == "word"))
        return ids, spans if len(calls) % 2 == 0 else [(0, 0)] * len(ids)

    (bug,) = check_texts(CODE, Words(change, **BYTES), ("word",))
    assert bug.cause.kind == "state"


def test_an_exception_is_a_difference_of_entry_points(check_texts):
    def refuse(text, ids, spans):
        raise ValueError(text)

    (bug,) = check_texts(CODE, Words(refuse), ("a", "b", "\ud800"))
    assert str(bug.cause) == "entry points: encode_with_offsets"


@pytest.mark.parametrize("special", [{"<|start|>": 20000}, {}])
def test_spans_of_ids_around_every_text_may_be_anything(check_texts, special):
    def start(text, ids, spans):
        return [20000, *ids], [(0, 0), *spans]

    target = Words(start, special_tokens=special, **BYTES)
    target.encode = lambda text: [20000, *REFERENCE.encode_ordinary(text)]
    target.decode = lambda ids: REFERENCE.decode([i for i in ids if i != 20000])
    assert check_texts(CODE, target, TEXTS) == []


class Composing(Words):
    """A target that declares NFC; ``span`` makes the spans of a text that changes."""

    normalizer = "NFC"

    def __init__(self, span):
        super().__init__(**BYTES)
        self.span = span

    def encode(self, text):
        return REFERENCE.encode_ordinary(normalize("NFC", text))

    def encode_with_offsets(self, text):
        composed = normalize("NFC", text)
        ids, spans = REFERENCE.encode_with_offsets(composed)
        return ids, spans if composed == text else [self.span(text, span) for span in spans]


class Composed:
    """A tokenizer that declares NFC; ``move`` gets a text and its spans, and returns others."""

    normalizer = "NFC"

    def __init__(self, move=lambda _, spans: spans):
        self._healthy, self._move = healthy("nfc"), move
        self.encode, self.decode = self._healthy.encode_ordinary, self._healthy.decode
        self.decode_single_token_bytes = self._healthy.decode_single_token_bytes

    def encode_with_offsets(self, text):
        ids, spans = self._healthy.encode_with_offsets(text)
        return ids, self._move(text, spans)


COMPOSED = ("xe\u0301 a", "e\u0301", "a\u0301\u0323b", "\u1100\u1161\u11a8x", "a", "one two")


def is_composed(text):
    return normalize("NFC", text) != text


@pytest.mark.slow
def test_spans_of_composed_text_that_cover_whole_sequences_pass(check_texts, hostile):
    assert check_texts(CODE, Composed(), (*COMPOSED, *hostile)) == []


@pytest.mark.parametrize(
    ("move", "cause"),
    [
        (lambda _, spans: [(a, max(a + 1, b - 1)) for a, b in spans], "without what is composed"),
        (
            lambda text, spans: [(a, a + 1) if is_composed(text) else (a, b) for a, b in spans],
            "without what is composed",
        ),
        (
            lambda text, spans: [(0, len(text)) if is_composed(text) else span for span in spans],
            "other characters",
        ),
        (
            lambda text, spans: [spans[0]] * len(spans) if is_composed(text) else spans,
            "other characters",
        ),
    ],
)
def test_wrong_spans_of_composed_text_are_one_bug(check_texts, move, cause):
    texts = ("xe\u0301 a", "xa\u0301\u0323b", "x\u1100\u1161\u11a8x", "a")
    (bug,) = check_texts(CODE, Composed(move), texts).bugs
    assert str(bug.cause) == f"offsets: {cause}"


def test_offsets_of_the_normalized_text_are_a_bug_of_a_normalizing_target(check_texts):
    (bug,) = check_texts(CODE, Composing(lambda _, span: span), ("e\u0301 a", "xo\u0308y", "a"))
    assert str(bug.cause) == "offsets: of the normalized text"


def in_pairs(text, ids, spans):
    return zip(*(zip(ids, spans, strict=True) if ids else [((), ())]), strict=True)


@pytest.mark.parametrize(
    "change",
    [
        in_pairs,
        lambda _, ids, spans: (part for part in (ids, spans)),
        lambda _, ids, spans: (iter(ids), map(iter, spans)),
    ],
)
@pytest.mark.parametrize("attributes", [BYTES, {}], ids=["bytes", "no bytes"])
def test_a_result_that_can_be_read_only_once_passes(check_texts, change, attributes):
    texts = [text for text in TEXTS if text]
    assert check_texts(CODE, Words(change, **attributes), texts) == []


def refusing_late(text, ids, spans):
    yield ids
    raise RuntimeError(text)


def refusing_later(text, ids, spans):
    def late():
        yield from spans
        raise RuntimeError(text)

    return ids, late()


@pytest.mark.parametrize("change", [refusing_late, refusing_later])
def test_an_exception_while_a_result_is_read_is_a_difference_of_entry_points(check_texts, change):
    (bug,) = check_texts(CODE, Words(change, **BYTES), ("a", "b"))
    assert str(bug.cause) == "entry points: encode_with_offsets"


def test_unhashable_ids_are_no_internal_error(check_texts):
    def change(text, ids, spans):
        return [[number] for number in ids], spans

    check_texts(CODE, Words(change, special_tokens={"<|end|>": 16384}), ("a", "b"))


SPECIAL = {"<|end|>": 16384}


@pytest.mark.parametrize(("text", "names"), [("a<|end|>", []), ("a", ["encode_with_offsets"])])
def test_only_text_of_special_tokens_may_be_refused(check_texts, text, names):
    def refuse(_, ids, spans):
        raise ValueError("special")

    findings = check_texts(CODE, Words(refuse, special_tokens=SPECIAL), [text])
    assert [str(bug.cause) for bug in findings] == [f"entry points: {name}" for name in names]


@pytest.mark.parametrize("move", [0, 1])
def test_ids_that_only_this_entry_point_adds_hide_no_wrong_span(check_texts, move):
    def start(text, ids, spans):
        return [16384, *ids], [(0, 0), *((start + move, end + move) for start, end in spans)]

    findings = check_texts(CODE, Words(start, special_tokens=SPECIAL, **BYTES), ("a", "one two"))
    assert [str(bug.cause) for bug in findings] == ["offsets: shifted by +1"] * move


class Dropping(Words):
    """Loses no-break spaces, which another check reports."""

    @staticmethod
    def encode(text):
        return REFERENCE.encode_ordinary(text.replace("\u00a0", ""))

    def encode_with_offsets(self, text):
        return REFERENCE.encode_with_offsets(text.replace("\u00a0", ""))


def test_offsets_that_are_right_for_the_rest_of_a_lossy_text_pass(check_texts):
    texts = ["\u00a0a", "a\u00a0\u20dd b", "one\u00a0two", "\u00a0\u200ba"]
    assert not check_texts(CODE, Dropping(**BYTES), texts)


@pytest.mark.parametrize(
    ("declared", "by", "causes"),
    [
        *((None, 0, []), (None, 1, [OTHER]), (None, -1, [OTHER])),
        *(("NFC", 0, []), ("NFC", -1, [OTHER])),
        ("NFC", 1, []),  # only the space between the words is in the other span
    ],
)
def test_a_token_that_takes_a_character_of_its_neighbour_is_a_bug(
    check_texts, declared, by, causes
):
    whole = healthy("metaspace_always")  # prepends U+2581, which its decoder strips

    class Prepending:
        normalizer = declared
        encode, decode = staticmethod(whole.encode_ordinary), staticmethod(whole.decode)

        def encode_with_offsets(self, text):
            ids, spans = whole.encode_with_offsets(text)
            *others, (first, middle), (_, end) = spans
            return ids, [*others, (first, middle + by), (middle + by, end)]

    found = check_texts(CODE, Prepending(), ["string the"])
    assert [str(finding.cause) for finding in found] == causes


def test_tokens_of_one_run_of_bytes_may_have_one_span(check_texts):
    whole = healthy("metaspace_always")

    class Joined:
        normalizer = "NFC"
        encode, decode = staticmethod(whole.encode_ordinary), staticmethod(whole.decode)

        def encode_with_offsets(self, text):
            ids, spans = whole.encode_with_offsets(text)
            *others, (start, _), (_, end) = spans
            return ids, [*others, (start, end), (start, end)]

    assert not check_texts(CODE, Joined(), ["string the"])


PADDING = {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None}


@pytest.mark.parametrize(
    "padding", [None, {**PADDING, "pad_id": 0, "pad_type_id": 0, "pad_token": "<unk>"}]
)
def test_offsets_of_pieces_that_share_a_span_and_do_not_count_dropped_text(check_texts, padding):
    drops = {"type": "Replace", "pattern": {"String": "0"}, "content": ""}
    parts = {"normalizer": drops, "padding": padding, "decoder": metaspace("always")}
    file = read({**record_of("unigram"), **parts}, "file")

    class Library:
        encode, decode = staticmethod(file.encode_ordinary), staticmethod(file.decode)
        normalizer, normalize = "tokenizer.json", staticmethod(file.normalize)
        stages_in_file = staticmethod(file.stages)

        def encode_with_offsets(self, text):
            first, *others = file.encode_with_offsets(text.replace("0", ""))[1]
            return self.encode(text), [others[0] if first == (0, 0) else first, *others]

    rows = check_texts(CODE, Library(), ["0q", "q0", "0the", "a0b", "the"])
    assert [str(bug.cause) for bug in rows.bugs] == ["offsets: without what has no token"]


def test_offsets_that_do_not_count_spaces_without_a_token_are_one_bug(check_texts):
    model = record_of("word_level")["model"]
    vocab = {char: number for number, char in enumerate("ab")}
    model = {**model, "type": "BPE", "vocab": vocab, "merges": [], "unk_token": None}
    file = read({**record_of("word_level"), "pre_tokenizer": None, "model": model}, "file")
    target = SimpleNamespace(
        encode=file.encode_ordinary,
        decode=file.decode,
        stages_in_file=file.stages,
        encode_with_offsets=lambda text: file.encode_with_offsets(re.sub("[^ab]", "", text)),
    )
    (bug,) = check_texts(CODE, target, [" a", "a b", "  b", " ab", "0a"]).bugs
    assert str(bug.cause) == "offsets: without what has no token"


@pytest.mark.parametrize("dropped", ["0", "\x1c"])
def test_offsets_that_do_not_count_dropped_text_are_one_bug(check_texts, dropped):
    def encode_with_offsets(text):
        kept = [char for char in text if char != dropped]
        return [*map(ord, kept)], [(at, at + 1) for at in range(len(kept))]

    target = SimpleNamespace(
        encode=lambda text: encode_with_offsets(text)[0],
        decode=lambda ids: "".join(map(chr, ids)),
        encode_with_offsets=encode_with_offsets,
    )
    texts = [" 0a", "0a", "a0b", "0 b", "\u20000a", "a0\u0303b", "ab"]
    (bug,) = check_texts(CODE, target, [text.replace("0", dropped) for text in texts])
    assert str(bug.cause) == "offsets: without what has no token"
