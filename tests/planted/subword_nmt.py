"""Faults in reading and applying the codes of subword-nmt."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from planted._registry import fault
from planted._subword_nmt_codes import CODES, HEALTHY, healthy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@fault("TOK201", cause="model: version is 0.1", families=["plain-words"], against=HEALTHY)
def takes_no_notice_of_the_version() -> Any:
    """Makes the end of a word a symbol of its own, as in version 0.1 of the codes."""
    return replace(healthy(), codes=replace(CODES, version="0.1"))


@fault("TOK201", cause="model: last merges first", families=["plain-words"], against=HEALTHY)
def applies_the_last_merges_first() -> Any:
    """Takes the place of a merge in the file for its count: those at the end come first."""
    return replace(healthy(), codes=replace(CODES, merges=CODES.merges[::-1]))


@fault("TOK201", cause="pre-tokenizer: words end", families=["white-space"], against=HEALTHY)
def ends_words_at_all_white_space() -> Any:
    """Ends words at each white space, where the algorithm knows the space only."""
    encode = healthy().encode
    return _tokenizer(encode=lambda text: encode(" ".join(text.split())))


@fault("TOK101", cause="decoder: dropped characters", families=["plain-words"], against=HEALTHY)
def strips_at_signs_from_subwords() -> Any:
    """Strips all signs ``@`` from the end of a subword, not the two that the algorithm adds."""

    def decode(ids: Sequence[int]) -> str:
        written = " ".join(map(healthy().token_text, ids))
        return re.sub("@@+ |@@+$", "", written)

    return _tokenizer(decode=decode)


def _tokenizer(**methods: Callable[..., Any]) -> SimpleNamespace:
    file = healthy()
    own = {"encode": file.encode, "decode": file.decode, "normalize": file.normalize, **methods}
    return SimpleNamespace(special_tokens=file.special_tokens, normalizer=file.normalizer, **own)
