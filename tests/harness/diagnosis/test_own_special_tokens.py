"""Special tokens that only the target has cut plain text, or another fault stands next to them."""

import re
from types import SimpleNamespace

import pytest

from tokharness.diagnosis.special.special_ids import OWN_TOKENS_CUT, own_token_causes
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.adapters import reference_target

KNOWN = reference_target.load("embedded")
TEXT = "a <|tool|>"


def cutting(text):
    parts = re.split(r"(<\|tool\|>)", text)
    return [number for part in parts for number in KNOWN.encode_ordinary(part)]


def without_joined_spaces(text):
    pattern = KNOWN.pattern.replace(r" ?[^\s", r"[^\s")
    assert pattern != KNOWN.pattern
    return KNOWN.with_pattern(pattern).encode_ordinary(text)


@pytest.mark.parametrize(
    ("encode", "causes"), [(cutting, [OWN_TOKENS_CUT]), (without_joined_spaces, [])]
)
def test_the_token_has_to_be_what_cuts(encode, causes):
    tokens = {"<|tool|>": KNOWN.n_vocab}
    target = SimpleNamespace(encode=encode, decode=KNOWN.decode, special_tokens=tokens)
    subject = Subject(target_of("t", target), target_of("r", KNOWN))
    assert encode(TEXT) != KNOWN.encode_ordinary(TEXT)
    assert own_token_causes(TEXT, encode(TEXT), subject) == causes
