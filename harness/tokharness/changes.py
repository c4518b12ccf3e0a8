"""The result of a gate: the changes between a baseline and a run, as frozen data."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
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
"""``what`` of a change of cases of the run, of which a baseline has digests only."""

CHANGED_FILE = "changed-file"
"""Kind of a change that is an edit of the tokenizer's file."""

OF_TEXTS = (CHANGED_FILE, "changed-ids", "special-handling", "unicode-version")
"""Kinds of changes whose ``count`` is a number of golden texts."""

NOT_STORED = "not stored"
"""Replaces the ids of a text of which a baseline has a digest only."""


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
