"""Why token boundaries differ, also where pre-tokens are written in a character for each byte."""

from planted._tokenizer_files import altered, healthy, record_of

from tokharness.checks.ids_differ_from_reference.segmentation import explain_segmentation
from tokharness.model import target_of
from tokharness.targets.subject import Subject


def test_a_merge_that_is_gone_after_a_space_is_no_other_split():
    merges = record_of("byte_bpe")["model"]["merges"]
    other = altered("byte_bpe", "model", "merges", to=[one for one in merges if one != "th e"])
    target, reference = target_of("target", other), target_of("reference", healthy("byte_bpe"))
    subject = Subject(target, reference, reference, claims_parity=True)
    assert reference.call("pretokens", " the") == ["\u0120the"]
    (cause,) = explain_segmentation(" the", other.encode_ordinary(" the"), subject)
    assert cause.kind == "merge order"
