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
    text: str, result: str, subject: Subject, transform: Callable[[str], str | None], via: str
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


def _limit(subject: Subject, transform: Callable[[str], str | None], long: int) -> Limit | None:
    """Limit that two long texts show, one of 1-byte and one of 2-byte characters.

    None if the target raises on one of them, which another check reports.
    """
    narrow, wide = "ab " * (long // 3), "\u00e9\u00e8 " * (long // 3)
    results = transform(narrow), transform(wide)
    if results[0] is None or results[1] is None:
        return None
    prefixes = [result.rstrip("\ufffd") for result in results if result is not None]
    cut = prefixes[0] != narrow
    if not (narrow.startswith(prefixes[0]) and wide.startswith(prefixes[1]) and cut):
        return None
    characters = [len(prefix) for prefix in prefixes]
    if characters[0] == characters[1]:
        return characters[0], "characters"
    if 0 <= characters[0] - len(prefixes[1].encode("utf-8", "replace")) <= LAST:
        return characters[0], "bytes of UTF-8"
    ids = subject.encode(narrow), subject.encode(wide)
    if ids[0] is None or ids[1] is None or len(ids[0]) != len(ids[1]):
        return None
    return len(ids[0]), "tokens"


def _is_limited_to(text: str, prefix: str, limit: Limit, subject: Subject) -> bool:
    """Whether the limit explains that just this prefix of the text is left."""
    most, unit = limit
    if unit == "characters":
        return len(prefix) == most
    if unit == "tokens":
        return len(subject.encode(text) or ()) == most
    return 0 <= most - len(prefix.encode()) <= LAST
