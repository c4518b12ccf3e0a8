"""Edits of a file explain changed ids: each text has the edit after which its ids differ."""

import base64
from dataclasses import replace
from itertools import cycle

import pytest

from tokharness.edits.added_tokens import counted_by_id, counted_in_order
from tokharness.engine.worker.body_digests import take_digests
from tokharness.engine.worker.described_file import DescribedFile, described_file
from tokharness.engine.worker.file_changes import explain_file
from tokharness.errors import TokharnessError
from tokharness.model import Description, TokenEntry, target_of
from tokharness.packing import pack
from tokharness.targets.snapshot import ChangedText, EarlierState, FileState
from tokharness.targets.subject import Subject


def without_merge(description, place):
    merges = description.merges
    return replace(description, merges=(*merges[:place], *merges[place + 1 :]))


def explained(subject, old, new, texts=(), group="golden texts"):
    changed = []
    for text in texts:
        ids = subject.encode(text)
        changed.append(ChangedText(group, text, None, tuple(ids)))
    return explain_file(subject, DescribedFile(None, new, old), changed)


def whole_word(description):
    """A merge that makes a word of letters, and the text of it."""
    for place, (left, right) in enumerate(description.merges):
        if (left + right).isascii() and (left + right).isalpha() and len(left + right) > 3:
            return place, left + right
    raise AssertionError("the vocabulary has no such word")


def test_a_merge_that_is_gone_explains_the_texts_with_its_token(old, subject_of):
    place, word = whole_word(old)
    new = without_merge(old, place)
    (edit,) = explained(subject_of(new), old, new, [word, "zzz"])
    assert edit.stage == "model"
    assert f"merge {place} " in edit.what
    assert edit.texts == (word,)
    assert edit.counts == {"golden texts": 1}
    assert edit.tokens > 0


def test_groups_of_which_only_the_shortest_texts_were_tried_are_named(old, subject_of, monkeypatch):
    monkeypatch.setattr("tokharness.engine.worker.file_changes.MAX_CHANGED", 2)
    place, word = whole_word(old)
    new = without_merge(old, place)
    (one,) = explained(subject_of(new), old, new, [word])
    (two,) = explained(subject_of(new), old, new, [word, f" {word}s"])
    assert (one.sampled, two.sampled) == ((), ("golden texts",))


def test_cases_of_a_family_do_not_count_as_more_tokens(old, subject_of):
    place, word = whole_word(old)
    new = without_merge(old, place)
    (edit,) = explained(subject_of(new), old, new, [word], group="plain-words")
    assert edit.texts == (word,)
    assert edit.tokens == 0


def test_a_text_of_two_groups_is_shown_once(old, subject_of):
    place, word = whole_word(old)
    new = without_merge(old, place)
    (edit,) = explained(subject_of(new), old, new, [f"{word} {word}", word, word])
    texts = [example.text for example in edit.examples]
    assert texts.count(word) == 1


def test_the_smallest_text_is_clear_if_another_is_as_short(old, subject_of):
    prefix = {**old.stages["pre-tokenizer"], "add_prefix_space": True}
    new = replace(old, stages={**old.stages, "pre-tokenizer": prefix})
    (edit,) = explained(subject_of(new), old, new, ["\x00", "\u037e", "z"])
    assert [one.text for one in edit.examples] == ["z", "\x00", "\u037e"]


def test_an_edit_is_shown_by_a_text_of_its_own_token(old, subject_of):
    place, word = whole_word(old)
    new = without_merge(old, place)
    (edit,) = explained(subject_of(new), old, new)
    assert edit.counts == {}
    smallest = edit.examples[0]
    assert smallest.before != smallest.after
    assert len(smallest.text) <= len(word)


def test_each_of_two_edits_has_its_own_texts(old, subject_of):
    place, word = whole_word(old)
    digits = {"type": "Digits", "individual_digits": True}
    before = old.stages["pre-tokenizer"]
    sequence = {"type": "Sequence", "pretokenizers": [digits, before]}
    new = without_merge(old, place)
    new = replace(new, stages={**old.stages, "pre-tokenizer": sequence})
    edits = explained(subject_of(new), old, new, [word, "x1z"])
    assert [edit.stage for edit in edits] == ["pre-tokenizer", "model"]
    assert word not in edits[0].texts
    assert word in edits[1].texts


