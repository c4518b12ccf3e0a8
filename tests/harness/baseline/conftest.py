"""Baselines, as written and as edited by hand."""

import datetime as dt
import json

import pytest

from tokharness.baseline import Acceptance, Baseline, RunOptions
from tokharness.baseline.writing import baseline_text
from tokharness.targets.comparison import pack_answer
from tokharness.targets.digests import digest_of
from tokharness.targets.packed_digests import pack
from tokharness.targets.snapshot import Fingerprint, Golden

ACCEPTED = Acceptance(
    fingerprint="0123456789abcdef",
    kind="new-finding",
    what="TOK101 lossy-round-trip: dropped characters: U+200B",
    verdict="bug",
    reason="text of this kind is not used",
    first_seen=dt.date(2027, 1, 31),
    expires=dt.date(2027, 3, 31),
)


def baseline(**fields):
    values = {
        "name": "mine",
        "spec": "python:mine.py:Tokenizer",
        "against": None,
        "run": RunOptions("quick", 0, None, select=("TOK101",)),
        "versions": {"tokharness": "0.1.0"},
        "fingerprint": Fingerprint("00ff", 259, "\\s+", "16.0", None, None, {"<|end|>": 258}),
        "capabilities": ("count",),
        "checks": ("TOK101",),
        "skips": {"TOK401": "the target has no n_vocab"},
        "golden": (Golden("everyday", "a", (1, 2)), Golden("family:emoji", "b", "ValueError")),
        "entries": (Golden("encode", "<|end|>", (258,)),),
        "metrics": {"everyday": 2.0},
        "facts": {"TOK101 lone surrogates": "a lone surrogate comes back as U+FFFD"},
        "accepted": (ACCEPTED,),
    }
    return Baseline(**(values | fields))


QUESTION = f"reach {'0' * 32}"


def with_results():
    """Return a baseline with digests and an answer of the reference."""
    return baseline(
        digests={("digits", 0): pack(digest_of(["1"], [[1]]), 1)},
        answers={QUESTION: pack_answer([["\ud800", ""], ["", "why"]])},
        comparison=ACCEPTED.fingerprint,
    )


@pytest.fixture(scope="session")
def make_baseline():
    return baseline


@pytest.fixture
def known():
    return with_results()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.json"


@pytest.fixture
def edit(path):
    """Write a baseline after a change of its record."""

    def edited(change, before=None):
        record = json.loads(baseline_text(before or baseline()))
        change(record)
        path.write_text(json.dumps(record), encoding="ascii")
        return path

    return edited
