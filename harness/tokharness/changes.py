"""What a gate has to say: the changes between a baseline and a run, as frozen data."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness.model import Cause, Finding

__all__ = ["Change", "Example", "GateResult", "change_fingerprint"]


def change_fingerprint(*parts: object) -> str:
    """Sixteen hex digits of plain data: the same for the same change, another for any other."""
    data = json.dumps(parts, ensure_ascii=False)  # escapes would join a pair of surrogates
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Example:
    """A text, with what the tokenizer of the baseline and the one under test make of it.

    ``before`` and ``after`` are ids, or the name of an exception.
    """

    text: str
    before: tuple[int, ...] | str
    after: tuple[int, ...] | str


@dataclass(frozen=True, slots=True)
class Change:
    """One difference from the baseline, told once.

    ``kind`` is its slug, such as ``new-finding``, ``changed-ids`` or ``lost-capability``; ``what``
    tells it apart from others of its kind, in a few words; ``message`` is a sentence. A change that
    ``fails`` makes the gate fail; the others are told. ``fingerprint`` is what an acceptance names:
    16 hex digits, the same as long as the change is. ``cause`` is that of a finding, or of changed
    ids; ``related`` are changes that are told together with this one.
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

    @property
    def changed_texts(self) -> int:
        """How many golden texts get other ids by this, of which ``examples`` has some."""
        return sum(one.count for one in (*self.related, self) if one.finding is None)

    def of_cause(self, cause: Cause) -> Change:
        """Return the change with its cause."""
        return replace(self, cause=cause)

    def saying(self, message: str) -> Change:
        """Return the change with another message."""
        return replace(self, message=message)

    def named(self, what: str) -> Change:
        """Return the change under a fingerprint of these words, and not of its texts."""
        return replace(self, fingerprint=change_fingerprint(self.kind, what))


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether the gate is passed, and why.

    ``name`` is that of the baseline, ``against`` the file or the incumbent that was compared with.
    ``accepted`` counts the changes that an acceptance of the baseline covers; ``golden_texts`` the texts
    whose ids were compared.
    """

    name: str
    against: str
    changes: tuple[Change, ...]
    accepted: int = 0
    golden_texts: int = 0

    @property
    def failing(self) -> tuple[Change, ...]:
        """The changes that make the gate fail."""
        return tuple(change for change in self.changes if change.fails)
