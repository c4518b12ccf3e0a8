"""Facts about a target that case families get."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    patterns = [getattr(owner.tokenizer, "pattern", None) for owner in owners if owner is not None]
    pattern = next((pattern for pattern in patterns if isinstance(pattern, str)), None)
    return TargetFacts(tuple(subject.special_tokens), pattern, profile, regressions)
