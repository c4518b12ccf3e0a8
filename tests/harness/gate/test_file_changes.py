"""Edits of the tokenizer's file fail a gate, and what follows from an edit is part of it."""

import base64
import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tokharness.changes import change_of
from tokharness.engine.events import DigestsTaken
from tokharness.gate.acceptances import accept_changes
from tokharness.gate.next_steps import GateCommand, with_next_steps
from tokharness.packing import pack as pack_file
from tokharness.targets.description import describe, write
from tokharness.targets.digests import digest_of
from tokharness.targets.packed_digests import pack
from tokharness.targets.snapshot import ChangedText, FileEdit, FileState

CAT, ITS, END = "a cat", "it's", "bye<|end|>"
STAGES = {"normalizer": "00", "model": "11"}
OLD, NEW = FileState("tokenizer.json", STAGES, "old"), FileState("tokenizer.json", {"model": "22"})
SHOWN = ChangedText("golden texts", CAT, (1, 2), (1, 1, 2))
EDIT = FileEdit(
    "model",
    "merge 3 ('a', 'b') is gone",
    counts={"golden texts": 1, "ordinary texts": 4},
    tokens=5,
    examples=(SHOWN,),
    texts=(CAT,),
)


COMMAND = GateCommand(("mine", "--name", "x"), "hf:new.json", "baseline:b.json", "b.json")


@pytest.fixture
def changed(make_target, make_baseline, with_ids):
    """Return a target with edits of its file, and the baseline that they are edits of."""

    def make(*edits, file=NEW, golden=None, **fields):
        target = make_target(golden=golden or with_ids({CAT: (1, 1, 2)}))
        snapshot = replace(
            target.snapshot, edits=edits, file=file, sizes={"ordinary texts": 90}, **fields
        )
        return replace(target, snapshot=snapshot), replace(make_baseline(), file=OLD)

    return make


def test_an_edit_is_named_with_what_it_does(gate, changed):
    (change,) = gate(*changed(EDIT)).failing
    assert (change.kind, change.what) == ("changed-file", "model: merge 3 ('a', 'b') is gone")
    assert change.message == (
        '"a cat" was 2 tokens and is 3; different ids: 1 of 8 golden texts, 4 of 90 ordinary '
        "texts; together 5 tokens more"
    )
    assert [(one.before, one.after) for one in change.examples] == [((1, 2), (1, 1, 2))]


def test_a_number_of_texts_of_which_the_shortest_were_tried_is_a_least_one(gate, changed):
    (change,) = gate(*changed(replace(EDIT, sampled=("ordinary texts",)))).failing
    assert "1 of 8 golden texts, at least 4 of 90 ordinary texts" in change.message


def test_as_many_tokens_of_a_text_are_said_to_differ(gate, changed):
    other = replace(EDIT, examples=(replace(SHOWN, after=(2, 1)),))
    (change,) = gate(*changed(other)).failing
    assert change.message.startswith(
        '"a cat" is 2 tokens as before, and its ids differ; different ids: 1 of 8'
    )


def test_a_text_of_hidden_characters_is_left_to_the_examples(gate, changed):
    hidden = replace(EDIT, examples=(replace(SHOWN, text="\u0301\u202e"),))
    (change,) = gate(*changed(hidden)).failing
    assert change.message.startswith("the smallest text was 2 tokens and is 3;")


def test_golden_texts_of_an_edit_are_counted_without_what_follows_from_it(gate, changed, golden):
    prefix = replace(EDIT, stage="pre-tokenizer", what="prefix space of ByteLevel: on, was off")
    target, baseline = changed(prefix)
    fingerprint = replace(target.snapshot.fingerprint, normalizer="NFC")
    snapshot = replace(target.snapshot, fingerprint=fingerprint)
    (change,) = gate(replace(target, snapshot=snapshot), baseline).failing
    assert [one.kind for one in change.related] == ["normalizer"]
    assert change.changed_texts == 1


def test_the_version_of_another_pre_tokenizer_is_part_of_its_edit(gate, changed):
    target, baseline = changed(replace(EDIT, stage="pre-tokenizer", what="Punctuation, was Split"))
    fingerprint = replace(target.snapshot.fingerprint, unicode_version="8.0")
    snapshot = replace(target.snapshot, fingerprint=fingerprint)
    (change,) = gate(replace(target, snapshot=snapshot), baseline).failing
    assert [one.kind for one in change.related] == ["unicode-version"]


