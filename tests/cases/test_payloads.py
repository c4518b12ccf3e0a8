"""Hidden messages can be decoded, and the visible text is the twin."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode.properties import members
from tokharness_cases import _payloads
from tokharness_cases._disguises import to_tags

TAGS = dict.fromkeys(range(0xE0000, 0xE0080))
SELECTORS = dict.fromkeys(members(r"\p{Variation_Selector}"))
INVISIBLE = dict.fromkeys(members(r"\p{Default_Ignorable_Code_Point}"))
ZERO, ONE = "\u2062\u2064"


@given(st.binary(), st.sampled_from(_payloads.CARRIERS))
def test_bytes_in_variation_selectors_can_be_decoded_after_a_carrier(
    data: bytes, carrier: str
) -> None:
    points = [
        ord(char) for char in carrier + _payloads.to_selectors(data) if ord(char) in SELECTORS
    ]
    assert bytes(p - 0xFE00 if p < 0xE0100 else p - 0xE0100 + 16 for p in points) == data


@given(st.binary(min_size=1), st.sampled_from(_payloads.CARRIERS))
def test_bytes_in_invisible_bits_can_be_decoded_after_a_carrier(data: bytes, carrier: str) -> None:
    hidden = carrier + _payloads.to_bits(data, ZERO, ONE)
    digits = "".join(str(int(char == ONE)) for char in hidden if char in (ZERO, ONE))
    assert int(digits, 2).to_bytes(len(data), "big") == data


def test_the_twin_of_a_smuggled_message_is_the_visible_text() -> None:
    cases = list(_payloads.smuggling_cases("tags", to_tags))
    assert len(cases) == 3 * len(_payloads.CARRIERS) * len(_payloads.MESSAGES)
    for case in cases:
        assert case.text.translate(TAGS) == case.twin
        hidden = "".join(chr(ord(char) - 0xE0000) for char in case.text if ord(char) in TAGS)
        assert hidden in _payloads.MESSAGES


@pytest.mark.parametrize("message", _payloads.MESSAGES)
def test_a_message_is_printable_ascii(message: str) -> None:
    assert message.isascii()
    assert message.isprintable()


@pytest.mark.parametrize("family", ["tag_smuggling", "variation_selectors", "invisible_bits"])
def test_most_twins_are_the_visible_text(family: str) -> None:
    module = importlib.import_module(f"tokharness_cases.{family}")
    twins = [case for case in module.cases() if case.twin is not None]
    seen = [case.text.translate(INVISIBLE) == case.twin.translate(INVISIBLE) for case in twins]
    assert sum(seen) > 0.8 * len(seen)
