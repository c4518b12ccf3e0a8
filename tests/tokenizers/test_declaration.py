"""A file that our reader refuses and the library reads."""

import json

import pytest

from tokharness.engine.events import FindingReported
from tokharness_tokenizers.faulty._tokenizer_files import RECORDS

GRAPHEMES = {
    "type": "Split",
    "pattern": {"Regex": r"\X"},
    "behavior": "Isolated",
    "invert": False,
}
"""A pattern that Oniguruma has and we do not."""


@pytest.mark.needs("tokenizers", "0.23")
@pytest.mark.parametrize(
    ("name", "normalizer"),
    [
        ("byte_bpe", None),
        ("nfc", "NFC"),
        ("bert_normalizer", "tokenizer.json"),
        ("metaspace_always", "tokenizer.json"),
    ],
)
def test_what_an_unread_file_declares_is_no_bug(name, normalizer, tmp_path, events):
    record = RECORDS[name]
    both = [*filter(None, (record["pre_tokenizer"], GRAPHEMES))]
    record = {**record, "pre_tokenizer": {"type": "Sequence", "pretokenizers": both}}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(record), "utf-8")
    run_events = events(f"hf:{path}", families=("normal-forms", "plain-words"), select=("TOK101",))
    findings = [event.finding for event in run_events if isinstance(event, FindingReported)]
    declared = [] if normalizer is None else [f"declared normalizer: {normalizer}"]
    assert [str(finding.cause) for finding in findings] == declared