def test_an_entry_point_that_another_decoder_hides_is_part_of_its_edit(gate, changed):
    target, baseline = changed(replace(EDIT, stage="decoder", what="none, was ByteLevel"))
    bare = replace(target, started=replace(target.started, capabilities=()))
    (change,) = gate(bare, baseline).failing
    assert {one.kind for one in change.related} == {"lost-entry-point"}


def test_decoded_texts_that_another_decoder_changes_are_part_of_its_edit(gate, changed, golden):
    decoder = FileEdit("decoder", "none, was ByteLevel", note="the ids [1] decode to 'x'")
    target, baseline = changed(decoder, golden=golden)
    texts, ids = ["a", "b"], [[1], [2]]
    units = [{("digits", 0): pack(digest_of(texts, ids, one))} for one in (["a", "b"], ["a", "x"])]
    target = replace(target, digests=DigestsTaken("target", units[1], ()))
    (change,) = gate(target, replace(baseline, digests=units[0])).failing
    assert change.what == "decoder: none, was ByteLevel"
    assert [one.what for one in change.related] == ["cases"]


def test_another_name_of_an_equal_normalizer_is_no_change(gate, changed, golden):
    target, baseline = changed(file=OLD, golden=golden)
    fingerprint = replace(target.snapshot.fingerprint, normalizer="the rules of mine")
    snapshot = replace(target.snapshot, fingerprint=fingerprint)
    assert gate(replace(target, snapshot=snapshot), baseline).failing == ()


def test_an_unknown_version_of_an_equal_normalizer_is_no_change(gate, changed, golden):
    target, baseline = changed(file=OLD, golden=golden)
    forms = [
        replace(target.snapshot.fingerprint, normalizer="NFC", normalizer_version=version)
        for version in ("9.0", None, "15.0")
    ]
    before = replace(baseline, fingerprint=forms[0])
    unknown, other = (
        gate(replace(target, snapshot=replace(target.snapshot, fingerprint=one)), before).failing
        for one in forms[1:]
    )
    assert unknown == ()
    assert [one.what for one in other] == ["from NFC at Unicode 9.0 to NFC at Unicode 15.0"]


def test_an_edit_that_no_text_shows_fails(gate, changed, golden):
    nothing = FileEdit("padding", "none, was on")
    (change,) = gate(*changed(nothing, golden=golden)).failing
    assert change.what == "padding: none, was on"
    assert "no text was found whose ids differ" in change.message


@pytest.mark.parametrize(
    ("stage", "what", "message"),
    [
        ("options", "add bos token: on, was none", "no text of the baseline has different ids"),
        ("post-processor", "TemplateProcessing, was none", "pairs of texts were not tried"),
        ("post-processor", "type id of B of pair of TemplateProcessing: 1, was 0", "for pairs"),
    ],
)
def test_of_an_edit_that_no_text_shows_the_message_says_what_was_not_tried(
    gate, changed, golden, stage, what, message
):
    (change,) = gate(*changed(FileEdit(stage, what), golden=golden)).failing
    assert message in change.message


def test_an_edit_that_was_not_tried_does_not_say_that_no_text_was_found(gate, changed, golden):
    untried = FileEdit("post-processor", "a template is new", untried="it was not tried")
    (change,) = gate(*changed(untried, golden=golden)).failing
    assert change.message == "it was not tried"


def test_golden_texts_that_no_edit_explains_are_a_change_of_their_own(gate, changed, with_ids):
    target, baseline = changed(EDIT, golden=with_ids({CAT: (1, 1, 2), ITS: (9, 9)}))
    file, ids = gate(target, baseline).failing
    assert (file.kind, ids.kind) == ("changed-file", "changed-ids")
    assert [one.text for one in ids.examples] == [ITS]


def test_a_changed_vocabulary_is_part_of_the_edit_that_changes_it(gate, changed):
    target, baseline = changed(replace(EDIT, stage="vocabulary"))
    other = replace(target.snapshot.fingerprint, vocabulary="ffff")
    target = replace(target, snapshot=replace(target.snapshot, fingerprint=other))
    (change,) = gate(target, baseline).failing
    assert [one.kind for one in change.related] == ["vocabulary"]


