"""What follows from an edit of the file is part of it, and of no other edit."""

from dataclasses import replace

import pytest

from tokharness.changes import Change, Example
from tokharness.engine.events import DigestsTaken
from tokharness.gate.consequences import merge_into_edits
from tokharness.gate.file_changes import NO_TEXT
from tokharness.targets.digests import digest_of
from tokharness.targets.packed_digests import pack
from tokharness.targets.snapshot import ChangedText, FileEdit, FileState

CAT, ITS = "a cat", "it's"
OLD, NEW = FileState("tokenizer.json", {"model": "11"}, "old"), FileState("tokenizer.json", {})


def edit(stage, what, *texts):
    examples = tuple(ChangedText("golden texts", text, (1, 2), (1, 1, 2)) for text in texts)
    return FileEdit(stage, what, examples=examples, texts=texts)


DROPPED = edit("model", "merge 3 ('a', 'b') is gone", CAT)
MOVED = edit("model", "merge 9 ('i', 't') has moved from 9 to 2", ITS)


@pytest.fixture
def failing(gate, make_target, make_baseline, golden):
    """Return what fails after edits, each with the kinds of what is part of it."""

    def fail(*edits, findings=(), old=OLD, special=None, entries=None, skips=(), **options):
        now = make_target(*findings, golden=golden, skips=skips)
        state = now.snapshot.fingerprint
        state = replace(
            state,
            special_tokens=special or state.special_tokens,
            vocabulary=entries or state.vocabulary,
        )
        new = replace(NEW, format=old.format)
        snapshot = replace(now.snapshot, edits=edits, file=new, fingerprint=state)
        before = replace(make_baseline(), file=old)
        versions = before.versions if options.pop("same", True) else {"tokenizers": "0.1"}
        result = gate(replace(now, snapshot=snapshot), before, versions=versions, **options)
        return {one.what: [part.kind for part in one.related] for one in result.failing}

    return fail


def named(one):
    return f"{one.stage}: {one.what}"


def test_all_that_is_new_follows_from_the_only_edit(failing, make_finding):
    assert failing(DROPPED, findings=[make_finding(text="unlike")]) == {
        named(DROPPED): ["new-finding"]
    }


def test_checks_without_a_reference_are_part_of_the_edit_that_it_does_not_read(failing):
    unread = edit("decoder", "Other, was ByteLevel")
    reason = "there is no reference to compare with: the decoder 'Other' is not known"
    assert failing(unread, skips=[("TOK201", reason)]) == {named(unread): ["new-skip"]}
    assert len(failing(unread, skips=[("TOK201", "the target has no count")])) == 2
    assert failing(unread, DROPPED, skips=[("TOK201", reason)]) == {
        named(unread): ["new-skip"],
        named(DROPPED): ["new-skip"],
    }


def test_texts_on_which_the_target_raises_are_part_of_the_only_edit(
    gate, make_target, make_baseline, with_ids
):
    unknown = edit("model", "unk id of Unigram: none, was 0")
    now = make_target(golden=with_ids({CAT: "ValueError"}))
    now = replace(now, snapshot=replace(now.snapshot, edits=(unknown,), file=NEW))
    before = replace(make_baseline(), file=OLD)
    (change,) = gate(now, before, versions=before.versions).failing
    assert change.what == named(unknown)
    assert [(one.text, one.after) for one in change.examples] == [(CAT, "ValueError")]
    assert "1 of 8 golden texts" in change.message
    assert len(gate(now, before, versions={"tokenizers": "0.1"}).failing) == 2


def test_with_other_versions_a_finding_may_have_another_cause(failing, make_finding):
    found = failing(DROPPED, findings=[make_finding(text="unlike")], same=False)
    assert found[named(DROPPED)] == []
    assert len(found) == 2


def test_a_target_that_shows_no_file_may_have_changed_otherwise(failing, make_finding):
    vocabulary = FileState("vocabulary", {"model": "11"}, "old")
    found = failing(DROPPED, findings=[make_finding(text="unlike")], old=vocabulary)
    assert len(found) == 2


def test_of_two_edits_a_finding_belongs_to_the_one_that_changes_its_text(failing, make_finding):
    assert failing(DROPPED, MOVED, findings=[make_finding(text=ITS)]) == {
        named(DROPPED): [],
        named(MOVED): ["new-finding"],
    }


