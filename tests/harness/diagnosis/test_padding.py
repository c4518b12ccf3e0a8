"""Padding, which is no part of a text."""

import pytest

from tokharness.diagnosis.entry_points.affixes import affix_ids, padding_id, without_affixes
from tokharness.model import target_of
from tokharness.targets.subject import Subject

PADDING, BEGIN = 300, 301


def subject_of(byte_tokenizer, encode):
    target = byte_tokenizer()
    target.encode = encode
    return Subject(target_of("x", target))


def padded(text, *, left=False, begin=()):
    ids = [*begin, *text.encode()]
    fill = [PADDING] * (-len(ids) % 16)
    return [*fill, *ids] if left else [*ids, *fill]


@pytest.mark.parametrize("left", [False, True])
def test_padding_is_recognized_at_both_ends_and_left_out(byte_tokenizer, left):
    subject = subject_of(byte_tokenizer, lambda text: padded(text, left=left))
    assert padding_id(subject) == PADDING
    assert affix_ids(subject) == ([], [])
    assert without_affixes(padded("abc", left=left), subject) == [*b"abc"]


def test_a_begin_id_is_known_next_to_padding(byte_tokenizer):
    subject = subject_of(byte_tokenizer, lambda text: padded(text, begin=[BEGIN]))
    assert affix_ids(subject) == ([BEGIN], [])
    assert without_affixes(padded("a", begin=[BEGIN]), subject) == [*b"a"]


def test_texts_of_one_length_without_a_run_are_not_padded(byte_tokenizer):
    subject = subject_of(byte_tokenizer, lambda text: [len(text), 1])
    assert padding_id(subject) is None


def test_a_target_without_padding_has_none(byte_tokenizer):
    assert padding_id(Subject(target_of("x", byte_tokenizer()))) is None
