"""The kinds of changes that a gate reports, in order, each with its description."""

from __future__ import annotations

from types import MappingProxyType

KINDS = MappingProxyType(
    {
        "changed-file": "The tokenizer's file has other content than that of the baseline: the "
        "edit is named with its stage and with what it does to ids. A digest of each stage "
        "ignores the order of keys and white space.",
        "changed-rendering": "A chat template makes another text of a conversation than that of "
        "the baseline, or renders one that it refused, or no longer renders one: the smallest "
        "conversation is shown with both texts.",
        "open-field": "A text of a conversation, such as a tool's result, becomes control tokens "
        "in the rendering, and did not with the chat template of the baseline.",
        "changed-ids": "Golden texts, tokens' own texts, ordinary texts or cases have different "
        "ids than in the baseline: prompts, caches and weights made with the old ids do not fit "
        "the new ones.",
        "special-handling": "Golden texts with a special token, as text or as an id, have "
        "different ids: chat templates or untrusted text are encoded differently.",
        "unicode-version": "The tokenizer classifies characters by a different Unicode version, so "
        "it splits text differently where it holds characters assigned in between.",
        "new-finding": "A bug or risk that the baseline does not have.",
        "worse-finding": "A finding that was accepted as a risk is now a bug, or one that was "
        "accepted as the library's, whatever the file, is now one of the file.",
        "unmet-expectation": "The policy expects a finding that was not reported: its declaration "
        "is no longer true.",
        "vocabulary": "Ids stand for different bytes, or were added or removed: a model trained "
        "with the old vocabulary reads nonsense.",
        "special-tokens": "Special tokens were added, were removed, or have different ids.",
        "normalizer": "The declared normalizer or its Unicode version has changed.",
        "lost-entry-point": "An entry point of the tokenizer was removed: its callers break, and "
        "it is no longer checked.",
        "new-skip": "Something that was checked for the baseline did not run, or not to its end. A "
        "skip is never a pass. If the processor time was used up, a slower machine may be the "
        "reason: give the run more with --run-limit, or run-limit in the policy.",
        "check-not-run": "A check that ran for the baseline did not run: omit the option or the "
        "line of the policy that leaves it out, or write the baseline again with it.",
        "over-budget": "A language, script or family costs more tokens than the policy allows.",
        "metric-regression": "Text takes more tokens than before, by more than the tolerance.",
        "expired-acceptance": "An accepted change is still there, and its acceptance has expired: "
        "fix it, or accept it again with --update and a reason.",
        "stale-acceptance": "An accepted change is no longer there: --prune removes the "
        "acceptance, so that it does not cover the next fault of its kind.",
        "pattern": "The pattern of the pre-tokenizer has changed; the ids show whether that has an "
        "effect.",
        "new-fact": "A fact that the baseline does not have.",
        "fixed-finding": "A finding of the baseline is no longer reported.",
        "new-entry-point": "An entry point that the tokenizer did not have before.",
        "metric-improvement": "Text takes fewer tokens than before.",
    }
)
"""Kinds of changes: first the kinds that fail a gate, last the kinds that are only reported."""