def test_stages_are_compared_by_digest_where_the_old_file_is_not_kept(gate, changed, golden):
    (change,) = gate(*changed(golden=golden)).failing
    assert change.what == "model of the file"
    assert "22, and was 11" in change.message


def test_files_of_different_formats_are_compared_by_ids_alone(gate, changed, golden):
    other = FileState("tiktoken", {"model": "22"})
    result = gate(*changed(file=other, golden=golden))
    assert not result.failing
    assert [change.what for change in result.changes] == ["another format"]


def test_texts_of_digests_fail_whatever_fail_on_says(gate, changed, golden):
    now = ChangedText("ordinary texts", "hello", None, (1,))
    target, baseline = changed(
        file=OLD, golden=golden, changed=(now,), changed_counts={"ordinary texts": 3}
    )
    (change,) = gate(target, baseline, fail_on="never").failing
    assert change.message.startswith("3 of 90 ordinary texts have different ids")
    assert [(one.text, one.before) for one in change.examples] == [("hello", "not stored")]


def test_texts_of_digests_are_part_of_what_golden_texts_show(gate, changed, with_ids):
    target, baseline = changed(
        file=OLD, golden=with_ids({ITS: (9, 9)}), changed_counts={"ordinary texts": 3}
    )
    now = ChangedText("ordinary texts", "hello", None, (1,))
    snapshot = replace(target.snapshot, changed=(now,))
    (change,) = gate(replace(target, snapshot=snapshot), baseline).failing
    assert [one.text for one in change.examples] == [ITS]
    assert [one.what for one in change.related] == ["other texts"]


def test_texts_that_were_not_compared_are_no_pass(gate, changed, golden):
    target, baseline = changed(file=OLD, golden=golden, not_compared={"ordinary texts": 7})
    (change,) = gate(target, baseline).failing
    assert (change.kind, change.what) == ("new-skip", "ordinary texts")


def test_a_body_that_was_not_encoded_is_no_pass(gate, changed, golden):
    target, baseline = changed(file=OLD, golden=golden)
    (change,) = gate(target, replace(baseline, bodies={"corpus": (1, "")})).failing
    assert (change.kind, change.what) == ("new-skip", "corpus")


def test_an_accepted_edit_passes_and_covers_no_other(gate, changed, accept):
    target, baseline = changed(EDIT)
    (change,) = gate(target, baseline).failing
    accepted = replace(baseline, accepted=(accept(change),))
    assert not gate(target, accepted).failing
    other, _ = changed(EDIT, FileEdit("decoder", "none, was ByteLevel"))
    assert [one.what for one in gate(other, accepted).failing] == ["decoder: none, was ByteLevel"]


@pytest.fixture
def refused(make_target, make_finding, make_baseline, tmp_path):
    """A target that does not load a file with other stages, and the baseline of the old file."""

    def make(**stages):
        old = describe("reference:byte-level-bpe")
        spec = write(old, tmp_path)
        file = Path(spec.partition(":")[2])
        record = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps({**record, **stages}), encoding="utf-8")
        state = FileState(old.format, {}, base64.b85encode(pack_file(old)).decode())
        death = make_finding(code="TOK104", cause="does not load", text=None)
        target = make_target(death, golden=None, spec=f"hf:{file}")
        return target, replace(make_baseline(), file=state)

    return make


def test_an_edit_by_which_the_target_does_not_load_is_one_change(gate, refused):
    target, baseline = refused(pre_tokenizer={"type": "Nope"})
    versions = {**baseline.versions}
    result = gate(target, baseline, command=COMMAND, versions=versions)
    assert result.golden_texts == 0  # none was compared
    (change,) = result.failing
    assert change.what.startswith("pre-tokenizer: Nope, was ByteLevel")
    assert change.message == "neither the target nor the reference reads the file with this edit"
    death = change.related[0]
    assert (death.finding.code, death.message) == ("TOK104", "a message")
    accepted = accept_changes(baseline, [change], "because", dt.date(2027, 1, 1))
    assert not gate(target, accepted, versions=versions).failing
    assert "tokharness audit" not in str(change.next)


