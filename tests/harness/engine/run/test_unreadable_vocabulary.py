"""A target that dies of an id while its vocabulary is read: one finding, and texts without it."""

import pytest

from tokharness.engine.events import FindingReported, SkipRecorded

SOURCE = """
import os

class Target:
    n_vocab = 256

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")

    def decode_single_token_bytes(self, number):
        if number == 77:
            os._exit(3)
        return bytes([number])
"""


@pytest.mark.slow
def test_it_is_reported_by_the_audits_alone(tmp_path, events):
    (tmp_path / "mine.py").write_text(SOURCE)
    spec = f"python:{tmp_path / 'mine.py'}:Target"
    families = ("digits", "vocabulary-tokens")
    few = {"families": families, "select": ("TOK101", "TOK104", "TOK407"), "time_limit": 1.0}
    happened = events(spec, jobs=1, **few)
    findings = [event.finding for event in happened if isinstance(event, FindingReported)]
    assert [dict(finding.cause.parameters)["in"] for finding in findings] == ["the audit"]
    skips = [event.skip.what for event in happened if isinstance(event, SkipRecorded)]
    assert "part of family vocabulary-tokens" in skips