def test_a_finding_of_a_text_that_several_edits_change_is_part_of_each(failing, make_finding):
    both = replace(MOVED, texts=(CAT, ITS))
    assert failing(DROPPED, both, findings=[make_finding(text=CAT)]) == {
        named(DROPPED): ["new-finding"],
        named(MOVED): ["new-finding"],
    }


def test_a_finding_of_a_text_that_no_edit_changes_is_part_of_the_edit_of_its_stage(
    failing, make_finding
):
    decoder = edit("decoder", "prefix of WordPiece: ##z, was ##")
    finding = make_finding(text="unlike", cause="decoder")
    assert failing(DROPPED, decoder, findings=[finding]) == {
        named(DROPPED): [],
        named(decoder): ["new-finding"],
    }


def test_a_finding_that_no_edit_of_several_explains_is_part_of_this_or_another(
    gate, make_target, make_baseline, make_finding
):
    now = make_target(make_finding(text="unlike"))
    now = replace(now, snapshot=replace(now.snapshot, edits=(DROPPED, MOVED), file=NEW))
    before = replace(make_baseline(), file=OLD)
    failing = gate(now, before, versions=before.versions).failing
    assert [one.what for one in failing] == [named(DROPPED), named(MOVED)]
    for change in failing:
        (part,) = change.related
        assert part.message.startswith("by this edit or another: TOK101 lossy-round-trip: kind: ")
    assert len(gate(now, before, versions={"tokenizers": "0.1"}).failing) == 3


def test_a_message_of_a_finding_says_which_one_it_is(
    gate, make_target, make_baseline, make_finding
):
    now = make_target(make_finding(text=CAT))
    now = replace(now, snapshot=replace(now.snapshot, edits=(DROPPED,), file=NEW))
    (change,) = gate(now, replace(make_baseline(), file=OLD)).failing
    assert [one.message for one in change.related] == ["TOK101 lossy-round-trip: kind: a message"]


def test_special_tokens_belong_to_the_edit_that_names_them(failing):
    special = {"<|end|>": 258, "<|tool|>": 300}
    flag = edit("added tokens", "<|end|>: lstrip is on, was off")
    added = edit("added tokens", "<|tool|> added as 300, special")
    assert failing(flag, added, special=special) == {
        named(flag): [],
        named(added): ["special-tokens"],
    }


def test_cases_that_may_show_two_edits_are_part_of_both(gate, make_target, make_baseline):
    decoder = FileEdit("decoder", "none, was ByteLevel", note="the ids [1] decode to 'x'")
    texts, ids = ["a", "b"], [[1], [2]]
    units = [{("digits", 0): pack(digest_of(texts, ids, one))} for one in (texts, ["a", "x"])]
    now = make_target()
    snapshot = replace(now.snapshot, edits=(DROPPED, decoder), file=NEW)
    now = replace(now, snapshot=snapshot, digests=DigestsTaken("target", units[1], ()))
    failing = gate(now, replace(make_baseline(), file=OLD, digests=units[0])).failing
    assert {one.what for one in failing} == {named(DROPPED), named(decoder)}
    for change in failing:
        (part,) = change.related
        assert part.message.startswith("by this edit and others: 1 text of the run has")


def test_ids_of_any_text_are_part_of_an_edit_of_the_dropout(gate, make_target, make_baseline):
    dropout = edit("model", "dropout of BPE: 0.1, was none", CAT)
    digests = [pack(digest_of(["a", "b"], [[1], [last]], ["a", "b"])) for last in (2, 3)]
    units = [{("digits", 0): one} for one in digests]
    now = make_target()
    snapshot = replace(now.snapshot, edits=(dropout,), file=NEW)
    other = ChangedText("digits", "b", None, (3,))
    now = replace(now, snapshot=snapshot, digests=DigestsTaken("target", units[1], (other,)))
    (change,) = gate(now, replace(make_baseline(), file=OLD, digests=units[0])).failing
    assert change.what == named(dropout)
    assert [part.what for part in change.related] == ["cases"]


MOST, SOME, NONE = (
    Change("changed-file", what, "an effect", what, examples=(Example(CAT, (1, 2), (3,)),))
    for what in ("normalizer: NFD, was NFC", "truncation: 9, was none", "added tokens: <t> is gone")
)
COUNTS = {MOST: {"golden texts": 9, "ordinary texts": 80}, SOME: {"golden texts": 15}, NONE: {}}


