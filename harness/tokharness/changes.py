"""The changes between a baseline and a run that a gate reports, as frozen data, and their kinds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness.model import Cause, Finding

__all__ = [
    "CASES",
    "CHANGED_FILE",
    "NOT_STORED",
    "RENDERED",
    "Change",
    "Example",
    "GateResult",
    "Renderings",
    "change_fingerprint",
    "change_of",
]

CASES = "cases"
"""``what`` of a change of cases of the run: a baseline has only digests of them."""

CHANGED_FILE = "changed-file"
"""Kind of a change that is an edit of the tokenizer's file."""

OF_TEXTS = (CHANGED_FILE, "changed-ids", "special-handling", "unicode-version")
"""Kinds of changes whose ``count`` is a number of golden texts."""

NOT_STORED = "not stored"
"""Replaces the ids of a text if a baseline has only a digest of the text."""


def change_fingerprint(*parts: object) -> str:
    """Return sixteen hex digits that are equal for equal plain data only."""
    data = json.dumps(parts, ensure_ascii=False)  # escapes would join a pair of surrogates
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Example:
    """A text with its ids in the baseline and now.

    ``before`` and ``after`` are ids, or the name of an exception; or ``NOT_STORED``.
    """

    text: str
    before: tuple[int, ...] | str
    after: tuple[int, ...] | str


RENDERED = "changed-rendering"
"""Kind of a change of what a chat template makes of conversations."""


@dataclass(frozen=True, slots=True)
class Renderings:
    """The smallest conversation that two templates render differently, and both renderings.

    ``conversation`` is JSON; ``before`` and ``after`` are texts, or in brackets how it failed.
    """

    conversation: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """One difference from the baseline, reported once.

    ``kind`` is its slug, such as ``new-finding``, ``changed-ids`` or ``lost-entry-point``; ``what``
    distinguishes it from other changes of its kind, in a few words; ``message`` is a sentence. A
    change that ``fails`` makes the gate fail; other changes are only reported. An acceptance refers
    to the ``fingerprint``, 16 hex digits. ``cause`` explains changed ids; the cause of a
    ``finding`` is in the finding. ``related`` changes have the same cause and are reported as part
    of this one. ``next`` are shell commands for the user, each with a comment that says what it is
    for: ``tokharness audit OLD NEW  # list the tokens that differ``. ``renderings`` are those of a
    chat template.
    """

    kind: str
    what: str
    message: str
    fingerprint: str
    fails: bool = True
    finding: Finding | None = None
    examples: tuple[Example, ...] = ()
    count: int = 1
    cause: Cause | None = None
    related: tuple[Change, ...] = ()
    next: tuple[str, ...] = ()
    renderings: Renderings | None = None

    @property
    def changed_texts(self) -> int:
        """Number of golden texts whose ids changed; ``examples`` has some of them."""
        changes = (one for one in (*self.related, self) if one.kind in OF_TEXTS)
        return sum(change.count for change in changes if change.what != CASES)

    def with_cause(self, cause: Cause) -> Change:
        """Return the change with a cause."""
        return replace(self, cause=cause)

    def with_message(self, message: str) -> Change:
        """Return the change with another message."""
        return replace(self, message=message)

    def with_fingerprint_of(self, identity: str) -> Change:
        """Return the change with the fingerprint of its kind and this string."""
        return replace(self, fingerprint=change_fingerprint(self.kind, identity))


def change_of(
    kind: str, what: str, message: str, *, identity: str | None = None, fails: bool = True
) -> Change:
    """Make a change whose fingerprint is of its kind, ``what`` and message.

    Baselines accept changes by their fingerprint. A message with numbers that differ between runs
    has an ``identity``, which is hashed in its place.
    """
    fingerprint = change_fingerprint(kind, what, message if identity is None else identity)
    return Change(kind, what, message, fingerprint, fails=fails)


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether the gate passes, and why.

    ``name`` is the name of the baseline, ``against`` its file or the spec of the incumbent.
    ``accepted`` counts the changes that an acceptance in the baseline covers, ``newly_accepted``
    those that failed until this run accepted them, and ``golden_texts`` the
    texts whose ids were compared.
    """

    name: str
    against: str
    changes: tuple[Change, ...]
    accepted: int = 0
    golden_texts: int = 0
    newly_accepted: int = 0

    @property
    def failing(self) -> tuple[Change, ...]:
        """The changes that make the gate fail."""
        return tuple(change for change in self.changes if change.fails)


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
