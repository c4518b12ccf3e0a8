"""TOK109: the same text, other ids."""

import collections
import functools
import itertools
import string
import threading
import zlib

import pytest

from tokharness.checks._threads import THREADS, differing_in_threads
from tokharness.model import target_of
from tokharness.subject import Subject
from tokharness.unicode.normalization import normalize

CODE = "TOK109"
TEXTS = ("a", "b", "word", "word", "Word", "\u4e2d", "a\ud800b", "")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Healthy targets take all the time there is for threads."""
    monkeypatch.setattr("tokharness.checks._threads.SECONDS", 0.15)


def cached(encode, key):
    """Keep the ids of each text under a key."""
    known = {}

    def lookup(text):
        return list(known.setdefault(key(text), encode(text)))

    return lookup


def causes(found):
    return [str(one.cause) for one in found]


def test_a_healthy_target_is_not_accused(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), TEXTS) == []


def test_a_cache_with_the_right_key_is_not_accused(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = cached(one.encode, str)
    assert check_texts(CODE, one, TEXTS) == []


@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        str.strip,
        functools.partial(normalize, "NFC"),
        functools.partial(normalize, "NFKC"),
        lambda text: text[:16],
        lambda _: "",
        lambda text: "".join(sorted(text)),
    ],
)
@pytest.mark.parametrize("declared", [None, "some"])
def test_a_change_of_the_text_is_no_cache(check_texts, byte_tokenizer, change, declared):
    one = byte_tokenizer(change, normalizer=declared, normalize=change)
    assert check_texts(CODE, one, TEXTS) == []


def test_a_target_that_raises_on_everything_is_not_accused(check_texts, byte_tokenizer):
    def encode(text):
        raise ValueError(text)

    one = byte_tokenizer()
    one.encode = encode
    assert check_texts(CODE, one, TEXTS) == []


@pytest.mark.parametrize(
    ("key", "by"),
    [
        (len, "of the same length"),
        (str.lower, "equal but for case"),
        (str.rstrip, "equal but for a space at the end"),
        (str.lstrip, "equal but for a space at the start"),
        (lambda t: t[:4], "with the same first 4 characters"),
        (lambda t: t[:16], "with the same first 16 characters"),
        (lambda t: t[:100], "with the same first 128 characters"),
        (lambda t: (t[:16], len(t)), "with the same first 16 characters"),
        (lambda t: t[-8:], "with the same last characters"),
        (lambda t: (t[:16], t[-16:]), "with the same beginning, end and length"),
        (lambda t: "".join(sorted(t)), "equal but for the order of letters"),
        (lambda t: t.replace("\u200b", ""), "equal but for U+200B"),
        (lambda t: t.partition("\0")[0], "equal but for what follows U+0000"),
        (lambda t: t.replace("\r\n", "\n"), "equal but for the kind of line end"),
        (functools.partial(normalize, "NFC"), "equal after NFC"),
        (lambda t: zlib.crc32(t.encode("utf-8", "replace")) % 4096, "that have nothing in common"),
    ],
)
def test_a_cache_that_confuses_texts_is_one_bug(check_texts, byte_tokenizer, key, by):
    one = byte_tokenizer()
    one.encode = cached(one.encode, key)
    assert causes(check_texts(CODE, one)) == [f"state: a cache that confuses texts {by}"]


def test_a_cache_that_is_full_of_other_texts_is_told_too(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = cached(one.encode, lambda text: zlib.crc32(text.encode("utf-8", "replace")) % 50)
    for number in range(1000):
        one.encode(f"TEXT {number}")
    assert causes(check_texts(CODE, one)) == [
        "state: a cache that confuses texts that have nothing in common"
    ]


@pytest.mark.parametrize("change", [lambda _: "[UNK]", lambda t: "".join("#" for _ in t[::3])])
def test_what_is_unknown_is_no_cache(check_texts, byte_tokenizer, change):
    assert check_texts(CODE, byte_tokenizer(change), TEXTS) == []


def test_a_key_that_forgets_several_things_is_one_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = cached(one.encode, lambda text: normalize("NFC", text).lower())
    assert causes(check_texts(CODE, one)) == [
        "state: a cache that confuses texts equal but for case or equal after NFC"
    ]


def test_a_list_that_is_shared_with_the_caller_is_a_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = functools.cache(one.encode)
    assert causes(check_texts(CODE, one)) == ["state: a list shared with the caller"]


def test_state_that_one_call_leaves_for_the_next_is_a_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    plain, left = one.encode, []

    def encode(text):
        ids = [*left, *plain(text)]
        left[:] = [] if text.isascii() else ids[-1:]
        return ids

    one.encode = encode
    assert causes(check_texts(CODE, one, TEXTS)) == ["state"]


def test_a_text_that_is_treated_otherwise_at_the_second_time_is_a_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    plain, seen = one.encode, set()

    def encode(text):
        known = text in seen
        seen.add(text)
        return plain(text[:-1] if known else text)

    one.encode = encode
    assert "state" in causes(check_texts(CODE, one, ["xyz"]))


def test_what_fails_once_in_hundreds_of_calls_is_seen_in_a_batch(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    plain, calls = one.encode, []

    def encode(text):
        calls.append(text)
        return plain(text) if len(calls) != 700 else plain(text)[1:]

    one.encode = encode
    found = check_texts(CODE, one, [f"text {number}" for number in range(600)])
    assert causes(found) == ["state"]


class Racing:
    """Keeps what it works on in itself. Threads meet once while they do, so all but one get wrong.

    In the thread that made it, it never waits.
    """

    def __init__(self):
        self.meeting = threading.Barrier(THREADS, timeout=30)
        self.met = threading.local()
        self.met.before = True

    def meet(self):
        if not getattr(self.met, "before", False):
            self.met.before = True
            self.meeting.wait()

    def encode(self, text):
        self.buffer = text.encode("utf-8", "replace")
        self.meet()
        return list(self.buffer)

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


class RacingInDecode(Racing):
    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        self.buffer = bytes(ids)
        self.meet()
        return self.buffer.decode("utf-8", "replace")


class RacingWhereNew(Racing):
    """Has a cache, so that only new texts are raced for."""

    def __init__(self):
        super().__init__()
        self.known = {}

    def encode(self, text):
        if text not in self.known:
            self.known[text] = super().encode(text)
        return list(self.known[text])


class RacingInAClosedVocabulary(Racing):
    """Has the letters a to z and the space; what it has not is unknown, and all one."""

    tokens = (*string.ascii_lowercase, " ", "<unk>")

    def encode(self, text):
        self.buffer = [self.tokens.index(c) if c in self.tokens else 27 for c in text]
        self.meet()
        return list(self.buffer)

    def decode(self, ids):
        return "".join(self.tokens[number] for number in ids)


class RacingWhereNewInAClosedVocabulary(RacingInAClosedVocabulary, RacingWhereNew):
    def encode(self, text):
        if text not in self.known:
            self.known[text] = super().encode(text)
        return list(self.known[text])


class RacingLateAmongWords(Racing):
    """Has some words; a text with any other does not come back."""

    tokens = ("a", "word", "<unk>")

    def __init__(self):
        super().__init__()
        self.calls = collections.Counter()

    def encode(self, text):
        words = [self.tokens.index(w) if w in self.tokens else 2 for w in text.split(" ")]
        self.buffer = words
        self.calls[threading.get_ident()] += 1
        if self.calls[threading.get_ident()] > 30:
            self.meet()
            words = self.buffer
        return list(words)

    def decode(self, ids):
        return " ".join(self.tokens[number] for number in ids)


class RaisingInOtherThreads(RacingInDecode):
    """Is bound to the thread that made it."""

    def __init__(self):
        self.owner = threading.get_ident()

    def decode(self, ids):
        if threading.get_ident() != self.owner:
            raise RuntimeError("another thread")
        return bytes(ids).decode("utf-8", "replace")


@pytest.mark.parametrize(
    "racing",
    [
        Racing,
        RacingInDecode,
        RacingWhereNew,
        RacingInAClosedVocabulary,
        RacingWhereNewInAClosedVocabulary,
        RacingLateAmongWords,
        RaisingInOtherThreads,
    ],
)
def test_what_threads_share_is_one_bug(check_texts, monkeypatch, racing):
    texts = ["a", "word", "a b", "xyz", "Q", "\u4e2d", "other words", "0", "a-z"]
    monkeypatch.setattr("tokharness.checks._threads.SECONDS", 1.0)
    monkeypatch.setattr("tokharness.checks.not_deterministic._texts", lambda _: texts)
    assert causes(check_texts(CODE, racing())) == ["state: threads"]


class Failing:
    """Gives other ids at every 97th call, whichever thread asks."""

    def __init__(self):
        self.calls = itertools.count(1)

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))[next(self.calls) % 97 == 0 :]

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def test_what_differs_in_one_thread_too_is_no_matter_of_threads():
    subject = Subject(target_of("target", Failing()))
    assert list(differing_in_threads(["word", "two words", "a"] * 9, subject)) == []
