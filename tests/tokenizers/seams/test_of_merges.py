"""No longer word changes more tokens at the end of a word than the bound that its merges prove."""

import os
import random
from itertools import product
from pathlib import Path

import pytest

from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.merging import merged_ids
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.seams.of_merges import (
    changed_by_list,
    changed_by_ranks,
    changed_by_scores,
)

LETTERS = "ab"
WORDS = ["".join(word) for size in range(1, 8) for word in product(LETTERS, repeat=size)]


def random_merges(seed):
    """Return merges of a few letters, each of tokens that are made before it."""
    draw = random.Random(seed)
    tokens, merges = list(LETTERS), []
    for _ in range(draw.randint(2, 8)):
        left, right = draw.choice(tokens), draw.choice(tokens)
        if left + right not in tokens and len(left + right) < 7:
            tokens.append(left + right)
            merges.append((left, right))
    return tokens, merges


def of_list(tokens, merges, **settings):
    model = BPE({token: number for number, token in enumerate(tokens)}, merges, **settings)
    return changed_by_list(model, in_bytes=False), lambda word: [i for i, _ in model.tokens(word)]


def of_ranks(tokens, _):
    ranks = {token.encode(): number for number, token in enumerate(tokens)}
    return changed_by_ranks(ranks), lambda word: list(merged_ids(word.encode(), ranks))


def of_scores(tokens, _):
    ids = {token: number for number, token in enumerate(tokens)}
    model = SentencePieceBPE(ids, [-number for number in ids.values()])
    return changed_by_scores(model), lambda word: [i for i, _ in model.tokens(word)]


def most_changed(ids_of):
    """Return the most tokens of a word that one or two letters behind it change."""
    ids = {word: ids_of(word) for word in WORDS}
    changed = []
    for word in filter(lambda one: len(one) < 6, WORDS):
        for more in WORDS[:6]:
            same = [one == other for one, other in zip(ids[word], ids[word + more], strict=False)]
            changed.append(len(ids[word]) - [*same, False].index(False))
    return max(changed)


@pytest.mark.parametrize("kind", [of_list, of_ranks, of_scores])
def test_no_longer_word_changes_more_tokens_than_the_bound(kind):
    known = 0
    for seed in range(40):
        bound, ids_of = kind(*random_merges(seed))
        assert bound is None or most_changed(ids_of) <= bound, seed
        known += bound is not None
    assert known > 20


def test_a_chain_of_merges_is_as_long_as_the_bound_says():
    # Behind "abab" without the last "a" merged, each merge is another one.
    tokens, merges = ["a", "b", "c", "bc", "ab"], [("b", "c"), ("a", "b")]
    bound, ids_of = of_list(tokens, merges)
    assert (ids_of("ab"), ids_of("abc")) == ([4], [0, 3])
    assert bound == 2


def test_the_last_token_of_a_word_changes_if_its_character_has_another_one():
    tokens, merges = ["a", "b", "a</w>", "b</w>", "ab</w>"], [("a", "b</w>")]
    plain, _ = of_list(["a", "b", "ab"], [("a", "b")])
    bound, ids_of = of_list(tokens, merges, suffix="</w>")
    assert (ids_of("ab"), ids_of("aba")) == ([4], [0, 1, 2])
    assert bound == plain + 1


def test_a_merge_that_comes_too_late_and_applies_has_no_bound():
    # "ab" is made by the last merge, and then "abb" by an earlier one.
    tokens = ["a", "b", "abb", "ab"]
    assert of_list(tokens, [("ab", "b"), ("a", "b")])[0] is None


def test_a_merge_that_comes_too_late_and_never_applies_changes_no_bound():
    # Ranks have "ab" and "b" as a merge, too, but "bb" is made before "ab".
    tokens, merges = ["a", "b", "bb", "abb", "ab"], [("b", "b"), ("a", "bb"), ("a", "b")]
    assert of_ranks(tokens, ())[0] == of_list(tokens, merges)[0] == 2


@pytest.mark.parametrize(
    "model",
    [
        SentencePieceBPE({"a": 0, "b": 1, "ab": 2}, [0.0, 0.0, 0.0], user_defined=("ab",)),
        SentencePieceBPE({"a": 0, "b": 1, "ab": 2}, [0.0, 0.0, 0.0], unused=frozenset([2])),
        SentencePieceBPE({"a": 0, "aa": 1, "aaa": 2}, [0.0, 0.0, 0.0]),
    ],
    ids=["user-defined", "unused", "equal scores"],
)
def test_pieces_that_are_not_made_in_the_order_of_their_scores_have_no_bound(model):
    assert changed_by_scores(model) is None


def test_a_word_that_is_a_token_without_merges_changes_all_tokens_of_a_shorter_word():
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"abcdefgh": 256}
    tokenizer = ByteBPE("mine", r"\S+|\s+", ranks)
    assert len(tokenizer.encode_ordinary("abcdefg")) == 7
    assert tokenizer.encode_ordinary("abcdefgh") == [256]
    assert changed_by_ranks(ranks) == 7


@pytest.mark.slow
@pytest.mark.parametrize("name", ["embedded", "byte-level-bpe", "sentencepiece-bpe"])
def test_no_random_text_contradicts_the_bounds_of_a_certificate(name):
    reference = reference_target.load(name)
    encode = getattr(reference, "encode_ordinary", reference.encode)
    append, draw = reference.seams(1)["append"], random.Random(name)
    # All of these letters make the word longer; of the others, some move its end.
    for bound, alphabet in ((append["word_tokens"], "etaoin"), (append["tokens"], "etslvr' \n.1")):
        for _ in range(200 if bound is not None else 0):
            letters = draw.sample(alphabet, 3)
            text, more = ("".join(draw.choices(letters, k=k)) for k in (300, 3))
            ids, longer = encode(text), encode(text + more)
            assert len(ids) > bound
            assert ids[:-bound] == longer[: len(ids) - bound]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"), [("hf/llama2.json", 122), ("sentencepiece/botchan_en_bpe_1000.model", 16)]
)
def test_no_text_contradicts_the_bound_of_a_published_vocabulary_without_words(name, most):
    folder = os.environ.get("TOKHARNESS_TEST_VOCABULARIES")
    if not folder:
        pytest.skip("TOKHARNESS_TEST_VOCABULARIES is not set")
    reference = reference_target.load(str(Path(folder, name)))
    encode = getattr(reference, "encode_ordinary", reference.encode)
    assert reference.seams(1)["append"]["tokens"] == most
    draw = random.Random(name)
    texts = map(reference.token_text, range(reference.n_vocab))
    words = [text for text in texts if text and text.isalpha()]
    for _ in range(500):
        text = "".join(draw.choices(draw.sample(words, 3), k=500))
        ids, longer = encode(text[: len(text) - draw.randint(1, 20)]), encode(text)
        assert len(ids) > most
        assert ids[:-most] == longer[: len(ids) - most]
