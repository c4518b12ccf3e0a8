"""What an engine may do in the place of cutting added tokens out of a text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.added_tokens import AddedTokens, Cutter, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["departing_added_tokens"]

ASCII_WORD = re.compile("[A-Za-z0-9_]")


def departing_added_tokens(added: AddedTokens) -> Iterator[tuple[str, AddedTokens]]:
    """Yield what an engine may do in the place of added tokens, and what does it."""
    if not added.tokens:
        return
    rows = [
        ("the shortest one at a place counts", _ShortestFirst),
        ("they are found in any case", _AnyCase),
    ]
    if any(token.rstrip for token in added.tokens):
        rows.append(("one character of white space behind is taken", _OneSpace))
    for what, kind in rows:
        before, after = (kind(one.tokens, one.is_word) for one in (added.before, added.after))
        yield what, replace(added, before=before, after=after)
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


class _OneSpace(Cutter):
    """``rstrip`` takes one character only."""

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        for start, end, number in super().cut(text, special=special):
            token = text[start:end]
            kept = len(token.rstrip()) + 1 if number is not None else len(token)
            yield start, min(end, start + kept), number
            if start + kept < end:
                yield start + kept, end, None


class _AnyCase(Cutter):
    """Added tokens are found in any case."""

    @property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self.tokens)) or "(?!)", re.IGNORECASE)

    def may_find(self, text: str, *, special: bool) -> bool:
        """Whether a text may hold an added token."""
        return (special or self._has_plain) and self._pattern.search(text) is not None

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        return super().cut(self._pattern.sub(self._in_its_case, text), special=special)

    def _in_its_case(self, match: re.Match[str]) -> str:
        alike = (re.compile(re.escape(one), re.IGNORECASE) for one in self.tokens)
        found = zip(self.tokens, alike, strict=True)
        return next(token for token, pattern in found if pattern.fullmatch(match[0]))
