"""The edits between two tokenizer files: each is named with its stage, and can be made."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.edits import TOKENS_ALONE, edits_between, stage_digests, writing_of
from tokharness.model import Description, TokenEntry

PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
STAGES = {
    "added tokens": [{"id": 9, "text": "<s>", "special": True, "lstrip": False}],
    "normalizer": {"type": "NFC"},
    "pre-tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": PATTERN}, "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False},
        ],
    },
    "model": {"type": "BPE", "byte_fallback": False},
    "decoder": {"type": "ByteLevel"},
}
TOKENS = ("a", "b", "c", "\u0120", "ab", "abc", "\u0120a", "bc", "ca")
ENDS = ((9, "<s>"), (10, "</s>"))
MERGES = (("a", "b"), ("ab", "c"), ("\u0120", "a"), ("b", "c"), ("c", "a"))


def description(tokens=TOKENS, merges=MERGES, scores=None, **stages):
    names = {name.replace("_", " ").replace("pre ", "pre-"): one for name, one in stages.items()}
    rows = (TokenEntry(at, one, scores and scores[at]) for at, one in enumerate(tokens))
    return Description("tokenizer.json", {**STAGES, **names}, tuple(rows), merges)


def named(new, old=None):
    """What the edits say; the file with all of them made is the new one."""
    old = old or description()
    edits = edits_between(old, new)
    for edit in edits:
        old = edit.apply(old)
    assert (old.tokens, old.merges) == (new.tokens, new.merges)
    assert json.dumps(dict(old.stages), sort_keys=True) == json.dumps(
        dict(new.stages), sort_keys=True
    )
    return [str(edit) for edit in edits]


def sentences(old, new):
    return [str(edit) for edit in edits_between(old, new)]


def with_setting(stage, change):
    value = json.loads(json.dumps(STAGES[stage]))
    change(value)
    return description(**{stage.replace(" ", "_").replace("-", "_"): value})


def test_equal_files_have_no_edits():
    assert named(description()) == []


def test_a_merge_that_is_gone_is_named_by_its_rank_and_text():
    new = description(merges=(*MERGES[:2], *MERGES[3:]))
    assert named(new) == ["model: merge 2 (' ', 'a') is gone"]


def test_merges_that_changed_places_are_one_edit():
    new = description(merges=(MERGES[0], MERGES[3], MERGES[2], MERGES[1], MERGES[4]))
    assert named(new) == ["model: merges 1 and 3 have changed places: ('ab', 'c'), ('b', 'c')"]


def test_a_merge_that_moved_is_named():
    new = description(merges=(MERGES[3], *MERGES[:3], MERGES[4]))
    assert named(new) == ["model: merge ('b', 'c') has moved from 3 to 0"]


def test_a_merge_that_stands_twice_is_named():
    assert named(description(merges=(*MERGES, MERGES[0]))) == [
        "model: merge ('a', 'b') stands twice, also at 5"
    ]


def test_very_many_merges_are_one_edit():
    many = tuple((left, right) for left in TOKENS for right in TOKENS)
    (edit,) = named(description(merges=many[1:]), description(merges=many[11:]))
    assert edit.startswith("model: 10 merges are new, the first: merge 0 ('a', 'b') is new")


def test_ids_that_changed_places_are_named_with_their_tokens():
    new = description(("a", "c", "b", *TOKENS[3:]))
    assert named(new) == ["vocabulary: ids 1 and 2 have changed places: 'b', 'c'"]


def test_another_token_of_an_id_is_no_token_gone_and_another_new():
    assert named(description((*TOKENS[:5], "xyz", *TOKENS[6:]))) == [
        "vocabulary: id 5 is 'xyz', was 'abc'"
    ]


def typed(kinds):
    rows = (TokenEntry(at, one, type=kinds.get(one)) for at, one in enumerate(TOKENS))
    return replace(description(), tokens=tuple(rows))


def test_the_last_tokens_that_get_one_type_are_one_edit():
    new = typed({"a": "cut off", **dict.fromkeys(TOKENS[-3:], "cut off")})
    assert named(new) == [
        "model: types of 3 tokens have changed, the first: type of ' a': cut off, was normal",
        "model: type of 'a': cut off, was normal",
    ]


def test_the_last_tokens_that_get_other_types_are_several_edits():
    assert named(typed({"bc": "control", "ca": "cut off"})) == [
        "model: type of 'bc': control, was normal",
        "model: type of 'ca': cut off, was normal",
    ]


def test_another_token_of_an_id_may_have_another_score_and_type_too():
    rows = description(scores=[-1.0] * 9).tokens
    renamed = (*rows[:5], TokenEntry(5, "xyz", -2.0, "control"), *rows[6:])
    assert named(replace(description(), tokens=renamed), description(scores=[-1.0] * 9)) == [
        "vocabulary: id 5 is 'xyz', was 'abc'",
        "model: score of 'xyz': -2, was -1",
        "model: type of 'xyz': control, was normal",
    ]
    added = TokenEntry(9, "new", type="user defined")
    assert named(replace(description(), tokens=(*description().tokens, added))) == [
        "vocabulary: token 'new' is new, as id 9, user defined"
    ]


def test_ids_that_only_follow_a_lost_token_are_not_named():
    assert named(description((*TOKENS[:5], *TOKENS[6:]))) == [
        "vocabulary: token 'abc' (id 5) is gone"
    ]


def test_a_vocabulary_of_other_tokens_is_one_edit():
    old = description([f"t{number}" for number in range(3000)], merges=())
    new = description([f"t{number + number // 2 * 2}" for number in range(2000)], merges=())
    assert named(new, old) == [
        "vocabulary: another one, which has 1,500 of the 3,000 tokens, 2 of them with the same id"
    ]


def test_a_vocabulary_with_many_more_tokens_is_no_other_one():
    tokens = [f"t{number}" for number in range(3000)]
    (edit,) = named(description(tokens, merges=()), description(tokens[:1000], merges=()))
    assert "2,000 tokens are new" in edit


def test_a_new_token_is_named_with_its_id():
    assert named(description((*TOKENS, "new"))) == ["vocabulary: token 'new' is new, as id 9"]


@pytest.mark.parametrize(
    ("was", "now", "shown"),
    [
        (-4.0, -4.001, "-4.001, was -4"),
        (-6.3120322492590715, -9.312032249259072, "-9.31203, was -6.31203"),
        (-4.0, -4.0000000001, "-4.0000000001, was -4"),
    ],
)
def test_a_score_is_named_with_the_digits_that_show_its_change(was, now, shown):
    before, after = ([score] * len(TOKENS) for score in (was, was))
    after[4] = now
    assert named(description(scores=after), description(scores=before)) == [
        f"model: score of 'ab': {shown}"
    ]


@pytest.mark.parametrize(
    ("scores", "sentences"),
    [
        (
            {1: -3.0, 2: -2.0},
            ["scores of 'b' (id 1) and 'c' (id 2) have changed places: -3, was -2"],
        ),
        (
            {1: -3.0, 2: -2.0, 4: -9.0},
            [
                "scores of 'b' (id 1) and 'c' (id 2) have changed places: -3, was -2",
                "score of 'ab': -9, was -5",
            ],
        ),
        ({1: -3.0, 2: -4.0, 3: -2.0}, ["score of 'b': -3", "score of 'c': -4", "score of ' ': -2"]),
    ],
    ids=["two", "two and another", "three in a cycle"],
)
def test_two_scores_that_changed_places_are_one_edit(scores, sentences):
    before = [-1.0 - at for at in range(len(TOKENS))]
    after = [scores.get(at, score) for at, score in enumerate(before)]
    found = named(description(scores=after), description(scores=before))
    assert [one.partition(", was")[0] for one in found] == [
        f"model: {one.partition(', was')[0]}" for one in sentences
    ]


def test_many_scores_that_changed_places_are_one_edit_and_equal_scores_have_no_places():
    before = [-1.0 - at for at in range(len(MANY))]
    tokens = [left + right + str(at) for at, (left, right) in enumerate(MANY)]
    after = list(before)
    for at in range(0, 20, 2):
        after[at], after[at + 1] = after[at + 1], after[at]
    old, new = (description(tokens, (), scores=one) for one in (before, after))
    assert named(new, old)[0].startswith("model: 10 pairs of scores have changed places, the first")
    old, new = (
        description("abcd", (), scores=one)
        for one in ([-1.0, -1.0, -2.0, -2.0], [-2.0, -2.0, -1.0, -1.0])
    )
    assert all("changed places" not in sentence for sentence in named(new, old))


@pytest.mark.parametrize("key", ["code of own_words.py", "<|a_b|>"])
def test_the_key_of_a_file_or_of_a_token_is_named_as_it_is(key):
    old, new = (description(options={key: value}) for value in ("a1", "b2"))
    assert named(new, old) == [f"options: {key}: b2, was a1"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda one: one["pretokenizers"][1].update(add_prefix_space=True),
            "pre-tokenizer: prefix space of ByteLevel: on, was off",
        ),
        (
            lambda one: one["pretokenizers"].pop(0),
            "pre-tokenizer: Split(",
        ),
        (
            lambda one: one["pretokenizers"][0]["pattern"].update(
                Regex=PATTERN.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
            ),
            (
                r"pre-tokenizer: pattern of Split: ...\p{L}+|\p{N}{1,3}| ?[^\s\p{L}..., was "
                r"...\p{L}+|\p{N}| ?[^\s\p{L}..."
            ),
        ),
    ],
)
def test_a_setting_is_named_with_its_component(change, sentence):
    (edit,) = named(with_setting("pre-tokenizer", change))
    assert edit.startswith(sentence)


TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"type_id": 0}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [0]}},
}


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        (
            "special_tokens",
            {"<s>": {"id": "<s>", "ids": [1]}},
            "ids of <s> of special tokens of TemplateProcessing: 1, was 0",
        ),
        (
            "single",
            TEMPLATE["single"][1:],
            "single of TemplateProcessing: SpecialToken(id=<s>, type_id=0) is gone (<s> is id 0)",
        ),
        (
            "single",
            TEMPLATE["single"][::-1],
            (
                "single of TemplateProcessing: the order has changed: Sequence(type_id(0)) before "
                "SpecialToken(id=<s>, type_id=0), was SpecialToken(id=<s>, type_id=0) before "
                "Sequence(type_id(0))"
            ),
        ),
        (
            "single",
            [{"Sequence": {"type_id": 0}}, {"Sequence": {"type_id": 0}}],
            (
                "single of TemplateProcessing: SpecialToken(id=<s>, type_id=0) is gone; "
                "Sequence(type_id(0)) is new (<s> is id 0)"
            ),
        ),
        (
            "single",
            [TEMPLATE["single"][0], {"Sequence": {"type_id": 1}}],
            "type id of Sequence of single of TemplateProcessing: 1, was 0",
        ),
    ],
)
def test_a_setting_deep_in_a_component_is_named_with_all_that_holds_it(key, value, sentence):
    old = description()
    old = replace(old, stages={**STAGES, "post-processor": TEMPLATE})
    new = replace(old, stages={**STAGES, "post-processor": {**TEMPLATE, key: value}})
    assert named(new, old) == [f"post-processor: {sentence}"]


BOTH = {**TEMPLATE, "pair": [*TEMPLATE["single"], {"Sequence": {"type_id": 1}}]}
END = {"SpecialToken": {"id": "</s>", "type_id": 0}}
IS_NEW = "of TemplateProcessing: SpecialToken(id=</s>, type_id=0) is new"
LISTED = {**TEMPLATE["special_tokens"], "</s>": {"id": "</s>", "ids": [7]}}


@pytest.mark.parametrize(
    ("changed", "sentences"),
    [
        (
            {"single": [*BOTH["single"], END], "special_tokens": LISTED},
            [f"single {IS_NEW} (</s> is id 7)"],
        ),
        (
            {
                "single": [*BOTH["single"], END],
                "pair": [*BOTH["pair"], END],
                "special_tokens": LISTED,
            },
            [f"single {IS_NEW}; pair {IS_NEW} (</s> is id 7)"],
        ),
        (
            {"single": BOTH["single"][1:], "pair": [*BOTH["pair"], END], "special_tokens": LISTED},
            [
                f"single {IS_NEW.replace('</s>', '<s>').replace('new', 'gone')} (<s> is id 0)",
                f"pair {IS_NEW} (</s> is id 7)",
            ],
        ),
        (
            {"special_tokens": LISTED},
            ["</s> of special tokens of TemplateProcessing: id=</s>, ids=[7], was none"],
        ),
    ],
    ids=["single", "both", "two tokens", "listed alone"],
)
def test_a_token_that_a_template_gets_is_one_edit(changed, sentences):
    old, new = (
        replace(description(), stages={**STAGES, "post-processor": template})
        for template in (BOTH, {**BOTH, **changed})
    )
    assert named(new, old) == [f"post-processor: {sentence}" for sentence in sentences]
    assert len(named(old, new)) == len(sentences)


NFC, LOWER = {"type": "NFC"}, {"type": "Lowercase"}
A_TO_B, A_TO_C = (
    {"type": "Replace", "pattern": {"String": "a"}, "content": content} for content in "bc"
)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ([LOWER, A_TO_C], "NFC is gone; content of Replace: c, was b"),
        ([NFC, A_TO_C], "content of Replace: c, was b; Lowercase is gone"),
        ([{"type": "NFKC"}, A_TO_B], "NFKC, was NFC; Lowercase is gone"),
        ([A_TO_C], "content of Replace: c, was b; NFC, Lowercase are gone"),
        ([NFC, LOWER, {"type": "Strip"}, A_TO_C], "content of Replace: c, was b; Strip is new"),
    ],
)
def test_components_that_are_gone_and_components_that_changed_are_named_apart(steps, sentence):
    old, new = (
        description(normalizer={"type": "Sequence", "normalizers": one})
        for one in ([NFC, LOWER, A_TO_B], steps)
    )
    assert named(new, old) == [f"normalizer: {sentence}"]


def test_a_setting_of_many_keys_is_named_with_their_values():
    settings = {"direction": "Right", "pad_to_multiple_of": None, "strategy": {"Fixed": 16}}
    old, new = (description(padding=one) for one in (None, settings))
    assert named(new, old) == ["padding: direction=Right, strategy=Fixed(16), was none"]


def test_a_setting_whose_key_begins_like_its_stage_is_named_with_the_stage():
    old, new = (description(normalizer={"normalizer.lowercase": on}) for on in (True, False))
    assert named(new, old) == ["normalizer: normalizer.lowercase: off, was on"]


def test_a_pattern_with_a_space_at_its_start_is_quoted_without_further_backslashes():
    old, new = (
        description(normalizer={"pattern": {"Regex": regex}}) for regex in (r" ?\d", r"\s\t")
    )
    assert named(new, old) == [r"normalizer: pattern: \s\t, was ' ?\d'"]


def test_of_another_component_the_settings_that_it_shares_are_left_out():
    old, new = (
        description(normalizer={"type": kind, "lowercase": True, **rest})
        for kind, rest in (("BertNormalizer", {"clean_text": True}), ("Lowercase", {}))
    )
    assert named(new, old) == ["normalizer: Lowercase, was BertNormalizer(clean_text=on)"]


def test_rules_in_bytes_are_named_by_their_size():
    rules = {"add_dummy_prefix": True, "precompiled_charsmap": "A" * 4000}
    old, new = (description(decoder={"denormalizer": one}) for one in (None, rules))
    assert named(new, old) == [
        "decoder: denormalizer: add_dummy_prefix=on, charsmap=3,000 bytes, was none"
    ]
    precompiled = description(normalizer={"type": "Precompiled", **rules})
    assert "charsmap=3,000 bytes" in named(precompiled)[0]


def test_components_in_another_order_are_neither_gone_nor_new():
    steps = [{"type": "NFKC"}, {"type": "Lowercase"}]
    old, new = (
        description(normalizer={"type": "Sequence", "normalizers": one})
        for one in (steps, steps[::-1])
    )
    assert named(new, old) == [
        "normalizer: the order has changed: Lowercase before NFKC, was NFKC before Lowercase"
    ]


def test_another_normal_form_is_named_with_the_old_one():
    assert named(description(normalizer={"type": "NFKC"})) == ["normalizer: NFKC, was NFC"]


def test_a_stage_that_is_gone_is_named():
    assert named(description(decoder=None)) == ["decoder: none, was ByteLevel"]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "added tokens: <s> (id 9) is gone"),
        (
            [*STAGES["added tokens"], {"id": 10, "text": "<|tool|>", "special": True}],
            "added tokens: <|tool|> added as 10, special",
        ),
        (
            [*STAGES["added tokens"], {"id": 10, "text": " the", "normalized": True}],
            "added tokens: ' the' added as 10, not special, normalized",
        ),
        (
            [{**STAGES["added tokens"][0], "special": False}],
            "added tokens: <s>: special is off, was on",
        ),
        ([{**STAGES["added tokens"][0], "id": 12}], "added tokens: <s>: id is 12, was 9"),
        (
            [{**STAGES["added tokens"][0], "text": "<bos>", "lstrip": True}],
            "added tokens: id 9 is <bos>, was <s>; lstrip is on, was off",
        ),
    ],
)
def test_an_added_token_is_named_with_its_id_and_flags(rows, sentence):
    assert named(description(added_tokens=rows)) == [sentence]


def test_ids_of_added_tokens_that_follow_the_vocabulary_are_not_named():
    rows = [{**STAGES["added tokens"][0], "id": number, "text": text} for number, text in ENDS]
    old = description((*TOKENS, "<s>", "</s>"), added_tokens=rows)
    moved = [{**row, "id": row["id"] - 1} for row in rows]
    new = description((*TOKENS[:5], *TOKENS[6:], "<s>", "</s>"), added_tokens=moved)
    assert sentences(old, new) == ["vocabulary: token 'abc' (id 5) is gone"]
    exchanged = [{**rows[1], "id": 9}, {**rows[0], "id": 10}]
    new = description((*TOKENS, "</s>", "<s>"), added_tokens=exchanged)
    assert sentences(old, new) == ["vocabulary: ids 9 and 10 have changed places: '<s>', '</s>'"]


@pytest.mark.parametrize("counts", ["the new row", "the old row"])
def test_a_token_in_two_rows_of_which_one_counts_is_one_edit(counts):
    rows = [TokenEntry(at, token.encode()) for at, token in enumerate("abc")]
    replaced = 1 if counts == "the new row" else 7
    copies = [rows[0], rows[1]._replace(id=1), rows[2], rows[1]._replace(id=7)]
    copies = [row._replace(type="replaced") if row.id == replaced else row for row in copies]
    old, new = (Description("tiktoken", {"model": {}}, tuple(one)) for one in (rows, copies))
    assert named(new, old) == ["vocabulary: token 'b' stands twice, also as id 7"]
    assert named(old, new) == ["vocabulary: token 'b' stands in fewer rows, and no longer as id 7"]


def test_an_edit_next_to_a_token_in_two_rows_is_the_only_one():
    rows = [TokenEntry(at, token.encode()) for at, token in enumerate("abcb")]
    rows[1] = rows[1]._replace(type="replaced")
    old = Description("tiktoken", {"model": {}}, tuple(rows))
    new = replace(old, tokens=(*rows, TokenEntry(4, b"d")))
    assert named(new, old) == ["vocabulary: token 'd' is new, as id 4"]
    assert named(old, new) == ["vocabulary: token 'd' (id 4) is gone"]


def test_two_edits_are_two_sentences():
    new = description(merges=MERGES[1:], normalizer={"type": "NFKC"})
    assert named(new) == ["normalizer: NFKC, was NFC", "model: merge 0 ('a', 'b') is gone"]


def test_a_digest_is_of_one_stage():
    old, new = description(), description(normalizer={"type": "NFKC"})
    ours, theirs = stage_digests(old), stage_digests(new)
    assert {name for name in ours if ours[name] != theirs[name]} == {"normalizer"}


def test_the_order_of_keys_is_no_difference():
    turned = dict(reversed(STAGES["pre-tokenizer"].items()))
    assert stage_digests(description(pre_tokenizer=turned)) == stage_digests(description())


def test_the_digest_of_the_model_is_of_merges_and_scores_too():
    old = description()
    for new in (
        description(merges=MERGES[::-1]),
        replace(old, tokens=(old.tokens[0]._replace(score=-1.0), *old.tokens[1:])),
    ):
        assert stage_digests(new)["model"] != stage_digests(old)["model"]


FEW = st.sampled_from(["a", "b", "ab", b"a", b"b"])
SCORES = st.sampled_from([None, 0, 0.0, -0.0, -1, -1.0, -1.0000001])
VALUES = st.recursive(
    st.sampled_from([None, False, 0, 1, True, "", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner),
    max_leaves=4,
)
DESCRIPTIONS = st.builds(
    lambda rows, merges, stage: Description(
        "tokenizer.json",
        {"model": {"type": "BPE"}, "normalizer": stage},
        tuple(TokenEntry(at, *row) for at, row in enumerate(rows)),
        merges,
    ),
    st.lists(st.tuples(FEW, SCORES), max_size=3),
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), max_size=3).map(tuple),
    VALUES,
)


@given(DESCRIPTIONS, DESCRIPTIONS, SCORES, st.booleans())
def test_digests_are_equal_exactly_if_there_are_no_edits(old, new, score, is_near):
    if is_near and old.tokens:
        rows = (old.tokens[0]._replace(score=score), *old.tokens[1:])
        new = replace(old, tokens=rows, merges=old.merges[::-1] if score else old.merges)
    edits = {edit.stage for edit in edits_between(old, new)}
    ours, theirs = stage_digests(old), stage_digests(new)
    differing = {name for name in ours if ours[name] != theirs[name]}
    assert {"model" if name == "vocabulary" else name for name in edits} == differing


def test_a_stage_that_one_file_does_not_mention_is_not_compared():
    with_template = description(template={"default": "{{ messages }}"})
    assert named(with_template, with_template) == []
    assert edits_between(description(), with_template) == ()
    (edit,) = edits_between(description(template=None), with_template)
    assert str(edit).startswith("template: ")


def test_a_chat_template_is_named_with_its_name():
    old, new = (description(template={"default": one}) for one in ("{{ a }}", "{{ b }}"))
    assert named(new, old) == ["template 'default': {{ b }}, was {{ a }}"]
    long = "{{ a }}" + "{{ x }}" * 99 + "<|end|>"
    changed = long.replace("{{ a }}", "{{ b }}").replace("end", "stop")
    old, new = (description(template={"default": one}) for one in (long, changed))
    both = "{{ b }}, was {{ a }}; <|stop|>, was <|end|>"
    assert named(new, old) == [f"template 'default': {both}"]


def test_a_component_is_new_if_a_sequence_replaces_a_single_component():
    byte_level = {"type": "ByteLevel", "add_prefix_space": False}
    digits = {"type": "Digits", "individual_digits": True}
    sequence = {"type": "Sequence", "pretokenizers": [digits, byte_level]}
    old, new = description(pre_tokenizer=byte_level), description(pre_tokenizer=sequence)
    assert named(new, old) == ["pre-tokenizer: Digits(individual_digits=on) is new"]
    assert named(old, new) == ["pre-tokenizer: Digits(individual_digits=on) is gone"]


def test_another_nesting_of_the_same_components_is_named():
    sequence = {"type": "Sequence", "normalizers": [{"type": "NFC"}]}
    assert named(description(normalizer=sequence)) == [
        "normalizer: the same components, nested in another way"
    ]


def test_a_new_sequence_is_named_with_its_components():
    sequence = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}
    old = description(normalizer=None)
    assert named(description(normalizer=sequence), old) == [
        "normalizer: Sequence(NFD, StripAccents), was none"
    ]


MANY = tuple((left, right) for left in TOKENS for right in TOKENS)
LONG = "{% if a %}" * 200


@pytest.mark.parametrize(
    ("old", "one", "other"),
    [
        (
            description(merges=MANY),
            description(merges=MANY[10:]),
            description(merges=(*MANY[1:20], *MANY[29:])),
        ),
        (
            description(template=LONG),
            description(template=f"{LONG}a{LONG}b"),
            description(template=f"{LONG}a{LONG}c"),
        ),
        (
            description(scores=[0.0] * 9),
            description((*TOKENS, "new"), scores=[0.0] * 9 + [-1.0]),
            description((*TOKENS, "new"), scores=[0.0] * 9 + [-2.0]),
        ),
    ],
    ids=["merges", "template", "score"],
)
def test_edits_with_the_same_words_have_different_content(old, one, other):
    (first,), (second,) = edits_between(old, one), edits_between(old, other)
    assert str(first) == str(second)
    assert first.content != second.content


def test_places_that_were_changed_are_those_of_the_old_file():
    new = description(merges=(*MERGES[1:3], MERGES[4], MERGES[3]))
    assert named(new) == [
        "model: merge 0 ('a', 'b') is gone",
        "model: merges 3 and 4 have changed places: ('b', 'c'), ('c', 'a')",
    ]


@pytest.mark.parametrize(
    ("form", "model", "token", "text"),
    [
        ("SentencePiece", {"type": "BPE"}, "\u2581the", " the"),
        ("GGUF", {"type": "llama"}, "\u2581the", " the"),
        ("GGUF", {"type": "bert"}, "\u2581the", " the"),
        ("GGUF", {"type": "gpt2"}, "\u0120the", " the"),
        ("tokenizer.json", {"type": "BPE", "end_of_word_suffix": "</w>"}, "the</w>", "the"),
        ("tokenizer.json", {"continuing_subword_prefix": "##"}, "##the", "the"),
    ],
)
def test_the_text_of_a_token_is_without_the_marks_of_its_format(form, model, token, text):
    assert writing_of(Description(form, {"model": model}, ())).text(token) == text


def test_a_text_that_becomes_a_regular_expression_is_one_edit():
    replaced = [
        {"type": "Replace", "pattern": one, "content": "x"}
        for one in ({"String": " "}, {"Regex": r"\s"})
    ]
    old, new = (description(normalizer=one) for one in replaced)
    assert named(new, old) == [
        r"normalizer: pattern of Replace: the regular expression \s, was the text ' '"
    ]


def test_the_pattern_of_a_new_component_is_shown_as_it_is():
    split = {"type": "Split", "pattern": {"Regex": r"\p{N}{1,3}"}}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False}
    sequence = {"type": "Sequence", "pretokenizers": [split, byte_level]}
    old, new = description(pre_tokenizer=byte_level), description(pre_tokenizer=sequence)
    assert named(new, old) == [r"pre-tokenizer: Split(pattern=\p{N}{1,3}) is new"]


def test_many_merges_that_changed_places_behind_a_lost_one_are_exchanged_exactly():
    new = list(MANY)
    for place in range(10, 80, 8):
        new[place], new[place + 3] = new[place + 3], new[place]
    sentences = named(description(merges=tuple(new[1:])), description(merges=MANY))
    assert sentences[1].startswith("model: 9 pairs of merges have changed places, the first: ")


def test_an_id_without_a_text_is_no_lost_token_if_the_others_keep_their_ids():
    rows = [TokenEntry(at, token.encode()) for at, token in enumerate("abcd")]
    old = Description(TOKENS_ALONE, {}, tuple(rows))
    control, shorter = replace(old, tokens=(rows[0], *rows[2:])), replace(old, tokens=(*rows[:3],))
    assert sentences(old, control) == ["vocabulary: id 1 decodes to no text, and decoded to 'b'"]
    assert sentences(control, old) == ["vocabulary: id 1 decodes to 'b', and decoded to no text"]
    assert sentences(old, shorter) == ["vocabulary: token 'd' (id 3) is gone"]
