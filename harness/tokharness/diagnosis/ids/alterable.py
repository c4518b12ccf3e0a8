"""The implementation of the reference's file that can be altered, to see what explains the target.

It is the reference itself or, of a library, our own implementation of its file, which stands for
the library on the texts for which it gives the library's ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.stages import NORMALIZER
from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from typing import Any

    from tokharness.diagnosis.ids.credible_changes import Key
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

METHODS = ("encode_altered", "with_stage_versions")


def alterable(subject: Subject) -> Target | None:
    """Return the reference, or the explainer of one that is a library; None if neither alters."""
    for side in (subject.reference, subject.explainer):
        if side is not None and side is not subject.target and any(map(side.can, METHODS)):
            return side
    return None


def stands_for_reference(model: Target, text: str, subject: Subject) -> bool:
    """Whether an implementation gives the ids of the reference for a text."""
    if model is subject.reference:
        return True
    ids = model.encode(subject.text_for_reference(text))
    return not isinstance(ids, Raised) and list(ids) == subject.reference_ids(text)


def alterations_of(text: str, model: Target) -> dict[Key, Any]:
    """Return the ids of a text with each alteration: by the stage, and what is altered in it.

    Before the normalizer of a file an engine may apply a normal form. Where a reference has no
    normalizer, decoded text shows the form.
    """
    rows = model.call("encode_altered", text) if model.can("encode_altered") else []
    if isinstance(rows, Raised):
        return {}
    known = {(stage, what): ids for stage, what, ids in rows}
    if known and model.normalizer is not None:
        forms = {name: new for name, form in FORMS.items() if (new := form(text)) != text}
        known |= {
            (NORMALIZER, f"{name} before it"): model.encode(new) for name, new in forms.items()
        }
    return known


def at_versions_of_target(model: Target, subject: Subject) -> Target:
    """Return an implementation at the Unicode versions of the target: these alter nothing then."""
    versions = subject.stage_versions
    if not versions:
        return model

    def compute() -> Target:
        pinned = model.at_stage_versions(versions)
        return model if isinstance(pinned, Raised) else pinned

    return subject.cache.get_or_compute("reference at the target's versions", compute)


def altered_cause(stage: str, what: str) -> Cause:
    """Return the cause that an alteration of a stage of the reference is."""
    message = f"the ids are those of the reference with this alteration of its {stage}: {what}"
    return Cause(stage, (("altered", what),), message=message)
