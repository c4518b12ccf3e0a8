"""Tokens that are only a step of merging towards one other token, and were made just before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import PARTIAL
from tokharness.diagnosis.vocabulary.merges import OrderedTokens, is_only_inside
from tokharness.diagnosis.vocabulary.taken_tokens import TakenToken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["scaffolds"]

MOST_BETWEEN = 10
"""Tokens from a token to the one that uses it, at most."""

RANKS = 1000
"""Merges before a token, at least, for each token from it to the one that uses it.

Frequencies fall as ranks grow (Zipf's law): if merge 5,005 uses merge 5,000, it is as frequent but
for about one in a thousand of the places.
"""


def scaffolds(texts: Mapping[int, str]) -> Iterator[TakenToken]:
    """Yield the scaffolds among tokens, by their ids; none if ids are not in the order of merges.

    Left out are parts of characters, single characters, runs of one character, and words whose
    user is the word after a space: without it they stand at the start of a line.
    """
    tokens = OrderedTokens(texts)
    if not tokens.follow_merges():
        return
    users: dict[int, int] = {}
    for place in tokens.inside_next(MOST_BETWEEN):
        text = tokens.tokens[place]
        if PARTIAL not in text and len(set(text.strip())) > 1:
            user = _first_user(place, tokens)
            users |= {} if user is None else {place: user}
    joined = tokens.holding([tokens.tokens[place] for place in users])
    for place, user in users.items():
        text, longer = tokens.tokens[place], tokens.tokens[user]
        if is_only_inside(text, longer, joined):
            yield TakenToken(tokens.ids[place], text, tokens.ids[user], longer)


def _first_user(place: int, tokens: OrderedTokens) -> int | None:
    """Return the place of the next token that holds a token, if it is this one and another one."""
    text = tokens.tokens[place]
    most = min(MOST_BETWEEN, place // RANKS)
    for later in range(place + 1, min(place + 1 + most, len(tokens.tokens))):
        longer = tokens.tokens[later]
        if text in longer and longer != text:
            rest = longer.removeprefix(text)
            rest = longer.removesuffix(text) if rest == longer else rest
            is_merged = tokens.places.get(rest, later) < later
            return later if is_merged and rest != " " else None
    return None
