"""The stage of a tokenizer that makes a difference: added tokens, normalizer, model and others.

A reference that knows its stages can encode a text with one setting of one stage altered. The
alterations that give the target's ids are causes. Without one, the texts of the tokens show the
stage: other characters come from the normalizer, tokens across the end of a pre-token from the
pre-tokenizer, and other tokens of the same pre-tokens from the model.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.diagnosis.ids.version_differences import UNICODE_VERSION
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = [
    "altered_decoder_causes",
    "altered_stage_causes",
    "inferred_stage_causes",
    "stage_evidence",
    "stage_version_causes",
    "stages_of",
]

Key: TypeAlias = tuple[str, str]
"""A stage, and what is altered in it or its Unicode version."""

ADDED, NORMALIZER, PRE_TOKENIZER, MODEL = "added tokens", "normalizer", "pre-tokenizer", "model"
POST_PROCESSOR = "post-processor"

MOST_CONTRADICTED = 0.05
"""Most failing texts that contradict a change of the reference, for each one that it explains."""

PLAIN_TEXTS = (
    *(" a b ", "a ", " A", "\tb\n", "  a  b", "It's", "IT'S", "a1 22", "12345", "a, b!!"),
    *("caf\u00e9", "e\u0301", "\uff21", "\u00c5ngstr\u00f6m", "\u4f60\u597d", "a\u200bb", "the"),
)
"""Texts that refute an alteration which explains another text by accident."""

NOT_BY_CATEGORY = frozenset({"split, scripts", "normalizer, grapheme clusters"})
"""Stages whose Unicode data also changes for characters whose general category does not."""

STAGE_OF_KIND: Mapping[str, str] = {
    "special token": ADDED,
    "shared special id": ADDED,
    "normalizer": NORMALIZER,
    "case folding": NORMALIZER,
    "dropped characters": NORMALIZER,
    "replaced characters": NORMALIZER,
    "pre-token split": PRE_TOKENIZER,
    "read as another class": PRE_TOKENIZER,
    "merge order": MODEL,
    "vocabulary": MODEL,
    "decoding": "decoder",
    **{stage: stage for stage in (ADDED, PRE_TOKENIZER, MODEL, POST_PROCESSOR, "decoder")},
}
"""The stage of a kind of cause that names none itself."""

STAGE_OF_TABLE: Mapping[str, str] = {"split": PRE_TOKENIZER, "case mapping": NORMALIZER}
"""The stage of Unicode data that has another name."""


def altered_stage_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the alterations of the reference with which it gives the target's ids.

    Those of other stages than the one whose text differs are accidents. Without an alteration, the
    first stage whose text differs is the cause, if both sides show their stages.
    """
    reference = _at_versions_of_target(subject)
    if reference is None:
        return []
    shown = _shown_stage(text, ids, subject)
    refuted = subject.cache.get_or_compute("refuted alterations", lambda: _refuted(subject))
    known = {
        key: altered
        for key, altered in _alterations(text, reference).items()
        if key not in refuted and _may_be(key[0], shown)
    }
    wanted = reference.encode(text)
    causes = [_altered(*key) for key in _credible(text, ids, known, wanted, subject)]
    # A Unicode version may explain the text.
    explained = any(text in one.explained and one.is_credible for one in _records(subject).values())
    return causes if explained or shown is None else [_inferred(shown, "its text differs")]


def altered_decoder_causes(ids: Sequence[Any], decoded: Any, subject: Subject) -> list[Cause]:
    """Return the alterations of the reference's decoder with which it gives the target's text."""
    reference = subject.reference
    if reference is None or not reference.can("decode_altered"):
        return []
    rows = reference.call("decode_altered", list(ids))
    if isinstance(rows, Raised) or reference.decode(ids) == decoded:
        return []
    message = "the text is that of the reference if its decoder is altered so: {}"
    return [
        Cause("decoder", (("altered", what),), message=message.format(what))
        for what, text in rows
        if text == decoded
    ]


