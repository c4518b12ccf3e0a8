"""Reach of the tokens of a pipeline of stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.byte_level import ByteLevelReach, leaves_any
from tokharness_tokenizers.reach.of_words import reach_of_words
from tokharness_tokenizers.reach.pre_tokens import words_of_pre_tokenizer
from tokharness_tokenizers.reach.stages import WordStages
from tokharness_tokenizers.reference.byte_characters import BYTE_OF, CHARACTER_OF, bytes_of
from tokharness_tokenizers.reference.models.bpe import BPE, merge_by_heap
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.pre_tokenizers.sequence import ends_in_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.components import Normalizer
    from tokharness_tokenizers.reference.pipeline import Pipeline
    from tokharness_tokenizers.reference.reach import Orphans, Reach


def reach_of(pipeline: Pipeline) -> Reach:
    """Return the reach of the tokens of a pipeline."""
    model = pipeline.model
    if isinstance(model, BPE) and _reads_bytes(pipeline, model):
        return _of_byte_level(pipeline, model).reach
    return reach_of_words(pipeline)


def _reads_bytes(pipeline: Pipeline, model: BPE) -> bool:
    """Whether the model has no marks, and reads bytes written as characters."""
    is_plain = not (model.prefix or model.suffix)
    # The treatment of a byte without a token is not known here: it may be left out.
    is_plain = is_plain and all(map(model.vocabulary.__contains__, CHARACTER_OF))
    return is_plain and ends_in_bytes(pipeline.text_stages.pre_tokenizer)


def merge_orphans_of(pipeline: Pipeline) -> Orphans | None:
    """Return the function that finds merge orphans; None for a model without merge orphans."""
    model = pipeline.model
    if isinstance(model, BPE) and model.ignore_merges and _reads_bytes(pipeline, model):
        return _of_byte_level(pipeline, model).merge_orphans
    return None


def _of_byte_level(pipeline: Pipeline, model: BPE) -> ByteLevelReach:
    added = {*pipeline.special_tokens.values(), *pipeline.added_tokens.values()}
    tokens = {
        number: bytes_of(text)
        for text, number in model.vocabulary.items()
        if number not in added and all(map(BYTE_OF.__contains__, text))
    }

    def segment(data: bytes) -> list[int]:
        first = model.first_tokens("".join(map(CHARACTER_OF.__getitem__, data)))
        return [number for number, _ in merge_by_heap(first, model.pairs)]

    return ByteLevelReach(
        tokens,
        segment,
        pipeline.encode_ordinary,
        words_of_pre_tokenizer(pipeline.text_stages.pre_tokenizer),
        takes_words=model.ignore_merges,
        leaves=_leaves(pipeline.text_stages.normalizer),
        is_taken=WordStages(pipeline.text_stages).is_taken,
    )


def _leaves(normalizer: Normalizer | None) -> Callable[[str], bool]:
    """Return a function that decides whether a normalized text may have a text as a part."""
    if isinstance(normalizer, NormalForm):
        # A form is closed under parts of a text: a text in the form has no part outside of the
        # form.
        return lambda text: normalizer.normalize(text) == text
    return leaves_any