@pytest.fixture
def with_counts(make_target, make_baseline):
    """Return the messages of what is part of each edit, by the edit."""

    def merge(change, edits):
        now = make_target()
        known = (
            FileEdit(*one.what.split(": ", 1), counts=COUNTS[one], examples=(CAT,)) for one in edits
        )
        now = replace(now, snapshot=replace(now.snapshot, edits=tuple(known)))
        merged = merge_into_edits([*edits, change], now, make_baseline(), is_same_run=True)
        return {
            one: [part.message for part in whole.related]
            for one, whole in zip(edits, merged, strict=True)
        }

    return merge


def test_costs_are_part_of_the_edit_that_changes_most_texts(with_counts):
    cost = Change("metric-regression", "languages that grew", "Korean grew", "1")
    shared = ["by this edit and others: Korean grew"]
    assert with_counts(cost, [NONE, SOME, MOST]) == {NONE: [], SOME: [], MOST: shared}
    assert with_counts(cost, [NONE, SOME]) == {NONE: [], SOME: ["Korean grew"]}


def test_texts_of_digests_are_part_of_each_edit_that_changes_texts_of_the_baseline(with_counts):
    cases = Change("changed-ids", "cases", "8 texts have other", "1")
    shared = ["by this edit and others: 8 texts have other"]
    assert with_counts(cases, [NONE, SOME, MOST]) == {NONE: [], SOME: shared, MOST: shared}


def test_another_vocabulary_follows_from_an_added_token_that_is_not_special(failing):
    added = edit("added tokens", "Zqx added as 300, not special, normalized")
    assert failing(added, entries="ffff") == {named(added): ["vocabulary"]}


def test_another_vocabulary_follows_from_a_normal_form_of_the_text_of_an_added_token(failing):
    changed, moved = edit("normalizer", "NFD, was NFC", CAT), MOVED
    assert failing(changed, entries="ffff") == {named(changed): ["vocabulary"]}
    found = failing(changed, moved, entries="ffff")
    assert found == {named(changed): [], named(moved): ["vocabulary"]}


def test_a_model_of_another_type_has_no_scores(make_target, make_baseline):
    edits = [
        Change("changed-file", what, "an effect", what)
        for what in ("model: bpe, was unigram", "normalizer: NFC, was NFKC")
    ]
    lost = [
        Change("lost-entry-point", name, "the target no longer has it", name)
        for name in ("scores", "count")
    ]
    target, baseline = make_target(), make_baseline()
    changes = merge_into_edits([*edits, *lost], target, baseline, is_same_run=True)
    found = {change.what: [part.what for part in change.related] for change in changes}
    assert found == {edits[0].what: ["scores"], edits[1].what: [], "count": []}


@pytest.mark.parametrize(
    "what",
    [
        "padding: max_length=8, was none",
        "truncation: max_length=8, was none",
        "pre-tokenizer: prefix space of Metaspace: first, was always",
        "options: lstrip of <|user|> of added tokens decoder: on, was off",
    ],
)
def test_ids_of_texts_with_special_tokens_follow_from_an_edit_of_what_is_next_to_them(
    what, make_target, make_baseline
):
    edited = Change("changed-file", what, "an effect", "1")
    ids = Change("special-handling", "encode of special tokens", "6 golden texts", "2")
    target, baseline = make_target(), make_baseline()
    (whole,) = merge_into_edits([edited, ids], target, baseline, is_same_run=True)
    assert [part.kind for part in whole.related] == ["special-handling"]
    assert whole.message == "an effect"


def test_an_edit_without_texts_has_those_of_an_entry_point_for_special_tokens(
    make_target, make_baseline
):
    edited = Change("changed-file", "options: an option", NO_TEXT, "1")
    example = Example("<s> a", (1, 2), (1, 3))
    ids = Change("special-handling", "encode", "1 golden text", "2", examples=(example,))
    target, baseline = make_target(), make_baseline()
    (whole,) = merge_into_edits([edited, ids], target, baseline, is_same_run=True)
    assert (whole.message, whole.examples) == ("1 golden text", (example,))


def test_what_names_a_token_follows_from_the_edit_of_any_stage_that_names_it(failing):
    of_token = edit("options", "<|end|> of added tokens decoder: none, was id=5")
    other = edit("added tokens", "<|other|>: lstrip is on, was off")
    found = failing(other, of_token, special={"<|end|>": 5})
    assert found == {named(other): [], named(of_token): ["special-tokens"]}


def test_another_vocabulary_follows_from_each_edit_of_it(failing):
    edits = [edit("vocabulary", f"token {token} is gone") for token in ("'a'", "'b'")]
    assert failing(*edits, entries="ffff") == {named(one): ["vocabulary"] for one in edits}
