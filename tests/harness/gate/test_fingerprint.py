"""A changed vocabulary, special token or normalizer fails."""

from dataclasses import replace

import pytest


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"vocabulary": "ff00"}, "vocabulary", "different bytes"),
        ({"vocabulary": None}, "vocabulary", "no id has bytes"),
        ({"n_vocab": 260}, "vocabulary", "259 ids, now 260"),
        ({"special_tokens": {}, "vocabulary": "ff00"}, "special-tokens", "gone: <|end|>"),
        ({"normalizer": "NFC", "normalizer_version": "7.0"}, "normalizer", "from none to NFC"),
        ({"normalizer": "nmt_nfkc"}, "normalizer", "from none to the rules of nmt_nfkc"),
        ({"special_tokens": {}}, "special-tokens", "gone: <|end|>"),
        ({"special_tokens": {"<|end|>": 257}}, "special-tokens", "with another id: <|end|>"),
        ({"special_tokens": {"<|end|>": 258, "<|a|>": 9}}, "special-tokens", "added: <|a|>"),
        ({"normalizer": "NFC"}, "normalizer", "from none to NFC"),
        ({"normalizer_version": "16.0"}, "normalizer", "to 16.0"),
    ],
    ids=str,
)
def test_a_changed_fingerprint_fails(gate, make_target, fingerprint, change, kind, message):
    (failing,) = gate(make_target(fingerprint=replace(fingerprint, **change))).failing
    assert failing.kind == kind
    assert message in failing.message


def test_rules_of_a_file_at_another_version_are_named_with_it(gate, make_target, make_baseline):
    old, new = (
        replace(make_target().snapshot.fingerprint, normalizer="mine", normalizer_version=version)
        for version in (None, "8.0")
    )
    before = replace(make_baseline(), fingerprint=old)
    (change,) = gate(make_target(fingerprint=new), before).failing
    assert change.what == "from the rules of mine to the rules of mine at Unicode 8.0"


def test_a_vocabulary_of_another_size_is_one_change(gate, make_target, fingerprint):
    now = make_target(fingerprint=replace(fingerprint, vocabulary="ff00", n_vocab=300))
    (change,) = gate(now).failing
    assert "259 ids, now 300" in change.message


def test_a_vocabulary_that_lost_its_bytes_is_one_change(gate, make_target, fingerprint, kinds):
    now = make_target(
        fingerprint=replace(fingerprint, vocabulary=None),
        capabilities=("count",),
        skips=[("TOK401 unreachable-token", "the target has no decode_single_token_bytes")],
    )
    assert kinds(gate(now)) == ["lost-entry-point"]


def test_a_changed_pattern_is_reported_and_does_not_fail(gate, make_target, fingerprint):
    now = make_target(fingerprint=replace(fingerprint, pattern="\\S+"))
    (change,) = gate(now).changes
    assert (change.kind, change.fails) == ("pattern", False)


def test_a_long_list_of_special_tokens_is_truncated(gate, make_target, fingerprint):
    names = {f"<|{number:02}|>": number for number in range(50)}
    now = make_target(fingerprint=replace(fingerprint, special_tokens=names))
    (change,) = gate(now).failing
    assert "and 40 more" in change.message
