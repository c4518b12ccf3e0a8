"""Tokens that a corpus never has, while longer tokens that it has often hold their text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import PARTIAL
from tokharness.diagnosis.vocabulary.taken_tokens import TakenToken

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FEWEST", "residues"]

FEWEST = 100
"""Times that a text is inside of longer tokens, at least.

If a token took 3% of these places, one without it would be less likely than 5%.
"""

LONGEST = 64
"""Characters of a longer token that is searched for others."""


def residues(texts: Mapping[int, str], counts: Mapping[int, int]) -> list[TakenToken]:
    """Return the tokens that are never given, and whose text is inside of others; most first.

    Left out are parts of characters, single characters, and texts that several tokens have.
    """
    several = Counter(texts.values())
    unused = {
        text: number
        for number, text in texts.items()
        if not counts.get(number) and len(text) > 1 and PARTIAL not in text and several[text] == 1
    }
    times: Counter[str] = Counter()
    users: dict[str, int] = {}
    for user in sorted(texts, key=lambda number: -counts.get(number, 0)):
        if not counts.get(user):
            break
        for text in _parts(texts[user]):
            if text in unused:
                times[text] += counts[user]
                users.setdefault(text, user)
    return [
        TakenToken(unused[text], text, users[text], texts[users[text]], number)
        for text, number in times.most_common()
        if number >= FEWEST
    ]


def _parts(text: str) -> set[str]:
    """Return the parts of a text that have two characters or more, without the text itself."""
    if len(text) > LONGEST:
        return set()
    ends = range(len(text) + 1)
    return {text[start:end] for start in ends for end in ends[start + 2 :]} - {text}
