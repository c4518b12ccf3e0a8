"""Bars of vocabulary against sequence length fit the terminal, and show what is lost."""

import io

import pytest
from rich.console import Console

from tokharness.formats._comparison_table import print_lengths
from tokharness.results.comparison import Length, Lengths


def row(name, value, **fields):
    groups = ("all texts", "English prose", "all languages")
    lengths = tuple(Length(group, 9, value, 4.0, 1.2, **fields) for group in groups)
    return Lengths(name, "byte-level BPE", 32_000, lengths)


def printed(*rows, width=80):
    stream = io.StringIO()
    print_lengths(Console(file=stream, width=width, markup=False, highlight=False), rows)
    return stream.getvalue()


LONG = [row(f"hf:{number}{'x' * 60}", 100.0 / (number + 1), lossy=number) for number in range(10)]


@pytest.mark.parametrize("width", [40, 60, 80, 132])
def test_the_rows_fit_the_terminal(width):
    assert all(len(line.rstrip()) <= width for line in printed(*LONG, width=width).splitlines())


@pytest.mark.parametrize("width", range(38, 100, 3))
def test_words_are_whole_at_every_width(width):
    words = printed(row("hf:short.json", 50.0, lossy=3), width=width).replace(",", "").split()
    assert {"vocabulary", "characters", "English", "languages", "byte-level", "hf:short.json"} <= {
        *words
    }


def test_a_bar_is_as_long_as_the_sequence():
    lines = printed(row("a", 100.0), row("b", 50.0), width=200).splitlines()
    whole, half = (line for line in lines if "byte-level" in line)
    assert whole.count("=") == 2 * half.count("=") > 0


def test_a_target_that_loses_text_is_dotted_and_says_how_much():
    output = printed(row("a", 100.0), row("b", 50.0, lossy=4), width=200)
    (line,) = [line for line in output.splitlines() if " b," in line]
    assert "=" not in line
    assert "..." in line
    assert "loses text in 4 of 9" in line


def test_without_lengths_nothing_is_printed():
    assert printed() == ""
