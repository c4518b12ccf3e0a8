"""The text of each token of a text, for checks that look at where a target cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks._each import without_frame

if TYPE_CHECKING:
    from tokharness.subject import Subject

__all__ = ["inner_cuts", "pieces"]


def pieces(text: str, subject: Subject) -> list[str] | None:
    """Text of each token, in order; None unless they join to the text again.

    Also None where a token ends inside a character, or where encoding raises. Tokens that every
    text gets at its start or end are left out.
    """
    try:
        ids = without_frame(subject.encode(text), subject)
        try:
            parts = [data.decode() for data in subject.token_bytes(ids)]
        except LookupError:
            parts = [subject.target.decode([i]) for i in ids]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None
    return parts if "".join(parts) == text else None


def inner_cuts(text: str, subject: Subject, start: int = 0) -> frozenset[int] | None:
    """Where tokens end inside ``text[start:]``, in characters after ``start``.

    None where :func:`pieces` is, or where a token crosses ``start``.
    """
    parts = pieces(text, subject)
    if parts is None:
        return None
    cuts, at = set(), 0
    for part in parts:
        at += len(part)
        cuts.add(at)
    if start and start not in cuts:
        return None
    return frozenset(cut - start for cut in cuts if start < cut < len(text))
