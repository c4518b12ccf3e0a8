"""TOK109: state that threads share."""

import collections
import itertools
import string
import threading

import pytest

from tokharness.checks.not_deterministic.threads import THREADS, thread_failures
from tokharness.model import target_of
from tokharness.targets.subject import Subject

CODE = "TOK109"


class Racing:
    """Works on shared state; threads meet once inside ``encode``, so all but one get wrong ids.

    It does not wait in the thread that made it, nor after the meeting.
    """

    def __init__(self):
        self.met_once = False
        self.meeting = threading.Barrier(THREADS, action=self.end, timeout=30)
        self.thread_state = threading.local()
        self.thread_state.has_met = True

    def end(self):
        self.met_once = True

    def meet(self):
        if not self.met_once and not getattr(self.thread_state, "has_met", False):
            self.thread_state.has_met = True
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


class RacingOnNewTexts(Racing):
    """Has a cache, so that threads race only on new texts."""

    def __init__(self):
        super().__init__()
        self.cache = {}

    def encode(self, text):
        if text not in self.cache:
            self.cache[text] = super().encode(text)
        return list(self.cache[text])


class RacingInAClosedVocabulary(Racing):
    """Knows the letters a to z and the space; all other characters are one unknown token."""

    tokens = (*string.ascii_lowercase, " ", "<unk>")

    def encode(self, text):
        self.buffer = [self.tokens.index(c) if c in self.tokens else 27 for c in text]
        self.meet()
        return list(self.buffer)

    def decode(self, ids):
        return "".join(self.tokens[number] for number in ids)


class RacingOnNewTextsInAClosedVocabulary(RacingInAClosedVocabulary, RacingOnNewTexts):
    def encode(self, text):
        if text not in self.cache:
            self.cache[text] = super().encode(text)
        return list(self.cache[text])


class RacingLate(Racing):
    """Knows some words; a text with an unknown word is lossy. Races after 30 calls."""

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


class BoundToItsThread(RacingInDecode):
    """Works only in the thread that made it."""

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
        RacingOnNewTexts,
        RacingInAClosedVocabulary,
        RacingOnNewTextsInAClosedVocabulary,
        RacingLate,
    ],
)
@pytest.mark.slow(every=3)
def test_state_shared_by_threads_is_one_bug(check_texts, monkeypatch, racing):
    texts = ["a", "word", "a b", "xyz", "Q", "\u4e2d", "other words", "0", "a-z"]
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 1.0)
    monkeypatch.setattr("tokharness.checks.not_deterministic._texts", lambda _: texts)
    (bug,) = check_texts(CODE, racing())
    assert str(bug.cause) == "state: threads"


class Failing:
    """Gives wrong ids at every 97th call, in any thread."""

    def __init__(self):
        self.calls = itertools.count(1)

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))[next(self.calls) % 97 == 0 :]

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def test_a_target_that_also_fails_in_one_thread_is_not_reported(monkeypatch):
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.15)
    subject = Subject(target_of("target", Failing()))
    assert list(thread_failures(["word", "two words", "a"] * 9, subject)) == []


@pytest.mark.slow
def test_the_reported_text_is_the_shortest_that_differs(check_texts, monkeypatch):
    texts = ["other words", "x" * 300, "Q", "a b", "words and more of them"]
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.2)
    monkeypatch.setattr("tokharness.checks.not_deterministic._texts", lambda _: texts)
    (bug,) = check_texts(CODE, BoundToItsThread())
    assert bug.text == "Q"


@pytest.mark.slow
def test_a_target_that_is_bound_to_its_thread_is_not_a_race(monkeypatch):
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.1)
    (failure,) = thread_failures(["a", "b"], Subject(target_of("target", BoundToItsThread())))
    assert str(failure.cause) == "state: another thread"
    assert failure.cause.message.startswith("decode raises RuntimeError in another thread")
    assert failure.evidence["given"] == "raises RuntimeError: another thread"
    assert failure.evidence["expected"] == "a"


class Lossy(BoundToItsThread):
    """Loses each "b" after a space, in every thread."""

    def encode(self, text):
        return super().encode(text.replace(" b", " "))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


class RacingAndLossy(Racing):
    """Loses each "b" after a space, and threads race on its buffer."""

    def encode(self, text):
        return super().encode(text.replace(" b", " "))


@pytest.mark.slow
@pytest.mark.parametrize(("target", "causes"), [(Lossy, []), (RacingAndLossy, ["state: threads"])])
def test_a_text_that_one_thread_loses_too_is_no_race(monkeypatch, target, causes):
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.1)
    subject = Subject(target_of("target", target()))
    failures = thread_failures(["a", "word", "xyz", "other words"] * 3, subject)
    assert [str(failure.cause) for failure in failures] == causes


class RaisingInThreads(Racing):
    """Raises where threads meet, as an object that may not be borrowed twice."""

    def encode(self, text):
        ids = super().encode(text)
        if bytes(ids) != text.encode("utf-8", "replace"):
            raise RuntimeError("already borrowed")
        return ids


@pytest.mark.slow
def test_the_exception_of_a_thread_is_named(monkeypatch):
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.1)
    subject = Subject(target_of("target", RaisingInThreads()))
    (failure,) = thread_failures(["a", "word", "xyz", "other words"] * 3, subject)
    assert failure.cause.message == "encode raises RuntimeError in several threads at once"
    assert failure.evidence["given"] == "raises RuntimeError: already borrowed"


class RacingInBatches(Racing):
    """Shares its buffer between batches only."""

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def encode_batch(self, texts):
        self.buffer = [self.encode(text) for text in texts]
        self.meet()
        return self.buffer


class RacingInCounts(RacingInBatches):
    """Shares its buffer between counts only."""

    encode_batch = None

    def count(self, text):
        self.buffer = text
        self.meet()
        return len(self.buffer)


@pytest.mark.slow
@pytest.mark.parametrize("racing", [RacingInBatches, RacingInCounts])
def test_state_that_threads_share_at_another_entry_point_is_one_bug(monkeypatch, racing):
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 1.0)
    texts = ["a", "word", "a b", "xyz", "Q", "\u4e2d", "other words", "0", "a-z"] * 3
    subject = Subject(target_of("target", racing()))
    (failure,) = thread_failures(texts, subject)
    assert str(failure.cause) == "state: threads"
    assert "encode_batch" in failure.cause.message or "count" in failure.cause.message
