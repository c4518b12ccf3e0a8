"""Models: the textbook algorithm gives the same, and words that are kept change nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted._sentencepiece_models import MODELS, healthy

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import MOST, SentencePieceUnigram
from tokharness_tokenizers.reference.sentencepiece.model_file import Piece, PieceKind
from tokharness_tokenizers.reference.sentencepiece.reading import read
from tokharness_tokenizers.reference.sentencepiece.words import word_pattern

PIECES = st.lists(st.text("abc\u2581", min_size=1, max_size=4), unique=True, max_size=12)
TEXTS = st.text("abcd\u2581", max_size=16)
ROUNDED = [-1.0, -1.1, -1.3, -2.1, -2.2, -3.3]


def merged_one_by_one(word, scores):
    """Merge the pair that becomes the piece with the highest score, as long as there is one."""
    parts = list(word)
    while found := [
        (-scores[left + right], at)
        for at, (left, right) in enumerate(pairwise(parts))
        if left + right in scores
    ]:
        _, at = min(found)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


@given(pieces=PIECES, text=TEXTS)
def test_bpe_merges_the_pair_with_the_highest_score_first(pieces, text):
    ids = {piece: number for number, piece in enumerate(pieces)}
    scores = [-float(number % 3) for number in range(len(pieces))]
    tokens = SentencePieceBPE(ids, scores).tokens(text)
    wanted = merged_one_by_one(text, {piece: scores[ids[piece]] for piece in pieces})
    assert tokens == [(ids.get(part, -1), len(part)) for part in wanted]


@pytest.mark.slow
@given(pieces=PIECES, text=TEXTS, scores=st.lists(st.sampled_from(ROUNDED), min_size=12))
def test_unigram_takes_the_best_sum_of_scores(pieces, text, scores):
    ids = {piece: number for number, piece in enumerate(pieces)}
    model = SentencePieceUnigram(ids, dict(zip(pieces, scores, strict=False)), -20.0)

    def score(parts):
        return sum(model.piece_scores.get(part, -20.0) for part in parts)

    def best(rest):
        if not rest:
            return [0.0]
        firsts = {rest[:1], *(piece for piece in pieces if rest.startswith(piece))}
        return [max(score([one]) + best(rest[len(one) :])[0] for one in firsts)]

    at, parts = 0, []
    for _, length in model.tokens(text):
        parts.append(text[at : at + length])
        at += length
    assert "".join(parts) == text
    assert score(parts) == pytest.approx(best(text[:9])[0] if len(text) < 10 else score(parts))


@given(pieces=PIECES, text=TEXTS)
def test_no_piece_crosses_the_end_of_a_word(pieces, text):
    pattern = word_pattern(pieces, frozenset())
    if pattern is None:
        return
    words = pattern.findall(text)
    assert "".join(words) == text
    ends = {sum(map(len, words[:at])) for at in range(len(words))}
    for piece in pieces:
        for at in range(len(text)):
            if text.startswith(piece, at):
                assert ends.isdisjoint(range(at + 1, at + len(piece)))


def whole(tokenizer, text):
    """Return the ids without words that are kept."""
    normalized = tokenizer.normalizing.normalize(text)
    return tokenizer.ids_of(tokenizer.model.tokens(normalized), normalized)


@pytest.mark.parametrize(
    "name", ["sp_bpe", "sp_bytes", "sp_unigram", "sp_unigram_bytes", "sp_suffix"]
)
@settings(max_examples=40)
@given(text=st.text("the value and12 \u00e9\u0416\n", max_size=60))
def test_words_that_are_kept_change_no_ids(name, text):
    tokenizer = healthy(name)
    assert tokenizer.encode(text) == whole(tokenizer, text)


@pytest.mark.needs("sentencepiece", "0.2")
def test_sums_are_rounded_and_taken_off_as_the_library_does(tmp_path):
    """A long text of words whose two ways differ less than sums are rounded."""
    from tokharness_tokenizers.adapters import sentencepiece_processor
    from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes

    model = MODELS["sp_unigram"]
    near = (Piece("xy", -5.3), Piece("z", -5.4), Piece("x", -5.1), Piece("yz", -5.60001))
    others = (piece for piece in model.pieces if piece.text not in ("x", "z"))
    model = replace(model, pieces=(*others, *near))
    path = tmp_path / "x.model"
    path.write_bytes(model_bytes(model))
    library, ours = sentencepiece_processor.load(str(path)), read(model, "x")
    text = "the xyz value xyz " * 6000
    ids = library.encode(text)
    assert -sum(ours.vocabulary.score(number) for number in ids) > 2 * MOST
    assert ours.encode(text) == ids
    assert {tuple(ids[at : at + 2]) for at in range(len(ids))} >= {
        (ours.vocabulary.of_text["xy"], ours.vocabulary.of_text["z"]),
        (ours.vocabulary.of_text["x"], ours.vocabulary.of_text["yz"]),
    }


def test_an_unused_piece_is_taken_apart_into_what_became_it():
    tokenizer = healthy("sp_bpe")
    unused = tokenizer.vocabulary.unused
    texts = [tokenizer.token_text(number) for number in tokenizer.encode("the in")]
    assert texts == ["\u2581", "the", "\u2581", "i", "n"]
    assert unused.isdisjoint(tokenizer.encode("the in"))


def test_no_text_becomes_a_control_piece_or_the_piece_of_a_byte():
    tokenizer = healthy("sp_bytes")
    kinds = tokenizer.vocabulary.kinds
    found = {kinds[number] for number in tokenizer.encode("<s></s><0x41><unk>")}
    assert found == {PieceKind.NORMAL}


def test_byte_fallback_spells_an_unknown_character_and_the_last_byte_has_its_span():
    tokenizer = healthy("sp_bytes")
    ids, spans = tokenizer.encode_with_offsets("\u0416")
    assert [tokenizer.token_text(number) for number in ids] == ["\u2581", "<0xD0>", "<0x96>"]
    assert spans == [(0, 0), (0, 0), (0, 1)]
