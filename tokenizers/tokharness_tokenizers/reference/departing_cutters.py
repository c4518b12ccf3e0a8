r"""What an engine may do in the place of cutting added tokens out of a text.

An alternation of a regular expression takes the first token that fits, and ``\w`` of JavaScript
and of RE2 is ASCII. A conversion may lose one token, or one of its settings.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["altered_added_token", "departing_added_tokens"]

PLACES: Final = ("single_word", "lstrip", "rstrip")
"""Settings of an added token that say where it is found, and what it takes."""

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


def altered_added_token(added: AddedTokens, token: AddedToken) -> Iterator[tuple[str, AddedTokens]]:
    """Yield what may be altered in one added token for plain text, and all added tokens with it."""
    name = ascii(token.content)
    if token.special:
        ordinary = replace(token, special=False)
        yield f"{name} is found in plain text", _exchanged(added, token, ordinary)
        return
    yield f"{name} is not found in plain text", _exchanged(added, token, None)
    for flag in PLACES:
        value = not getattr(token, flag)
        altered = replace(token, **{flag: value})  # type: ignore[arg-type]
        yield f"{name}: {flag} is {str(value).lower()}", _exchanged(added, token, altered)


def _exchanged(added: AddedTokens, token: AddedToken, other: AddedToken | None) -> AddedTokens:
    """Return all added tokens with another one, or none, in the place of a token."""

    def exchanged(cutter: Cutter) -> Cutter:
        rows = ((text, other if one == token else one) for text, one in cutter.tokens.items())
        return replace(cutter, tokens={text: one for text, one in rows if one is not None})

    return replace(added, before=exchanged(added.before), after=exchanged(added.after))
