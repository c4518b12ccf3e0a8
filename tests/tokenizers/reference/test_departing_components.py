"""What an engine may do in the place of a component, where no planted fault shows it."""

from tokharness_tokenizers.reference.departing_components import (
    departing_normalizers,
    departing_pre_tokenizers,
)
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
