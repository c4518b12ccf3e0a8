"""Further alterations of the reference, which are asked where no other one explains the ids.

They are many for each text, such as other borders between two classes of characters, or take long
to make, such as another order of all merges. A setting of the file or a rule of its pattern says
more. They keep the text, so they are asked of texts that are only segmented differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tokharness.diagnosis.ids.alterable import (
    alterable,
    altered_cause,
    at_versions_of_target,
    stands_for_reference,
)
from tokharness.diagnosis.ids.credible_changes import credible_changes
from tokharness.diagnosis.ids.plain_texts import PLAIN_TEXTS, support, texts_of_tokens
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.diagnosis.ids.credible_changes import Key
    from tokharness.model import Cause, Target
    from tokharness.targets.subject import Subject

LONG: Final = "another" * 40
"""A word that a limit for all pre-tokens cuts in a token, and one for white space does not."""


def further_causes(
    text: str, ids: Sequence[Any], subject: Subject, stage: str | None = None
) -> list[Cause]:
    """Return the further alterations, of one stage or of all, that give the target's ids.

    There are none where these are the ids of another text.
    """
    model = alterable(subject)
    if model is None or not stands_for_reference(model, text, subject):
        return []
    model = at_versions_of_target(model, subject)
    wanted = model.encode(text)
    if isinstance(wanted, Raised) or model.decode(wanted) != model.decode(ids):
        return []
    likely = subject.cache.get_or_compute(
        "support of further alterations",
        lambda: support(
            ids_altered_further, subject, (*PLAIN_TEXTS, *texts_of_tokens(subject), LONG)
        ),
    )
    known = {
        key: changed
        for key, changed in ids_altered_further(text, model).items()
        if likely[key] >= 0 and stage in (None, key[0])
    }
    found = credible_changes(text, ids, known, wanted, subject)
    _explaining(subject).update(found)
    return [altered_cause(*key) for key in found]


def is_further(key: Key, subject: Subject) -> bool:
    """Whether an alteration is one of those that :func:`further_causes` has returned."""
    return key in _explaining(subject)


def _explaining(subject: Subject) -> set[Key]:
    return subject.cache.get_or_compute("further alterations that explain a text", set)


def ids_altered_further(text: str, model: Target) -> dict[Key, Any]:
    """Return the ids of a text with each of them: by the stage, and what is altered in it."""
    if not model.can("encode_altered_further"):
        return {}
    rows = model.call("encode_altered_further", text)
    return {} if isinstance(rows, Raised) else {(stage, what): ids for stage, what, ids in rows}
