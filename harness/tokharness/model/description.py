"""The content of a tokenizer file: its stages, its tokens and its merges, in one canonical form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Description", "TokenEntry"]

Content: TypeAlias = "str | bytes"


class TokenEntry(NamedTuple):
    """A row of a vocabulary.

    Attributes:
        id: The id.
        token: The token as the file has it: a text, or the bytes that a file of bytes has.
        score: Its score, in Unigram the logarithm of a probability; None in a format without any.
        type: What the file says of it, such as ``control``; None if it says nothing.

    """

    id: int
    token: Content
    score: float | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """What decides about encoding and decoding in a file; equal files have equal descriptions.

    Attributes:
        format: The name of the format, such as ``tokenizer.json``.
        stages: The settings by the name of their stage, plain values of JSON without the large
            tables. Names are ``added tokens``, ``normalizer``, ``pre-tokenizer``, ``model``,
            ``post-processor``, ``decoder``, ``truncation``, ``padding``, ``template`` (that of a
            chat) and ``options``; a stage that the file shows to be empty is None, and one of which
            it says nothing is not there. Added tokens are objects with ``id``, ``text`` and flags.
        tokens: The vocabulary in the order of ids.
        merges: The pairs of tokens that BPE merges, first ones first, also those that are there
            twice; None in a format that has no list of them.

    """

    format: str
    stages: Mapping[str, Any]
    tokens: tuple[TokenEntry, ...]
    merges: tuple[tuple[Content, Content], ...] | None = None