def test_an_edit_explains_texts_whose_version_of_unicode_only_the_earlier_file_showed(
    old, subject_of
):
    text = "\u1c89's the"  # a letter since Unicode 16: 's behind it is one token
    earlier = subject_of(old).target.at_stage_versions({"split": "15.0"})
    before = tuple(earlier.encode(text))
    new, versions = replace(old, merges=()), {"split": "15.0"}
    assert before != tuple(subject_of(old).encode(text))
    subject = subject_of(new)
    changed = ChangedText("golden texts", text, before, tuple(subject.encode(text)))
    (edit,) = explain_file(subject, DescribedFile(None, new, old, versions), [changed])
    assert edit.texts == (text,)


def test_texts_that_another_version_of_unicode_changes_are_not_those_of_an_edit(old, subject_of):
    text = "\u1c89's"
    before = tuple(subject_of(old).target.at_stage_versions({"split": "15.0"}).encode(text))
    new = without_merge(old, 5)
    subject = replace(subject_of(new), stage_versions={"split": "16.0"}, unicode_version="16.0")
    changed = ChangedText("golden texts", text, before, tuple(subject.encode(text)))
    assert before != changed.after
    file = DescribedFile(None, new, old, {"split": "15.0"})
    (edit,) = explain_file(subject, file, [changed])
    assert edit.texts == ()


def test_an_edit_without_an_effect_explains_nothing(old, subject_of):
    new = replace(old, merges=(old.merges[5], *old.merges))  # of copies the last one counts
    (edit,) = explained(subject_of(new), old, new, ["a text"])
    assert "stands twice" in edit.what
    assert (edit.counts, edit.examples, edit.texts) == ({}, (), ())


def test_a_text_that_the_target_changes_otherwise_is_not_explained(old, subject_of):
    place, word = whole_word(old)
    new = without_merge(old, place)
    changed = ChangedText("golden texts", word, None, (1, 2, 3))
    (edit,) = explain_file(subject_of(new), DescribedFile(None, new, old), [changed])
    assert edit.texts == ()


class Altered:
    """A target that gives the ids of another one, or in each second call what ``alter`` makes."""

    def __init__(self, target, alter, *, always=False):
        self.target, self.alter, self.calls = target, alter, 1 if always else 0
        self.step = 0 if always else 1

    def encode(self, text):
        ids = self.target.encode(text)
        self.calls += self.step
        return self.alter(text, ids) if self.calls % 2 else ids

    def decode(self, ids):
        return self.target.decode(ids)


def test_a_dropout_explains_the_texts_whose_ids_differ_between_calls(old, subject_of):
    _, word = whole_word(old)
    target = subject_of(old).target
    letters = [number for letter in word for number in target.encode(letter)]
    subject = Subject(
        target_of("random", Altered(target, lambda text, ids: letters if text == word else ids))
    )
    new = replace(old, stages={**old.stages, "model": {**old.stages["model"], "dropout": 0.1}})
    texts = [ChangedText("golden texts", word, None, tuple(letters))]
    (edit,) = explain_file(subject, DescribedFile(None, new, old), texts)
    assert edit.what == "dropout of BPE: 0.1, was none"
    assert edit.texts == (word,)
    back = [replace(texts[0], before=tuple(letters), after=tuple(target.encode(word)))]
    (edit,) = explain_file(subject_of(old), DescribedFile(None, old, new), back)
    assert edit.texts == (word,)


def test_a_dropout_explains_a_text_that_gets_the_same_other_ids_in_further_calls(old, subject_of):
    _, word = whole_word(old)
    target, twice = subject_of(old).target, word * 2
    letters = [number for letter in word for number in target.encode(letter)]
    turns = cycle([letters, list(target.encode(word))])
    same = Altered(target, lambda text, ids: letters * 2 if text == twice else ids, always=True)
    both = Altered(same, lambda text, ids: next(turns) if text == word else ids, always=True)
    new = replace(old, stages={**old.stages, "model": {**old.stages["model"], "dropout": 0.1}})
    texts = [
        ChangedText("golden texts", word, None, tuple(letters)),
        ChangedText("golden texts", twice, None, tuple(letters * 2)),
    ]
    for target, explained_texts in ((both, {word, twice}), (same, set())):
        subject = Subject(target_of("random", target))
        found = [one for one in texts if target is both or one.text == twice]
        (edit,) = explain_file(subject, DescribedFile(None, new, old), found)
        assert set(edit.texts) == explained_texts


def test_a_text_with_a_fault_of_the_library_belongs_to_the_edit_that_others_show(old, subject_of):
    place, word = whole_word(old)
    new = without_merge(old, place)
    target = subject_of(new).target
    faulty = Altered(target, lambda text, ids: ids[::-1] if "!" in text else ids, always=True)
    subject = Subject(target_of("faulty", faulty))
    (edit,) = explained(subject, old, new, [word, f"{word}!"])
    assert set(edit.texts) == {word, f"{word}!"}
    (edit,) = explained(subject, old, new, [f"{word}!"])
    assert edit.texts == ()


