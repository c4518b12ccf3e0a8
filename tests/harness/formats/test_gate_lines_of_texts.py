"""The number of further texts of a change says which texts they are."""

from dataclasses import replace

from tokharness.changes import Change, Example
from tokharness.formats._gate_lines import more_texts
from tokharness.gate.texts import BY_DIGEST

GOLDEN = Change("changed-ids", "a cause", "", "1", examples=(Example("a", (1,), (2,)),), count=3)
OTHER = Change("changed-ids", BY_DIGEST, "", "2", count=40)


def test_further_golden_texts_are_counted_as_golden_texts():
    assert str(more_texts(GOLDEN, 1)) == "and 2 more golden texts"


def test_texts_that_only_a_digest_shows_are_not_counted_as_golden_texts():
    assert str(more_texts(replace(GOLDEN, related=(OTHER,)), 1)) == "and 42 more texts"
