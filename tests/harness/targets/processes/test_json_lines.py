"""Plain data survives a line unchanged, with its surrogates."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.targets.processes.json_lines import (
    from_ascii_line,
    from_line,
    to_ascii_line,
    to_line,
)

TEXTS = st.text(st.sampled_from('a\n"\\\ud83d\ude00\U0001f600\u2028\x00\u00e9'))
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda data: st.lists(data) | st.dictionaries(st.sampled_from("abc"), data),
)


@pytest.mark.slow
@given(DATA)
def test_a_line_between_processes_round_trips(value):
    line = to_line(value)
    assert line.count(b"\n") == 1
    assert from_line(line) == value


@pytest.mark.slow
@given(DATA)
def test_a_line_in_a_file_is_ascii_and_round_trips(value):
    line = to_ascii_line(value)
    assert line.isascii()
    assert line.count("\n") == 1
    assert from_ascii_line(line) == value


def test_a_line_in_a_file_is_plain_json():
    assert json.loads(to_ascii_line(["\ud800", "\ud83d\ude00"])) == [
        "\ud800",
        {"pieces": ["\ud83d", "\ude00"]},
    ]


@pytest.mark.parametrize("line", [b"", b"{", b"nonsense", b"\xff\xfe"])
def test_invalid_json_is_a_value_error(line):
    with pytest.raises(ValueError):  # noqa: PT011 - of several types
        from_line(line)


@pytest.mark.parametrize("line", ['{"a": 1, "a": 2}', '{"pieces": 3}', '{"pieces": ["a", null]}'])
def test_a_line_of_another_shape_is_a_value_error(line):
    with pytest.raises(ValueError, match=r"duplicate|pieces"):
        from_ascii_line(line)
