"""Blocks of which the ids of the reference are known are not compared again, with one result."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness import plugins
from tokharness.engine.worker.batches import BatchOptions, BatchRunner
from tokharness.engine.worker.time_limits import Timer
from tokharness.model import target_of
from tokharness.targets.digests import first_difference
from tokharness.targets.packed_digests import unpack
from tokharness.targets.processes.limits import Limits
from tokharness.targets.subject import Subject

CODES = ("TOK101", "TOK102", "TOK103", "TOK201")


class Counting:
    """UTF-8 bytes as ids; counts the texts that it encodes, and changes some of them."""

    def __init__(self, changes=()):
        self.changes, self.encoded = dict(changes), 0

    def encode(self, text):
        self.encoded += 1
        return list(self.changes.get(text, text).encode())

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def run(texts, target=(), reference=(), known=(), part=None):
    """Run texts; return the result without its times, and how many texts the reference got."""
    ours, theirs = Counting(target), Counting(reference)
    subject = Subject(target_of("target", ours), target_of("reference", theirs))
    checks = [plugins.checks()[code] for code in CODES]
    runner = BatchRunner(subject, checks, Timer(Limits(), stopped=True), guarded=False)
    if part is not None:
        runner._parts._size = part
    options = BatchOptions("family", digested=True, known=known)
    record = runner.run(texts, options).record()
    return {**record, "seconds": 0}, theirs.encoded


def keys(record):
    return {block.key for block in unpack(record["digest"]).blocks if block.agreed}


TEXTS = [f"text {number}" for number in range(2500)]


def test_an_unchanged_target_runs_no_reference():
    first, compared = run(TEXTS)
    again, compared_again = run(TEXTS, known=keys(first))
    assert (compared, compared_again) == (len(TEXTS), 0)
    assert again == first


def test_a_block_that_differs_from_the_reference_is_compared_each_time():
    first, _ = run(TEXTS, target={"text 7": "another"})
    again, compared = run(TEXTS, target={"text 7": "another"}, known=keys(first))
    assert first["failing"]["TOK201"] == ["text 7"]
    assert again == first
    assert compared == 1000


def test_other_ids_than_those_that_are_known_are_compared():
    known = keys(run(TEXTS)[0])
    changed, compared = run(TEXTS, target={"text 1007": "another"}, known=known)
    assert changed["failing"]["TOK201"] == ["text 1007"]
    assert compared == 1000


@pytest.mark.slow
@given(
    st.lists(st.text("ab", max_size=3), max_size=30),
    *[st.dictionaries(st.text("ab", max_size=3), st.text("abc", max_size=3), max_size=3)] * 3,
)
def test_results_are_the_same_with_what_is_known_of_another_target(texts, old, new, reference):
    known = keys(run(texts, old, reference)[0]) if texts else set()
    assert run(texts, new, reference, known)[0] == run(texts, new, reference)[0]


@pytest.mark.parametrize("part", [1, 7, 1000])
def test_a_digest_is_the_same_for_any_speed_of_the_target(part):
    assert run(TEXTS, part=part)[0]["digest"] == run(TEXTS)[0]["digest"]


def test_a_text_that_raises_has_no_known_ids():
    class Raising(Counting):
        def encode(self, text):
            raise ValueError(text)

    subject = Subject(target_of("target", Raising()), target_of("reference", Raising()))
    checks = [plugins.checks()[code] for code in CODES]
    runner = BatchRunner(subject, checks, Timer(Limits(), stopped=True), guarded=False)
    record = runner.run(["a"], BatchOptions("family", digested=True)).record()
    assert keys(record) == set()


def test_the_digest_leads_to_the_text_whose_ids_changed():
    old, _ = run(TEXTS)
    new, _ = run(TEXTS, target={"text 1234": "another"})
    difference = first_difference(unpack(old["digest"]), unpack(new["digest"]))
    assert difference.rows == (1234,)
