"""Take the snapshot of a loaded target, and say why golden texts have other ids than before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tokharness.calling import Raised, called
from tokharness.checks._each import encoded_each
from tokharness.engine.grouping import Failing, group
from tokharness.engine.units import evenly
from tokharness.errors import NotTriedError, TargetDeath
from tokharness.fingerprint import version_from_outside
from tokharness.model import Verdict
from tokharness.snapshot import Fingerprint, Golden, Snapshot, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.snapshot import Ids
    from tokharness.subject import Subject

__all__ = ["NEW", "take"]

NEW = "new"
"""In the place of the ids of a golden text that has none yet."""

MOST_EXPLAINED = 300
DIFFERENTIAL = "TOK201"
NOT_TRIED = "not tried"


def take(subject: Subject, checks: Sequence[Check], before: Sequence[Golden]) -> Snapshot:
    """Take a snapshot of a target on these golden texts; ``before`` has the ids that they had."""
    texts = [one.text for one in before]
    results = map(_ids, encoded_each(texts, subject))
    golden = [Golden(one.group, one.text, ids) for one, ids in zip(before, results, strict=True)]
    changed = [
        new for old, new in zip(before, golden, strict=True) if old.ids not in (NEW, new.ids)
    ]
    vocabulary = _vocabulary(subject)
    return Snapshot(
        fingerprint=_fingerprint(subject, vocabulary),
        golden=tuple(golden),
        figures=_figures(vocabulary),
        why=tuple(_why(changed, subject, checks)),
    )


def _ids(result: Any) -> Ids:
    if not isinstance(result, Raised):
        return tuple(result)
    error = result.error
    if isinstance(error, NotTriedError):
        return NOT_TRIED
    return error.how if isinstance(error, TargetDeath) else type(error).__name__


def _why(changed: Sequence[Golden], subject: Subject, checks: Sequence[Check]) -> list[Why]:
    """Group changed texts by cause: those of the comparison first, then of any other check."""
    ordered = sorted(checks, key=lambda check: check.code != DIFFERENTIAL)
    failing = []
    for one in evenly(changed, MOST_EXPLAINED):
        causes = _causes(one.text, subject, ordered)
        if causes:
            failing.append(Failing(one.text, one.group, tuple(causes)))
    return [
        Why(found.cause, tuple(member.text for member in found.members)) for found in group(failing)
    ]


def _causes(text: str, subject: Subject, checks: Sequence[Check]) -> list[Cause]:
    for check in checks:
        if check.diagnose is not None:
            found = called(check.diagnose, text, subject)
            bugs = [] if isinstance(found, Raised) else found
            if bugs := [cause for cause in bugs if cause.verdict is Verdict.BUG]:
                return bugs
    return []


def _vocabulary(subject: Subject) -> dict[int, bytes]:
    target = subject.target
    if not target.can("decode_single_token_bytes") or not target.n_vocab:
        return {}
    return subject.vocabulary()


def _fingerprint(subject: Subject, vocabulary: dict[int, bytes]) -> Fingerprint:
    target = subject.target
    pattern = getattr(target.tokenizer, "pattern", None)
    return Fingerprint(
        vocabulary=_hash(vocabulary) if vocabulary else None,
        n_vocab=target.n_vocab,
        pattern=pattern if isinstance(pattern, str) else None,
        unicode_version=subject.unicode_version or version_from_outside(target),
        normalizer=target.normalizer,
        normalizer_version=subject.normalizer_version,
        special_tokens=dict(target.special_tokens),
    )


def _hash(vocabulary: dict[int, bytes]) -> str:
    """Sixteen hex digits that are others when the bytes of any id are."""
    lines = (f"{number} {data.hex()}\n" for number, data in sorted(vocabulary.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def _figures(vocabulary: dict[int, bytes]) -> dict[str, float]:
    if not vocabulary:
        return {}
    lengths = [len(data) for data in vocabulary.values()]
    return {
        "tokens": len(lengths),
        "bytes a token": round(sum(lengths) / len(lengths), 6),
        "bytes of the longest token": max(lengths),
    }
