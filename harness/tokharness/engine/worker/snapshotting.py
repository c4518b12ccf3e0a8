"""Take the snapshot of a loaded target, and say why golden texts have other ids than before."""

from __future__ import annotations

import hashlib
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.engine.worker.findings import NOT_REPRODUCED, diagnose_texts, merge_weak_causes
from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.errors import NotTriedError, TargetDeath
from tokharness.model import Verdict
from tokharness.outcome import Raised, called
from tokharness.targets.fingerprint import version_from_outside
from tokharness.targets.snapshot import ENTRY_POINTS, NOT_TRIED, Fingerprint, Golden, Snapshot, Why

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.targets.snapshot import Ids
    from tokharness.targets.subject import Subject

__all__ = ["NEW", "take_snapshot"]

NEW = "new"
"""In the place of the ids of a golden text that has none yet."""

DIFFERENTIAL = "TOK201"
WITH_SPECIAL = ("everyday", "family:special-tokens", "family:chat-templates")
NO_INTEGERS = "no integers"


def take_snapshot(subject: Subject, checks: Sequence[Check], before: Sequence[Golden]) -> Snapshot:
    """Take a snapshot of a target on these golden texts; ``before`` has the ids that they had.

    It is of the target as it is, also where another Unicode version was set to compare it.
    """
    subject = subject.as_given()
    texts = [one.text for one in before]
    results = map(_ids, encode_all(texts, subject))
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
        entries=tuple(_entries(golden, subject)),
    )


def _entries(golden: Sequence[Golden], subject: Subject) -> Iterator[Golden]:
    """Ask the other entry points about texts in which special tokens are likely."""
    tokenizer = subject.target.tokenizer
    some = [one for one in golden if one.group in WITH_SPECIAL]
    for name in ENTRY_POINTS:
        if callable(getattr(tokenizer, name, None)):
            results = encode_all([one.text for one in some], subject, name)
            for one, ids in zip(some, map(_ids, results), strict=True):
                if ids != one.ids:
                    yield Golden(name, one.text, ids)


def _ids(result: Any) -> Ids:
    if not isinstance(result, Raised):
        try:
            return tuple(int(operator.index(one)) for one in result)
        except TypeError:
            return NO_INTEGERS
    error = result.error
    if isinstance(error, NotTriedError):
        return NOT_TRIED
    return error.how if isinstance(error, TargetDeath) else type(error).__name__


def _why(changed: Sequence[Golden], subject: Subject, checks: Sequence[Check]) -> Iterator[Why]:
    """Group changed texts by cause, as a check does: the comparison first, then any other."""
    left = {one.text: one.group for one in changed}
    for check in sorted(checks, key=lambda check: check.code != DIFFERENTIAL):
        found = called(diagnose_texts, check, subject, left) if left else ()
        bugs = [] if isinstance(found, Raised) else list(filter(None, map(_of_bugs, found)))
        for one in merge_weak_causes(group_by_cause(bugs)):
            texts = tuple(member.text for member in one.members)
            yield Why(one.cause, texts)
            for text in texts:
                left.pop(text, None)


def _of_bugs(failing: DiagnosedText) -> DiagnosedText | None:
    known = (cause for cause in failing.causes if cause != NOT_REPRODUCED)  # which explains nothing
    bugs = tuple(cause for cause in known if cause.verdict is Verdict.BUG)
    return replace(failing, causes=bugs) if bugs else None


def _vocabulary(subject: Subject) -> dict[int, bytes]:
    target = subject.target
    if not target.can("decode_single_token_bytes") or not target.n_vocab:
        return {}
    return subject.vocabulary()


def _fingerprint(subject: Subject, vocabulary: dict[int, bytes]) -> Fingerprint:
    target = subject.target
    pattern = getattr(target.tokenizer, "pattern", None)
    version = subject.unicode_version
    return Fingerprint(
        vocabulary=_hash(vocabulary, target.special_tokens) if vocabulary else None,
        n_vocab=target.n_vocab,
        pattern=pattern if isinstance(pattern, str) else None,
        unicode_version=version if isinstance(version, str) else version_from_outside(target),
        normalizer=target.normalizer,
        normalizer_version=subject.normalizer_version,
        special_tokens={text: int(number) for text, number in target.special_tokens.items()},
    )


def _hash(vocabulary: dict[int, bytes], special_tokens: Mapping[str, int]) -> str:
    """Sixteen hex digits that are others when the bytes of any id are.

    A special token's are those of its text, so that it does not matter here who declares it.
    """
    special = {
        number: text.encode("utf-8", "surrogatepass") for text, number in special_tokens.items()
    }
    lines = (f"{n} {data.hex()}\n" for n, data in sorted({**vocabulary, **special}.items()))
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
