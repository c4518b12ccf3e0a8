"""Tokens that a target never makes, that are exchanged, or words that it finds too long."""

import random
from dataclasses import replace

import pytest
from planted._builders import merge_by, vocabulary
from planted._byte_lists import healthy as small_list
from planted._tokenizer_files import altered, healthy, record_of

from tokharness.checks.ids_differ_from_reference import diagnose
from tokharness.diagnosis.ids.token_edits import name_of_gone
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.departing_models import departing_models
from tokharness_tokenizers.reference.merging import merge_short
from tokharness_tokenizers.reference.tokenizer_json import read

CODE = "TOK201"
WORDS = ("other", "another", "thing", "something", "the thing", "nothing", "hand", "and", "in")


class Plain:
    """A tokenizer that shows no file, and cannot alter its stages."""

    def __init__(self, tokenizer):
        self.encode, self.decode = tokenizer.encode_ordinary, tokenizer.decode


@pytest.fixture(scope="session")
def bugs(check_texts):
    """Return the bugs of a target that reads an edited healthy file."""

    def found(name, target, texts=WORDS):
        return check_texts(CODE, Plain(target), texts, reference=healthy(name)).bugs

    return found


@pytest.mark.parametrize("name", ["byte_bpe", "wordpiece", "unigram"])
def test_a_healthy_target_lacks_no_token(bugs, name):
    assert bugs(name, healthy(name)) == []


def test_a_merge_that_is_gone_is_named_by_its_token(bugs):
    merges = [merge for merge in record_of("byte_bpe")["model"]["merges"] if merge != "in g"]
    (bug,) = bugs("byte_bpe", altered("byte_bpe", "model", "merges", to=merges))
    assert str(bug.cause) == "model: no token 'ing' is made"
    assert not bug.cause.weak


def test_a_token_of_a_list_of_bytes_is_named_by_its_text_or_its_bytes():
    model = target_of("list", small_list())
    column = model.call_each("decode_single_token_bytes", range(1, model.n_vocab))
    for token, shown in (("\u4f60".encode(), "'\\u4f60'"), (b" \xe4", "b' \\xe4'")):
        assert name_of_gone([column.index(token) + 1], (), model) == f"no token {shown} is made"


@pytest.mark.slow
def test_what_gone_tokens_have_in_common_is_named(bugs):
    target = altered("wordpiece", "model", "continuing_subword_prefix", to="@@")
    (bug,) = bugs("wordpiece", target)
    assert str(bug.cause) == "model: no token that begins with '##' is made"
    assert not bug.cause.weak


@pytest.mark.slow
def test_the_length_of_a_word_that_is_unknown_is_found(bugs):
    target = altered("wordpiece", "model", "max_input_chars_per_word", to=4)
    (bug,) = bugs("wordpiece", target)
    assert str(bug.cause) == "model: words of more than 4 characters are unknown"
    assert not bug.cause.weak


@pytest.mark.slow
def test_a_limit_that_counts_bytes_is_not_one_of_characters(check_texts):
    record = record_of("wordpiece")
    vocab = record["model"]["vocab"]
    vocab |= {piece: len(vocab) + at for at, piece in enumerate(("\u0430", "##\u0430"))}
    file = read(record, "wordpiece")
    in_bytes = dict(departing_models(file.model))["the limit of a word counts bytes"]
    target = Plain(replace(file, model=in_bytes))
    texts = ["\u0430" * 51, "\u0430" * 50, "a" * 100, "a" * 101, "\u0430" * 90]
    (bug,) = check_texts(CODE, target, texts, reference=file).bugs
    assert str(bug.cause) == "model: the limit of a word counts bytes"


def swapped(one, other):
    ranks = dict(vocabulary().ranks)
    ranks[one], ranks[other] = ranks[other], ranks[one]
    return merge_by(lambda piece: merge_short(piece, ranks))


@pytest.mark.slow
def test_two_exchanged_ranks_are_named(check_texts):
    texts = ["the", "uth", " uth", "then", "hthe", "ethe", "othe", "heto"]
    reference = vocabulary()
    target, explainer = swapped(b"th", b"he"), target_of("explainer", reference)
    (bug,) = check_texts(CODE, target, texts, reference=reference, explainer=explainer).bugs
    assert str(bug.cause) == "model: b'he' and b'th' have each other's rank or score"
    assert not bug.cause.weak


def test_two_exchanged_ranks_of_different_texts_are_named(check_texts):
    texts = ["sin", "ilin", "codin", "prab", "serab", "strab", "lisin", "odin", "the", "table"]
    reference = vocabulary()
    target, explainer = swapped(b"in", b"ab"), target_of("explainer", reference)
    (bug,) = check_texts(CODE, target, texts, reference=reference, explainer=explainer).bugs
    assert str(bug.cause) == "model: b'in' and b'ab' have each other's rank or score"
    assert not bug.cause.weak


@pytest.mark.slow
def test_an_exchange_that_explains_one_text_and_not_its_neighbours_is_no_cause(bugs):
    merges = list(record_of("byte_bpe")["model"]["merges"])
    random.Random(5).shuffle(merges)
    (bug,) = bugs("byte_bpe", altered("byte_bpe", "model", "merges", to=merges), [" an"])
    assert "each other" not in str(bug.cause)


@pytest.mark.slow
def test_the_tokens_of_a_large_vocabulary_are_asked_for_once():
    tokenizer = vocabulary()

    class WithoutMarks(Plain):
        def __init__(self):
            super().__init__(tokenizer)
            self.encode = lambda text: tokenizer.encode_ordinary(text.replace("\ufeff", ""))

    reference = target_of("r", tokenizer)
    subject = Subject(target_of("t", WithoutMarks()), reference, reference)
    for text in ("\ufeff\u4f60", "a\ufeffb"):
        assert diagnose(text, subject)
    before = subject.calls
    assert diagnose("\ufeff\r", subject)
    assert subject.calls - before < tokenizer.n_vocab / 10
