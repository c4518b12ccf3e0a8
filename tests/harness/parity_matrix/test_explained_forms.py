"""Which forms of two classes are explained, and what the files alone say of them."""

import json
from types import SimpleNamespace

import pytest

from tokharness.model import Verdict
from tokharness.parity_matrix import files
from tokharness.parity_matrix.classes import members_to_compare
from tokharness.parity_matrix.model import Cause

LOST = "hf:lost.json"


@pytest.mark.parametrize(
    ("specs", "chosen"),
    [
        (["sentencepiece:a.model", LOST, "hf:a.json"], "hf:a.json"),
        (["sentencepiece:a.model", LOST, "engine:llama.cpp:a.gguf"], "sentencepiece:a.model"),
        (["hf:a.json", LOST, "reference:lost.json"], "reference:lost.json"),
        (["hf:a", LOST, "hf:b"], "hf:a"),
    ],
)
def test_a_form_is_explained_by_its_reference_or_by_a_file_of_its_format(specs, chosen):
    references = {LOST: "reference:lost.json"}
    forms = [SimpleNamespace(spec=spec, reference=references.get(spec)) for spec in specs]
    first, second = members_to_compare(forms, [0, 1, 0], 1, 0)
    assert (specs[first], specs[second]) == (LOST, chosen)


def test_texts_that_differ_may_show_an_edit_of_the_stage_of_their_cause(monkeypatch):
    edits = [
        {"stage": stage, "name": f"{stage}: none, was NFC", "around": ""}
        for stage in ("normalizer", "decoder")
    ]
    rows = [{"forms": [1], "against": [0], "edits": edits}]
    monkeypatch.setattr(files, "isolated", lambda *_: json.dumps(rows))
    cause = Cause("ids", "normalizer", "text", "why", Verdict.BUG, 9, (1,), (0,))
    messages = {one.stage: one.message for one in files.unseen_edits(["a", "b"], [cause])}
    assert messages == {"normalizer": files.OF_STAGE, "decoder": files.UNSEEN}


def test_an_edit_of_several_files_is_one_fact(monkeypatch):
    edit = {"stage": "model", "name": "model: fuse unk of BPE: on, was off", "around": ""}
    rows = [{"forms": [at], "against": [0], "edits": [edit]} for at in (1, 2)]
    monkeypatch.setattr(files, "isolated", lambda *_: json.dumps(rows))
    (fact,) = files.unseen_edits(["a", "b", "c"], [])
    assert fact.forms == (1, 2)
