"""Take the snapshot of a loaded target: its golden ids, digests, fingerprint and file."""

from __future__ import annotations

import hashlib
import json
import operator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.engine.worker.body_digests import take_digests
from tokharness.engine.worker.changed_ids import EarlierIds, explain_by_ids
from tokharness.engine.worker.described_file import described_file
from tokharness.engine.worker.file_changes import explain_file
from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.outcome import Raised
from tokharness.targets.fingerprint import detect_version_without_explainer, reclassified_texts
from tokharness.targets.snapshot import (
    ENTRY_POINTS,
    GOLDEN,
    NOT_TRIED,
    WITH_SPECIAL,
    ChangedText,
    Fingerprint,
    Golden,
    Snapshot,
)
from tokharness.unicode.languages import LANGUAGES, parallel_text
from tokharness.unicode.properties import members, script

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import TargetFacts
    from tokharness.plugins import Check
    from tokharness.targets.snapshot import EarlierState, Ids
    from tokharness.targets.subject import Subject

# The golden set: texts whose ids a baseline stores.

EVERYDAY = "golden_everyday.json"
"""Everyday text, where a reviewer understands a change of ids at once."""

CONTRACTIONS = ("s", "t", "m", "d", "ll", "re", "ve", "S", "T", "M", "D", "LL", "RE", "VE")
TEXTS_PER_FAMILY, MAX_LENGTH = 40, 120
CURATED = 100
"""The first texts of a family, which are mostly written by hand; the others are enumerated."""

LETTERS_PER_SCRIPT, WORD = 40, 5
LETTERS = r"(?!\p{sc=Hani})\p{L}"
"""All letters except Han characters, which four of the languages cover."""


def golden_texts(facts: TargetFacts) -> Iterator[tuple[str, str]]:
    """Yield the group and text of each golden text, without repetition, in a fixed order.

    The texts are everyday text, an even sample of each family in the quick profile, one text per
    language and per script, and texts that distinguish each Unicode version from the one before.
    No text depends on the pattern, the tokens or the merges, which another version of a target may
    change.
    """
    seen: set[str] = set()
    unknown = replace(facts, pattern=None, tokens=tuple, merges=tuple, scores=tuple)
    for group, text in _candidates(replace(unknown, profile="quick")):
        if text not in seen:
            seen.add(text)
            yield group, text


def _candidates(facts: TargetFacts) -> Iterator[tuple[str, str]]:
    for text in json.loads((Path(__file__).parent / EVERYDAY).read_text(encoding="ascii")):
        yield "everyday", text
    for ending, after in product(CONTRACTIONS, ("", "a", "Able", "LE", " ")):
        yield "everyday", f"x'{ending}{after}"
    for name, texts in _family_texts(facts):
        first, rest = texts[:CURATED], texts[CURATED :: len(texts) // 2000 + 1]
        for part in (first, rest):
            short = [text for text in part if len(text) <= MAX_LENGTH]
            for text in sample_evenly(short, TEXTS_PER_FAMILY // 2):
                yield f"family:{name}", text
    for code in LANGUAGES:
        yield f"language:{code}", parallel_text(code)
    for code, letters in sorted(_letters_by_script().items()):
        yield f"script:{code}", _as_words(sample_evenly(letters, LETTERS_PER_SCRIPT))
    from tokharness.unicode.versions import VERSIONS

    for old, new in pairwise(VERSIONS):
        for text in reclassified_texts(old, new):
            yield f"unicode:{new}", text


def _family_texts(facts: TargetFacts) -> Iterator[tuple[str, Sequence[str]]]:
    """Texts of each family, except replayed ones, which differ between projects."""
    for name, family in plugins.families().items():
        if not family.replayed:
            yield name, family.texts(facts)


def _letters_by_script() -> dict[str, list[str]]:
    letters: dict[str, list[str]] = {}
    for char in map(chr, members(LETTERS)):
        letters.setdefault(script(char), []).append(char)
    return letters


def _as_words(letters: Sequence[str]) -> str:
    words = ("".join(letters[start : start + WORD]) for start in range(0, len(letters), WORD))
    return " ".join(words)


NEW = "new"
"""Stands for the ids of a golden text that has none yet."""

DIFFERENTIAL = "TOK201"

MAX_OTHERS = 300
"""Most texts besides golden texts that are explained by their ids: the shortest texts."""

NO_INTEGERS = "no integers"


def take_snapshot(
    subject: Subject,
    checks: Sequence[Check],
    before: Sequence[Golden],
    earlier: EarlierState | None = None,
    cases: Sequence[ChangedText] = (),
) -> Snapshot:
    """Take a snapshot of a target on golden texts; ``before`` has their earlier ids.

    ``earlier`` has the further data of the earlier snapshot: changes since then are explained, also
    changes of ``cases`` of the run. The snapshot is of the target as given, even if its Unicode
    version was changed for a comparison.
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
    unchanged = {
        old.text: old.ids for old, new in zip(before, golden, strict=True) if old.ids == new.ids
    }
    edits = explain_file(
        at_versions,
        file,
        [*changed, *cases, *digests.candidates],
        same_ids=not changed and not digests.counts,
    )
    vocabulary = _vocabulary(subject)
    explained = {text for edit in edits for text in edit.texts}
    left = [one for one in changed if one.text not in explained]
    named = explained | {one.text for one in changed}
    known = (one for one in digests.changed if one.before is not None)
    others = (one for one in known if one.text not in named)
    left += sorted(others, key=lambda one: (len(one.text), one.text))[:MAX_OTHERS]
    return Snapshot(
        fingerprint=_fingerprint(subject, vocabulary),
        golden=tuple(golden),
        figures=_figures(vocabulary),
        explanations=tuple(explain_by_ids(left, subject, checks, unchanged)),
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
    """Yield the results of other entry points for texts with special tokens, if they differ."""
    likely = [text for text in golden if text.group in WITH_SPECIAL]
    for name in ENTRY_POINTS:
        if name == "encode" or subject.target.can(name):
            results = encode_all([text.text for text in likely], subject, name)
            for text, ids in zip(likely, map(ids_or_reason, results), strict=True):
                if ids != text.ids:
                    yield Golden(name, text.text, ids)


def ids_or_reason(result: Any) -> Ids:
    """Return the ids of a result of ``encode``, or the reason why it has no ids."""
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
