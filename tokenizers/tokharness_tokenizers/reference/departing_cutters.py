r"""What an engine may do in the place of cutting added tokens out of a text.

An alternation of a regular expression takes the first token that fits, and ``\w`` of JavaScript
and of RE2 is ASCII.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.added_tokens import AddedTokens, Cutter

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["departing_added_tokens"]

ASCII_WORD = re.compile("[A-Za-z0-9_]")


def departing_added_tokens(added: AddedTokens) -> Iterator[tuple[str, AddedTokens]]:
    """Yield what an engine may do in the place of added tokens, and what does it."""
    if not added.tokens:
        return
    shortest = [_ShortestFirst(one.tokens, one.is_word) for one in (added.before, added.after)]
    what = "the shortest one at a place counts"
    yield what, replace(added, before=shortest[0], after=shortest[1])
    if any(token.single_word for token in added.tokens):
        before, after = (replace(one, is_word=_is_ascii) for one in (added.before, added.after))
        yield "only ASCII letters are next to a word", replace(added, before=before, after=after)


def _is_ascii(character: str) -> bool:
    return bool(ASCII_WORD.match(character))


class _ShortestFirst(Cutter):
    """Of all added tokens at a place the shortest counts."""

    @property
    def _pattern(self) -> re.Pattern[str]:
        shortest_first = sorted(self.tokens, key=lambda text: (len(text), text))
        return re.compile("|".join(map(re.escape, shortest_first)) or "(?!)")
