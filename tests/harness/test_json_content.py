"""JSON of a file is counted before it is parsed, and what it is not is one sentence."""

import pytest

from tokharness import json_content
from tokharness.json_content import parse_json, parse_json_text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[" * 100_000, "it is nested too deep"),
        (b'{"a":' * 100_000, "it is nested too deep"),
        (b"\xff", "it is not UTF-8 from byte 0 on"),
        (b"{", "Expecting property name"),
        (b"9" * 5_000, "more than 4,300 digits"),
    ],
)
def test_what_is_not_read_is_a_value_error(data, message):
    with pytest.raises(ValueError, match=message):
        parse_json(data)


@pytest.mark.parametrize("part", [b"[],", b"{},", b'{"a":0},', b"0,"])
def test_too_many_values_are_refused_before_they_are_made(monkeypatch, part):
    monkeypatch.setattr(json_content.json, "loads", lambda *_: pytest.fail("it is parsed"))
    with pytest.raises(ValueError, match=r"it has [0-9,]+ values, more than 100"):
        parse_json(b"[" + part * 200 + b"0]", 100)
    with pytest.raises(ValueError, match=r"it has [0-9,]+ values, more than 100"):
        parse_json_text("[" + part.decode() * 200 + "0]", 100)


def test_as_many_values_are_parsed():
    assert parse_json(b"[" + b"0," * 90 + b"0]" + b" " * 200, 100) == [0] * 91
