"""The decoder of SentencePiece: from pieces to text.

Source: ``sentencepiece_processor.cc`` and ``sentencepiece.proto``. Control pieces decode to "", the
unknown piece to a text of its own (``unk_surface``), and pieces of bytes to UTF-8, in which each
invalid byte becomes a U+FFFD. U+2581 becomes a space.

If the normalizer adds a space or removes spaces, the first piece loses a space; if it removes
spaces, each piece before the first text does. The space that ``treat_whitespace_as_suffix`` puts
last stays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.decoding import texts_inside
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec
    from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing


@dataclass(frozen=True, slots=True)
class PieceDecoding:
    """A decoder.

    Attributes:
        vocabulary: The pieces.
        normalizer: The settings of the normalizer, which added and removed spaces.
        unknown_surface: The text of the unknown piece.
        denormalizer: The last change of the text; None without a change.
        shows_marks: Whether U+2581 stays.
        strips_each: Whether each piece loses a space at its start.
        loses_first: Whether the first character goes in place of a space.
        bytes_to_text: Returns the text of a run of bytes.

    """

    vocabulary: Vocabulary = field(repr=False)
    normalizer: NormalizerSpec
    unknown_surface: str = " \u2047 "
    denormalizer: Normalizing | None = None
    shows_marks: bool = False
    strips_each: bool = False
    loses_first: bool = False
    bytes_to_text: Callable[[bytes], str] | None = field(default=None, repr=False)

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of ids; raises KeyError for an unknown id."""
        kinds, texts, size = (
            self.vocabulary.kinds,
            self.vocabulary.texts,
            len(self.vocabulary.texts),
        )
        pieces: list[tuple[PieceKind, str]] = []
        for number in ids:
            if not 0 <= number < size:
                raise KeyError(f"no piece has the id {number!r}")
            pieces.append((kinds[number], texts[number]))
        return self.joined(pieces)

    def bytes_inside(self, pieces: Sequence[tuple[PieceKind, str]]) -> list[bytes]:
        """Return the bytes of each piece inside a text."""
        texts = [text for kind, text in pieces if kind is not PieceKind.BYTE]
        kinds = {text: kind for kind, text in pieces}
        inside = dict(
            zip(
                texts,
                texts_inside(
                    texts,
                    lambda parts: self.joined((kinds.get(p, PieceKind.NORMAL), p) for p in parts),
                ),
                strict=True,
            )
        )
        return [
            bytes([int(text[3:5], 16)]) if kind is PieceKind.BYTE else inside[text]
            for kind, text in pieces
        ]

    def joined(self, pieces: Iterable[tuple[PieceKind, str]]) -> str:
        """Return the text of pieces, each with its type."""
        spec = self.normalizer
        strips = not self.loses_first and (spec.add_dummy_prefix or spec.remove_extra_whitespaces)
        of_bytes = self.bytes_to_text or decode_bytes
        parts: list[str] = []
        raw = bytearray()
        for kind, piece in pieces:
            if kind is PieceKind.BYTE:
                raw.append(int(piece[3:5], 16))
                continue
            if raw:
                parts.append(of_bytes(bytes(raw)))
                raw.clear()
                strips = False
            if kind is PieceKind.CONTROL:
                continue
            loses_one = (strips or self.strips_each) and piece.startswith(MARK)
            shown = self.unknown_surface if kind is PieceKind.UNKNOWN else piece[loses_one:]
            if kind is not PieceKind.UNKNOWN and not self.shows_marks:
                shown = shown.replace(MARK, " ")
            strips = strips and not shown and not (loses_one and not spec.remove_extra_whitespaces)
            parts.append(shown)
        parts.append(of_bytes(bytes(raw)))
        text = "".join(parts)[self.loses_first :]
        return text if self.denormalizer is None else self.denormalizer.normalize(text)


def decode_bytes(data: bytes) -> str:
    """Decode UTF-8; each byte that is not part of a character becomes one U+FFFD."""
    parts: list[str] = []
    while data:
        try:
            parts.append(data.decode())
            break
        except UnicodeDecodeError as error:
            parts += (data[: error.start].decode(), "\ufffd")
            data = data[error.start + 1 :]
    return "".join(parts)
