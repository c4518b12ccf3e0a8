"""Ids that differ because of an edit of the file have this edit as their cause."""

import json
from base64 import b64encode
from dataclasses import replace

import pytest
from planted._gguf_files import CONTROL, NORMAL, PREFIX, gguf_bytes

from tokharness.checks import decoding_differs_from_reference
from tokharness.checks.ids_differ_from_reference import diagnose
from tokharness.config import Options
from tokharness.diagnosis.ids.edited_files import (
    decoding_edit_causes,
    file_difference,
    file_edit_causes,
)
from tokharness.engine.run.run import run
from tokharness.model import Verdict
from tokharness.outcome import Raised
from tokharness.results.report import Collector
from tokharness.targets.description import describe, write
from tokharness.targets.loading import load_subject
from tokharness_tokenizers.reference.patterns import CL100K


@pytest.fixture(scope="module")
def old():
    """A byte-level BPE of 1,000 tokens."""
    return describe("reference:byte-level-bpe")


@pytest.fixture
def causes(old, tmp_path):
    """Return a function that names the causes of a text, for another file and this one."""

    def named(new, text, diagnose=diagnose):
        specs = []
        for name, description in (("new", new), ("old", old)):
            (tmp_path / name).mkdir()
            specs.append(write(description, tmp_path / name))
        return list(map(str, diagnose(text, load_subject(*specs).subject)))

    return named


def word_of_a_merge(description):
    """A merge that makes a word of letters, and the text of it."""
    for place, (left, right) in enumerate(description.merges):
        if (left + right).isascii() and (left + right).isalpha() and len(left + right) > 3:
            return place, left, right
    raise AssertionError("the vocabulary has no such word")


def test_a_dropped_merge_is_named(old, causes):
    place, left, right = word_of_a_merge(old)
    new = replace(old, merges=(*old.merges[:place], *old.merges[place + 1 :]))
    assert causes(new, left + right) == [f"model: merge {place} ({left!r}, {right!r}) is gone"]


def test_of_two_edits_the_one_that_changes_the_text_is_named(old, causes):
    place = word_of_a_merge(old)[0]
    row = {**old.stages["added tokens"][0], "id": 1000, "special": False, "text": "zq"}
    stages = {**old.stages, "added tokens": [*old.stages["added tokens"], row]}
    new = replace(old, stages=stages, merges=(*old.merges[:place], *old.merges[place + 1 :]))
    assert causes(new, "zq") == ["added tokens: zq added as 1000, not special"]


@pytest.mark.parametrize("number", [0, 1, 9])
def test_a_fact_lists_all_edits_also_those_that_no_text_shows(old, tmp_path, number):
    rows = [
        {**old.stages["added tokens"][0], "id": 1000 + one, "text": f"<|{one}|>"}
        for one in range(number)
    ]
    stages = {**old.stages, "added tokens": [*old.stages["added tokens"], *rows]}
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    new = write(replace(old, stages=stages), tmp_path / "new")
    facts = list(file_difference(load_subject(new, write(old, tmp_path / "old")).subject))
    assert [len(fact.evidence["edits"]) for fact in facts] == [number] * bool(number)
    for fact in facts:
        assert fact.cause.verdict is Verdict.FACT
        assert "reference: added tokens: <|0|> added as 1000, special" in fact.cause.message
        assert (" and 4 more; " in fact.cause.message) is (number == 9)


def test_the_file_of_an_automatic_reference_is_no_other_file(old, tmp_path):
    spec = write(old, tmp_path).replace("reference:", "hf:")
    subject = load_subject(spec, None).subject
    assert subject.reference is not None
    assert list(file_difference(subject)) == []


@pytest.mark.slow
def test_no_edit_is_named_if_the_target_does_something_else_than_its_file(old, causes, monkeypatch):
    place, left, right = word_of_a_merge(old)
    new = replace(old, merges=(*old.merges[:place], *old.merges[place + 1 :]))
    other = "tokharness.diagnosis.ids.edited_files.describe"
    monkeypatch.setattr(other, lambda spec: old if "old" in spec else replace(new, merges=()))
    assert not any(" is gone" in cause or "merges" in cause for cause in causes(new, left + right))


