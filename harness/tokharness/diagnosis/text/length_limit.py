"""Whether a target truncates texts at a number of characters, bytes or tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

__all__ = ["length_limit_causes"]

LONG, VERY_LONG = 150_000, 1_200_000
"""Lengths in characters of the probe texts: above common buffer sizes, and above a million."""

LAST = 3
"""Bytes of a split character that may be missing or replaced at the end."""

Limit = tuple[int, str]


def length_limit_causes(
    text: str, result: str, subject: Subject, transform: Callable[[str], str], via: str
) -> list[Cause]:
    """Cause that names the length limit, if one explains why only a prefix comes back."""
    prefix = result if text.startswith(result) else result.rstrip("\ufffd")
    if not prefix or len(prefix) >= len(text) or not text.startswith(prefix):
        return []
    long = LONG if len(prefix) < LONG else VERY_LONG
    limit = subject.cache.get_or_compute(
        f"{via}: limit to {long}", lambda: _limit(subject, transform, long)
    )
    if limit is None or not _is_limited_to(text, prefix, limit, subject):
        return []
    after = f"{limit[0]} {limit[1]}"
    message = f"the text is truncated after {limit[0]:,} {limit[1]}"
    return [Cause("truncated", (("after", after),), message=message)]


def _limit(subject: Subject, transform: Callable[[str], str], long: int) -> Limit | None:
    """Limit that two long texts show, one of 1-byte and one of 2-byte characters."""
    narrow, wide = "ab " * (long // 3), "\u00e9\u00e8 " * (long // 3)
    try:
        prefixes = [transform(text).rstrip("\ufffd") for text in (narrow, wide)]
        cut = prefixes[0] != narrow
        if not (narrow.startswith(prefixes[0]) and wide.startswith(prefixes[1]) and cut):
            return None
        characters = [len(prefix) for prefix in prefixes]
        if characters[0] == characters[1]:
            return characters[0], "characters"
        if 0 <= characters[0] - len(prefixes[1].encode()) <= LAST:
            return characters[0], "bytes of UTF-8"
        tokens = [len(subject.encode(text)) for text in (narrow, wide)]
    except KeyboardInterrupt:
        raise
    except BaseException:  # another check reports exceptions
        return None
    return (tokens[0], "tokens") if tokens[0] == tokens[1] else None


def _is_limited_to(text: str, prefix: str, limit: Limit, subject: Subject) -> bool:
    """Whether the limit explains that just this prefix of the text is left."""
    most, unit = limit
    if unit == "characters":
        return len(prefix) == most
    if unit == "tokens":
        return len(subject.encode(text)) == most
    return 0 <= most - len(prefix.encode()) <= LAST
