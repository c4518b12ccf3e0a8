"""Two renderings of a conversation, aligned for a terminal."""

import pytest

from tokharness.changes import Renderings
from tokharness.formats._renderings import rendering_lines

LABELS = ("before  ", "now     ", " " * 8)


def lines(before, now):
    _, *rows = rendering_lines(Renderings("[]", before, now))
    return [row.rstrip() for row in rows]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("one two three", "one three", ["one two three", "one     three", "    ^^^^"]),
        ("a b", "a\u4e2d b", ["a    b", " a\u4e2d b", "^^^^"]),
        ("a", "a ", ["a", "a", " ^"]),
        ("a\u200bb", "ab", ["a\\u{200b}b", "          ab", "^" * 12]),
    ],
    ids=["a word is gone", "a wide character is new", "a space is new", "an invisible one is gone"],
)
def test_what_both_have_stands_in_the_same_columns(before, now, expected):
    assert lines(before, now) == [
        f"{label}{text}" for label, text in zip(LABELS, expected, strict=True)
    ]


def test_only_the_part_that_differs_is_shown():
    rows = lines("x " * 100 + "one" + " y" * 100, "x " * 100 + "two" + " y" * 100)
    assert rows[0].startswith("before  ...x x")
    assert rows[-1].endswith("y y...")
    assert all(len(row) < 60 for row in rows)
    assert "".join(rows).count("^") == 6


def test_a_long_difference_is_cut():
    rows = lines("a", "b " * 1000)
    assert len(rows) < 30
    assert rows[-2].rstrip().endswith("...")


def test_equal_renderings_have_no_marks():
    assert lines("a", "a") == ["before  a", "now     a"]
