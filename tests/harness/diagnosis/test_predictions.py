"""Causes of other ids predict what the target gives; others are reported as symptoms."""

import random
from dataclasses import replace

import pytest
from planted._builders import vocabulary
from planted._tokenizer_files import altered, healthy, record_of

from tokharness.checks.ids_differ_from_reference.predictions import predicts
from tokharness.engine.events import finding_of, finding_record
from tokharness.model import Cause, target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.engine_alterations import departing_added_tokens

CODE = "TOK201"
TEXTS = ("The", "A cat", "Of the", "the", "a cat", "An\u00e9", "in the thing", "a\x01 T")
WORDS = ("other", "another", "thing", "something", "the thing", "nothing", "hand", "and")


class Plain:
    """A tokenizer that shows no file, and cannot alter its stages."""

    def __init__(self, tokenizer, most=None):
        self.encode = lambda text: tokenizer.encode_ordinary(text)[:most]
        self.decode = tokenizer.decode


class Library(Plain):
    """The same with what a library declares."""

    def __init__(self, tokenizer):
        super().__init__(tokenizer)
        self.normalizer, self.normalize = tokenizer.normalizer, tokenizer.normalize
        self.unknown_id = tokenizer.unknown_id


@pytest.fixture(scope="session")
def against_library(check_texts):
    """Return the bugs of a target whose reference is a library that reads a healthy file."""

    def bugs(name, target, texts=TEXTS):
        explainer = target_of("explainer", healthy(name))
        reference = Library(healthy(name))
        return check_texts(CODE, target, texts, reference=reference, explainer=explainer).bugs

    return bugs


@pytest.mark.slow
def test_the_implementation_of_a_library_s_file_is_altered_in_its_place(against_library):
    record = {**record_of("bert_normalizer")["normalizer"], "lowercase": False}
    (bug,) = against_library(
        "bert_normalizer", Plain(altered("bert_normalizer", "normalizer", to=record))
    )
    assert str(bug.cause) == "normalizer: BertNormalizer: lowercase is false"
    assert not bug.cause.weak


@pytest.mark.slow
def test_an_implementation_that_differs_from_the_library_explains_nothing(check_texts):
    wrong = {"type": "Replace", "pattern": {"String": "T"}, "content": "a"}
    explainer = target_of("explainer", altered("lowercase", "normalizer", to=wrong))
    target = Plain(altered("lowercase", "normalizer", to=None))
    (bug, *_) = check_texts(
        CODE, target, ["The"], reference=Library(healthy("lowercase")), explainer=explainer
    ).bugs
    assert "altered" not in dict(bug.cause.parameters)


@pytest.mark.parametrize("name", ["byte_bpe", "wordpiece"])
def test_a_truncation_is_named_with_its_length(against_library, name):
    texts = ["the thing in the thing in the thing", "in the", "a a a a a a a a a"]
    (bug,) = against_library(name, Plain(healthy(name), most=4), texts)
    assert str(bug.cause) == "post-processor: 4, right"
    assert not bug.cause.weak


@pytest.mark.slow
def test_texts_without_a_token_are_a_symptom(against_library):
    encode = healthy("wordpiece").encode_ordinary
    target = Plain(healthy("wordpiece"))
    unknown = healthy("wordpiece").unknown_id
    target.encode = lambda text: [unknown] if len(text) % 2 else encode(text)
    (bug,) = against_library("wordpiece", target, ["thing", "the", "in", "in the", "a the thing"])
    assert str(bug.cause) == "unknown token: the target"
    assert bug.message.startswith("symptom: the target gives the unknown token")


@pytest.mark.slow
def test_another_order_of_merges_predicts_nothing(check_texts):
    merges = list(record_of("byte_bpe")["model"]["merges"])
    random.Random(5).shuffle(merges)
    target = Plain(altered("byte_bpe", "model", "merges", to=merges))
    texts = [" thing in the", " an", " then", "er ther"]
    (bug,) = check_texts(CODE, target, texts, reference=healthy("byte_bpe")).bugs
    assert str(bug.cause) == "model: tokens"
    record = finding_record(bug)
    assert record["symptom"] is True
    assert record["message"].startswith("symptom: ")
    assert finding_of(record) == bug
    assert finding_of(record).message == bug.message


