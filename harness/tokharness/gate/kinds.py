"""The kinds of changes that a gate tells, in the order in which it does, each with its page."""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["KINDS"]

KINDS = MappingProxyType(
    {
        "changed-ids": "Golden texts get other ids than the baseline has: prompts, caches and "
        "weights made with the old ids do not fit the new ones.",
        "special-handling": "Golden texts get other ids, all of which hold a special token as text "
        "or as an id: what a chat template or an untrusted text turns into has changed.",
        "unicode-version": "The tokenizer classifies characters as of another Unicode version, so "
        "text with characters that were assigned in between is split otherwise.",
        "new-finding": "A bug or a risk that the baseline does not have.",
        "worse-finding": "What was accepted as a risk is a bug now.",
        "unmet-expectation": "The policy expects a finding that is not there: what was declared is "
        "no longer true.",
        "vocabulary": "Ids stand for other bytes, or there are more or fewer of them: a model "
        "trained with the old vocabulary reads nonsense.",
        "special-tokens": "Special tokens were added, are gone, or have other ids.",
        "normalizer": "The declared normalizer is another, or of another Unicode version.",
        "lost-capability": "An entry point that the tokenizer had is gone: who calls it breaks, "
        "and what it does is not checked any more.",
        "new-skip": "Something that was checked for the baseline was not run now. A skip is never "
        "a pass.",
        "check-not-run": "A check that was run for the baseline was not run now.",
        "over-budget": "A language, script or family costs more tokens than the policy allows.",
        "metric-regression": "Text takes more tokens than it did, by more than the tolerance.",
        "expired-acceptance": "What was accepted for a time is still there, and the time is over: "
        "mend it, or accept it anew with --update and a reason.",
        "stale-acceptance": "What was accepted is not there any more: --prune takes the acceptance "
        "out, so that it does not cover the next fault of its kind.",
        "pattern": "The pattern of the pre-tokenizer is another; whether that matters is told by "
        "the ids.",
        "new-fact": "A fact by design that the baseline does not have.",
        "fixed-finding": "What the baseline has was not found.",
        "new-capability": "An entry point that the tokenizer did not have.",
        "metric-improvement": "Text takes fewer tokens than it did.",
    }
)
"""Kind to page: what fails a gate stands first, what is only told last."""
