"""Conversions that lose something are named with their stage, and healthy ones are green."""

import copy
import json
from base64 import b64encode

import pytest
from parity_conversions import (
    CONVERSIONS,
    added_token_as_a_single_word,
    added_token_read_in_normalized_text,
    added_tokens_without_lstrip,
    bpe,
    lost_added_token,
    lost_merge,
    space_before_each_text,
    unigram,
    without_normalizer,
    wordpiece,
)

from tokharness.diagnosis.ids.byte_changes import ALPHABET
from tokharness.model import Verdict
from tokharness.parity_matrix.model import exit_code
from tokharness_tokenizers.vocabularies.locate import healthy_files

FEW = ("special-tokens",)
FAST = (lost_merge, without_normalizer, space_before_each_text)
SLOW = pytest.mark.slow(every=2)
FAMILIES = ("digits", "special-tokens", "merge-orders", "plain-words")
FAMILIES_OF = {
    lost_merge: ("merge-orders",),
    without_normalizer: ("variation-selectors",),
    space_before_each_text: ("digits",),
}
"""Families that show a conversion by themselves."""


@pytest.mark.parametrize(
    "conversion",
    [
        one if one in FAST else pytest.param(one, marks=pytest.mark.slow(every=2))
        for one in CONVERSIONS
    ],
    ids=lambda one: one.__name__,
)
def test_a_conversion_is_named_with_its_stage(conversion, written, compared):
    made_from, stage = CONVERSIONS[conversion]
    good, bad = written("good", made_from()), written("converted", conversion())
    result = compared(good, bad, families=FAMILIES_OF.get(conversion, FAMILIES))
    assert exit_code(result, "bug") == 1
    causes = [one for one in result.causes if one.stage == stage]
    assert causes, [(one.stage, one.name) for one in result.causes]
    assert not any(one.symptom for one in causes)
    assert causes[0].forms == (1,)
    assert causes[0].against == (0,)


@pytest.mark.slow
def test_a_lost_added_token_is_one_cause(written, compared):
    specs = written("good", bpe()), written("bad", lost_added_token())
    result = compared(*specs, families=("special-tokens",))
    (cause,) = result.causes
    assert cause.stage == "added tokens"
    assert cause.message == "1 token is missing: '<|end|>' (1,001)"
    assert result.cell(0, 1, "special tokens").causes == (0,)


@pytest.mark.slow
def test_texts_with_larger_tokens_that_a_lost_token_is_part_of_have_the_same_cause(
    tmp_path, written, compared
):
    """The list of ranks is another format, so that no edit of a file says it."""
    record = bpe()
    record |= {"normalizer": None, "added_tokens": []}
    lost, ranks = 311, tmp_path / "converted.tiktoken"
    with ranks.open("wb") as out:
        for text, number in record["model"]["vocab"].items():
            token = text.translate(ALPHABET).encode("latin-1")
            if number != lost:
                out.write(b64encode(token) + b" %d\n" % number)
    pattern = record["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
    side = {"name": "x", "pattern": pattern, "special_tokens": {}, "allow_holes": True}
    (tmp_path / "converted.tiktoken.json").write_text(json.dumps(side))
    families = ("plain-words", "merge-orders")
    result = compared(written("good", record), f"reference:{ranks}", families=families)
    bugs = [one for one in result.causes if one.verdict is Verdict.BUG]
    assert [one.message for one in bugs] == ["1 token is missing: ' th' (311)"]
    assert result.cell(0, 1, "ids").causes == (0,)


WITHOUT_THE_SPACE = """
from dataclasses import replace
from pathlib import Path
from tokharness_tokenizers.reference.sentencepiece.reading import load

def converted():
    model = load(Path({file!r}))
    spec = replace(model.normalizing.spec, add_dummy_prefix=False)
    return replace(model, normalizing=replace(model.normalizing, spec=spec), altered=None)
"""


@pytest.mark.slow
@pytest.mark.needs("sentencepiece")
def test_a_library_without_unicode_versions_is_explained_by_the_reference_of_its_file(
    tmp_path, compared
):
    (file,) = healthy_files("bpe.model")
    program = tmp_path / "program.py"
    program.write_text(WITHOUT_THE_SPACE.format(file=file))
    specs = (f"sentencepiece:{file}", f"python:{program}:converted")
    result = compared(*specs, families=("plain-words",))
    bugs = [one for one in result.causes if one.verdict is Verdict.BUG and one.aspect == "ids"]
    assert [one.name for one in bugs] == ["normalizer: add_dummy_prefix is false"]
    assert not bugs[0].symptom


@pytest.mark.slow
def test_what_only_the_files_show_is_said(written, compared):
    good, other, framed = bpe(), bpe(), bpe()
    merges = other["model"]["merges"]
    merges[100], merges[300] = merges[300], merges[100]
    framed["post_processor"] = {
        "type": "BertProcessing", "sep": ["<|end|>", 1001], "cls": ["<mask>", 1000]
    }  # fmt: skip
    specs = [written(name, one) for name, one in (("a", good), ("b", other), ("c", framed))]
    result = compared(*specs)
    swapped, around = result.causes
    assert (swapped.stage, swapped.verdict, swapped.forms) == ("model", Verdict.FACT, (1,))
    assert (around.stage, around.verdict, around.forms) == ("post-processor", Verdict.BUG, (2,))
    assert "[1000] before it and [1001] after it" in around.message
    assert result.cell(0, 1, "special tokens").state == "same"
    assert result.cell(0, 2, "special tokens").causes == (1,)


@pytest.mark.parametrize("made", [bpe, pytest.param(unigram, marks=pytest.mark.slow)])
def test_a_healthy_conversion_is_green(made, written, compared):
    result = compared(written("good", made()), written("copy", made()), families=FEW)
    assert exit_code(result, "risk") == 0
    assert {one.state for one in result.cells} == {"same"}
    assert not result.causes
    assert all(form.texts == result.texts for form in result.forms), "each form runs once"


@pytest.mark.slow
def test_ids_of_special_tokens_have_the_cause_in_the_files(written, compared):
    first = unigram()
    first["pre_tokenizer"]["prepend_scheme"] = "first"
    result = compared(written("a", unigram()), written("b", first), families=FEW)
    (cause,) = result.causes
    assert (cause.aspect, cause.stage) == ("special tokens", "pre-tokenizer")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("conversion", "flag"),
    [
        (added_token_read_in_normalized_text, "normalized is on, was off"),
        (added_token_as_a_single_word, "single word is on, was off"),
        (added_tokens_without_lstrip, "lstrip is off, was on"),
    ],
)
def test_a_flag_of_an_added_token_is_the_one_cause(conversion, flag, written, compared):
    result = compared(written("good", bpe()), written("bad", conversion()), families=FEW)
    assert all(cause.name.endswith(flag) for cause in result.causes)
    assert {cause.aspect for cause in result.causes} == {"special tokens"}