def test_an_added_token_shows_in_the_entry_point_for_special_tokens(old, subject_of):
    rows = old.stages["added tokens"]
    flags = dict.fromkeys(("lstrip", "normalized", "rstrip", "single_word"), False)
    row = {"id": 1000, "text": "<|tool|>", "special": True, **flags}
    new = replace(old, stages={**old.stages, "added tokens": [*rows, row]})
    (edit,) = explained(subject_of(new), old, new)
    assert edit.what == "<|tool|> added as 1000, special"
    assert "gives [1000]" in edit.note


def test_an_added_token_is_tried_in_texts_that_a_normalizer_makes_equal_to_it(old, subject_of):
    stages = {**old.stages, "normalizer": {"type": "Lowercase"}}
    flags = dict.fromkeys(("lstrip", "rstrip", "single_word", "special"), False)
    files = [
        replace(old, stages={**stages, "added tokens": [*stages["added tokens"], row]})
        for row in (
            {"id": 1000, "text": "<|tool|>", **flags, "normalized": normalized}
            for normalized in (False, True)
        )
    ]
    (edit,) = explained(subject_of(files[1]), *files)
    assert edit.examples[0].text == "<|TOOL|>"


def test_a_truncation_shows_in_a_text_of_more_ids_than_it_keeps(old, subject_of):
    truncation = {"direction": "Right", "max_length": 64, "strategy": "LongestFirst", "stride": 0}
    first, new = (
        replace(old, stages={**old.stages, "truncation": one}) for one in (None, truncation)
    )
    (edit,) = explained(subject_of(new), first, new)
    assert edit.note.startswith("encode of 130 characters gives 64 ids, and gave ")


def test_a_score_is_shown_by_a_text_for_which_two_tokens_compete(subject_of):
    scores = {"taken": -5.0, "take": -3.5, "an": -4.0, "nan": -6.0}
    letters = dict.fromkeys("\u2581taken", -9.0)
    special = {"unk": "<unk>", "bos": "<s>", "eos": "</s>", "pad": "<pad>"}
    stages = {
        "decoder": {"denormalizer": None, "unk_surface": "?"},
        "model": {
            **{f"{name}_piece": text for name, text in special.items()},
            "type": "unigram",
            "byte_fallback": False,
        },
        "normalizer": {
            **dict.fromkeys(("add_dummy_prefix", "treat_whitespace_as_suffix"), False),
            "remove_extra_whitespaces": False,
            "escape_whitespaces": True,
            "precompiled_charsmap": "",
        },
    }
    rows = [("<unk>", 0.0, "unknown")]
    rows += [(token, score, "normal") for token, score in {**letters, **scores}.items()]
    before = Description(
        "SentencePiece",
        stages,
        tuple(TokenEntry(place, *row) for place, row in enumerate(rows)),
        None,
    )
    now = replace(
        before,
        tokens=tuple(
            row._replace(score=-5.0) if row.token == "nan" else row for row in before.tokens
        ),
    )
    (edit,) = explained(subject_of(now), before, now)
    assert edit.examples[0].text == "takenan"


def test_an_added_token_is_tried_as_it_is_written_where_tokens_are_bytes(old, subject_of):
    flags = dict.fromkeys(("lstrip", "normalized", "rstrip", "single_word", "special"), False)
    row = {"id": 1000, "text": "\u00c9t\u00c9", **flags}
    new = replace(old, stages={**old.stages, "added tokens": [*old.stages["added tokens"], row]})
    (edit,) = explained(subject_of(new), old, new)
    assert edit.examples[0].text == "\u00c9t\u00c9"
    assert edit.examples[0].after == (1000,)


def with_words(description, *ids):
    """Add "word9" with id 9 and so on, which are not special."""
    flags = dict.fromkeys(("lstrip", "normalized", "rstrip", "single_word", "special"), False)
    rows = [{"id": number, "text": f"word{number % 10}", **flags} for number in ids]
    stages = {**description.stages, "added tokens": [*description.stages["added tokens"], *rows]}
    return replace(description, stages=stages)


@pytest.mark.parametrize(
    ("numbering", "what", "before", "now"),
    [
        (counted_in_order, "their order has changed", 1000, 1001),
        (counted_by_id, "word5 added as 1005, not special (its id in the library is 1002)", 0, 0),
    ],
)
def test_an_edit_explains_ids_that_the_library_gives_added_tokens(
    old, subject_of, numbering, what, before, now
):
    first = with_words(old, 1000, 1001)
    new = with_words(old, 1001, 1000) if before else with_words(old, 1000, 1001, 1005)
    subject = subject_of(numbering(new))
    words = [ChangedText("golden texts", "word0", (before,), (now,))] if before else []
    (edit,) = explain_file(subject, DescribedFile(None, new, first), words)
    assert edit.what == what
    shown = edit.examples[0]
    assert (shown.before, shown.after) == (
        ((before,), (now,)) if before else (shown.before, (1002,))
    )


