r"""Every token of the target's vocabulary as text: alone, in context, doubled, and in pairs.

A vocabulary has some 200,000 tokens, and texts that people write use a tenth of them. So a wrong id
of one rare token goes unseen for months: an id that a table has as a float, a negative id, the id
of another token. So does an added token that is declared with ``lstrip`` or ``rstrip`` and removes
the space before or after it.

The tokens come from the target or, if it does not show them, from its reference; a token that is
not text by itself, such as a part of a character, is left out. If no tokens are known, the family
is empty.

A quick run has every token once, after a line end and before a space, sixteen tokens in a text;
tokens of white space stand alone. A standard run also has a sixth of the tokens each alone, between
letters, digits and spaces, doubled, and in random pairs, for which the reference takes longer than
the target. A thorough run has every token in each context, and twice in pairs. The texts are
generated on demand.

Source: the vocabulary of the target.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, PLAIN_PIECES
from tokharness_cases._packed import PackedTexts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts"]

EXHAUSTIVE = True

HERE = "\0"
"""Placeholder of the token in a template."""

ALONE = HERE
IN_A_LINE = f"\n{HERE} "
CONTEXTS = (f"a{HERE}b", f"1{HERE}2", f" {HERE} ", f"\n{HERE}\n", HERE * 2)
PACKED = (f"a{HERE}b ", f"1{HERE}2 ", f" {HERE} \n", f"{HERE}{HERE} ")
"""Contexts in a text of several contexts, where white space separates them."""

TOKENS_PER_TEXT, STRIDE = 16, 997
"""Number of tokens of a packed text, and the distance of their ids."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A template, the tokens to put into it, and the number of tokens in a text."""

    why: str
    template: str
    tokens: Sequence[str]
    size: int = 1

    def __len__(self) -> int:
        return (len(self.tokens) + self.size - 1) // self.size

    def texts(self, start: int, stop: int) -> list[str]:
        """Return the texts from number ``start`` to before ``stop``."""
        tokens = self.tokens[start * self.size : stop * self.size]
        pieces = list(tokens)
        if self.template != ALONE:
            pieces = list(map(self.template.replace, repeat(HERE), tokens))
        if self.size == 1:
            return pieces
        places = range(0, len(pieces), self.size)
        return ["".join(pieces[place : place + self.size]) for place in places]


def _parts(facts: TargetFacts) -> Iterator[_Part]:
    tokens = facts.tokens()
    # In a text of several tokens, neighbours by id would be alike.
    mixed = [token for start in range(STRIDE) for token in tokens[start::STRIDE]]
    if facts.profile != "thorough":
        blank = [token for token in tokens if token.isspace()]
        visible = [token for token in mixed if not token.isspace()]
        yield _Part("a token of white space", ALONE, blank)
        yield _Part("tokens, each in a line", IN_A_LINE, visible, TOKENS_PER_TEXT)
        if facts.profile == "standard":
            yield _Part("a token", ALONE, mixed[::6])
            yield _Part("two tokens", ALONE, _shuffled(mixed[1::6], 0), 2)
            for place, context in enumerate(PACKED, 2):
                yield _Part("tokens in context", context, mixed[place::6], TOKENS_PER_TEXT)
        return
    yield _Part("a token", ALONE, tokens)
    for context in CONTEXTS:
        yield _Part("a token in context", context, tokens)
    for seed in range(2):
        yield _Part("two tokens", ALONE, _shuffled(tokens, seed), 2)


def _shuffled(tokens: Sequence[str], seed: int) -> list[str]:
    return random.Random(seed).sample(tokens, len(tokens))


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    return PackedTexts(list(_parts(facts)))


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """The tokens in the contexts of the profile, in a fixed order."""
    for part in _parts(facts):
        for text in part.texts(0, len(part)):
            yield Case(text, part.why)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Tokens in any sequence and context; plain pieces if no tokens are known."""
    from hypothesis import strategies as st

    token = st.sampled_from(facts.tokens() or PLAIN_PIECES)
    piece = st.tuples(st.sampled_from((ALONE, *CONTEXTS)), token).map(
        lambda pair: pair[0].replace(HERE, pair[1])
    )
    return st.lists(piece, min_size=1, max_size=6).map("".join)
