"""Differences that the reference makes: it departs from its file, and the target does not.

An implementation that agrees with the target is altered until it gives the ids of the reference.
The implementation is the target itself, if the target can alter its stages, or our own
implementation of the reference's file. If there is neither, the reference's round trip shows how it
changes a text.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.altered_stages import altered_stage_causes
from tokharness.diagnosis.ids.stage_versions import UNICODE_VERSION, stage_version_causes
from tokharness.diagnosis.text.changes import explain_change
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.stage_versions import detect_stage_versions
from tokharness.targets.subject import Subject, scalar_text
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tokharness.model import Target

WORD = "word"
IN_REFERENCE = ("side", "in the reference")


def altered_reference_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the alterations with which the target's implementation gives the reference's ids.

    Unaltered, this implementation must give ``ids``, the ids of the target.
    """
    exchanged = exchanged_roles(subject)
    theirs = subject.reference_ids(text)
    if exchanged is None or theirs is None or exchanged.reference_ids(text) != list(ids):
        return []
    versions = stage_version_causes(text, theirs, exchanged)
    altered = altered_stage_causes(text, theirs, exchanged)
    return [*map(_version, versions), *(_altered(cause) for cause in altered if not cause.weak)]


def exchanged_roles(subject: Subject) -> Subject | None:
    """Return a subject whose target is the reference and whose reference can be altered.

    Return None if no implementation can be altered.
    """
    return subject.cache.get_or_compute("exchanged roles", lambda: _exchanged(subject))


def _exchanged(subject: Subject) -> Subject | None:
    target, reference, explainer = subject.target, subject.reference, subject.explainer
    if reference is None or reference.can("encode_altered"):
        return None
    if target.can("encode_altered"):
        model = target
    elif explainer is not None and explainer.can("encode_altered"):
        model = _at_versions(explainer, subject.stage_versions)
    else:
        return None
    # The explainer is pinned to the versions of the reference.
    known = None if explainer is None else explainer.stage_versions
    versions = detect_stage_versions(reference, model) if known is None else known
    state = SubjectState(diagnosis_pass=subject.diagnosis_pass)
    return Subject(reference, model, model, stage_versions=versions, state=state)


def _at_versions(model: Target, versions: Mapping[str, str]) -> Target:
    pinned = model.at_stage_versions(versions) if versions else model
    return model if isinstance(pinned, Raised) else pinned


def _altered(cause: Cause) -> Cause:
    what = dict(cause.parameters)["altered"]
    message = (
        f"the reference differs: it gives the ids of the target if the {cause.kind} of the target "
        f"is altered so: {what}"
    )
    return Cause(cause.kind, (*cause.parameters, IN_REFERENCE), message=message)


def _version(cause: Cause) -> Cause:
    parameters = dict(cause.parameters)
    version, stage = parameters["is"], parameters["of"]
    message = f"the reference has the Unicode version {version} in its {stage}, unlike the target"
    return Cause(UNICODE_VERSION, (*cause.parameters, IN_REFERENCE), message=message)


def decoded_by_reference(ids: Sequence[Any], subject: Subject) -> str | None:
    """Return the text that the reference decodes, without the prefix that its decoder adds."""
    decoded, before = subject.reference_text(ids), _added_by_decoder(subject)
    return None if decoded is None else decoded.removeprefix(before)


def _added_by_decoder(subject: Subject) -> str:
    """Return the prefix that the reference's decoder adds to a plain word with equal ids."""

    def compute() -> str:
        ids = subject.reference_ids(WORD)
        decoded = "" if ids is None else subject.reference_text(ids) or ""
        agrees = subject.encode(WORD) == ids
        return decoded.removesuffix(WORD) if agrees and decoded.endswith(WORD) else ""

    return subject.cache.get_or_compute("added by the reference's decoder", compute)


def reference_change_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return how the reference changes a text, if the target does not change it.

    Spaces that the reference's decoder adds between tokens are not a change: they only show that
    the reference splits the text differently.
    """
    wanted = scalar_text(subject.expected_text(text))
    own = _reference_round_trip(subject, text)
    if own is None or own == wanted or subject.decode(ids) != wanted:
        return []
    if len(own) > len(wanted) and "".join(own.split()) == "".join(wanted.split()):
        return []
    transform = partial(_change_of_reference_only, subject)
    causes = explain_change(wanted, own, subject, transform, "reference")
    return [
        replace(
            cause,
            parameters=(*cause.parameters, IN_REFERENCE),
            message=f"in the reference, {cause.message}",
        )
        for cause in causes
    ]


def _reference_round_trip(subject: Subject, text: str) -> str | None:
    ids = subject.reference_ids(text)
    return None if ids is None else decoded_by_reference(ids, subject)


def _change_of_reference_only(subject: Subject, text: str) -> str | None:
    """Return the reference's round trip of a text; the text itself if the target has equal ids."""
    ids = subject.reference_ids(text)
    return (
        text
        if ids is not None and subject.encode(text) == ids
        else _reference_round_trip(subject, text)
    )
