"""What a batch does to the results of its items is named if it explains all of them."""

import pytest

from tokharness.diagnosis.entry_points.batch_rows import difference_of_rows
from tokharness.outcome import Raised

ALONE = [[1, 2, 3], [4], [], [5, 6]]


@pytest.mark.parametrize(
    ("got", "difference"),
    [
        (ALONE, ""),
        (Raised(ValueError("no")), "raises ValueError"),
        (ALONE[:2], "returns 2 results"),
        ([[1, 2, 3], [4], [5, 6]], "leaves out results that are empty"),
        (ALONE[::-1], "returns its results in another order"),
        ([[5, 6]] * 4, "gives each item the result of the last one"),
        ([[1, 2, 3]] * 4, "gives each item the result of the first one"),
        (
            [[1, 2, 3], [4, 0, 0], [0, 0, 0], [5, 6, 0]],
            "pads its results to the length of the longest, at the end",
        ),
        (
            [[1, 2, 3], [0, 0, 4], [0, 0, 0], [0, 5, 6]],
            "pads its results to the length of the longest, at the start",
        ),
        ([[], [], [], []], "cuts its results to the length of the shortest, at the end"),
        (
            [[1, 2, 3], [4, 0], [], [5, 6]],
            "gives other results than its items get alone, first for number 2",
        ),
        (
            [[1, 2, 3], [4, 0, 7], [0, 0, 0], [5, 6, 0]],
            "gives other results than its items get alone, first for number 2",
        ),
    ],
)
def test_the_difference_is_named(got, difference):
    assert difference_of_rows(got, ALONE) == difference


def test_texts_that_a_batch_decodes_are_compared_so_too():
    assert difference_of_rows(["ab", "c\0"], ["ab", "c"]) == (
        "pads its results to the length of the longest, at the end"
    )
