"""TOK115: a decoder that adds or strips spaces around special tokens in trusted text."""

import re

import pytest

from tokharness.diagnosis.special.decoded_surroundings import decoded_surroundings_failures
from tokharness.model import target_of
from tokharness.targets.subject import Subject

END, TOKEN = 300, "<|end|>"
ADDED, LOST = "decode, white space added", "decode, white space lost"


class Decoding:
    """Bytes, and a special token whose surroundings a decoder may change."""

    def __init__(self, change=lambda text: text, shown=TOKEN, between=""):
        self.special_tokens = {TOKEN: END}
        self.change, self.shown, self.between = change, shown, between

    def encode(self, text):
        return [*text.encode()]

    def decode(self, ids):
        parts = (self.shown.encode() if i == END else bytes([i]) for i in ids)
        return self.change(self.between.encode().join(parts).decode("utf-8", "replace"))


def causes(target, reference=None):
    other = None if reference is None else target_of("reference", reference)
    subject = Subject(target_of("target", target), other)
    return [str(failure.cause) for failure in decoded_surroundings_failures(subject)]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda text: text.replace(TOKEN, f" {TOKEN} "), ADDED),
        (lambda text: text.replace(TOKEN, f"{TOKEN} "), ADDED),
        (lambda text: re.sub(rf"{re.escape(TOKEN)}\s*", TOKEN, text), LOST),
        (lambda text: re.sub(rf"\s*{re.escape(TOKEN)}", TOKEN, text), LOST),
        (lambda text: text.split(TOKEN)[-1], "decode, changed"),
    ],
)
def test_a_decoder_that_changes_what_is_next_to_a_special_token_is_a_bug(change, cause):
    assert causes(Decoding(change)) == [f"text around a special token: {cause}"]


@pytest.mark.parametrize(
    "target",
    [
        Decoding(),
        Decoding(shown=""),  # left out
        Decoding(between=" "),  # all tokens, as WordPiece's decoder separates them
        Decoding(lambda text: text.lstrip(" ")),  # at the start of all text
        Decoding(lambda text: text.removeprefix(" ")),
        Decoding(lambda text: " ".join(text.split())),  # in all text
        Decoding(lambda text: text.replace(" ,", ",").replace(" b", "b")),
    ],
)
def test_what_a_decoder_does_with_all_tokens_is_silent(target):
    assert causes(target) == []


def test_what_the_decoder_of_the_file_does_is_by_design():
    padding = Decoding(lambda text: text.replace(TOKEN, f" {TOKEN} "))
    padding.encode_altered = lambda _: []
    padding.token_text = chr
    assert causes(padding, padding) == []
    assert len(causes(padding, Decoding())) == 1