def test_ids_that_three_tokens_take_from_each_other_are_one_edit(old, subject_of):
    words = [row.token for row in old.tokens if row.token.isalpha() and row.token.isascii()]
    short, *_, middle, longest = sorted((word for word in words if len(word) > 1), key=len)
    names = (short, longest, middle)
    ids = {row.token: row.id for row in old.tokens}
    moved = dict(zip(names, (ids[name] for name in (*names[1:], short)), strict=True))
    rows = (row._replace(id=moved.get(row.token, row.id)) for row in old.tokens)
    new = replace(old, tokens=tuple(sorted(rows, key=lambda row: row.id)))
    (edit,) = explained(subject_of(new), old, new, [*names, words[0]], group="tokens' own texts")
    assert edit.what.startswith("3 tokens have taken each other's ids, the first: token '")
    assert edit.counts == {"tokens' own texts": 3}
    assert {one.text for one in edit.examples} >= {*names}
    assert not edit.is_shared


def test_special_tokens_that_change_places_show_in_the_entry_point_for_them(old, subject_of):
    names = ("<|a|>", "<|b|>")

    def with_ids(ids):
        number = len(old.tokens)
        tokens = [TokenEntry(number + at, names[one]) for at, one in enumerate(ids)]
        rows = [{"id": one.id, "text": one.token, "special": True} for one in tokens]
        stages = {**old.stages, "added tokens": [*old.stages["added tokens"], *rows]}
        return replace(old, tokens=(*old.tokens, *tokens), stages=stages)

    before, now = with_ids((0, 1)), with_ids((1, 0))
    (edit,) = explained(subject_of(now), before, now)
    assert "have changed places" in edit.what
    assert edit.examples == ()
    assert "encode of '<|a|>' gives [1001], and gave [1000]" in edit.note


def test_a_lost_token_and_its_merge_are_each_tried(old, subject_of):
    left, right = old.merges[-1]
    tokens = tuple(entry for entry in old.tokens if entry.token != left + right)
    new = replace(old, tokens=tokens, merges=old.merges[:-1])
    merge, token = explained(subject_of(new), old, new)
    assert (merge.stage, token.stage) == ("model", "vocabulary")
    assert merge.examples
    assert (token.untried, token.examples) == ("", ())


