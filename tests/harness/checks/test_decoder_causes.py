"""TOK101: an alteration of the decoder is a cause only if it predicts what other ids decode to."""

import pytest
from planted._tokenizer_files import healthy

from tokharness_tokenizers.reference.decoders import clean_up

TEXTS = (
    *("a", "a b", "a .", "a , b", "the .", "it 's", "do n't", "a !", "the quick ."),
    *("the, quick", "what ?", "a.", "it's", "aa 'a"),
)


class Cleaned:
    """A tokenizer whose decoded text is cleaned up, as with ``clean_up_tokenization_spaces``."""

    def __init__(self, name):
        healthy_one = healthy(name)
        self.normalizer, self.normalize = healthy_one.normalizer, healthy_one.normalize
        self.special_tokens, self.unknown_id = healthy_one.special_tokens, healthy_one.unknown_id
        self.encode = healthy_one.encode_ordinary
        self.decode = lambda ids: clean_up(healthy_one.decode(ids))


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", ["word_level", "unigram", "bpe_decoder", "byte_bpe"])
def test_a_clean_up_is_no_other_decoder_and_no_normalizer_that_is_left_out(check_texts, name):
    findings = check_texts("TOK101", Cleaned(name), TEXTS, reference=healthy(name))
    cause = "decoder: normalizer: spaces before punctuation cleaned up"
    assert [str(bug.cause) for bug in findings.bugs] == [cause]


def test_a_decoder_that_only_joins_tokens_is_still_named(check_texts):
    target, reference = healthy("metaspace_always"), healthy("metaspace_always")
    bare = Cleaned("metaspace_always")
    bare.decode = lambda ids: "".join(map(target.token_text, ids))
    (bug,) = check_texts("TOK101", bare, TEXTS, reference=reference).bugs
    assert str(bug.cause) == "decoder: it is Fuse"