def test_of_two_edits_the_unreadable_one_is_the_reason(gate, refused):
    target, baseline = refused(pre_tokenizer={"type": "Nope"}, decoder=None)
    unread, other = gate(target, baseline, versions={**baseline.versions}).failing
    assert unread.what.startswith("pre-tokenizer: Nope, was ByteLevel")
    assert unread.message == "neither the target nor the reference reads the file with this edit"
    assert [one.finding.code for one in unread.related if one.finding] == ["TOK104"]
    assert other.what.startswith("decoder: none, was ")
    assert other.message.startswith("with this file the target gave no ids")
    assert not other.related


@pytest.mark.parametrize(
    ("stages", "version"),
    [
        ({"truncation": {"max_length": 9}, "decoder": None}, "0.1.0"),
        ({"pre_tokenizer": {"type": "Nope"}}, "0.2.0"),
        ({"decoder": None}, "0.1.0"),
    ],
    ids=[
        "two edits that the reference reads",
        "another version",
        "an edit that the reference reads",
    ],
)
def test_a_target_that_does_not_load_names_what_may_be_the_reason(gate, refused, stages, version):
    target, baseline = refused(**stages)
    failing = gate(target, baseline, versions={"tokharness": version}).failing
    (found,) = [change for change in failing if change.finding]
    assert len(failing) == 1 + len(stages)
    assert "a message; what differs in the file: " in found.message


def test_an_edit_whose_acceptance_has_expired_is_still_shown_by_an_audit(
    gate, changed, accept, today
):
    target, baseline = changed(EDIT)
    (edit,) = gate(target, baseline).failing
    accepted = replace(baseline, accepted=(accept(edit, expires=today - dt.timedelta(days=1)),))
    (change,) = gate(target, accepted, command=COMMAND).failing
    assert change.kind == "expired-acceptance"
    assert change.next == steps(edit)


def test_texts_of_digests_that_an_accepted_edit_does_not_explain_fail(gate, changed, accept):
    target, baseline = changed(EDIT)
    accepted = replace(baseline, accepted=tuple(map(accept, gate(target, baseline).failing)))
    texts = [ChangedText("ordinary texts", text, None, (1,)) for text in (CAT, "hello")]
    counts = {"ordinary texts": 2}
    other, _ = changed(EDIT, changed=tuple(texts), changed_counts=counts)
    (change,) = gate(other, accepted).failing
    assert [one.text for one in change.examples] == ["hello"]
    assert change.message.startswith("1 of 90 ordinary texts has different ids")


def steps(change, command=COMMAND):
    return with_next_steps([change], command)[0].next


def test_a_failing_change_says_how_to_see_and_accept_it(gate, changed):
    (change,) = gate(*changed(EDIT)).failing
    show, audit, accept = steps(change)
    assert show.startswith("tokharness show --json '\"a cat\"' baseline:b.json hf:new.json")
    assert audit.startswith("tokharness audit baseline:b.json hf:new.json")
    assert accept.startswith(
        f"tokharness gate mine --name x --accept {change.fingerprint} --reason"
    )


def test_a_change_is_accepted_together_with_the_removal_of_stale_acceptances(gate, changed):
    (change,) = gate(*changed(EDIT)).failing
    stale = change_of("stale-acceptance", "TOK302", "it is no longer there")
    whole, removal = with_next_steps([change, stale], COMMAND)
    assert f"--accept {change.fingerprint} --prune --reason" in whole.next[-1]
    assert [step.partition("  #")[0] for step in removal.next] == [
        "tokharness gate mine --name x --prune"
    ]


def test_a_check_that_did_not_run_is_not_offered_for_acceptance():
    change = change_of("check-not-run", "TOK101", "TOK101 ran for the baseline but not now")
    assert not any("--accept" in step for step in steps(change))


def test_a_change_since_an_incumbent_cannot_be_accepted(gate, changed):
    (change,) = gate(*changed(EDIT)).failing
    command = GateCommand((), "hf:new.json", "hf:old.json")
    assert not any("--accept" in step for step in steps(change, command))


def test_a_change_that_does_not_fail_has_no_next_step(gate, changed, golden):
    other = FileState("tiktoken", {"model": "22"})
    (note,) = gate(*changed(file=other, golden=golden)).changes
    assert steps(note) == ()


def test_an_acceptance_does_not_hold_for_another_edit_with_the_same_words(gate, changed, golden):
    first, second = (FileEdit("template", "another one", content=one) for one in ("aa", "bb"))
    old, new = (gate(*changed(one, golden=golden)).failing[0] for one in (first, second))
    assert old.fingerprint != new.fingerprint
