"""Faults in what a vocabulary has tokens for: steps of merging that hardly any text gives."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from planted._byte_tokens import bytes_and
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace


LETTERS = tuple(map(chr, range(0x4E00, 0x4E00 + 30)))
ENOUGH = tuple(map("".join, itertools.product(LETTERS, repeat=2)))
"""So many tokens that the next one is made right after another, and not only soon."""


@fault("TOK409", cause="scaffold tokens")
def has_a_token_that_only_the_next_one_uses() -> SimpleNamespace:
    """Has tokens from " T" to " TheNitrom", each of which is only a step towards the next one."""
    text = " TheNitrome"
    return bytes_and(*ENOUGH, *(text[:end] for end in range(2, len(text) + 1)))


@fault("TOK411", cause="residue tokens", corpus="the other theme " * 500)
def has_a_token_that_its_corpus_never_gives() -> SimpleNamespace:
    """Has the token "th", each place of which in the corpus the token "the" takes."""
    return bytes_and("th", "the")