def _at_versions_of_target(subject: Subject) -> Target | None:
    """Return the reference at the Unicode versions of the target, so that these alter nothing."""
    reference, versions = subject.reference, subject.stage_versions
    if reference is None or not versions:
        return reference

    def compute() -> Target:
        pinned = reference.at_stage_versions(versions)
        return reference if isinstance(pinned, Raised) else pinned

    return subject.cache.get_or_compute("reference at the target's versions", compute)


def _alterations(text: str, reference: Target) -> dict[Key, Any]:
    """Return the ids of a text with each alteration of the reference."""
    rows = reference.call("encode_altered", text) if reference.can("encode_altered") else []
    return {} if isinstance(rows, Raised) else {(stage, what): ids for stage, what, ids in rows}


def _refuted(subject: Subject) -> frozenset[Key]:
    """Return the alterations that explain fewer of the plain texts that they change than not."""
    explained: Counter[Key] = Counter()
    for text in PLAIN_TEXTS:
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if subject.reference is None or ids is None:
            continue
        for key, altered in _alterations(text, subject.reference).items():
            if altered != wanted:
                explained[key] += 1 if altered == ids else -1
    return frozenset(key for key, number in explained.items() if number < 0)


def _records(subject: Subject) -> dict[Key, _Record]:
    return subject.cache.get_or_compute("records of changes", dict)


def stage_version_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the Unicode versions of a stage at which the reference gives the target's ids."""
    reference = subject.reference
    if reference is None or not reference.stage_versions or text.isascii():
        return []
    pinned = subject.cache.get_or_compute(
        "reference at stage versions",
        lambda: list(_at_versions(reference, subject.stage_versions)),
    )
    changed = not _reclassified(subject).isdisjoint(text)
    known = {
        (stage, version): other.encode(text)
        for stage, version, other in pinned
        if changed or stage in NOT_BY_CATEGORY
    }
    found = _credible(text, ids, known, subject.reference_ids(text), subject)
    return [_at_version(*key, reference) for key in found]


def _reclassified(subject: Subject) -> frozenset[str]:
    """Return the characters whose category differs between two versions, new ones among them."""

    def compute() -> frozenset[str]:
        from tokharness.unicode.versions import VERSIONS, changed

        return frozenset(map(chr, changed(VERSIONS[0], VERSIONS[-1])))

    return subject.cache.get_or_compute("reclassified", compute)


def _at_versions(reference: Target, found: Mapping[str, str]) -> Iterator[tuple[str, str, Target]]:
    """Yield the reference with one stage at another version, the newest versions first.

    Where the version of the target is known, a text that fits another one is an accident.
    """
    from tokharness.unicode.versions import VERSIONS

    for stage, known in reference.stage_versions.items():
        for version in [found[stage]] if stage in found else reversed(VERSIONS):
            if version != known:
                other = reference.at_stage_versions({stage: version})
                if not isinstance(other, Raised):
                    yield stage, version, other


def _at_version(stage: str, version: str, reference: Target) -> Cause:
    message = (
        f"the target has the Unicode version {version} in its {stage}, and the reference "
        f"{reference.stage_versions[stage]}"
    )
    return Cause(UNICODE_VERSION, (("is", version), ("of", stage)), message=message)


def _altered(stage: str, what: str) -> Cause:
    message = f"the ids are those of the reference if its {stage} is altered so: {what}"
    return Cause(stage, (("altered", what),), message=message)


def _credible(
    text: str, ids: Sequence[Any], known: Mapping[Key, Any], wanted: Any, subject: Subject
) -> list[Key]:
    """Return what gives the target's ids for this text and for most texts that it changes.

    What explains a text by accident does not explain the others. ``known`` has the ids that the
    reference gives for this text with each change, and ``wanted`` those without one.
    """
    records = _records(subject)
    found = []
    for key, changed in known.items():
        if isinstance(changed, Raised) or changed == wanted:
            continue
        record = records.setdefault(key, _Record())
        before = record.is_credible
        explains = list(changed) == list(ids)
        (record.explained if explains else record.contradicted).add(text)
        if before and not record.is_credible and record.explained:
            subject.diagnosis_pass.learned = True
        if explains and record.is_credible:
            found.append(key)
    return found