@pytest.mark.parametrize("lost", [False, True])
def test_a_merge_that_a_conversion_to_another_format_loses_is_named(old, tmp_path, lost):
    place, left, right = word_of_a_merge(old)
    merges = [" ".join(pair) for pair in old.merges]
    added = {row["text"] for row in old.stages["added tokens"]}
    record = {
        "model": "gpt2",
        "pre": "gpt-2",
        "tokens": [str(one.token) for one in old.tokens],
        "token_type": [CONTROL if one.token in added else NORMAL for one in old.tokens],
        "merges": merges[:place] + merges[place + lost :],
    }
    path = tmp_path / "converted.gguf"
    path.write_bytes(gguf_bytes({PREFIX + key: value for key, value in record.items()}))
    subject = load_subject(f"reference:{path}", write(old, tmp_path)).subject
    same = list(subject.target.encode(left + right)) == subject.reference_ids(left + right)
    assert same is not lost
    found = [] if same else list(map(str, diagnose(left + right, subject)))
    assert found == [f"model: merge {place} ({left!r}, {right!r}) is gone"] * lost


def test_another_decoder_is_named_where_ids_decode_to_other_text(old, causes):
    new = replace(old, stages={**old.stages, "decoder": None})
    found = causes(new, "a b c", decoding_differs_from_reference.diagnose)
    assert found == ["decoder: none, was ByteLevel"]


def test_a_token_that_is_gone_is_named_where_its_id_is_refused(old, tmp_path):
    *_, (left, right) = old.merges
    tokens = tuple(one for one in old.tokens if one.token != left + right)
    new = replace(old, tokens=tokens, merges=old.merges[:-1])
    specs = []
    for name, description in (("new", new), ("old", old)):
        (tmp_path / name).mkdir()
        specs.append(write(description, tmp_path / name))
    subject = load_subject(*specs).subject
    (gone,) = {one.id for one in old.tokens} - {one.id for one in new.tokens}
    causes = decoding_edit_causes([gone], subject.target.decode([gone]), subject)
    assert any("is gone" in str(cause) for cause in causes)
    assert not decoding_edit_causes([gone + 9999], Raised(KeyError()), subject)


@pytest.mark.parametrize("version", ["13.0", "16.0"])
def test_an_edited_file_has_the_version_of_the_reference_if_the_ids_show_none(tmp_path, version):
    """Each id is moved, so that the target's ids do not show how it splits new digits."""
    ranks, specs = {bytes([byte]): byte for byte in range(256)} | {b"'a": 256}, []
    for name, moved in (("new", 1), ("old", 0)):
        lines = (f"{b64encode(token).decode()} {rank + moved}\n" for token, rank in ranks.items())
        (tmp_path / f"{name}.tiktoken").write_text("".join(lines))
        side = {"name": name, "pattern": CL100K, "special_tokens": {}, "allow_holes": True}
        (tmp_path / f"{name}.tiktoken.json").write_text(json.dumps(side))
        specs.append(f"reference:{tmp_path / name}.tiktoken")
    subject = load_subject(*specs).subject
    sides = (subject.target, subject.reference, subject.explainer)
    new, old, explainer = (one.at_unicode_version(version) for one in sides)
    pinned = replace(subject, target=new, reference=old, explainer=explainer, unicode_version=None)
    text = "\U00011de4'a"
    causes = file_edit_causes(text, new.encode(text), pinned)
    assert [str(cause)[:31] for cause in causes] == ["vocabulary: 257 tokens have dif"]


def test_the_command_of_a_finding_reads_no_file_again(old, tmp_path, monkeypatch):
    place, *_ = word_of_a_merge(old)
    new = replace(old, merges=(*old.merges[:place], *old.merges[place + 1 :]))
    specs = []
    for name, description in (("new", new), ("old", old)):
        (tmp_path / name).mkdir()
        specs.append(write(description, tmp_path / name))
    read = []
    module = "tokharness.diagnosis.ids.edited_files.describe"
    monkeypatch.setattr(module, lambda spec: read.append(spec) or describe(spec))
    options = Options(profile="quick", families=("vocabulary-tokens",), select=("TOK201",))
    collector = Collector(replace(options, against=specs[1]))
    for event in run((specs[0],), collector.options, jobs=0):
        collector.add(event)
    causes = [str(one.cause) for one in collector.report().targets[0].findings]
    assert any("is gone" in cause for cause in causes)
    assert len(read) == 2