@pytest.mark.slow
def test_offsets_that_differ_by_an_edit_have_the_cause_of_the_ids(written, compared):
    bad = copy.deepcopy(wordpiece())
    bad["normalizer"]["strip_accents"] = False
    families = ("variation-selectors", "normal-forms")
    result = compared(written("good", wordpiece()), written("bad", bad), families=families)
    (cause,) = result.causes
    assert (cause.aspect, cause.stage) == ("ids", "normalizer")
    assert result.cell(0, 1, "offsets").causes == (0,)


@pytest.mark.slow
def test_a_token_that_is_gone_is_missing_where_the_next_ones_are_shifted(written, compared):
    lost = unigram()
    gone, _ = lost["model"]["vocab"].pop(100)
    result = compared(written("good", unigram()), written("bad", lost), families=("digits",))
    missing, shifted, *_ = result.causes
    assert missing.message == f"1 token is missing: {gone!r} (100)"
    assert (shifted.name, shifted.count) == ("ids are shifted", 899)


@pytest.mark.slow
def test_two_edits_of_special_tokens_and_of_ids_are_two_causes(written, compared):
    bad = unigram()
    bad["normalizer"] = None
    bad["pre_tokenizer"]["prepend_scheme"] = "first"
    families = ("special-tokens", "normal-forms")
    result = compared(written("good", unigram()), written("bad", bad), families=families)
    names = [cause.name for cause in result.causes if not cause.symptom]
    assert len(set(names)) == len(names)
    assert {cause.stage for cause in result.causes} == {"normalizer", "pre-tokenizer"}


@pytest.mark.slow
def test_thousands_of_texts_with_one_cause_are_one_row(written, compared):
    result = compared(
        *(written(name, record()) for name, record in (("a", bpe), ("b", without_normalizer))),
        families=("normal-forms",),
    )
    (cause,) = result.causes
    assert cause.name == "normalizer: none, was NFC"
    assert cause.count == result.cell(0, 1, "ids").differing > 500


@pytest.mark.slow
def test_forms_with_the_same_results_are_explained_once(written, compared):
    specs = [
        *(written(f"good {number}", bpe()) for number in range(2)),
        *(written(f"bad {number}", lost_merge()) for number in range(2)),
        written("other", without_normalizer()),
    ]
    result = compared(*specs, families=("merge-orders", "letter-case"))
    assert [(one.forms, one.against, one.stage) for one in result.causes] == [
        ((2, 3), (0, 1), "model"),
        ((4,), (0, 1), "normalizer"),
    ]
    assert result.cell(0, 1, "ids").state == "same"
    assert result.cell(2, 3, "ids").state == "same"
    assert result.cell(2, 4, "ids").causes == (0, 1), "both causes lie between them"
    assert all(one.verdict is Verdict.BUG for one in result.causes)


@pytest.mark.slow
def test_a_cause_of_two_forms_that_differ_in_something_else_is_one_row(written, compared):
    both = lost_merge()
    both["normalizer"] = without_normalizer()["normalizer"]
    records = (("good", bpe()), ("one", without_normalizer()), ("two", both))
    specs = [written(name, record) for name, record in records]
    result = compared(*specs, families=("merge-orders", "normal-forms"))
    assert [(one.forms, one.against, one.stage) for one in result.causes] == [
        ((1, 2), (0,), "normalizer"),
        ((2,), (0,), "model"),
    ]
    assert result.cell(0, 1, "ids").causes == (0,)
    assert result.cell(0, 2, "ids").causes == (0, 1)
    assert result.cell(1, 2, "ids").causes == (1,)