@dataclass(slots=True)
class _Record:
    """The failing texts on which a change of the reference gives the target's ids, or does not."""

    explained: set[str] = field(default_factory=set)
    contradicted: set[str] = field(default_factory=set)

    @property
    def is_credible(self) -> bool:
        return len(self.contradicted) <= MOST_CONTRADICTED * len(self.explained)


def _may_be(stage: str, shown: str | None) -> bool:
    """Whether a change of this stage may show as a difference after ``shown``."""
    return shown in (None, stage) or (shown == MODEL and stage == POST_PROCESSOR)


def _shown_stage(text: str, ids: Sequence[Any], subject: Subject) -> str | None:
    """Return the first stage after which the texts differ; None if not both sides show them.

    An added token that only one side finds shows in the ids.
    """
    reference, target = subject.reference, subject.target
    if reference is None or not is_scalar(text):
        return None
    theirs, ours = stages_of(text, reference), stages_of(text, target)
    if theirs is None or ours is None:
        return None
    added = {*reference.added_tokens.values(), *target.added_tokens.values()}
    wanted = subject.reference_ids(text) or []
    if [number for number in ids if number in added] != [one for one in wanted if one in added]:
        return ADDED
    for stage in (NORMALIZER, PRE_TOKENIZER, MODEL):
        if stage not in ours or stage not in theirs or ours[stage] == theirs[stage]:
            continue
        is_cut = stage == NORMALIZER and "".join(ours[stage]) == "".join(theirs[stage])
        return ADDED if is_cut else stage
    return None


def inferred_stage_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the stage that the texts of the tokens show, as a weak cause."""
    reference = subject.reference
    stages = None if reference is None else stages_of(text, reference)
    if stages is None or reference is None or PRE_TOKENIZER not in stages or MODEL not in stages:
        return []
    tokens = _texts(ids, reference)
    if tokens is None:
        return []
    wanted = stages[MODEL]
    if "".join(tokens) != "".join(wanted):
        return [_inferred(NORMALIZER, "its tokens have other characters")]
    ends = set(accumulate(map(len, stages[PRE_TOKENIZER])))
    if not ends <= set(accumulate(map(len, tokens))):
        return [_inferred(PRE_TOKENIZER, "a token crosses the end of a pre-token")]
    return [_inferred(MODEL, "its pre-tokens are the same, and their tokens are not")]


def _inferred(stage: str, why: str) -> Cause:
    message = f"the {stage} of the target does something else than that of the reference: {why}"
    return Cause(stage, (("differs", "tokens"),), message=message, weak=True)


def _texts(ids: Sequence[Any], reference: Target) -> list[str] | None:
    if not reference.can("token_text"):
        return None
    texts = reference.call_each("token_text", ids)
    return None if any(isinstance(text, Raised) for text in texts) else texts


def stages_of(text: str, target: Target) -> dict[str, list[str]] | None:
    """Return the text after each stage of a target that shows them, by the name of the stage."""
    if not target.can("stages"):
        return None
    rows = target.call("stages", text)
    return None if isinstance(rows, Raised) else {stage: list(texts) for stage, texts in rows}


def stage_evidence(text: Any, cause: Cause, subject: Subject) -> dict[str, str]:
    """Return the stage of a difference, and the text after each stage that differs."""
    reference = subject.reference
    if reference is None or not isinstance(text, str) or not reference.can("stages"):
        return {}
    parameters = dict(cause.parameters)
    table, _, _ = parameters.get("of", "").partition(",")
    stage = STAGE_OF_KIND.get(cause.kind) or STAGE_OF_TABLE.get(table, table)
    ours, theirs = stages_of(text, subject.target) or {}, stages_of(text, reference) or {}
    evidence = {"stage": stage} if stage else {}
    for name, texts in theirs.items():
        if name in ours and ours[name] != texts:
            evidence[f"after the {name}"] = _joined(ours[name])
            evidence[f"after the {name}, reference"] = _joined(texts)
    return evidence


def _joined(texts: Sequence[str]) -> str:
    return " | ".join(texts)
