"""Make the texts of a family for several targets, once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.config import PROFILES
from tokharness.engine.run.selection import regressions_to_replay, select_families
from tokharness.engine.worker.units import FamilyTexts
from tokharness.engine.worker.vocabularies import target_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.requests import TextsRequest
    from tokharness.engine.worker.state import WorkerState
    from tokharness.model import TargetFacts


def respond(state: WorkerState, request: TextsRequest) -> dict[str, Any]:
    """Return the texts of a unit, or the parts of packed texts."""
    texts = state.subject.cache.get_or_compute(
        f"texts of {request.family} for several targets", lambda: _texts(state, request)
    )
    unpack = texts.family.unpack
    if request.packed and unpack is not None:
        parts = chain.from_iterable(unpack(text) or [text] for text in request.packed)
        return {"units": texts.units, "texts": list(dict.fromkeys(parts))}
    return {"units": texts.units, "texts": list(texts.texts_of_unit(request.number))}


def _texts(state: WorkerState, request: TextsRequest) -> FamilyTexts:
    options = state.options
    profile = PROFILES[options.profile]
    examples = profile.examples if options.examples is None else options.examples
    (family,) = (one for one in select_families(options) if one.name == request.family)
    facts = state.subject.cache.get_or_compute(
        "facts of several targets", lambda: _facts(state, request.tokens, request.added)
    )
    return FamilyTexts(family, facts, profile, examples, options.seed)


def _facts(state: WorkerState, tokens: Sequence[str], added: Sequence[str]) -> TargetFacts:
    """Return the facts of the target, with the tokens of other targets after its own."""
    options = state.options
    regressions = regressions_to_replay(options, select_families(options))
    own = target_facts(state.timed_subject(), options.profile, regressions)
    both = cache(lambda: tuple(dict.fromkeys((*own.tokens(), *tokens))))
    special = tuple(dict.fromkeys((*own.special_tokens, *added)))
    return replace(own, special_tokens=special, tokens=both)
