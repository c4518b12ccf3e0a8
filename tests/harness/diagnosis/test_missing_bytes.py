"""A byte without a token is one cause, whatever fails because of it."""

from types import SimpleNamespace

import pytest

from tokharness import plugins
from tokharness.diagnosis.vocabulary.byte_table import explain_missing_bytes
from tokharness.engine.worker.grouping import merge_findings
from tokharness.model import Cause, Finding, target_of
from tokharness.targets.subject import Subject

MISSING = 0xC3
CAUSE = "byte without a token: C3"
TEXTS = ("a", "\u00e9", "\u00e9t\u00e9", "x\u00fc", "na\u00efve", "\u0107", "\ud83d\ude00\u00e9")


def lacking_byte(byte_tokenizer, change=None, missing=MISSING):
    """Make a byte tokenizer that has no token for one byte."""

    def token_bytes(number):
        if number == missing:
            raise KeyError(number)
        return bytes([number])

    def refusing(text):
        if missing in text.encode("utf-8", "replace"):
            raise KeyError(f"no token for the byte 0x{missing:02X} of {text!r}")
        return text

    def change_or_refuse(text):
        return (change or refusing)(text)

    return byte_tokenizer(change_or_refuse, n_vocab=256, decode_single_token_bytes=token_bytes)


def drop_missing(text):
    rest = [char for char in text if MISSING not in char.encode("utf-8", "surrogatepass")]
    return "".join(rest)


def test_all_characters_that_raise_are_one_bug_that_names_the_byte(check_texts, byte_tokenizer):
    (bug,) = check_texts("TOK102", lacking_byte(byte_tokenizer), TEXTS).bugs
    assert (str(bug.cause), bug.text) == (CAUSE, "\u00e9")


@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
def test_text_lost_with_the_byte_has_the_same_cause(check_texts, byte_tokenizer, code):
    target = lacking_byte(byte_tokenizer, drop_missing)
    (bug,) = check_texts(code, target, TEXTS, reference=byte_tokenizer()).bugs
    assert str(bug.cause) == CAUSE


def test_a_text_that_fails_without_the_byte_too_has_another_cause(check_texts, byte_tokenizer):
    def refuse(text):
        if "\uffff" in text or "\u00e9" in text:
            raise KeyError("\uffff")
        return text

    found = check_texts("TOK102", lacking_byte(byte_tokenizer, refuse), ["\uffff", "\u00e9\uffff"])
    assert [bug.cause.kind for bug in found.bugs] == ["raises"]


def test_a_long_text_is_not_searched_again_where_the_other_letter_has_no_token_either():
    def decode_single_token_bytes(number):
        if number == ord("a"):
            raise KeyError(number)
        return bytes([number])

    target = SimpleNamespace(
        encode=lambda text: list(text.replace("a", "").encode()),
        decode=lambda ids: bytes(ids).decode(),
        decode_single_token_bytes=decode_single_token_bytes,
        n_vocab=256,
    )
    subject = Subject(target_of("python:x", target))
    expected, own = [], Subject.expected_text

    def expected_text(subject, text):
        expected.append(text)
        return own(subject, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Subject, "expected_text", expected_text)
        assert explain_missing_bytes("xa" * 500, subject, lambda _: True) == []
    assert 0 < len(expected) < 10


def test_a_vocabulary_of_characters_has_no_missing_bytes(check_texts, byte_tokenizer):
    target = lacking_byte(byte_tokenizer)
    target.n_vocab = 0x80
    (bug,) = check_texts("TOK102", target, ["\u00e9"]).bugs
    assert bug.cause.kind == "raises"


def test_the_check_that_owns_a_cause_reports_it_for_checks_with_lower_codes():
    cause = Cause("byte without a token", (("bytes", "C3"),))
    found = {
        code: [Finding("target", code, plugins.checks()[code].name, cause, 1, "\u00e9", (), "")]
        for code in ("TOK101", "TOK102", "TOK403")
    }
    (finding,) = merge_findings([*found], found)
    assert (finding.code, finding.other_checks) == ("TOK403", ("TOK101", "TOK102"))
