"""The comparison in a terminal: values and names are whole at every width."""

import io
from collections import Counter

import pytest
from rich.console import Console

from tokharness.formats._comparison_table import print_comparison
from tokharness.results.comparison.lengths import Comparison, Row

WORDS = ("Portuguese", "2026-11-22")


def printed(specs, width):
    values = ("unknown",) * len(specs)
    rows = tuple(Row("cost of characters", name, "tokens", values) for name in WORDS)
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, highlight=False)
    print_comparison(console, Comparison(tuple(specs), 4096, rows))
    return stream.getvalue()


@pytest.mark.parametrize("number", [1, 2, 4, 7])
@pytest.mark.parametrize("width", [*range(34, 100, 5), 120, 200])
def test_names_and_values_are_whole_at_every_width(width, number):
    output = printed([f"hf:a-long-name-{at}.json" for at in range(number)], width)
    words = Counter(output.split())
    assert words["unknown"] == number * len(WORDS)
    assert words[WORDS[0]] == words[WORDS[1]] == words["characters,"] >= 1
    assert all(len(line) <= width for line in output.splitlines())


def test_targets_that_do_not_fit_have_a_table_below():
    specs = ["hf:a", "hf:b", "hf:c"]
    assert [spec for spec in specs if spec in printed(specs, 40).splitlines()[0]] == specs[:2]
    assert printed(specs, 40).count("Portuguese") == 2
    assert printed(specs, 120).count("Portuguese") == 1
