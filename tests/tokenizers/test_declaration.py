"""A file that our reader refuses and the library reads."""

import json

import pytest
from planted._tokenizer_files import RECORDS

from tokharness.engine.events import FindingReported
from tokharness.model import Verdict

GRAPHEMES = {
    "type": "Split",
    "pattern": {"Regex": r"\X"},
    "behavior": "Isolated",
    "invert": False,
}
"""A pattern that Oniguruma has and we do not."""


@pytest.mark.slow
@pytest.mark.needs("tokenizers", "0.23")
@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("byte_bpe", []),
        ("nfc", ["declared normalizer: NFC"]),
        (
            "bert_normalizer",
            ["declared normalizer: tokenizer.json", "pre-tokenizer: loses white space"],
        ),
        ("metaspace_always", ["pre-tokenizer: loses U+0020 at the start"]),
    ],
)
def test_what_an_unread_file_declares_is_no_bug(name, facts, tmp_path, events):
    record = RECORDS[name]
    both = [*filter(None, (record["pre_tokenizer"], GRAPHEMES))]
    record = {**record, "pre_tokenizer": {"type": "Sequence", "pretokenizers": both}}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(record), "utf-8")
    run_events = events(f"hf:{path}", families=("normal-forms", "plain-words"), select=("TOK101",))
    findings = [event.finding for event in run_events if isinstance(event, FindingReported)]
    assert sorted(str(finding.cause) for finding in findings) == facts
    assert {finding.verdict for finding in findings} <= {Verdict.FACT}
