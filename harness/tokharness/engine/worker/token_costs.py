"""Number of tokens that a target needs for a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.costs.language_bands import lost_characters
from tokharness.diagnosis.costs.lost_text import what_is_lost
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.token_texts import FIRST_WORD
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["count_single_token_words", "lossy_cost", "text_cost"]


def text_cost(text: str, subject: Subject) -> dict[str, Any]:
    """Return ``characters``, ``bytes`` and ``tokens`` of a text, and what is ``lost`` of it.

    ``tokens`` is None if the target raised. ``lossless`` is whether the text round-trips; ``lost``
    has kinds of :mod:`tokharness.diagnosis.costs.lost_text`.
    """
    cost, decoded = _cost_and_decoded(text, subject)
    return {**cost, "lost": what_is_lost(text, decoded) if isinstance(decoded, str) else []}


def lossy_cost(text: str, subject: Subject) -> dict[str, Any]:
    """Return the cost of a text, with ``lost_characters`` of it that the decoded text lacks.

    Case, white space, compatible forms and the order of characters do not count.
    """
    cost, decoded = _cost_and_decoded(text, subject)
    back = decoded if isinstance(decoded, str) else ""
    lost = 0 if cost["lossless"] else lost_characters(text, back)
    return {**cost, "lost_characters": lost}


def _cost_and_decoded(text: str, subject: Subject) -> tuple[dict[str, Any], Any]:
    (ids,) = encode_all([text], subject)
    raised = isinstance(ids, Raised)
    decoded = None if raised else decode_all([ids], subject)[0]
    cost = {
        "characters": len(text),
        "bytes": len(text.encode()),
        "tokens": None if raised else len(ids),
        "lossless": decoded == text,
    }
    return cost, decoded


def count_single_token_words(words: Sequence[str], subject: Subject) -> int:
    """Count the words that are a single token after another word and a space.

    At the start of a text, SentencePiece adds a space to that before the word. The token for
    unknown text is not counted.
    """
    rows = encode_all([FIRST_WORD, *(f"{FIRST_WORD} {word}" for word in words)], subject)
    first, *others = ([] if isinstance(ids, Raised) else _own(ids, subject) for ids in rows)
    unknown = subject.target.unknown_id
    return sum(ids[:-1] == first != [] and ids[-1] != unknown for ids in others)


def _own(ids: Sequence[Any], subject: Subject) -> list[Any]:
    return without_affixes(list(ids), subject)
