"""Facts about a target that case families get."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from tokharness.engine.worker.vocabularies import token_texts
from tokharness.model import TargetFacts

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["target_facts"]


def target_facts(
    subject: Subject, profile: str, regressions: tuple[tuple[str, str], ...] = ()
) -> TargetFacts:
    """Return the facts; the pattern is that of the target, or else that of its explainer.

    ``regressions`` are texts to replay, each with the reason.
    """
    owners = (subject.target, subject.explainer)
    patterns = [owner.pattern for owner in owners if owner is not None]
    pattern = next(filter(None, patterns), None)
    tokens = functools.cache(functools.partial(token_texts, subject))
    added = tuple({**subject.special_tokens, **subject.target.added_tokens})
    return TargetFacts(added, pattern, profile, regressions, tokens)
