"""A target whose methods return arrays, such as NumPy's: no internal error, and no finding."""

import json
import operator
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.engine.worker.batches import BatchOptions, BatchRunner
from tokharness.engine.worker.time_limits import Timer
from tokharness.model import target_of
from tokharness.targets.processes.limits import Limits
from tokharness.targets.subject import Subject

TEXTS = ("a", "ab", "", "\u4e2d", "word")


class Number:
    """An integer that is not an int, as in an array."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __eq__(self, other):
        return hasattr(other, "__index__") and self.value == operator.index(other)

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"Number({self.value})"


class Array:
    """Numbers, or rows of them; comparing two gives another array, which has no truth value."""

    __hash__ = None

    def __init__(self, items):
        self.items = [Number(item) if isinstance(item, int) else item for item in items]

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, place):
        return self.items[place]

    def __eq__(self, other):
        return Array([True] * len(self.items))

    def __bool__(self):
        raise ValueError("the truth value of an array is ambiguous")


class Arrays:
    """Bytes as ids, in an array for each call."""

    n_vocab = 256

    def encode(self, text):
        return Array(text.encode("utf-8", "replace"))

    def encode_bytes(self, data):
        return Array(data)

    def encode_batch(self, texts):
        return Array([self.encode(text) for text in texts])

    def encode_with_offsets(self, text):
        places = [place for place, char in enumerate(text) for _ in char.encode("utf-8", "replace")]
        return self.encode(text), Array([Array([place, place + 1]) for place in places])

    def encode_special(self, text):
        return self.encode(text)

    def count(self, text):
        return Number(len(self.encode(text)))

    def decode(self, ids):
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids):
        return bytes(list(map(operator.index, ids)))


class RowsOfArrays(Arrays):
    """Ids as a library returns them that returns a batch for a single text."""

    def encode(self, text):
        return [Array(text.encode("utf-8", "replace"))]

    def encode_bytes(self, data):
        return [Array(data)]

    def decode(self, ids):
        return super().decode(ids[0])

    def decode_bytes(self, ids):
        return super().decode_bytes(ids[0])


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.05)
    monkeypatch.setattr("tokharness.checks.superlinear_growth.SECONDS", 0.05)
    monkeypatch.setattr("tokharness.checks.superlinear_growth.UNITS", {"a": "a"})
    monkeypatch.setattr("tokharness.checks.superlinear_growth.FOR_MEMORY", ("a",))


@pytest.mark.parametrize("code", ["TOK107", "TOK109", "TOK110", "TOK111", "TOK112", "TOK114"])
def test_a_target_that_gives_arrays_passes(check_texts, code):
    assert check_texts(code, Arrays(), TEXTS).bugs == []


@pytest.mark.parametrize("code", ["TOK109", "TOK110", "TOK111"])
def test_unhashable_ids_are_compared_as_text(code):
    subject = Subject(target_of("target", RowsOfArrays()))
    clock = Timer(Limits(), stopped=True)
    batches = BatchRunner(subject, [plugins.checks()[code]], clock, guarded=False)
    assert batches.run(list(TEXTS), BatchOptions("family")).failing == {code: []}


def test_rows_of_arrays_are_deterministic(check_texts):
    assert check_texts("TOK109", RowsOfArrays(), TEXTS).bugs == []


@pytest.mark.parametrize("fails", ["leaks", "breaks"])
def test_evidence_holds_ids_as_int(check_texts, fails):
    class Broken(Arrays):
        n_vocab = None
        rest = b""

        def decode_bytes(self, ids):
            if fails == "breaks" and len(ids) in (2, 3):
                raise SystemExit
            data, self.rest = self.rest + super().decode_bytes(ids), b""
            if fails == "leaks" and data[-1:] >= b"\x80":
                self.rest = data[-1:]
            return data

    (bug, *_) = check_texts("TOK112", Broken(), TEXTS).bugs
    assert json.loads(json.dumps(bug.evidence))["ids"]
    assert "Number" not in bug.message


@pytest.mark.slow
def test_a_run_on_a_target_that_returns_arrays_has_no_bugs(check_spec):
    findings = check_spec(f"python:{Path(__file__)}:Arrays", families=("plain-words",))
    assert [str(finding.cause) for finding in findings.bugs] == []
