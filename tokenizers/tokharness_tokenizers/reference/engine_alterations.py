"""Alterations of the engine of a file: one component does what it should not.

Other than an alteration of the file (:mod:`.tokenizer_json.alterations`), no setting says this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.departing_components import (
    departing_normalizers,
    departing_pre_tokenizers,
)
from tokharness_tokenizers.reference.departing_cutters import (
    altered_added_token,
    departing_added_tokens,
)
from tokharness_tokenizers.reference.departing_models import departing_models
from tokharness_tokenizers.reference.normalizers import sequence as normalizers
from tokharness_tokenizers.reference.pre_tokenizers import sequence as pre_tokenizers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.added_tokens import AddedToken
    from tokharness_tokenizers.reference.pipeline import Pipeline
    from tokharness_tokenizers.reference.text_stages import TextStages

__all__ = ["alterations_of_token", "engine_alterations"]


def engine_alterations(pipeline: Pipeline) -> Iterator[tuple[str, str, Pipeline]]:
    """Yield the stage, what is altered in a few words, and the pipeline with it."""
    stages = pipeline.text_stages
    for what, added in departing_added_tokens(stages.added):
        yield "added tokens", what, _with_stages(pipeline, replace(stages, added=added))
    for what, normalizer in _each(stages.normalizer, departing_normalizers):
        yield "normalizer", what, _with_stages(pipeline, replace(stages, normalizer=normalizer))
    for what, one in _each(stages.pre_tokenizer, departing_pre_tokenizers):
        yield "pre-tokenizer", what, _with_stages(pipeline, replace(stages, pre_tokenizer=one))
    for what, model in departing_models(pipeline.model):
        yield "model", what, replace(pipeline, model=model, at_versions=None, altered=None)


def alterations_of_token(pipeline: Pipeline, token: AddedToken) -> list[tuple[str, str, Pipeline]]:
    """Return what :func:`engine_alterations` yields, for one added token and its settings."""
    stages = pipeline.text_stages
    return [
        ("added tokens", what, _with_stages(pipeline, replace(stages, added=added)))
        for what, added in altered_added_token(stages.added, token)
    ]


def _each(
    component: Any, departing: Callable[[Any], Iterator[tuple[str, Any]]]
) -> Iterator[tuple[str, Any]]:
    """Yield a component with each departure of one of its parts."""
    if isinstance(component, normalizers.Sequence):
        for what, parts in _each_part(component.normalizers, departing):
            yield what, replace(component, normalizers=parts)
    elif isinstance(component, pre_tokenizers.Sequence):
        for what, parts in _each_part(component.components, departing):
            yield what, replace(component, components=parts)
    elif component is not None:
        yield from departing(component)


def _each_part(
    parts: tuple[Any, ...], departing: Callable[[Any], Iterator[tuple[str, Any]]]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for at, part in enumerate(parts):
        for what, other in _each(part, departing):
            yield what, (*parts[:at], other, *parts[at + 1 :])


def _with_stages(pipeline: Pipeline, stages: TextStages) -> Pipeline:
    return replace(pipeline, text_stages=stages, at_versions=None, altered=None)
