"""Take the snapshot of a loaded target, and explain changed ids of golden texts by causes."""

from __future__ import annotations

import hashlib
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.engine.worker.diagnose_texts import diagnose_texts
from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.engine.worker.merging import merge_weak_causes
from tokharness.engine.worker.without_cause import NOT_REPRODUCED
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Verdict
from tokharness.outcome import Raised, call
from tokharness.targets.fingerprint import detect_version_without_explainer
from tokharness.targets.snapshot import (
    ENTRY_POINTS,
    NOT_TRIED,
    Explanation,
    Fingerprint,
    Golden,
    Snapshot,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.targets.snapshot import Ids
    from tokharness.targets.subject import Subject

__all__ = ["NEW", "ids_or_reason", "take_snapshot"]

NEW = "new"
"""Stands for the ids of a golden text that has none yet."""

DIFFERENTIAL = "TOK201"
WITH_SPECIAL = ("everyday", "family:special-tokens", "family:chat-templates")
NO_INTEGERS = "no integers"


def take_snapshot(subject: Subject, checks: Sequence[Check], before: Sequence[Golden]) -> Snapshot:
    """Take a snapshot of a target on golden texts; ``before`` has their earlier ids.

    The snapshot is of the target as given, even if its Unicode version was changed to compare it.
    """
    subject = subject.with_original_target()
    texts = [old.text for old in before]
    results = map(ids_or_reason, encode_all(texts, subject))
    golden = [Golden(old.group, old.text, ids) for old, ids in zip(before, results, strict=True)]
    changed = [
        new for old, new in zip(before, golden, strict=True) if old.ids not in (NEW, new.ids)
    ]
    vocabulary = _vocabulary(subject)
    return Snapshot(
        fingerprint=_fingerprint(subject, vocabulary),
        golden=tuple(golden),
        figures=_figures(vocabulary),
        explanations=tuple(_explanations(changed, subject, checks)),
        entries=tuple(_entries(golden, subject)),
    )


def _entries(golden: Sequence[Golden], subject: Subject) -> Iterator[Golden]:
    """Yield what other entry points give for texts with special tokens, where it differs."""
    likely = [text for text in golden if text.group in WITH_SPECIAL]
    for name in ENTRY_POINTS:
        if name == "encode" or subject.target.can(name):
            results = encode_all([text.text for text in likely], subject, name)
            for text, ids in zip(likely, map(ids_or_reason, results), strict=True):
                if ids != text.ids:
                    yield Golden(name, text.text, ids)


def ids_or_reason(result: Any) -> Ids:
    """Return the ids of a result of ``encode``, or what there is in their place."""
    if not isinstance(result, Raised):
        try:
            return tuple(int(operator.index(number)) for number in result)
        except TypeError:
            return NO_INTEGERS
    error = result.error
    if isinstance(error, SkippedTextError):
        return NOT_TRIED
    return error.reason if isinstance(error, TargetDeath) else type(error).__name__


def _explanations(
    changed: Sequence[Golden], subject: Subject, checks: Sequence[Check]
) -> Iterator[Explanation]:
    """Group changed texts by cause: those of the comparison first, then those of other checks."""
    left = {text.text: text.group for text in changed}
    for check in sorted(checks, key=lambda check: check.code != DIFFERENTIAL):
        diagnosed = call(diagnose_texts, check, subject, left) if left else ()
        bugs = [] if isinstance(diagnosed, Raised) else list(filter(None, map(_bugs_of, diagnosed)))
        for group in merge_weak_causes(group_by_cause(bugs)):
            texts = tuple(member.text for member in group.members)
            yield Explanation(group.cause, texts)
            for text in texts:
                left.pop(text, None)


def _bugs_of(diagnosed: DiagnosedText) -> DiagnosedText | None:
    """Return the text with only those causes that are bugs, and None if there are none."""
    # NOT_REPRODUCED explains nothing.
    causes = (cause for cause in diagnosed.causes if cause != NOT_REPRODUCED)
    bugs = tuple(cause for cause in causes if cause.verdict is Verdict.BUG)
    return replace(diagnosed, causes=bugs) if bugs else None


def _vocabulary(subject: Subject) -> dict[int, bytes]:
    target = subject.target
    if not target.can("decode_single_token_bytes") or not target.n_vocab:
        return {}
    return subject.vocabulary()


def _fingerprint(subject: Subject, vocabulary: dict[int, bytes]) -> Fingerprint:
    target = subject.target
    version = subject.unicode_version
    return Fingerprint(
        vocabulary=_hash(vocabulary, target.special_tokens) if vocabulary else None,
        n_vocab=target.n_vocab,
        pattern=target.pattern,
        unicode_version=version
        if isinstance(version, str)
        else detect_version_without_explainer(target),
        normalizer=target.normalizer,
        normalizer_version=subject.normalizer_version,
        case_version=subject.case_version,
        special_tokens={text: int(number) for text, number in target.special_tokens.items()},
    )


def _hash(vocabulary: dict[int, bytes], special_tokens: Mapping[str, int]) -> str:
    """Hash the bytes of all ids, as 16 hex digits.

    The bytes of a special token are its text, so the hash does not depend on how it is declared.
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
