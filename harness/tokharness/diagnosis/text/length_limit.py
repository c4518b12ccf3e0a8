"""Whether a target cuts texts off after so many characters, bytes or tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

__all__ = ["length_limit_causes"]

LONG, VERY_LONG = 150_000, 1_200_000
"""Characters of the texts that show a limit: some double what buffers hold, or a million."""

LAST = 3
"""Bytes of a character that a cut may leave out or replace."""

Limit = tuple[int, str]


def length_limit_causes(
    text: str, seen: str, subject: Subject, transform: Callable[[str], str], via: str
) -> list[Cause]:
    """Return the limit that explains why only the beginning of a text comes back, if one does."""
    kept = seen if text.startswith(seen) else seen.rstrip("\ufffd")
    if not kept or len(kept) >= len(text) or not text.startswith(kept):
        return []
    long = LONG if len(kept) < LONG else VERY_LONG
    limit = subject.remember(f"{via}: limit to {long}", lambda: _limit(subject, transform, long))
    if limit is None or not _is_cut_there(text, kept, limit, subject):
        return []
    after = f"{limit[0]} {limit[1]}"
    message = f"the text is cut off after {limit[0]:,} {limit[1]}"
    return [Cause("truncated", (("after", after),), message=message)]


def _limit(subject: Subject, transform: Callable[[str], str], long: int) -> Limit | None:
    """Ask about two long texts, of one and of two bytes a character."""
    narrow, wide = "ab " * (long // 3), "\u00e9\u00e8 " * (long // 3)
    try:
        kept = [transform(one).rstrip("\ufffd") for one in (narrow, wide)]
        if not (narrow.startswith(kept[0]) and wide.startswith(kept[1]) and kept[0] != narrow):
            return None
        characters = [len(one) for one in kept]
        if characters[0] == characters[1]:
            return characters[0], "characters"
        if 0 <= characters[0] - len(kept[1].encode()) <= LAST:
            return characters[0], "bytes of UTF-8"
        tokens = [len(subject.encode(one)) for one in (narrow, wide)]
    except KeyboardInterrupt:
        raise
    except BaseException:  # what raises is another check's to tell
        return None
    return (tokens[0], "tokens") if tokens[0] == tokens[1] else None


def _is_cut_there(text: str, kept: str, limit: Limit, subject: Subject) -> bool:
    most, unit = limit
    if unit == "characters":
        return len(kept) == most
    if unit == "tokens":
        return len(subject.encode(text)) == most
    return 0 <= most - len(kept.encode()) <= LAST
