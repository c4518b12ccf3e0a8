"""A file that is compared with another file is judged by what it declares itself."""

import copy
import json

import pytest
from parity_conversions import SMALL, wordpiece

from tokharness import plugins
from tokharness.diagnosis.text.round_trip import round_trip_causes
from tokharness.targets.loading import load_subject

pytestmark = [pytest.mark.needs("tokenizers", "0.23"), pytest.mark.slow]

NEWER = "\u209d"
"""A letter with a compatibility decomposition that the Unicode version of the library lacks."""


def small(name, **parts):
    return json.loads((SMALL / f"{name}.json").read_text()) | parts


def without_q(record):
    """Leave out each token that has the letter q."""
    model = record["model"]
    model["unk_token"] = None
    model["vocab"] = {text: n for text, n in model["vocab"].items() if "q" not in text}
    model["merges"] = [pair for pair in model["merges"] if "q" not in "".join(pair)]


NFKC = {"type": "NFKC"}
STRIP = {"type": "Strip", "strip_left": True, "strip_right": True}


@pytest.fixture
def subject_of(tmp_path):
    """Return the subject of an original and a changed copy of it, both read by the library."""

    def subject(original, change):
        changed = copy.deepcopy(original)
        change(changed)
        for name, record in (("original", original), ("changed", changed)):
            (tmp_path / f"{name}.json").write_text(json.dumps(record))
        specs = (f"hf:{tmp_path}/{name}.json" for name in ("changed", "original"))
        return load_subject(*specs).subject

    return subject


def test_a_text_that_comes_back_as_its_own_file_says_is_not_lost(subject_of):
    subject = subject_of(
        wordpiece(), lambda record: record["normalizer"].update(handle_chinese_chars=False)
    )
    assert subject.expected_text("a\u4e2d") == "a\u4e2d"
    assert subject.reference.call("normalize", "a\u4e2d") == "a \u4e2d"


def test_the_form_that_a_file_declares_has_the_unicode_version_of_its_library(subject_of):
    forms = {"type": "Sequence", "normalizers": [NFKC, STRIP]}
    subject = subject_of(
        small("byte-level-bpe", normalizer=NFKC), lambda record: record.update(normalizer=forms)
    )
    assert subject.expected_text(f" {NEWER}\ufb01 ") == f"{NEWER}fi"
    assert round_trip_causes(f" {NEWER}\ufb01 ", subject)[0].verdict.value == "fact"


def test_text_that_a_file_drops_has_the_cause_of_its_own_model(subject_of):
    subject = subject_of(small("character-bpe", normalizer=None), without_q)
    causes = round_trip_causes("aqb", subject)
    assert [str(one) for one in causes] == ["model: drops what has no token"]


def test_ids_that_a_decoder_changes_in_each_round_have_the_cause_of_the_text(subject_of):
    subject = subject_of(
        small("sentencepiece-bpe"), lambda record: record["decoder"]["decoders"].pop()
    )
    drift = plugins.checks()["TOK113"].diagnose("a", subject)
    assert drift == round_trip_causes("a", subject)
    assert {one.kind for one in drift} == {"decoder"}
