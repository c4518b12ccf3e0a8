"""TOK113: encoding the decoded ids of a text gives different ids."""

from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine

CODE = "TOK113"
TEXTS = ("a", "A", "aBc", "e\u0301", "\u00e9", "", "\ud800", "\ufb01 x", "\u212b")


@pytest.fixture(autouse=True)
def _without_audit(monkeypatch):
    """Run the check of texts alone; the audit has tests of its own."""
    check = replace(plugins.checks()[CODE], audit=None)
    monkeypatch.setitem(plugins.checks(), CODE, check)


class Lower:
    """Lowercases; the id of a letter is its code point, plus ``plus(text)``, a multiple of 1000."""

    normalizer = "lowercase"

    def __init__(self, plus):
        self.plus = plus

    def encode(self, text):
        return [ord(c) + self.plus(text) for c in text.lower()]

    def decode(self, ids):
        return "".join(chr(i % 1000) for i in ids)


class Growing:
    """Adds another space before a text that begins with an "a", each time."""

    normalizer = "spacing"

    def normalize(self, text):
        return f" {text}" if text.strip().startswith("a") else text

    def encode(self, text):
        return list(self.normalize(text).encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


class Flipping(Growing):
    """Adds a space before a text that begins with an "a", and removes it if it is there."""

    def normalize(self, text):
        if text.startswith(" a"):
            return text[1:]
        return f" {text}" if text.startswith("a") else text


@pytest.mark.slow
@pytest.mark.parametrize("load", [reference_target.load, tiktoken_engine.load])
def test_a_lossless_target_passes(check_texts, load):
    assert check_texts(CODE, load("embedded"), TEXTS, families=("normal-forms",)) == []


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_a_normal_form_that_is_declared_does_not_drift(check_texts, byte_tokenizer, form):
    target = byte_tokenizer(before=lambda text: normalize(form, text), normalizer=form)
    assert check_texts(CODE, target, TEXTS, families=("normal-forms",)) == []


def test_undeclared_losses_are_left_to_another_check(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(before=str.lower), TEXTS) == []
    target = byte_tokenizer(before=str.lower, normalizer="NFC")
    assert check_texts(CODE, target, TEXTS) == []


def test_ids_that_change_once_are_a_risk(check_texts):
    target = Lower(lambda text: 1000 * (text != text.lower()))
    (risk,) = check_texts(CODE, target, ("a", "A", "aBc", ""))
    assert (risk.verdict, str(risk.cause), risk.text) == ("risk", "drift: settle", "A")


@pytest.mark.parametrize(("claims_parity", "verdict"), [(False, "fact"), (True, "risk")])
def test_ids_that_change_once_with_the_reference_too_are_a_fact(
    check_texts, claims_parity, verdict
):
    target, reference = (Lower(lambda text: 1000 * (text != text.lower())) for _ in range(2))
    (finding,) = check_texts(
        CODE, target, ("a", "A"), reference=reference, claims_parity=claims_parity
    )
    assert (finding.verdict, str(finding.cause)) == (verdict, "drift: settle")


def test_ids_that_change_once_unlike_those_of_the_reference_are_a_risk(check_texts):
    target = Lower(lambda text: 1000 * (text != text.lower()))
    (risk,) = check_texts(CODE, target, ("a", "A"), reference=Lower(lambda _: 0))
    assert risk.verdict == "risk"


def test_ids_that_do_not_change_pass(check_texts):
    assert check_texts(CODE, Lower(lambda _: 0), ("a", "A", "aBc", "")) == []


def test_ids_that_come_back_are_a_bug(check_texts):
    (bug,) = check_texts(CODE, Flipping(), ("a", "ab", "b", "", " a"))
    assert (bug.verdict, str(bug.cause), bug.text) == ("bug", "drift: alternate", "a")


def test_ids_that_change_each_time_are_a_bug(check_texts):
    (bug,) = check_texts(CODE, Growing(), ("a", "ab", "b", "", " a"))
    assert (bug.verdict, str(bug.cause), bug.text) == ("bug", "drift: keep changing", "a")


def test_ids_that_differ_in_each_call_are_state(check_texts):
    calls = []

    def plus(text):
        calls.append(text)
        return 1000 * len(calls)

    (bug,) = check_texts(CODE, Lower(plus), ("A", "B"))
    assert bug.cause.kind == "state"
