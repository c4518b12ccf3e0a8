from types import SimpleNamespace

import pytest

from tokharness.diagnosis.text.changes import explain_change
from tokharness.model import Cause, target_of
from tokharness.targets.subject import Subject
from tokharness.unicode.normalization import normalize


@pytest.mark.slow
def test_an_expected_alteration_of_a_normalizer_is_no_normal_form():
    def composed(text):
        return normalize("NFC", text)

    tokenizer = SimpleNamespace(encode=lambda text: [*text.encode()], decode=bytes)
    subject = Subject(target_of("target", tokenizer))
    altered = Cause("normalizer", (("altered", "lowercase is false"),))
    with subject.state.expect([altered]):
        causes = explain_change("e\u0301", "\u00e9", subject, composed, "decode")
    assert str(causes[0]) == "normalizer: NFC"
