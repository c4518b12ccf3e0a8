"""Differences that an alteration of the reference explains: one setting of one stage is changed.

A reference that reads a file can encode and decode with one setting of the file altered. The
alterations that give what the target gives are causes.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.alterable import (
    alterable,
    alterations_of,
    stands_for_reference,
)
from tokharness.diagnosis.ids.credible_changes import credible_changes, is_explained
from tokharness.diagnosis.ids.stages import (
    DECODER,
    MODEL,
    POST_PROCESSOR,
    different_stage,
    inferred,
)
from tokharness.diagnosis.ids.token_edits import explaining_edits
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.diagnosis.ids.credible_changes import Key
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = [
    "altered_decoder_causes",
    "altered_stage_causes",
    "at_versions_of_target",
    "text_with_alteration",
]

PLAIN_TEXTS = (
    *(" a b ", "a ", " A", "\tb\n", "  a  b", "It's", "IT'S", "a1 22", "12345", "a, b!!"),
    *("caf\u00e9", "e\u0301", "\uff21", "\u00c5ngstr\u00f6m", "\u4f60\u597d", "a\u200bb", "the"),
    *("\x1ca", "a\x1c\x1cb\x1c"),  # white space in Python only
)
"""Texts that refute an alteration which explains another text by accident."""

LONGEST_BY_CHANCE = 32
"""Characters of a text whose ids may be the reference's for a different text by chance."""

MOST_NAMES = 8
"""Added tokens in whose texts alterations are tried."""


def altered_stage_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the alterations of the reference with which it gives the target's ids.

    Those of other stages than the one whose text differs are accidents. Without an alteration, the
    first stage whose text differs is the cause, if both sides show their stages.
    """
    shown = different_stage(text, ids, subject)
    model = alterable(subject)
    known: dict[Key, Any] = {}
    support: Counter[Key] = Counter()
    wanted: Any = None
    if (
        model is not None
        and not _is_changed_text(text, ids, model)
        and stands_for_reference(model, text, subject)
    ):
        model = at_versions_of_target(model, subject)
        support = subject.cache.get_or_compute("support", lambda: _support(subject))
        known = {
            key: altered
            for key, altered in alterations_of(text, model).items()
            if support[key] >= 0 and _may_be(key[0], shown)
        }
        wanted = model.encode(text)
    found = credible_changes(text, ids, known, wanted, subject)
    keys = sorted(found, key=lambda key: -support[key])
    is_of_model = shown in (None, MODEL) and all(stage == MODEL for stage, _ in keys)
    if model is not None and wanted is not None and is_of_model:
        keys = [*keys, *explaining_edits(text, ids, model, subject)]
    causes = [_altered(*key) for key in keys]
    # A Unicode version may explain the text.
    if shown is None or is_explained(text, subject):
        return causes
    return [inferred(shown, "the text after it differs")]


def _is_changed_text(text: str, ids: Sequence[Any], model: Target) -> bool:
    """Whether a byte-level model without a normalizer gives the ids of a long text for another one.

    The target has changed the text then. Where special tokens are listed in another order, the ids
    of a short text may by chance be the reference's ids for a different text.
    """
    is_short = len(text) <= LONGEST_BY_CHANCE
    if is_short or model.normalizer is not None or not model.can("decode_bytes"):
        return False
    decoded = model.decode(ids)
    return decoded != scalar_text(text) and model.encode(str(decoded)) == ids


def altered_decoder_causes(ids: Sequence[Any], decoded: Any, subject: Subject) -> list[Cause]:
    """Return the alterations of the reference's decoder with which it gives the target's text.

    They give it for the ids of plain texts, and for those of most texts that they change, too.
    """
    model = _alterable_decoder(subject)
    if model is None or subject.reference is None:
        return []
    wanted = subject.reference.decode(ids)
    if wanted == decoded or model.decode(ids) != wanted:
        return []
    refuted = subject.cache.get_or_compute("refuted decoders", lambda: _refuted_decoders(subject))
    known = {key: text for key, text in _decoded(ids, model).items() if key not in refuted}
    message = "the reference gives the text with this alteration of its decoder: {}"
    return [
        Cause(DECODER, (("altered", what),), message=message.format(what))
        for _, what in credible_changes(repr(ids), decoded, known, wanted, subject)
    ]


def _alterable_decoder(subject: Subject) -> Target | None:
    """Return the implementation of our own whose decoder can be altered."""
    sides = (subject.reference, subject.explainer)
    model = next((one for one in sides if one is not None and one.can("decode_altered")), None)
    return None if model is subject.target else model


def _decoded(ids: Sequence[Any], model: Target) -> dict[Key, str]:
    """Return the text of ids with each alteration of the decoder."""
    rows = model.call("decode_altered", list(ids))
    return {} if isinstance(rows, Raised) else {(DECODER, what): text for what, text in rows}


def text_with_alteration(what: str, ids: Sequence[Any], subject: Subject) -> str | None:
    """Return the text of ids with one alteration of the reference's decoder; None without one."""
    model = _alterable_decoder(subject)
    return None if model is None else _decoded(ids, model).get((DECODER, what))


def _refuted_decoders(subject: Subject) -> frozenset[Key]:
    """Return the alterations that give another text than the target does, more often than not."""
    explained: Counter[Key] = Counter()
    model = _alterable_decoder(subject)
    for text in PLAIN_TEXTS:
        round_trip = subject.round_trip(text)
        if round_trip is None or model is None:
            continue
        ids, decoded = round_trip
        wanted = model.decode(ids)
        for key, altered in _decoded(ids, model).items():
            if altered != wanted:
                explained[key] += 1 if altered == decoded else -1
    return frozenset(key for key, number in explained.items() if number < 0)


def at_versions_of_target(model: Target, subject: Subject) -> Target:
    """Return an implementation at the Unicode versions of the target: these alter nothing then."""
    versions = subject.stage_versions
    if not versions:
        return model

    def compute() -> Target:
        pinned = model.at_stage_versions(versions)
        return model if isinstance(pinned, Raised) else pinned

    return subject.cache.get_or_compute("reference at the target's versions", compute)


def _support(subject: Subject) -> Counter[Key]:
    """Return of how many more plain texts that it changes each alteration explains than not."""
    explained: Counter[Key] = Counter()
    model = alterable(subject)
    for text in (*PLAIN_TEXTS, *_texts_of_added_tokens(model)):
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if model is None or ids is None:
            continue
        for key, altered in alterations_of(text, model).items():
            if altered != wanted:
                explained[key] += 1 if altered == ids else -1
    return explained


def _texts_of_added_tokens(model: Target | None) -> Iterator[str]:
    """Yield texts in which an alteration of all added tokens changes more than one of one token."""
    names = {} if model is None else {**model.added_tokens, **model.special_tokens}
    for name in islice(names, MOST_NAMES):
        yield from (f"a{name}b", f" a {name} b")


def _may_be(stage: str, shown: str | None) -> bool:
    """Whether a change of this stage may show as a difference after ``shown``."""
    return shown in (None, stage) or (shown == MODEL and stage == POST_PROCESSOR)


def _altered(stage: str, what: str) -> Cause:
    message = f"the ids are those of the reference with this alteration of its {stage}: {what}"
    return Cause(stage, (("altered", what),), message=message)
