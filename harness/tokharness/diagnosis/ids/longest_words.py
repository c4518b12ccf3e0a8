"""Words that one side finds too long: the number of characters from which on they are unknown."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["longest_words"]

LONGEST = 1 << 12
"""Characters of the longest word that is tried."""


def longest_words(text: str, model: Target, subject: Subject) -> Iterator[tuple[str, Target]]:
    """Yield the longest word that the target covers with pieces, and the model with this limit.

    It is that of a text of which only one side gives the unknown token. Nothing if the target
    covers no part of the longest word of the text, or if its words may have any length.
    """
    pretokens = model.call("pretokens", text) if model.can("pretokens") else []
    if isinstance(pretokens, Raised) or not pretokens:
        return
    word = max(pretokens, key=len)
    known = subject.encode(word[:1])
    if known is None or model.unknown_id in known:
        return
    longer = word + word[:1] * (LONGEST - len(word))

    def is_unknown(length: int) -> bool:
        ids = subject.encode(longer[:length])
        return ids is not None and model.unknown_id in ids

    # Lengths up to the limit are known, and all others are not.
    most = bisect_left(range(1, LONGEST + 1), 1, key=is_unknown)
    if 0 < most < LONGEST:
        target = model.with_edited_tokens({"longest": [most]})
        if not isinstance(target, Raised):
            yield f"words of more than {most:,} characters are unknown", target
