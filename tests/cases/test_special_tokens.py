"""The target's own special tokens drive the family; its disguises undo as they should."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.model import TargetFacts
from tokharness.unicode.confusables import are_confusable
from tokharness.unicode.normalization import normalize
from tokharness_cases import special_tokens
from tokharness_cases._special_texts import USUAL, representatives

OWN = "<<<eof>>>"
FACTS = TargetFacts((OWN, "<r1>", "<r2>", "<r3>", "", "bad\ud800"))


def twins() -> dict[str, str | None]:
    return {case.text: case.twin for case in special_tokens.cases(FACTS)}


def test_the_targets_own_tokens_come_first_and_exact() -> None:
    first = next(special_tokens.cases(FACTS))
    assert (first.text, first.twin) == (OWN, None)


@pytest.mark.parametrize(
    "disguise",
    [
        "<<\u200b<eof>>>",
        "<<<EOF>>>",
        "<<<<<<eof>>>eof>>>",
        "\uff1c\uff1c\uff1c\uff45\uff4f\uff46\uff1e\uff1e\uff1e",
        "<<<\U0001d41e\U0001d428\U0001d41f>>>",
        "&lt;&lt;&lt;eof&gt;&gt;&gt;",
        "\ufe64<<eof>>>",
        "<<<eof>>",
        "<<eof>>>",
        "".join(chr(0xE0000 + ord(char)) for char in OWN),
    ],
)
def test_the_targets_own_tokens_are_disguised_with_the_exact_text_as_twin(disguise: str) -> None:
    assert twins()[disguise] == OWN


def test_every_place_inside_a_token_is_split_by_a_zero_width_space() -> None:
    found = twins()
    for place in range(1, len(OWN)):
        assert found[f"{OWN[:place]}\u200b{OWN[place:]}"] == OWN


def test_tokens_that_differ_in_digits_are_tried_exactly_and_disguised_once() -> None:
    found = twins()
    assert {"<r1>", "<r2>", "<r3>"} <= found.keys()
    assert "<\u200br1>" in found
    assert "<\u200br2>" not in found


def test_a_thousand_reserved_tokens_do_not_drown_the_run() -> None:
    reserved = tuple(f"<|reserved_special_token_{number}|>" for number in range(1000))
    usual = sum(1 for _ in special_tokens.cases())
    assert sum(1 for _ in special_tokens.cases(TargetFacts(reserved))) < usual + 3_500


def test_what_is_no_text_is_left_out() -> None:
    assert representatives(["", "bad\ud800", "<a>", "<a>"]) == (("<a>",), ())


def test_exact_tokens_have_no_twin() -> None:
    found = twins()
    assert all(found[token] is None for token in USUAL if token in found)


def test_some_disguises_become_the_token_under_nfkc_and_some_under_a_skeleton() -> None:
    token = "<|endoftext|>"
    disguised = [text for text, twin in twins().items() if twin == token]
    assert sum(normalize("NFKC", text) == token for text in disguised) > 15
    assert sum(are_confusable(text, token) for text in disguised) > 15


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_the_strategy_takes_the_targets_tokens(data: st.DataObject) -> None:
    text = data.draw(special_tokens.strategy(TargetFacts(("\u4e00",))))
    assert isinstance(text, str)
