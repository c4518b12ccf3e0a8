"""TOK109: what threads share."""

import collections
import itertools
import string
import threading

import pytest

from tokharness.diagnosis.probes.threads import THREADS, thread_failures
from tokharness.model import target_of
from tokharness.targets.subject import Subject

CODE = "TOK109"


class Racing:
    """Keeps what it works on in itself. Threads meet once while they do, so all but one get wrong.

    In the thread that made it, it never waits; nor in others that come when it is over.
    """

    def __init__(self):
        self.over = False
        self.meeting = threading.Barrier(THREADS, action=self.end, timeout=30)
        self.met = threading.local()
        self.met.before = True

    def end(self):
        self.over = True

    def meet(self):
        if not self.over and not getattr(self.met, "before", False):
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
    monkeypatch.setattr("tokharness.diagnosis.probes.threads.SECONDS", 1.0)
    monkeypatch.setattr("tokharness.checks.not_deterministic._texts", lambda _: texts)
    (bug,) = check_texts(CODE, racing())
    assert str(bug.cause) == "state: threads"


class Failing:
    """Gives other ids at every 97th call, whichever thread asks."""

    def __init__(self):
        self.calls = itertools.count(1)

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))[next(self.calls) % 97 == 0 :]

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def test_what_differs_in_one_thread_too_is_no_matter_of_threads(monkeypatch):
    monkeypatch.setattr("tokharness.diagnosis.probes.threads.SECONDS", 0.15)
    subject = Subject(target_of("target", Failing()))
    assert list(thread_failures(["word", "two words", "a"] * 9, subject)) == []


def test_the_text_that_is_told_is_the_shortest_that_differs(check_texts, monkeypatch):
    texts = ["other words", "x" * 300, "Q", "a b", "words and more of them"]
    monkeypatch.setattr("tokharness.diagnosis.probes.threads.SECONDS", 0.2)
    monkeypatch.setattr("tokharness.checks.not_deterministic._texts", lambda _: texts)
    (bug,) = check_texts(CODE, RaisingInOtherThreads())
    assert bug.text == "Q"
