"""TOK116: a text gets different ids than its parts, cut where a cut is proven to change none."""

import re
from itertools import chain

import pytest

from tokharness.model import target_of
from tokharness_tokenizers.adapters import reference_target

CODE = "TOK116"
REFERENCE = reference_target.load("embedded")
plain = REFERENCE.encode_ordinary


class Cutter:
    """The embedded vocabulary, with texts cut by a function before they are encoded."""

    decode = staticmethod(REFERENCE.decode)

    def __init__(self, parts):
        self.parts = parts

    def encode(self, text):
        return list(chain.from_iterable(map(plain, self.parts(text))))


def windows(size):
    """Cut after each ``size`` characters."""
    return lambda text: [text[at : at + size] for at in range(0, len(text), size)]


def windows_of_bytes(size):
    def parts(text):
        data = text.encode("utf-8", "replace")
        return [data[at : at + size].decode("utf-8", "replace") for at in range(0, len(data), size)]

    return parts


def only_of_long_texts(parts, size=256):
    return lambda text: parts(text) if len(text) > size else [text]


def halves(text):
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def overlapping(text, size=100):
    """Cut windows behind their last space, also in a number or before a combining mark."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def behind_spaces(text):
    """Cut a long text behind each space, which then has a pre-token of its own."""
    return re.findall(r"[^ ]* ?", text) if len(text) > 400 else [text]


def before_apostrophes(text):
    """Cut a long text before each contraction."""
    return re.split("(?=')", text) if len(text) > 250 else [text]


def at_digits(text):
    """Cut a long text before each digit."""
    return re.split(r"(?=\d)", text) if len(text) > 200 else [text]


def without_the_first_word(text):
    return [text.partition(" ")[2]] if len(text) > 1000 else [text]


CUTTERS = {
    "windows of 64 characters": windows(64),
    "windows of 128 characters": windows(128),
    "windows of 1,000 characters": windows(1000),
    "windows of 4,096 characters": windows(4096),
    "windows of 8,192 bytes": windows_of_bytes(8192),
    "windows in long texts": only_of_long_texts(windows(16)),
    "halves of long texts": only_of_long_texts(halves),
    "behind each space": behind_spaces,
    "before a contraction": before_apostrophes,
    "before each digit": at_digits,
    "a first word that is lost": without_the_first_word,
    "windows after the last word": only_of_long_texts(overlapping),
}
SHORTEST = {"windows of 64 characters": 80, "windows of 128 characters": 145}
"""Characters of the text of some findings."""

SOUND = {
    "no cut": lambda text: [text],
    "before a space behind a letter": lambda text: re.split(r"(?<=[a-z])(?= )", text),
    "line feeds before a letter": lambda text: re.split(r"(?<=\n)(?=[a-z])", text),
    "long texts before a space behind a letter": only_of_long_texts(
        lambda text: re.split(r"(?<=[a-z])(?= )", text)
    ),
}


@pytest.mark.parametrize("name", CUTTERS)
def test_a_target_that_cuts_long_texts_is_found_without_texts(check_texts, name):
    (bug,) = check_texts(CODE, Cutter(CUTTERS[name]), reference=REFERENCE)
    assert (bug.verdict, str(bug.cause)) == ("bug", "cuts long texts")


@pytest.mark.parametrize("name", SOUND)
def test_a_target_that_cuts_where_no_ids_change_passes(check_texts, name):
    texts = ("the quick brown fox jumps " * 30, "12 345\r\n\r\n  " * 40, "a\u0301 \u4e2d!" * 50)
    assert check_texts(CODE, Cutter(SOUND[name]), texts, reference=REFERENCE) == []


def test_a_path_for_ascii_is_no_cut_of_long_texts(check_texts):
    target = Cutter(lambda text: [text] if text.isascii() else re.split("(?= )|(?<= )", text))
    texts = (" a0\u0989", " a0\u3000")
    (bug,) = check_texts(CODE, target, texts, reference=REFERENCE)
    assert str(bug.cause) == "characters far away change ids"
    assert len(bug.text) < 20


def test_a_text_of_a_family_is_found(check_texts):
    text = "number people " * 4
    target = Cutter(only_of_long_texts(windows(31), 40))
    bugs = check_texts(CODE, target, (text,), reference=REFERENCE)
    assert [str(bug.cause) for bug in bugs] == ["cuts long texts"]
    assert len(bugs[0].text) < 60


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("e\u0301", "\u00e9"),
        str.upper,
        lambda text: text.replace("\u200b", ""),
        lambda text: " ".join(text.split()),
        lambda text: text[:100],
        lambda text: text.replace("12", "1 2"),
    ],
)
def test_what_differs_in_a_short_text_belongs_to_another_check(check_texts, change):
    target = Cutter(lambda text: [change(text)])
    texts = ("e\u0301 e\u0301 cafe\u0301 " * 20, "a\u200bb 12 345  6 " * 20)
    assert check_texts(CODE, target, texts, reference=REFERENCE).bugs == []


def test_a_start_token_of_each_text_is_no_cut(check_texts):
    class Marked(Cutter):
        def encode(self, text):
            return [1, *super().encode(text)]

    assert check_texts(CODE, Marked(SOUND["no cut"]), reference=REFERENCE) == []


def test_the_parts_are_evidence(check_texts):
    (bug,) = check_texts(CODE, Cutter(CUTTERS["windows of 64 characters"]), reference=REFERENCE)
    evidence = dict(bug.evidence)
    assert "".join(evidence["parts"]).startswith(bug.text[:8])


def test_a_reference_that_proves_no_cut_checks_nothing(check_texts):
    class Other:
        encode = staticmethod(plain)
        decode = staticmethod(REFERENCE.decode)

        def seams(self, examples):
            return {"classes": [], "verdicts": [], "added": []}

    target = Cutter(CUTTERS["windows of 64 characters"])
    assert check_texts(CODE, target, reference=Other()) == []
    assert target_of("other", Other()).can("seams")


@pytest.mark.slow
def test_a_target_that_cuts_off_long_texts_says_that_they_are_not_checked(check_texts):
    target = Cutter(lambda text: [text])
    target.encode = lambda text: plain(text)[:64]
    (fact,) = check_texts(CODE, target, reference=REFERENCE)
    assert (fact.verdict, fact.cause.kind) == ("fact", "long texts not checked")
