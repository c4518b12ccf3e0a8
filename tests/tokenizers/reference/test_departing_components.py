"""What an engine may do in the place of a component, where no planted fault shows it."""

import pytest

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter
from tokharness_tokenizers.reference.departing_components import (
    departing_normalizers,
    departing_pre_tokenizers,
)
from tokharness_tokenizers.reference.departing_models import LATER, departing_models
from tokharness_tokenizers.reference.engine_alterations import departing_added_tokens
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.normalizers.bert import BertNormalizer
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Punctuation


def test_ideographs_of_one_block_are_those_that_have_spaces_around_them():
    ((_, departing),) = departing_normalizers(BertNormalizer())
    assert departing.normalize("A\u3400\xe9\u4e00") == "a\u3400e \u4e00 "
    assert BertNormalizer().normalize("A\u3400\xe9\u4e00") == "a \u3400 e \u4e00 "


def test_punctuation_may_be_that_of_ascii():
    departing = dict(departing_pre_tokenizers(Punctuation()))
    only_ascii = departing["Punctuation: only ASCII has punctuation"]
    assert only_ascii.pieces("a\u2018b!?", at_start=True) == ["a\u2018b", "!", "?"]
    assert Punctuation().pieces("a\u2018b!?", at_start=True) == ["a", "\u2018", "b", "!", "?"]


@pytest.mark.parametrize(
    ("what", "parts"),
    [
        ("rstrip: one character at most", ["a", "  <t>\t", " b"]),
        ("lstrip: one character at most", ["a ", " <t>\t ", "b"]),
        ("lstrip and rstrip: one character at most", ["a ", " <t>\t", " b"]),
    ],
)
def test_an_added_token_takes_one_character_of_white_space(what, parts):
    token = AddedToken("<t>", 7, lstrip=True, rstrip=True)
    cutter = Cutter({"<t>": token}, str.isalnum)
    added = AddedTokens((token,), cutter, Cutter({}, str.isalnum))
    departing = dict(departing_added_tokens(added))[what]
    text = "a  <t>\t b"
    assert [text[start:end] for start, end, _ in departing.before.cut(text, special=False)] == parts
    twice = "<t><t>"
    assert [*departing.before.cut(twice, special=False)] == [(0, 3, 7), (3, 6, 7)]


def test_no_white_space_is_taken_where_no_added_token_takes_any():
    token = AddedToken("<t>", 7)
    added = AddedTokens((token,), Cutter({"<t>": token}, str.isalnum), Cutter({}, str.isalnum))
    assert [what for what, _ in departing_added_tokens(added)] == [
        "the shortest one at a place counts"
    ]


def test_the_token_of_a_byte_may_stand_for_its_character():
    known = {"<unk>": 0, "1": 1, "<0x31>": 2, "<0x61>": 3, "a": 4, "11": 5}
    model = BPE(known, [("1", "1")], unknown="<unk>", byte_fallback=True)
    departing = dict(departing_models(model))[LATER]
    assert [number for number, _ in model.tokens("1a111")] == [1, 4, 5, 1]
    assert [number for number, _ in departing.tokens("1a111")] == [2, 4, 5, 2]


@pytest.mark.parametrize("known", [{"<0x31>": 0, "1": 1}, {"1": 0}, {"<0x31>": 0}])
def test_the_token_of_a_byte_does_not_stand_for_a_later_character(known):
    assert LATER not in dict(departing_models(BPE(known, [], byte_fallback=True)))


def test_without_byte_fallback_no_token_of_a_byte_stands_for_a_character():
    assert LATER not in dict(departing_models(BPE({"1": 0, "<0x31>": 1}, [])))
