"""A small, healthy tokenizer of subword-nmt; :data:`HEALTHY` is its spec."""

from __future__ import annotations

import string
from functools import cache
from typing import Final

from tokharness_tokenizers.reference.subword_nmt import SubwordNMT, vocabulary_of
from tokharness_tokenizers.reference.subword_nmt.codes import Codes

MERGES: Final = (
    *("t h", "th e</w>", "i n", "in g</w>", "a n", "an d</w>", "e r</w>", "o u", "r e", "o n</w>"),
    *("t o</w>", "o f</w>", "i s</w>", "s t", "e n", "a l", "i t</w>", "e s</w>", "! !</w>"),
    *("\u00e9 e</w>", "\u4f60 \u597d</w>"),
)
CODES: Final = Codes(tuple((left, right) for left, _, right in (m.partition(" ") for m in MERGES)))
CHARACTERS: Final = string.printable.replace(" ", "") + "\u00e8\u2019\u4e2d"
"""Characters with ids; those that no merge has are as in a vocabulary next to the codes."""

HEALTHY: Final = f"python:{__name__}:healthy"


def file() -> str:
    """Return the file of codes."""
    return "\n".join(["#version: 0.2", *MERGES, ""])


@cache
def healthy() -> SubwordNMT:
    """Make the tokenizer."""
    single = (written for char in CHARACTERS for written in (f"{char}@@", char))
    return SubwordNMT("small codes", CODES, tuple(dict.fromkeys([*vocabulary_of(CODES), *single])))
