"""The content of a tokenizer file in one canonical form, and a token as an audit shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.model.findings import Text

    Bytes: TypeAlias = bytes

# One token of a vocabulary, as an audit shows it.

TokenKind: TypeAlias = Literal["ordinary", "special", "added", "hole"]


@dataclass(frozen=True, slots=True)
class TokenRow:
    """What is known about one id; None for what is not.

    Attributes:
        id: The id.
        kind: ``ordinary``, ``special``, ``added``, or ``hole`` for an id without a token.
        bytes: The bytes of the token, if the target gives them.
        text: The text of the token: that of a special or added token, or as it stands in the
            vocabulary if the target does not give bytes.
        state: Whether the target can produce the token: ``alone``, ``in context``,
            ``unreachable`` or ``not reached``; "" if it was not examined.
        witness: Another text than its own that the target encodes to ids with this one.
        reason: Why there is no such text, or why none is known.
        classes: The code of each check that reports the token, with the name of its class.
        count: How often the token occurs in the corpus.
        norm: The norm of its row in the first matrix of embeddings.
        rank: The place of that row among those that look least trained, from 1; rows that are
            known to be unused have none.

    """

    id: int
    kind: TokenKind = "ordinary"
    bytes: Bytes | None = None
    text: str | None = None
    state: str = ""
    witness: str | None = None
    reason: str = ""
    classes: tuple[str, ...] = ()
    count: int | None = None
    norm: float | None = None
    rank: int | None = None

    @property
    def content(self) -> Text | None:
        """The text of the token, or its bytes if they are a part of a character."""
        if self.text is not None or self.bytes is None:
            return self.text
        try:
            return self.bytes.decode()
        except UnicodeDecodeError:
            return self.bytes


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
