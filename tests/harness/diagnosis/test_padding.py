"""Padding, which is no part of a text."""

import copy

import pytest
from planted._tokenizer_files import record_of

from tokharness.diagnosis.entry_points.affixes import affix_ids, padding_id, without_affixes
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.tokenizer_json import read

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


TEXTS = (
    *("a", "A", " a", "a  b ", "a, b", "e\u0301", "a\u2581b", "\u00b2", "a\u00b2", "\u00b2 b", ""),
    *("\u01c9", "aa", "a [PAD]", "<unk> a", "~name~a", "a" * 30, "A" * 30, f"{'a' * 30}."),
)
FIELDS = {"pad_to_multiple_of": None, "pad_type_id": 0, "pad_token": "[PAD]"}
TRUNCATION = {"direction": "Right", "max_length": 24, "strategy": "LongestFirst", "stride": 0}


@pytest.fixture
def found(check_texts):
    """Return the verdict and the cause of each finding on a file with further parts."""

    def findings(code, name, others=(), **parts):
        own = {**record_of(name), **parts}
        sides = own, {**own, **dict(others)}
        target, reference = (read(copy.deepcopy(record), "file") for record in sides)
        rows = check_texts(code, target, TEXTS, reference=reference)
        return {f"{row.verdict.value} {row.cause}" for row in rows}

    return findings


@pytest.mark.parametrize("truncation", [None, TRUNCATION])
@pytest.mark.parametrize(
    ("name", "code", "place", "shown"),
    [
        ("nfc", "TOK101", ("Left", 5), "\x05"),
        ("nfc", "TOK113", ("Left", 5), None),
        ("added", "TOK101", ("Right", 1), "\x01"),
        ("unigram", "TOK101", ("Right", 0), "<unk>"),
        ("unigram", "TOK113", ("Left", 1), None),
        ("unknown_unigram", "TOK101", ("Left", 0), "<unk>"),
        ("unknown_unigram", "TOK103", ("Right", 0), None),
        ("wordpiece", "TOK101", ("Right", 1), "[UNK]"),
        ("wordpiece_decoder", "TOK101", ("Right", 0), "[PAD]"),
        ("wordpiece_decoder", "TOK107", ("Left", 0), None),
        ("ctc", "TOK101", ("Right", 0), "<unk>"),
    ],
)
def test_padding_is_a_finding_that_hides_and_adds_no_other(
    found, name, code, place, shown, truncation
):
    parts = {"truncation": truncation}
    wanted = found(code, name, **parts) | ({f"bug padding: {shown}"} if shown else set())
    where = dict(zip(("direction", "pad_id"), place, strict=True))
    parts["padding"] = {"strategy": {"Fixed": 24}, **where, **FIELDS}
    assert found(code, name, **parts) == wanted


@pytest.mark.parametrize("truncation", [None, TRUNCATION])
def test_a_reference_that_alone_pads_or_truncates_texts_explains_the_same_losses(found, truncation):
    cleans_up = {"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True}}
    pads = {"strategy": {"Fixed": 24}, "direction": "Right", "pad_id": 0, **FIELDS}
    as_written = {"decoder": record_of("wordpiece")["decoder"]}
    wanted = found("TOK101", "wordpiece", as_written, **cleans_up)
    assert "bug decoder: WordPiece: cleanup is true" in wanted
    limits = {"padding": pads, "truncation": truncation}
    assert found("TOK101", "wordpiece", {**as_written, **limits}, **cleans_up) == wanted


def test_offsets_of_a_text_that_is_cut_off_are_right(found):
    assert found("TOK107", "wordpiece_decoder", truncation=TRUNCATION) == set()