@pytest.mark.slow
@pytest.mark.parametrize(("place", "merges"), [("first", slice(1, None)), ("last", slice(-1))])
def test_a_merge_that_a_reader_leaves_out_is_named(check_texts, place, merges):
    listed = record_of("byte_bpe")["model"]["merges"]
    target = Plain(altered("byte_bpe", "model", "merges", to=listed[merges]))
    texts = [*WORDS, "\u2018a", "don\u2019t", "!!", "caf\u00e9"]
    (bug,) = check_texts(CODE, target, texts, reference=healthy("byte_bpe")).bugs
    token = "".join(listed[0 if place == "first" else -1].split(" "))
    assert str(bug.cause) == f"model: the {place} merge, of {token!a}, is gone"
    assert not bug.cause.weak


def test_a_change_of_characters_that_predicts_the_ids_is_a_cause(byte_tokenizer, check_texts):
    target = byte_tokenizer(lambda text: text.replace("\u200b", ""))
    texts = ["a\u200bb", "\u200b", "ab"]
    (bug,) = check_texts(CODE, target, texts, reference=byte_tokenizer()).bugs
    assert bug.cause.kind == "dropped characters"
    assert not bug.message.startswith("symptom")


def test_two_ids_that_are_exchanged_are_a_vocabulary(byte_tokenizer, check_texts):
    table = {ord("e"): ord("f"), ord("f"): ord("e")}
    target = byte_tokenizer(lambda text: text.translate(table), lambda text: text.translate(table))
    texts = ["feet", "the word", "for", "and"]
    (bug,) = check_texts(CODE, target, texts, reference=byte_tokenizer()).bugs
    assert str(bug.cause) == "vocabulary"
    assert not bug.cause.weak


def test_ids_of_another_length_are_no_exchange_of_ids(byte_tokenizer, check_texts):
    target = byte_tokenizer(
        lambda text: "".join(f"{character}\u00e9" for character in text),
        lambda text: text.replace("\u00e9", ""),
    )
    (bug, *_) = check_texts(CODE, target, ["feet", "and"], reference=byte_tokenizer()).bugs
    assert bug.cause.kind == "vocabulary"
    assert bug.message.startswith("symptom: ")


@pytest.mark.parametrize("text", ["The", "The thing " * 500])
def test_a_cause_without_a_prediction_for_any_failing_text_predicts_nothing(text):
    target = target_of("target", altered("lowercase", "normalizer", to=None))
    subject = Subject(target, target_of("reference", healthy("lowercase")))
    unknown = Cause("normalizer", (("altered", "a setting that no file has"),))
    assert not predicts(unknown, [text], subject)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("rule", "digits", "is_weak"),
    [
        (r"(?:[0-9]{1,3}|\p{N})", "digits that are not ASCII", False),
        (r"(?:[\u0660-\u0669]|\p{N}{1,3})", "digits of U+0660 to U+0669", False),
        (r"(?:[\u0660-\u0662]|\p{N}{1,3})", "digits of U+0660 to U+0669", True),
    ],
)
def test_a_rule_for_more_characters_than_the_target_s_predicts_nothing(
    check_texts, rule, digits, is_weak
):
    reference = vocabulary()
    assert r"[\p{N}]{1,3}" in reference.pattern
    target = Plain(reference.with_pattern(reference.pattern.replace(r"[\p{N}]{1,3}", rule)))
    texts = ["\u0661000", "\u0661\u0661", "000", "1 2"]
    explainer = target_of("explainer", reference)
    (bug,) = check_texts(CODE, target, texts, reference=reference, explainer=explainer).bugs
    assert str(bug.cause) == f"pre-tokenizer: {digits} are split"
    assert bug.cause.weak is is_weak


def test_of_two_causes_the_one_that_predicts_is_reported(check_texts):
    added = healthy("added").text_stages.added
    (_, ascii_only) = [*departing_added_tokens(added)][-1]
    tokenizer = healthy("added")
    stages = replace(tokenizer.text_stages, added=ascii_only)
    target = Plain(replace(tokenizer, text_stages=stages, altered=None, at_versions=None))
    (bug,) = check_texts(CODE, target, ["~word~\u034f", "~word~a"], reference=tokenizer).bugs
    assert str(bug.cause) == "added tokens: only ASCII letters are next to a word"
    assert not bug.cause.weak


def test_a_stage_that_treats_old_characters_otherwise_too_has_no_other_version(byte_tokenizer):
    cause = Cause("Unicode version", (("is", "17.0"), ("of", "split, punctuation")))

    def predicted(dropped):
        target = byte_tokenizer(lambda text: "".join(c for c in text if not dropped(c)))
        sides = target_of("target", target), target_of("reference", byte_tokenizer())
        return predicts(cause, ["a\u2e60"], Subject(*sides))

    assert predicted(lambda character: character == "\u2e60")
    assert not predicted(lambda character: not character.isascii())
