from __future__ import annotations

from typing import Any

import pytest

from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.tokenizer_json.alterations import STAGES, alterations

PATTERN = r"(?i:'s)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+"
TOKEN = {
    "id": 300,
    "content": "<t>",
    "single_word": False,
    "lstrip": False,
    "rstrip": True,
    "normalized": False,
    "special": False,
}
FILE: dict[str, Any] = {
    "added_tokens": [TOKEN],
    "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
    "pre_tokenizer": {
        "type": "Split",
        "pattern": {"Regex": PATTERN},
        "behavior": "Isolated",
        "invert": False,
    },
    "model": {
        "type": "BPE",
        "fuse_unk": False,
        "byte_fallback": True,
        "vocab": {
            **{f"<0x{byte:02X}>": byte for byte in range(256)},
            "a": 256,
            "A": 257,
            "1": 258,
            "11": 259,
            "aa": 260,
            "\xe1": 261,
            "\u0301": 262,
            "'": 263,
            "s": 264,
            "'s": 265,
            "'S": 266,
            "S": 267,
            " ": 268,
        },
        "merges": [["1", "1"], ["a", "a"], ["'", "s"], ["'", "S"]],
    },
}


def altered(file: dict[str, Any] = FILE) -> dict[tuple[str, str], dict[str, Any]]:
    return {(stage, what): record for stage, what, record in alterations(file)}


def test_each_alteration_changes_one_stage_and_not_the_file_itself() -> None:
    before = repr(FILE)
    for (stage, _), record in altered().items():
        changed = [name for name in record if record[name] != FILE.get(name)]
        assert [STAGES[name] for name in changed] == [stage]
    assert repr(FILE) == before


def test_what_is_altered_is_named_once() -> None:
    rows = list(alterations(FILE))
    assert len({(stage, what) for stage, what, _ in rows}) == len(rows)


def test_flags_of_added_tokens_are_altered_for_all_tokens() -> None:
    records = altered()
    assert records["added tokens", "none is read"]["added_tokens"] == []
    assert records["added tokens", "rstrip is false"]["added_tokens"][0]["rstrip"] is False
    assert ("added tokens", "rstrip is true") not in records
    assert (
        altered({**FILE, "added_tokens": None})
        .keys()
        .isdisjoint([("added tokens", "none is read")])
    )


def test_added_tokens_take_white_space_at_both_sides() -> None:
    plain = {**FILE["added_tokens"][0], "lstrip": False, "rstrip": False}
    both = altered({**FILE, "added_tokens": [plain]})[
        "added tokens", "lstrip is true, and rstrip, too"
    ]
    assert both["added_tokens"] == [{**plain, "lstrip": True, "rstrip": True}]


def test_components_are_left_out_or_added() -> None:
    records = altered()
    assert records["normalizer", "Sequence is not applied"]["normalizer"] is None
    steps = records["normalizer", "NFC is not applied"]["normalizer"]["normalizers"]
    assert steps == [{"type": "Lowercase"}]
    steps = records["normalizer", "NFC: it is NFKC"]["normalizer"]["normalizers"]
    assert steps == [{"type": "NFKC"}, {"type": "Lowercase"}]
    added = records["normalizer", "NFD+StripAccents is applied, too"]["normalizer"]["normalizers"]
    assert added == [FILE["normalizer"], {"type": "NFD"}, {"type": "StripAccents"}]


def test_settings_have_their_other_values() -> None:
    records = altered()
    assert records["pre-tokenizer", "Split: invert is true"]["pre_tokenizer"]["invert"] is True
    splits = records["pre-tokenizer", "Split: behavior is Removed"]["pre_tokenizer"]
    assert splits["behavior"] == "Removed"
    assert records["model", "byte_fallback is false"]["model"]["byte_fallback"] is False
    assert ("model", "ignore_merges is true") not in records  # the file does not have it


@pytest.mark.parametrize(
    ("pattern", "what", "expected"),
    [
        (r"(?i:'s)|\s", "the pattern has case", r"(?:'s)|\s"),
        (r"\p{N}{1,3}", "numbers are split into digits", r"\p{N}"),
        (r"\p{N}+", "numbers are split into digits", r"\p{N}"),
        (r"\p{N}+", "numbers are split into threes", r"\p{N}{1,3}"),
        (r"[^\p{N}\]]?|\p{N}|\s", "numbers are not split", r"[^\p{N}\]]?|\p{N}+|\s"),
        (r"\p{N}|\s", "numbers are split into threes", r"\p{N}{1,3}|\s"),
        (r"[\p{L}\p{M}]+", "marks are not part of words", r"[\p{L}]+"),
        (r"\p{L}+", "marks are part of words", r"[\p{L}\p{M}]+"),
    ],
)
def test_patterns_are_altered(pattern: str, what: str, expected: str) -> None:
    component = {**FILE["pre_tokenizer"], "pattern": {"Regex": pattern}}
    record = altered({**FILE, "pre_tokenizer": component})["pre-tokenizer", f"Split: {what}"]
    assert record["pre_tokenizer"]["pattern"] == {"Regex": expected}


@pytest.mark.parametrize(
    ("text", "stage", "what"),
    [
        ("aA", "normalizer", "Lowercase is not applied"),
        ("a\u0301", "normalizer", "NFC is not applied"),
        ("a\u0301", "normalizer", "NFC: it is NFD"),
        ("11", "pre-tokenizer", "Split: numbers are not split"),
        ("11", "pre-tokenizer", "Split is not applied"),
        ("<t> a", "added tokens", "rstrip is false"),
        ("<t>", "added tokens", "none is read"),
        ("<t>", "added tokens", "special is true"),
        ("a<t>", "added tokens", "single_word is true"),
        ("\u4e2d", "model", "byte_fallback is false"),
    ],
)
def test_the_alteration_that_explains_other_ids_is_among_them(
    text: str, stage: str, what: str
) -> None:
    reading = tokenizer_json.read(FILE, "")
    rows = {(a, b): ids for a, b, ids in reading.encode_altered((text, None, ()))}
    assert rows[stage, what] != reading.encode_ordinary(text)


def test_alterations_of_other_stages_and_those_left_out_are_not_tried() -> None:
    reading, text = tokenizer_json.read(FILE, ""), "a\u0301 A11<t>"
    rows = reading.encode_altered((text, None, ()))
    normalizers = [row for row in rows if row[0] == "normalizer"]
    left_out, *others = normalizers
    assert reading.encode_altered((text, ("normalizer",), [left_out[:2]])) == others
    assert 1 < len(normalizers) < len(rows)


def test_alterations_have_the_versions_of_the_tokenizer() -> None:
    reading = tokenizer_json.read(FILE, "")
    newer = chr(0x1C89)  # a capital letter since Unicode 16.0; U+1C8A is its small letter
    for version, is_changed in (("17.0", True), ("15.1", False)):
        pinned = reading.with_stage_versions({"case mapping": version})
        rows = {what: ids for _, what, ids in pinned.encode_altered((newer, None, ()))}
        ids = pinned.encode_ordinary(newer)
        assert (rows["Lowercase is not applied"] != ids) is is_changed


def test_an_alteration_that_fails_on_a_text_is_left_out() -> None:
    vocabulary = {"<unk>": 0, "a": 1}
    model = {"type": "WordPiece", "unk_token": "?", "vocab": vocabulary}
    file = {"normalizer": {"type": "Lowercase"}, "model": model}
    rows = {what for _, what, _ in tokenizer_json.read(file, "").encode_altered(("A", None, ()))}
    assert "Lowercase is not applied" not in rows
    assert "NFC is applied, too" in rows
