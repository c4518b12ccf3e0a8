from dataclasses import replace
from types import SimpleNamespace

import pytest

from tokharness.diagnosis.ids.equal_added_tokens import EQUAL_SCORES, equal_score_causes
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.departing_models import departing_models
from tokharness_tokenizers.reference.tokenizer_json import read

PIECES = [["<unk>", 0.0], ["a", -2.0], ["aa", -3.0], ["b", -1.0]]
FILE = {
    "model": {"type": "Unigram", "unk_id": 0, "vocab": PIECES},
    "decoder": {"type": "Fuse"},
    "added_tokens": [],
}
A, AA, B = 1, 2, 3


def subject():
    target = target_of("unigram", read(FILE, "unigram"))
    return Subject(target, target, target)


def test_another_segmentation_with_the_same_score_is_named_as_that():
    assert equal_score_causes("aaa", [AA, A], subject()) == [EQUAL_SCORES]
    assert equal_score_causes("aaa", [A, AA], subject()) == [EQUAL_SCORES]


def test_a_segmentation_with_another_score_is_not():
    assert equal_score_causes("aaa", [A, A, A], subject()) == []


def test_ids_of_another_text_with_the_same_score_are_not():
    assert equal_score_causes("aab", [B, AA], subject()) == []


def test_a_method_of_the_user_with_this_name_has_no_part_in_it():
    file = target_of("unigram", read(FILE, "unigram"))
    own = SimpleNamespace(encode=lambda _: [AA, A], decode=str, score=str)
    target = target_of("own", own)
    assert equal_score_causes("aaa", [AA, A], Subject(target, target, file)) == [EQUAL_SCORES]
    assert equal_score_causes("aaa", [A, AA], Subject(target, target, None)) == []
    own.token_text = int
    assert equal_score_causes("aaa", [A, AA], Subject(target_of("own", own), target, None)) == []


@pytest.mark.slow
def test_an_alteration_that_explains_other_texts_explains_one_with_an_equal_score(check_texts):
    pieces = [["<unk>", 0.0], ["a", -1.0], ["aaa", -3.0], ["b", -1.0], ["ab", -5.0]]
    file = read({**FILE, "model": {**FILE["model"], "vocab": pieces}}, "unigram")
    greedy = dict(departing_models(file.model))["the longest piece counts"]
    target = SimpleNamespace(encode=replace(file, model=greedy).encode_ordinary, decode=file.decode)
    texts = ("ab", "bab", "aab", "aaaa")
    (bug,) = check_texts("TOK201", target, texts, reference=file)
    assert str(bug.cause) == "model: the longest piece counts"
