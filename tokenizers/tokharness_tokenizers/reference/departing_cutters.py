r"""What an engine may do in the place of cutting added tokens out of a text.

An alternation of a regular expression takes the first token that fits, and ``\w`` of JavaScript
and of RE2 is ASCII. A conversion may lose one token, or one of its settings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter, Part
from tokharness_tokenizers.reference.white_space import leading, trailing

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
    cutters = (added.before, added.after)
    shortest = (_ShortestFirst(one.tokens, one.is_word) for one in cutters)
    yield "the shortest one at a place counts", _with(added, shortest)
    for sides in (("rstrip",), ("lstrip",), ("lstrip", "rstrip")):
        if all(any(getattr(token, side) for token in added.tokens) for side in sides):
            one_each = (_OneSpace(one.tokens, one.is_word, sides) for one in cutters)
            yield f"{' and '.join(sides)}: one character at most", _with(added, one_each)
    if any(token.single_word for token in added.tokens):
        in_ascii = (replace(one, is_word=_is_ascii) for one in cutters)
        yield "only ASCII letters are next to a word", _with(added, in_ascii)


def _with(added: AddedTokens, cutters: Iterator[Cutter]) -> AddedTokens:
    before, after = cutters
    return replace(added, before=before, after=after)


def _is_ascii(character: str) -> bool:
    return bool(ASCII_WORD.match(character))


class _ShortestFirst(Cutter):
    """Of all added tokens at a place the shortest counts."""

    @property
    def _pattern(self) -> re.Pattern[str]:
        shortest_first = sorted(self.tokens, key=lambda text: (len(text), text))
        return re.compile("|".join(map(re.escape, shortest_first)) or "(?!)")


@dataclass(frozen=True)
class _OneSpace(Cutter):
    """A token takes one character of white space at most, at these sides."""

    sides: tuple[str, ...] = ()

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        done = 0
        for start, end, number in super().cut(text, special=special):
            if number is None:
                continue
            token, begin, stop = text[start:end], start, end
            if "lstrip" in self.sides:
                begin += max(leading(token) - 1, 0)
            if "rstrip" in self.sides:
                stop -= max(trailing(token) - 1, 0)
            if done < begin:
                yield done, begin, None
            yield begin, stop, number
            done = stop
        if done < len(text):
            yield done, len(text), None


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
