"""Differences of ids that the reference makes, and not the target."""

from tokharness.model import target_of
from tokharness_tokenizers.faulty._tokenizer_files import altered, healthy

CODE = "TOK201"
TEXTS = ("The", "A cat", "Of the", "the", "a cat")


class Plain:
    """A tokenizer with the entry points of a library: it cannot alter its stages."""

    def __init__(self, tokenizer):
        self.encode, self.decode = tokenizer.encode_ordinary, tokenizer.decode
        self.normalizer, self.normalize = tokenizer.normalizer, tokenizer.normalize


def cased():
    """Return a tokenizer that declares to lowercase, as its file says, and does not."""
    tokenizer = Plain(altered("lowercase", "normalizer", to=None))
    tokenizer.normalizer = healthy("lowercase").normalizer
    return tokenizer


def causes(findings):
    return [str(finding.cause) for finding in findings.bugs]


def test_the_altered_target_names_what_its_reference_does(check_texts):
    (bug,) = check_texts(CODE, healthy("lowercase"), TEXTS, reference=cased()).bugs
    assert str(bug.cause).startswith("normalizer: ")
    assert str(bug.cause).endswith(", in the reference")
    assert bug.message.startswith("the reference differs: it gives the ids of the target if the ")


def test_the_altered_explainer_names_what_the_reference_does(check_texts):
    explainer = target_of("explainer", healthy("lowercase"))
    target = Plain(healthy("lowercase"))
    found = check_texts(CODE, target, TEXTS, reference=cased(), explainer=explainer)
    own = check_texts(CODE, healthy("lowercase"), TEXTS, reference=cased())
    assert causes(found) == causes(own)


def test_an_explainer_that_disagrees_with_the_target_names_nothing(check_texts):
    explainer = target_of("explainer", healthy("lowercase"))
    record = {"type": "Replace", "pattern": {"String": "e"}, "content": "a"}
    target = Plain(altered("lowercase", "normalizer", to=record))
    found = check_texts(CODE, target, TEXTS, reference=cased(), explainer=explainer)
    assert not [cause for cause in causes(found) if cause.endswith("in the reference")]


def test_a_space_that_the_decoder_of_the_reference_adds_is_not_that_of_the_target(
    check_texts, byte_tokenizer
):
    reference = byte_tokenizer(lambda text: text.replace("\u0903", ""), lambda text: f" {text}")
    found = check_texts(CODE, byte_tokenizer(), ("a\u0903", "\u0903"), reference=reference)
    assert causes(found) == ["dropped characters: U+0903 DEVANAGARI SIGN VISARGA, in the reference"]
