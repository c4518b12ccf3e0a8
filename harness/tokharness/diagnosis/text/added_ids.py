"""Ids that do not stand for text, and how they change it: begin and end ids, padding, control text.

A library may add special tokens that the target does not declare: ids that every text gets decode
as text, texts are padded to one length, or the text of a control token is read as an id that does
not decode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import (
    PROBES,
    padding_id,
    without_affixes,
    without_padding,
)
from tokharness.diagnosis.special.special_ids import CONTROL
from tokharness.model import Cause
from tokharness.model.target import slice_without_padding
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

LEAST_PROBES = 2

MOST_OWN = 32
"""Most ids of padding at an end of a text that are tried as the text's own."""

NOT_DECODED = Cause(
    "undeclared special token",
    message="the text of a control token is read as its id, which decodes to nothing; "
    "special_tokens does not declare it",
)


def added_ids_causes(text: str, decoded: str, subject: Subject) -> list[Cause]:
    """Return the cause of a text that comes back with such ids' text, or without control text."""
    text = scalar_text(text) if is_scalar(decoded) else text
    around = subject.cache.get_or_compute("text of added ids", lambda: _around(subject))
    if around is not None and decoded == text.join(around):
        return [_begin_and_end(*around)]
    return [NOT_DECODED] if _without_control_text(text, decoded, subject) else []


def padding_causes(text: str, subject: Subject) -> list[Cause]:
    """Return the cause of a text that is lost by padding alone, whose id ``padding_id`` gives.

    Some of the run of the id at an end may be the text's own, which then has the text of the id.
    """
    own = without_padding(subject)
    padding, ids = own.target.padding, subject.encode(text) or []
    shown = own.decode([padding]) or own.decode([padding] * 2) or ""
    start, end, _ = slice_without_padding(ids, padding).indices(len(ids))
    form = own.expected_text(scalar_text(text))
    most = max(text.count(shown), form.count(shown)) if shown else 0
    for more in range(min(most, MOST_OWN) + 1):
        wanted = (text, form) if more else (text,)
        for part in (ids[max(start - more, 0) : end], ids[start : end + more]):
            if (decoded := own.decode(part)) in wanted:
                return [] if subject.decode(ids) == decoded else [_padding(shown)]
    return []


def _padding(shown: str) -> Cause:
    message = f"texts are padded to one length, and the padding is decoded as {shown!a}"
    return Cause("padding", (("text", shown),), message=message)


def _around(subject: Subject) -> tuple[str, str] | None:
    """Return the text before and after each text, if it consists of control tokens; else None."""
    pairs = []
    for probe in PROBES:
        decoded = subject.decode(subject.encode(probe) or [])
        if decoded is not None and decoded.count(probe) == 1:  # no token's text has it
            before, _, after = decoded.partition(probe)
            pairs.append((before, after))
    if len(pairs) < LEAST_PROBES or len(set(pairs)) > 1 or pairs[0] == ("", ""):
        return None
    before, after = pairs[0]
    shown = [part for part in (before, after) if part]
    return (before, after) if all(_is_control(part, subject) for part in shown) else None


def _is_control(part: str, subject: Subject) -> bool:
    """Whether a text consists of control tokens, not of ordinary text such as a space."""
    tokens = [part] if part in subject.special_tokens else CONTROL.findall(part)
    return bool(tokens) and "".join(tokens) == part.replace(" ", "")


def _begin_and_end(before: str, after: str) -> Cause:
    places = [(before.strip(" "), "before"), (after.strip(" "), "after")]
    shown = ", ".join(f"{one} {place}" for one, place in places if one)
    return Cause(
        "begin and end ids",
        (("text", shown),),
        message=f"the ids that every text gets are decoded as text: {shown} each text",
    )


def _without_control_text(text: str, decoded: str, subject: Subject) -> bool:
    """Whether the decoded text only lacks text of control tokens whose ids decode to nothing."""
    rest = text
    for match in CONTROL.finditer(text, overlapped=True):
        if match[0] in subject.target.added_tokens:
            continue
        ids = without_affixes(subject.encode(match[0]) or [], subject)
        is_padding = not ids and padding_id(subject) is not None
        if (len(ids) == 1 or is_padding) and subject.decode(ids) == "":
            rest = rest.replace(match[0], "")
    return rest != text and decoded in (rest, rest.strip(" "))
