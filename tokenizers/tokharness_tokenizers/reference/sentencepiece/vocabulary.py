"""The pieces of a SentencePiece model by their purpose.

Neighbouring unknown characters are one unknown piece, or the pieces of their bytes.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind, PieceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from tokharness_tokenizers.reference.sentencepiece.model_file import ModelFile

MARK: Final = "\u2581"
"""The mark that replaces a space."""
NO_PIECE: Final = -1
"""Placeholder for the id of the unknown piece, if there is none."""

_OF_TEXT: Final = (PieceKind.NORMAL, PieceKind.USER_DEFINED, PieceKind.UNUSED)
_BYTES: Final[Mapping[str, int]] = {f"<0x{byte:02X}>": byte for byte in range(256)}


@dataclass(frozen=True)
class Vocabulary:
    """The pieces of a model, whose ids are their places.

    Attributes:
        texts: The text of each piece.
        scores: The score of each piece.
        kinds: The type of each piece.
        of_text: The ids of the pieces that text may become, by text: normal, user-defined and
            unused pieces. No text becomes a control piece or the piece of a byte.
        byte_fallback: Whether an unknown character becomes the pieces of its bytes.
        bytes_of: Returns the bytes of a character; a character without bytes is the unknown piece.

    """

    texts: tuple[str, ...] = field(repr=False)
    scores: tuple[float, ...] = field(repr=False)
    kinds: tuple[PieceKind, ...] = field(repr=False)
    of_text: Mapping[str, int] = field(repr=False)
    byte_fallback: bool = False
    bytes_of: Callable[[str], bytes] = field(default=str.encode, repr=False)

    @cached_property
    def unknown(self) -> int:
        """The id of the unknown piece, or NO_PIECE."""
        return next(iter(self.ids(PieceKind.UNKNOWN)), NO_PIECE)

    @cached_property
    def unused(self) -> frozenset[int]:
        """The ids of the unused pieces, which no text becomes."""
        return frozenset(self.ids(PieceKind.UNUSED))

    @cached_property
    def user_defined(self) -> dict[str, int]:
        """The ids of the pieces that are found before all others, by text."""
        return {self.texts[number]: number for number in self.ids(PieceKind.USER_DEFINED)}

    @cached_property
    def special(self) -> dict[str, int]:
        """The ids of the unknown piece and the control pieces, by text."""
        ids = (*self.ids(PieceKind.UNKNOWN), *self.ids(PieceKind.CONTROL))
        return {self.texts[number]: number for number in sorted(ids)}

    @cached_property
    def byte_of(self) -> dict[int, int]:
        """The byte that each piece of a byte stands for, by id."""
        return {number: _BYTES[self.texts[number]] for number in self.ids(PieceKind.BYTE)}

    @cached_property
    def bytes(self) -> dict[int, int]:
        """The id of the piece of each byte."""
        return {byte: number for number, byte in self.byte_of.items()}

    def score(self, number: int) -> float:
        """Return the score of a piece; raises KeyError for an unknown id."""
        if not 0 <= number < len(self.scores):
            raise KeyError(f"no piece has the id {number!r}")
        return self.scores[number]

    def ids(self, kind: PieceKind) -> list[int]:
        """Return the ids of the pieces of a type."""
        return [number for number, one in enumerate(self.kinds) if one is kind]


def without_bytes(vocabulary: Vocabulary, gone: Collection[int]) -> Vocabulary:
    """Return a vocabulary in which the bytes of some pieces become the unknown piece."""
    if vocabulary.byte_of.keys().isdisjoint(gone):
        return vocabulary
    other = replace(vocabulary)
    unknown = vocabulary.unknown
    pieces = vocabulary.bytes.items()
    vars(other)["bytes"] = {byte: unknown if n in gone else n for byte, n in pieces}
    return other


def vocabulary_of(model: ModelFile) -> Vocabulary:
    """Return the pieces of a model.

    Raises:
        ValueError: the pieces contradict each other; the library refuses them, too.

    """
    fallback = model.trainer.byte_fallback
    kinds = tuple(
        PieceKind.UNUSED if fallback and piece.text == "\0" else piece.kind
        for piece in model.pieces
    )
    of_text: dict[str, int] = {}
    others: dict[str, int] = {}
    is_bpe = model.trainer.model is ModelKind.BPE
    for number, (piece, kind) in enumerate(zip(model.pieces, kinds, strict=True)):
        if piece.text == "\0" and kind is PieceKind.UNUSED:
            continue
        if not piece.text or "\0" in piece.text:
            raise ValueError(f"the piece {number} is empty or has U+0000 inside")
        same = of_text if kind in _OF_TEXT else others
        if piece.text in same or (is_bpe and (piece.text in of_text or piece.text in others)):
            raise ValueError(f"the piece {number} has the text {piece.text!r} of another piece")
        same[piece.text] = number
    texts = tuple(piece.text for piece in model.pieces)
    scores = tuple(array("f", (piece.score for piece in model.pieces)))  # as the file has them
    found = Vocabulary(texts, scores, kinds, of_text, fallback)
    _check(found)
    return found


def _check(vocabulary: Vocabulary) -> None:
    unknown = vocabulary.ids(PieceKind.UNKNOWN)
    if len(unknown) > 1:
        raise ValueError(f"the pieces {unknown[0]} and {unknown[1]} are both the unknown piece")
    if not unknown and not vocabulary.byte_fallback:
        raise ValueError("the model has no unknown piece, and no byte_fallback")
    bytes_ = {vocabulary.texts[number] for number in vocabulary.ids(PieceKind.BYTE)}
    if bytes_ and not vocabulary.byte_fallback:
        raise ValueError("the model has pieces of bytes, and byte_fallback is false")
    if bytes_ - set(_BYTES):
        raise ValueError(f"the piece {min(bytes_ - set(_BYTES))!r} of a byte does not name one")
    if vocabulary.byte_fallback and bytes_ != set(_BYTES):
        raise ValueError("byte_fallback is true, and the model does not have a piece of each byte")


if TYPE_CHECKING:
    from collections.abc import Iterable


def merged(tokens: Iterable[tuple[int, int]], unknown: int) -> list[tuple[int, int]]:
    """Join neighbouring unknown tokens, each with its number of characters."""
    found: list[tuple[int, int]] = []
    for number, length in tokens:
        if number == unknown and found and found[-1][0] == unknown:
            found[-1] = (unknown, found[-1][1] + length)
        else:
            found.append((number, length))
    return found


def byte_pieces(
    tokens: Iterable[tuple[int, int]], text: str, vocabulary: Vocabulary
) -> list[tuple[int, int]]:
    """Replace each unknown token by the pieces of its bytes; the last piece has its length."""
    unknown, pieces = vocabulary.unknown, vocabulary.bytes
    found: list[tuple[int, int]] = []
    at = 0
    for number, length in tokens:
        data = vocabulary.bytes_of(text[at : at + length]) if number == unknown else b""
        found += [(pieces[byte], 0) for byte in data[:-1]]
        found.append((pieces[data[-1]] if data else number, length))
        at += length
    return found
