"""Rules of a pattern that stand before the class of one character."""

import pytest

from tokharness.checks.ids_differ_from_reference.class_rules import holds_for_classes
from tokharness.diagnosis.ids.alterable import altered_cause
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.patterns import CL100K

LETTERS_OF_ASCII = CL100K.replace(r"[\p{L}]", "[A-Za-z]").replace(r"\p{L}", "A-Za-z")
TOKENS = ("\u00e9", "\u00f1", "a\u00e9", "a\u00f1", "\u00e91", "\u00a0\u00a0", "\u3000\u3000")
BYTES = {bytes([byte]): byte for byte in range(256)}
RANKS = {token: rank for rank, token in enumerate([*BYTES, *(one.encode() for one in TOKENS)])}


def subject_of(pattern):
    reference = target_of("reference", ByteBPE("small", CL100K, RANKS))
    target = target_of("target", ByteBPE("small", pattern, RANKS))
    return Subject(target, reference, reference)


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        (LETTERS_OF_ASCII, True),
        (CL100K.replace(r"[\p{L}]+", r"(?:(?!\u00e9)\p{L})+"), False),
        (CL100K, False),
    ],
)
def test_a_rule_holds_if_it_is_right_for_each_letter(pattern, holds):
    cause = altered_cause("pre-tokenizer", "letters are ASCII")
    assert holds_for_classes(cause, subject_of(pattern)) is holds


def test_other_stages_have_no_classes():
    assert not holds_for_classes(altered_cause("model", "letters are ASCII"), subject_of(CL100K))
