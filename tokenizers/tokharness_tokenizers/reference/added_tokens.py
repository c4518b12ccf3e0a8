r"""Added tokens: texts that become one id before the model reads anything.

Of all added tokens that begin at a place the longest counts, and the search goes on behind it. A
token that is not ``normalized`` is cut out of the text itself; the others are cut out of what the
normalizer made of the rest, where they stand as the normalizer leaves them. A match that does not
count (a special token, where special tokens are plain text; not a word of its own, where
``single_word`` asks for that) also hides the shorter ones inside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tokharness_tokenizers.reference.white_space import leading, trailing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned

Part: TypeAlias = "tuple[int, int, int | None]"
"""Start and end in a text, and the id of the added token; None: the text between them."""


@dataclass(frozen=True, slots=True)
class AddedToken:
    """An added token and how it is matched.

    Attributes:
        content: Its text.
        number: Its id.
        single_word: It counts only where no word character is next to it.
        lstrip: It takes the white space before it, too.
        rstrip: It takes the white space behind it, too.
        normalized: It is looked for in normalized text.
        special: Decoding may skip it, and plain text may hold it.

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
        tokens: The added tokens, by the text that is looked for.
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
        """Whether a text may hold an added token; special ones count if ``special``."""
        if not special and not self._has_plain:
            return False
        if len(self._first_characters) < 4 and not any(
            first in text for first in self._first_characters
        ):
            return False
        return self._pattern.search(text) is not None

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        """Yield the parts of a text, in order; special tokens count if ``special``.

        A token in the white space that the one before it took is a part, too, so parts may
        overlap; with ``lstrip`` it is left out. (The library ends with a panic there if the white
        space goes on behind it.)
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
        tokens: All of them.
        before: Cuts those that are looked for in the text itself.
        after: Cuts those that are looked for in normalized text.

    """

    tokens: tuple[AddedToken, ...]
    before: Cutter
    after: Cutter

    def ids(self, *, special: bool) -> dict[str, int]:
        """Return the ids of the special tokens, or of the others, by text."""
        return {one.content: one.number for one in self.tokens if one.special is special}

    def parts(
        self, text: str, normalize: Callable[[str], str], *, special: bool
    ) -> list[tuple[bool, str, int | None]]:
        """Return the parts of a text: normalized text, or an added token with its id.

        The first value says whether the part begins where the text does.
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
