"""Ends of texts that are lost with a last part of a text that is not full."""

from types import SimpleNamespace

import pytest

from tokharness.diagnosis.text.lost_ends import lost_end_causes, without_lost_end
from tokharness.model import target_of
from tokharness.targets.subject import Subject


def subject_of(transform):
    tokenizer = SimpleNamespace(encode=lambda text: [*transform(text).encode()], decode=bytes)
    return Subject(target_of("target", tokenizer))


def in_parts(text, size=64, kept=8):
    end = len(text) % size
    return text[:-end] if len(text) > size and 0 < end < kept else text


def test_the_size_of_parts_and_what_is_lost_are_named():
    subject, text = subject_of(in_parts), "a" * 128 + "bcd"
    (cause,) = lost_end_causes(text, in_parts(text), subject, in_parts, "decode")
    assert str(cause) == "truncated: an end of fewer than 8 characters behind each 64"
    assert not cause.weak
    rest = without_lost_end(cause, subject, "decode")
    assert rest("x" * 67) == "x" * 64
    assert rest("x" * 72) == "x" * 72
    assert rest("x" * 63) == "x" * 63


@pytest.mark.parametrize(
    "transform",
    [lambda text: text[:64], str.rstrip, lambda text: text.removesuffix("bcd"), lambda text: text],
)
def test_other_lost_ends_have_no_parts(transform):
    text = "a" * 64 + "bcd"
    subject = subject_of(transform)
    assert not lost_end_causes(text, text[:64], subject, transform, "decode")
