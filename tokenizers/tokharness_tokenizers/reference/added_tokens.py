r"""Added tokens: texts that become one id before the model reads anything.

Among all added tokens that begin at a place, the longest is taken, and the search continues after
it. A token that is not ``normalized`` is cut out of the text itself. The other tokens are cut out
of the normalized rest of the text, in which they have their normalized form. A match may not count:
a special token, if special tokens are plain text, or a part of a word, if ``single_word`` asks for
a whole word. Such a match also hides the shorter tokens inside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reference.white_space import leading, trailing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned

Part: TypeAlias = "tuple[int, int, int | None]"
"""Start and end in a text, and the id of the added token; None for text between added tokens."""

CUT_BY_TEXT: Final = "the text of a special token cuts plain text"
"""An alteration: all tokens cut the text, and the parts that may not be ids are plain text."""


@dataclass(frozen=True, slots=True)
class AddedToken:
    """An added token and how it is matched.

    Attributes:
        content: Its text.
        number: Its id.
        single_word: The token counts only if no word character is next to it.
        lstrip: The token also takes the white space before it.
        rstrip: The token also takes the white space after it.
        normalized: The token is searched for in normalized text.
        special: Decoding may skip the token, and plain text may contain its text.

    """

    content: str
    number: int
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = False


@dataclass(frozen=True)
class Cutter:
    """Cuts added tokens out of texts.

    Attributes:
        tokens: The added tokens, by the text that is searched for.
        is_word: Whether a character is a word character, for ``single_word``.

    """

    tokens: dict[str, AddedToken]
    is_word: Callable[[str], bool]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.tokens, key=lambda text: (-len(text), text))
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    @cached_property
    def _first_characters(self) -> tuple[str, ...]:
        return tuple({text[0] for text in self.tokens})

    @cached_property
    def _has_plain(self) -> bool:
        return not all(token.special for token in self.tokens.values())

    def may_find(self, text: str, *, special: bool) -> bool:
        """Whether a text may hold an added token; special tokens count if ``special``."""
        if not special and not self._has_plain:
            return False
        if len(self._first_characters) < 4 and not any(
            first in text for first in self._first_characters
        ):
            return False
        return self._pattern.search(text) is not None

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        """Yield the parts of a text, in order; special tokens count if ``special``.

        A token inside the white space that the previous token took is a part too, so that parts may
        overlap; with ``lstrip`` it is left out. (The library then panics if the white space
        continues after the token.)
        """
        done = 0
        for match in self._pattern.finditer(text):
            token = self.tokens[match.group()]
            start, end = match.span()
            if (token.special and not special) or not self._counts(token, text, start, end):
                continue
            if token.lstrip:
                start = max(done, start - trailing(text[:start]))
            if token.rstrip:
                end += leading(text[end:])
            if start >= end:
                continue
            if done < start:
                yield done, start, None
            yield start, end, token.number
            done = end
        if done < len(text):
            yield done, len(text), None

    def _counts(self, token: AddedToken, text: str, start: int, end: int) -> bool:
        if not token.single_word:
            return True
        before, after = text[start - 1 : start] if start else "", text[end : end + 1]
        return not (before and self.is_word(before)) and not (after and self.is_word(after))


@dataclass(frozen=True)
class AddedTokens:
    """The added tokens of a tokenizer.

    Attributes:
        tokens: All added tokens.
        before: Cuts the tokens that are searched for in the text itself.
        after: Cuts the tokens that are searched for in normalized text.

    """

    tokens: tuple[AddedToken, ...]
    before: Cutter
    after: Cutter

    def ids(self, *, special: bool) -> dict[str, int]:
        """Return the ids of the special tokens, or of all other added tokens, by text."""
        return {one.content: one.number for one in self.tokens if one.special is special}

    def parts(
        self, text: str, normalize: Callable[[str], str], *, special: bool
    ) -> list[tuple[bool, str, int | None]]:
        """Return the parts of a text: normalized text, or an added token with its id.

        The first value says whether the part begins at the start of the text.
        """
        if not self.before.may_find(text, special=special):
            return list(self._normalized_parts(normalize(text), at_start=True, special=special))
        parts: list[tuple[bool, str, int | None]] = []
        for start, end, number in self.before.cut(text, special=special):
            if number is not None:
                parts.append((start == 0, text[start:end], number))
                continue
            normalized = normalize(text[start:end])
            parts += self._normalized_parts(normalized, at_start=start == 0, special=special)
        return parts

    def _normalized_parts(
        self, text: str, *, at_start: bool, special: bool
    ) -> Iterator[tuple[bool, str, int | None]]:
        if not self.after.may_find(text, special=special):
            yield at_start, text, None
            return
        for start, end, number in self.after.cut(text, special=special):
            yield at_start and start == 0, text[start:end], number

    def aligned_parts(
        self, text: Aligned, normalize: Callable[[Aligned], Aligned], *, special: bool
    ) -> Iterator[tuple[Aligned, int | None]]:
        """Yield the parts of an aligned text: normalized text, or an added token with its id."""
        for start, end, number in self.before.cut(text.text, special=special):
            part = text[start:end]
            if number is not None:
                yield part, number
                continue
            part = normalize(part)
            for begin, stop, inner in self.after.cut(part.text, special=special):
                yield part[begin:stop], inner
