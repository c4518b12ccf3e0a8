"""The best segmentations are those of the library, and random ones have its distribution."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from planted._sentencepiece_models import MODELS, healthy

from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes
from tokharness_tokenizers.reference.sentencepiece.sampling import best_segmentations, sample

TEXTS = ("the value and abc", "ing 12", "\u0416 the\u0416\u0416", "")
DRAWS = 4000
ALL = 10_000
FAR = 4.5
"""Standard deviations: fixed seeds make it a fixed number, which is far below this one."""

needs_library = pytest.mark.needs("sentencepiece", "0.2")


def library_of(name):
    from sentencepiece import SentencePieceProcessor

    return SentencePieceProcessor(model_proto=model_bytes(MODELS[name]))


@needs_library
@pytest.mark.parametrize("name", ["sp_unigram", "sp_unigram_bytes", "sp_suffix"])
@pytest.mark.parametrize("text", TEXTS[:3])
def test_the_best_segmentations_are_those_of_the_library(name, text):
    ours = best_segmentations(healthy(name), text, 20)
    theirs = library_of(name).nbest_encode(text, nbest_size=20)
    last = ours[-1][1] + 1e-3  # others may have the score of the last one, too
    assert [ids for ids, score in ours if score > last and ids not in theirs] == []
    assert len(theirs) == len(ours)


def test_the_first_of_the_best_segmentations_is_the_encoding():
    tokenizer = healthy("sp_unigram")
    for text in TEXTS[:3]:
        assert best_segmentations(tokenizer, text, 1)[0][0] == tokenizer.encode(text)


def deviations(counts: Counter[tuple[int, ...]], probabilities: dict[tuple[int, ...], float]):
    """Chi-square of counts, as standard deviations of it (Wilson and Hilferty 1931)."""
    total = counts.total()
    common = {ids: p for ids, p in probabilities.items() if p * total >= 5}
    rest = 1 - sum(common.values())
    rows = [(counts[ids], p * total) for ids, p in common.items()]
    if rest * total >= 5:
        rows.append((total - sum(counts[ids] for ids in common), rest * total))
    degrees = len(rows) - 1
    square = sum((count - want) ** 2 / want for count, want in rows)
    return ((square / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / math.sqrt(2 / (9 * degrees))


def probabilities_of(name: str, text: str, alpha: float, best: int | None):
    found = best_segmentations(healthy(name), text, best or ALL)
    weights: Counter[tuple[int, ...]] = Counter()
    for ids, score in found:
        weights[tuple(ids)] += math.exp(alpha * (score - found[0][1]))  # type: ignore[assignment]
    return {ids: weight / weights.total() for ids, weight in weights.items()}


@pytest.mark.parametrize("best", [None, 5])
def test_random_segmentations_have_the_probabilities_of_their_scores(best):
    wanted = probabilities_of("sp_unigram", TEXTS[1], 0.3, best)
    chosen, tokenizer = random.Random(1), healthy("sp_unigram")
    draws = (sample(tokenizer, TEXTS[1], chosen, alpha=0.3, best=best) for _ in range(DRAWS))
    assert deviations(Counter(map(tuple, draws)), wanted) < FAR


@needs_library
@pytest.mark.parametrize("best", [None, 5])
def test_the_library_draws_from_the_same_distribution(best):
    import sentencepiece

    sentencepiece.set_random_generator_seed(1)
    library = library_of("sp_unigram")
    options = {"enable_sampling": True, "alpha": 0.3, "nbest_size": best or -1}
    draws = (library.encode(TEXTS[1], **options) for _ in range(DRAWS))
    wanted = probabilities_of("sp_unigram", TEXTS[1], 0.3, best)
    assert deviations(Counter(map(tuple, draws)), wanted) < FAR


@needs_library
def test_the_library_leaves_out_as_many_merges_of_each_kind():
    import sentencepiece

    sentencepiece.set_random_generator_seed(1)
    library, tokenizer, chosen = library_of("sp_bytes"), healthy("sp_bytes"), random.Random(1)
    options = {"enable_sampling": True, "alpha": 0.4, "nbest_size": -1}
    theirs = Counter(tuple(library.encode("the value", **options)) for _ in range(DRAWS))
    many = 5 * DRAWS
    ours = Counter(tuple(sample(tokenizer, "the value", chosen, alpha=0.4)) for _ in range(many))
    wanted = {ids: count / many for ids, count in ours.items()}
    assert deviations(theirs, wanted) < FAR


@pytest.mark.parametrize(("alpha", "is_encoding"), [(0.0, True), (1.0, False)])
def test_a_bpe_model_leaves_out_no_merge_or_each(alpha, is_encoding):
    tokenizer = healthy("sp_bytes")
    ids = sample(tokenizer, "the value", random.Random(0), alpha=alpha)
    assert (ids == tokenizer.encode("the value")) is is_encoding
    assert is_encoding or [len(tokenizer.token_text(one)) for one in ids] == [1] * len(ids)


def test_a_model_without_scores_has_no_best_segmentations():
    with pytest.raises(ValueError, match="only a Unigram model"):
        best_segmentations(healthy("sp_words"), "a", 2)
    with pytest.raises(ValueError, match="only a Unigram model"):
        sample(healthy("sp_words"), "a", random.Random(0), alpha=1.0)
