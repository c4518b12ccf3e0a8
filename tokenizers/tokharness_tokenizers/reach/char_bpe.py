"""Reach of the tokens of byte-pair encoding over characters.

If no merge crosses a token, it is made from its initial tokens by the merges that these tokens
alone would undergo. So a token that its initial tokens alone do not become is in no text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reach.byte_tokens import byte_names, ends_inside_character
from tokharness_tokenizers.reach.words import NO_MERGES, NO_WORD, NOT_UTF8
from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF, bytes_of
from tokharness_tokenizers.reference.models.bpe import merge_by_heap

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tokharness_tokenizers.reach.pieces import Contexts
    from tokharness_tokenizers.reference.models.bpe import BPE

MOST_WAYS: Final = 16
"""Number of ways to begin a token that are examined; with more ways, nothing is proved."""

Ids: TypeAlias = "tuple[int, ...]"


@dataclass(frozen=True)
class CharBPEReach:
    """The way in which a model makes tokens.

    Attributes:
        model: The model.
        contexts: The texts around a token.
        reason_of_text: Returns why no word has a text as a part.
        may_go_on: Returns whether a word may have more characters after a text.
        others: The ids, except ids of characters, that a word may have before the first merge.

    """

    model: BPE
    contexts: Contexts
    reason_of_text: Callable[[str], str] = field(repr=False)
    may_go_on: Callable[[str], bool] = field(repr=False)
    others: Collection[int] = field(repr=False)

    def texts(self, _: int, token: str) -> Iterator[str]:
        """Yield texts that may have a token."""
        model, text = self.model, token
        ends = bool(model.suffix) and token.endswith(model.suffix) and token != model.suffix
        if ends:
            text = token.removesuffix(model.suffix)
        inside = bool(model.prefix) and text.startswith(model.prefix) and text != model.prefix
        if inside:
            text = text.removeprefix(model.prefix)
        is_part = self.contexts.writes_bytes and ends_inside_character(bytes_of(text))
        if not (ends and is_part):
            goes_on = bool(model.suffix) and not (ends or is_part)
            yield from self.contexts.around(text, inside=inside, ends=ends, goes_on=goes_on)
        if text != token:
            yield from self.contexts.around(token)

    def reason(self, number: int, token: str) -> str:
        """Return why no word has a token; "" if one may have it."""
        if self.model.ignore_merges and not self.reason_of_text(token):
            return ""
        ways = self._ways(number, {})
        if ways is None:
            return ""
        made = [way for way in ways if self._merged(way) == [number]]
        if not made:
            return NO_MERGES
        if any(not self._spelled.issuperset(way) for way in made):
            return ""
        # Each way has the characters of the token, except marks of places in a word.
        bare = token.removeprefix(self.model.prefix)
        reasons = [self._reason_of_part(token), self._reason_of_part(bare)]
        if self.model.suffix and token.endswith(self.model.suffix):
            ends = (one.removesuffix(self.model.suffix) for one in (token, bare))
            reasons += [self._reason_of_end(one) for one in ends]
        elif self.model.suffix and not self._leaves_out:
            # More text follows in the word, since its end would have the mark.
            is_last = not (self.may_go_on(token) or self.may_go_on(bare))
            reasons = [NO_WORD] if is_last else reasons
        return reasons[-1] if all(reasons) else ""

    def _reason_of_end(self, text: str) -> str:
        """Return why no word ends with a text; "" if one may."""
        is_exact = self.contexts.writes_bytes and not self._leaves_out
        if is_exact and ends_inside_character(bytes_of(text)):
            return NOT_UTF8
        return self._reason_of_part(text)

    def _reason_of_part(self, text: str) -> str:
        """Return why the tokens of a text are not next to each other in a word; "" if they may be.

        If unknown characters are left out, the tokens need not be tokens of neighbouring text.
        """
        parts = text if self._leaves_out else [text]
        return next(filter(None, map(self.reason_of_text, parts)), "")

    @cached_property
    def _leaves_out(self) -> bool:
        """Whether unknown characters of a word may be left out."""
        model, known = self.model, self.model.vocabulary
        if model.unknown is not None:
            return False
        if model.byte_fallback and len(byte_names(known)) == 256:
            return False
        befores, afters = {"", model.prefix}, {"", model.suffix}
        forms = (one + char + end for char in CHARACTER_OF for one in befores for end in afters)
        return not (self.contexts.writes_bytes and all(map(known.__contains__, forms)))

    def _merged(self, way: Ids) -> list[int]:
        return [
            token for token, _ in merge_by_heap([(token, 1) for token in way], self.model.pairs)
        ]

    def _ways(self, number: int, known: dict[int, set[Ids] | None]) -> set[Ids] | None:
        """Return the initial tokens from which merges may make a token; None for many ways."""
        if number in known:
            return known[number]
        known[number] = None  # a token that is made from itself has too many ways
        ways: set[Ids] = set()
        if number in self._spelled or number in self.others:
            ways.add((number,))
        for left, right in self._pairs.get(number, ()):
            lefts, rights = self._ways(left, known), self._ways(right, known)
            if lefts is None or rights is None:
                return None
            ways |= {one + other for one, other in product(lefts, rights)}
            if len(ways) > MOST_WAYS:
                return None
        known[number] = ways
        return ways

    @cached_property
    def _pairs(self) -> dict[int, list[tuple[int, int]]]:
        """The pairs that become each token."""
        pairs: dict[int, list[tuple[int, int]]] = {}
        ids, skip = self.model.vocabulary, len(self.model.prefix)
        for left, right in self.model.merges:
            pairs.setdefault(ids[left + right[skip:]], []).append((ids[left], ids[right]))
        return pairs

    @cached_property
    def _spelled(self) -> frozenset[int]:
        """The ids of characters, at all places of a word."""
        return frozenset(
            number for token, number in self.model.vocabulary.items() if self._is_character(token)
        )

    def _is_character(self, token: str) -> bool:
        model = self.model
        ends = (token, token.removesuffix(model.suffix))
        return any(1 in (len(one), len(one.removeprefix(model.prefix))) for one in ends)
