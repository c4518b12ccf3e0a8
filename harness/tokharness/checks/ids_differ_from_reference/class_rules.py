"""Rules of a pattern that are right for characters of all classes, not of one.

A character in another class has many explanations, and one of them is always that character. A rule
such as "white space is ASCII" says more, if it is right wherever it changes ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.ids_differ_from_reference.predictions import ids_with_alteration
from tokharness.checks.ids_differ_from_reference.reclassified import ORDINARY
from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.ids.alterable import decoded_tokens
from tokharness.diagnosis.ids.stages import PRE_TOKENIZER
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.diagnosis.ids.alterable import Key
    from tokharness.model import Cause
    from tokharness.targets.subject import Subject

OF_EACH_CLASS = (
    *"\u00e9\u00f1\u00fc\u00f6\u0430\u0416\u01c5\u02b0\u4e2d\u0301\u093f\u0663\u00bd\u00b2\u2167_-\u20ac\u2019\u2581\ue000",
    *"\t\x0b\x0c\x1c\x1f\x7f\u0085\u00a0\u1680\u2003\u2028\u202f\u3000\u200b\ufeff\U0001d400\U0001f600",
)
"""Characters of all classes that the patterns of engines distinguish."""

MOST_TOKENS, MOST_TEXTS = 4000, 200
"""Most tokens that are decoded, and most texts of tokens that are tried."""

CONTEXTS = (" {}a", "  {}a", "a{}1 {}", "1{}1.{}", "{}{}a", "b{}s")


def holds_for_classes(cause: Cause, subject: Subject) -> bool:
    """Whether an alteration of a pattern is right for characters of all classes that it changes.

    It must change more than one: a single character in another class has many explanations.
    """
    key = (cause.kind, dict(cause.parameters).get("altered", ""))
    if cause.kind != PRE_TOKENIZER or not key[1]:
        return False
    return subject.cache.get_or_compute(
        f"right for all classes: {key[1]}", lambda: _holds_for_classes(key, subject)
    )


def _holds_for_classes(key: Key, subject: Subject) -> bool:
    changed: set[str] = set()
    for text in _texts_of_each_class(subject):
        ids, wanted = ids_with_alteration(key, subject, text), subject.reference_ids(text)
        if ids is None or isinstance(ids, Raised) or list(ids) == wanted:
            continue
        if list(ids) != reference_affixes(subject).without(subject.encode(text) or []):
            return False
        changed.update(set(text) - ORDINARY)
    return len(changed) > 1


def _texts_of_each_class(subject: Subject) -> list[str]:
    """Return characters of all classes in contexts, and texts of tokens that are not ASCII.

    The ids of most characters do not show where the text is cut next to them.
    """
    found = [context.replace("{}", char) for char in OF_EACH_CLASS for context in CONTEXTS]
    tokens = [text for text in decoded_tokens(subject, MOST_TOKENS) if not text.isascii()]
    return found + tokens[:: -(-len(tokens) // MOST_TEXTS) or 1]
