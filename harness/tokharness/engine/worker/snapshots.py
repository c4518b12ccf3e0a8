"""Take the snapshot of a loaded target: its golden ids, digests, fingerprint and file."""

from __future__ import annotations

import hashlib
import operator
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.engine.worker.body_digests import take_digests
from tokharness.engine.worker.changed_ids import explain_by_ids
from tokharness.engine.worker.described_file import described_file
from tokharness.engine.worker.file_changes import explain_file
from tokharness.engine.worker.other_ids import EarlierIds
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.outcome import Raised
from tokharness.targets.fingerprint import detect_version_without_explainer
from tokharness.targets.snapshot import (
    ENTRY_POINTS,
    GOLDEN,
    NOT_TRIED,
    ChangedText,
    Fingerprint,
    Golden,
    Snapshot,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.targets.snapshot import EarlierState, Ids
    from tokharness.targets.subject import Subject

__all__ = ["NEW", "ids_or_reason", "take_snapshot"]

NEW = "new"
"""Stands for the ids of a golden text that has none yet."""

DIFFERENTIAL = "TOK201"

MAX_OTHERS = 300
"""Texts besides golden texts that are explained by their ids: the shortest ones."""

WITH_SPECIAL = ("everyday", "family:special-tokens", "family:chat-templates")
NO_INTEGERS = "no integers"


def take_snapshot(
    subject: Subject,
    checks: Sequence[Check],
    before: Sequence[Golden],
    earlier: EarlierState | None = None,
    cases: Sequence[ChangedText] = (),
) -> Snapshot:
    """Take a snapshot of a target on golden texts; ``before`` has their earlier ids.

    ``earlier`` is what else is known of the earlier snapshot: what changed since is explained, also
    of ``cases`` of the run. The snapshot is of the target as given, even if its Unicode version was
    changed to compare it.
    """
    at_versions, subject = subject, subject.with_original_target()
    texts = [old.text for old in before]
    results = map(ids_or_reason, encode_all(texts, subject))
    golden = [Golden(old.group, old.text, ids) for old, ids in zip(before, results, strict=True)]
    seen = [one.ids for one in golden if not isinstance(one.ids, str)]
    file = described_file(subject, earlier, max(map(max, filter(None, seen)), default=-1) + 1)
    digests = take_digests(subject, earlier, file.old or file.new, EarlierIds(file.old, file.new))
    changed = [
        ChangedText(GOLDEN, new.text, old.ids, new.ids)
        for old, new in zip(before, golden, strict=True)
        if old.ids not in (NEW, new.ids)
    ]
    edits = explain_file(at_versions, file, [*changed, *cases, *digests.candidates])
    vocabulary = _vocabulary(subject)
    explained = {text for edit in edits for text in edit.texts}
    left = [one for one in changed if one.text not in explained]
    golden_texts = {one.text for one in changed}
    known = (one for one in digests.changed if one.before is not None)
    others = (one for one in known if one.text not in explained | golden_texts)
    left += sorted(others, key=lambda one: (len(one.text), one.text))[:MAX_OTHERS]
    return Snapshot(
        fingerprint=_fingerprint(subject, vocabulary),
        golden=tuple(golden),
        figures=_figures(vocabulary),
        explanations=tuple(explain_by_ids(left, subject, checks)),
        entries=tuple(_entries(golden, subject)),
        file=file.state,
        bodies=digests.packed,
        sizes=digests.sizes,
        changed=digests.changed,
        changed_counts=digests.counts,
        not_compared=digests.not_compared,
        edits=edits,
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
