"""A message with more fields than any model has is refused before they fill memory."""

import pytest

from tokharness_tokenizers.reference.sentencepiece import model_file

PIECE = b"\x0a\x00"


def test_too_many_fields_are_refused(monkeypatch):
    monkeypatch.setattr(model_file, "MOST_FIELDS", 100)
    assert len(model_file.parse(PIECE * 100).pieces) == 100
    with pytest.raises(ValueError, match="the SentencePiece model has more than 100 fields"):
        model_file.parse(PIECE * 101)