def test_an_edit_that_needs_the_next_one_says_so(old, subject_of):
    rows = [TokenEntry(at, text, -1.0) for at, text in enumerate(("<unk>", "a", "<new>"))]
    before, now = (
        replace(
            old,
            stages={**old.stages, "model": {"type": "Unigram", "unk_id": number}},
            tokens=tuple(rows[: 2 + number // 2]),
            merges=None,
        )
        for number in (0, 2)
    )
    unknown, token = explained(subject_of(now), before, now)
    assert "no file has this edit alone" in unknown.untried
    assert token.untried == ""


def test_a_template_and_its_list_of_tokens_are_tried_together(old, subject_of):
    steps = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    empty = {"type": "TemplateProcessing", "single": steps[1:], "pair": [], "special_tokens": {}}
    known = {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}
    whole = {**empty, "single": steps, "special_tokens": known}
    before, now = (
        replace(old, stages={**old.stages, "post-processor": one}) for one in (empty, whole)
    )
    (edit,) = explained(subject_of(now), before, now)
    assert (edit.untried, edit.note[:6]) == ("", "encode")


@pytest.mark.parametrize("patterns", [(r"\p{L}+", r"\p{L}{1,20}"), (r"\p{L}{1,20}", r"\p{L}+")])
def test_a_number_of_a_pattern_is_shown_by_a_longer_run(old, subject_of, patterns):
    def splitting(pattern):
        split = {"behavior": "Isolated", "invert": False, "pattern": {"Regex": pattern}}
        inner = [{"type": "Split", **split}, {**old.stages["pre-tokenizer"], "use_regex": False}]
        stage = {"type": "Sequence", "pretokenizers": inner}
        return replace(old, stages={**old.stages, "pre-tokenizer": stage})

    before, now = map(splitting, patterns)
    (edit,) = explained(subject_of(now), before, now)
    example = edit.examples[0]
    assert example.text.isalpha()
    assert len(example.text) > 20
    assert tuple(subject_of(before).encode(example.text)) == example.before != example.after


def test_a_decoder_shows_in_decoded_text(old, subject_of):
    new = replace(old, stages={**old.stages, "decoder": None})
    (edit,) = explained(subject_of(new), old, new)
    assert edit.examples == ()
    assert "decoded to" in edit.note


def test_a_decoder_explains_the_texts_that_come_back_differently(old, subject_of):
    new = replace(old, stages={**old.stages, "decoder": None})
    (edit,) = explained(subject_of(new), old, new, ["a b", "z"], group="plain-words")
    assert edit.texts == ("a b",)
    assert edit.counts == {}


def test_a_decoder_that_no_sample_shows_is_shown_by_a_text_of_the_run(old, subject_of, monkeypatch):
    monkeypatch.setattr("tokharness.engine.worker.other_effects.SAMPLES", ())
    new = replace(old, stages={**old.stages, "decoder": None})
    (edit,) = explained(subject_of(new), old, new, ["\u00e9 \u00e9", "a b c"], group="plain-words")
    assert "decoded to 'a b c'" in edit.note


def test_a_decoder_is_tried_with_the_strings_of_its_components(old, subject_of):
    inner = {"type": "Replace", "pattern": {"String": " ~"}, "content": "-"}
    decoder = {"type": "Sequence", "decoders": [old.stages["decoder"], inner]}
    new = replace(old, stages={**old.stages, "decoder": decoder})
    (edit,) = explained(subject_of(new), old, new)
    assert "decode to '-', and decoded to ' ~'" in edit.note


def test_a_replaced_text_that_no_text_has_is_tried(old, subject_of):
    inner = {"type": "Replace", "pattern": {"String": "qz~"}, "content": "-"}
    new = replace(old, stages={**old.stages, "normalizer": inner})
    (edit,) = explained(subject_of(new), old, new)
    assert edit.examples[0].text == "qz~"


def test_of_a_text_with_two_edits_each_counts_its_own_tokens(old, subject_of):
    place, word = whole_word(old)
    row = {**old.stages["added tokens"][0], "id": 1000, "special": False, "text": "zq"}
    rows = [*old.stages["added tokens"], row]
    new = replace(without_merge(old, place), stages={**old.stages, "added tokens": rows})
    subject = subject_of(new)
    apart = [edit.tokens for text in ("zq", word) for edit in explained(subject, old, new, [text])]
    added, dropped = explained(subject, old, new, [f"zq {word} zq"])
    assert added.tokens == 2 * apart[0]
    assert dropped.tokens
    assert apart[1:3] == [0, 0]
    assert (added.is_shared, dropped.is_shared) == (False, False)  # tokens alone show each


def test_files_of_different_formats_have_no_edits(old, subject_of):
    new = replace(old, format="another")
    assert explained(subject_of(old), old, new) == ()


def test_an_equal_file_is_not_packed_again(old, subject_of):
    subject = subject_of(old)
    first = described_file(subject, None)
    assert first.state.packed
    again = described_file(subject, EarlierState(first.state))
    assert again.state == first.state
    assert again.old is None


def test_a_changed_file_keeps_the_old_one_for_comparison(old, subject_of):
    first = described_file(subject_of(old), None)
    file = described_file(subject_of(without_merge(old, 5)), EarlierState(first.state))
    assert file.old == first.new
    assert file.new.merges == without_merge(old, 5).merges


@pytest.mark.slow
def test_digests_lead_to_the_tokens_whose_ids_changed(old, subject_of):
    place, word = whole_word(old)
    before = take_digests(subject_of(old), None, old)
    new = subject_of(without_merge(old, place))
    after = take_digests(new, EarlierState(None, before.packed), old)
    changed = {one.text for one in after.changed if one.group == "tokens' own texts"}
    assert word in changed
    assert before.sizes == after.sizes
    assert not after.not_compared


@pytest.mark.parametrize(
    ("description", "problem"),
    [
        (Description("tiktoken", {}, ()), "it is tiktoken, and not tokenizer.json"),
        (Description("tokenizer.json", {"added tokens": 5}, ()), "not iterable"),
        (Description("tokenizer.json", {"added tokens": [{"id": "x", "text": ""}]}, ()), "no id"),
    ],
)
def test_a_file_that_no_edits_can_be_made_in_is_refused(subject_of, old, description, problem):
    packed = base64.b85encode(pack(description)).decode("ascii")
    forged = FileState("tokenizer.json", {"model": "another"}, packed)
    with pytest.raises(TokharnessError, match=problem):
        described_file(subject_of(old), EarlierState(forged))
