"""The tokenizer that a SentencePiece model describes.

Plain text is normalized, and the model cuts it into pieces. Neighbouring unknown characters become
one unknown piece, unless their bytes are pieces. No text becomes a control piece, such as ``<s>``.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tokharness_tokenizers.reference.aligned import spans_in_original
from tokharness_tokenizers.reference.base import Altered, Encode, Reference
from tokharness_tokenizers.reference.edited_tokens import Edit, edited_model
from tokharness_tokenizers.reference.further_models import further_models
from tokharness_tokenizers.reference.merge_lists import (
    Merges,
    Scores,
    merges_of_model,
    scores_of_model,
)
from tokharness_tokenizers.reference.normalizers.charsmap import LongestRules
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.vocabulary import (
    MARK,
    byte_pieces,
    merged,
    without_bytes,
)
from tokharness_tokenizers.reference.sentencepiece.words import Words, words_of
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.sentencepiece.decoding import PieceDecoding
    from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
    from tokharness_tokenizers.reference.sentencepiece.vocabulary import Vocabulary

# The changes of a text that a SentencePiece model declares, in a few words.


def declared_name(normalizing: Normalizing) -> str:
    """Return the name of the rules of a model, and the losses by them and by other settings.

    Characters that only have rules together with other characters are not counted.
    """
    name = f"SentencePiece {normalizing.spec.name}".strip()
    return f"{name} ({', '.join(_losses(normalizing))})"


def _losses(normalizing: Normalizing) -> Iterator[str]:
    spec, rules = normalizing.spec, normalizing.rules
    if spec.remove_extra_whitespaces:
        yield "extra spaces lost"
    if spec.add_dummy_prefix and normalizing.space_is_suffix:
        yield "a space added behind"
    yield "U+2581 is a space"
    if isinstance(rules, LongestRules) and rules.charsmap is not None:
        news = rules.charsmap.singles.values()
        dropped = sum(not new for new in news)
        if dropped:
            yield f"{dropped:,} characters dropped"
        yield f"{len(news) - dropped:,} {'' if dropped else 'characters '}replaced"


NORMALIZER, MODEL, DECODER = "normalizer", "model", "decoder"
"""The names of the stages."""

Alteration: TypeAlias = "tuple[str, str, SentencePiece]"
Alterations: TypeAlias = "Callable[[SentencePiece], list[Alteration]]"


class PieceModel(Protocol):
    """Turns a normalized text into pieces."""

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each piece of a text."""
        ...


@dataclasses.dataclass(frozen=True, eq=False)
class SentencePiece(Reference):
    """A tokenizer of a SentencePiece model.

    Attributes:
        name: Its name.
        vocabulary: The pieces.
        normalizing: The normalizer.
        model: The model.
        decoding: The decoder.
        algorithm: The name of the model.
        joins_unknown: Whether neighbouring unknown characters are one unknown piece.
        drops_unknown: Whether unknown characters have no piece.
        altered: Makes tokenizers with one setting altered, each with its stage and the alteration.

    """

    REACH = "tokharness_tokenizers.reach.sentencepiece"
    SEAMS = "tokharness_tokenizers.seams.of_sentencepiece"

    name: str
    vocabulary: Vocabulary = dataclasses.field(repr=False)
    normalizing: Normalizing
    model: PieceModel = dataclasses.field(repr=False)
    decoding: PieceDecoding = dataclasses.field(repr=False)
    algorithm: str = ""
    joins_unknown: bool = True
    drops_unknown: bool = False
    altered: Alterations | None = dataclasses.field(default=None, repr=False)

    @cached_property
    def normalizer(self) -> str:
        """The name of the changes of a text that the model declares."""
        return declared_name(self.normalizing)

    @property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return len(self.vocabulary.texts)

    @property
    def special_tokens(self) -> dict[str, int]:
        """The ids of the control pieces and of the unknown piece; text does not spell them."""
        return self.vocabulary.special

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown piece; None if there is none, or the bytes of text are pieces."""
        unknown = self.vocabulary.unknown
        return None if unknown < 0 or self.vocabulary.byte_fallback else unknown

    @property
    def added_tokens(self) -> dict[str, int]:
        """The ids of the user-defined pieces, by text."""
        return self.vocabulary.user_defined

    def encode(self, text: str) -> list[int]:
        """Encode a text; surrogate pairs are joined, and lone surrogates become U+FFFD."""
        normalized = self.normalizing.normalize(join_surrogates(text))
        if self._words is not None:
            ids = self._words.ids(normalized)
        else:
            ids = [number for number, _ in self._spelled(normalized)]
        return [n for n in ids if n != self.vocabulary.unknown] if self.drops_unknown else ids

    @cached_property
    def _words(self) -> Words | None:
        return words_of(self.model, self.vocabulary, joins_unknown=self.joins_unknown)

    @property
    def plain(self) -> Encode:
        """The method that encodes plain text."""
        return self.encode

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[Span]]:
        """Encode a text; also return the code points ``[start, end)`` of each token.

        A token begins at the source of its first character, and ends where the next token begins,
        so that the spans cover the text without gaps, except for spaces that are removed at its
        ends. Of the bytes of a character, the last byte has the span of the character.
        """
        joined = join_surrogates(text)
        normalized, starts = self.normalizing.with_starts(joined)
        ids: list[int] = []
        spans: list[Span] = []
        at = 0
        for number, length in self._spelled(normalized):
            ids.append(number)
            spans.append((starts[at], starts[at + length]))
            at += length
        return ids, spans_in_original(spans, text, joined)

    def _spelled(self, normalized: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a normalized text."""
        return self._joined(self.model.tokens(normalized), normalized)

    def ids_of(self, tokens: list[tuple[int, int]], normalized: str) -> list[int]:
        """Return the ids of the tokens of a model for a normalized text."""
        return [number for number, _ in self._joined(tokens, normalized)]

    def _joined(self, tokens: list[tuple[int, int]], normalized: str) -> list[tuple[int, int]]:
        if self.vocabulary.byte_fallback:
            return byte_pieces(tokens, normalized, self.vocabulary)
        return merged(tokens, self.vocabulary.unknown) if self.joins_unknown else tokens

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids; raises KeyError for an unknown id."""
        return self.decoding.text(ids)

    def bytes_inside(self, numbers: Sequence[int]) -> list[bytes]:
        """Return the bytes of each piece inside a text; raises KeyError for an unknown id."""
        pieces = [(self.vocabulary.kinds[n], self.token_text(n)) for n in numbers]
        return self.decoding.bytes_inside(pieces)

    def normalize(self, text: str) -> str:
        """Return the decoded text of a text if the model has pieces for all its characters."""
        normalized = self.normalizing.normalize(join_surrogates(text))
        # No text becomes a control piece or the piece of a byte, and decoding removes spaces at the
        # start only, piece by piece: from a single space, the same for any pieces.
        if not normalized.startswith(MARK * 2):
            return self.decoding.joined([(PieceKind.NORMAL, normalized)])
        pieces, at = [], 0
        for _, length in self.model.tokens(normalized):
            pieces.append((PieceKind.NORMAL, normalized[at : at + length]))
            at += length
        return self.decoding.joined(pieces)

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a text after each stage, with the name of the stage."""
        ids = self.encode(text)
        return [
            (NORMALIZER, [self.normalizing.normalize(join_surrogates(text))]),
            (MODEL, [self.token_text(number) for number in ids]),
            (DECODER, [self.decode(ids)]),
        ]

    def score(self, ids: Sequence[int]) -> float:
        """Return the sum of the scores of pieces; raises KeyError for an unknown id."""
        return sum(self.vocabulary.score(number) for number in ids)

    def alterations(self, text: str) -> list[Altered]:  # noqa: ARG002
        """Return the alterations before the decoder, which are the same for each text."""
        return [(stage, what, one.encode) for stage, what, one in self._altered_ids]

    def further_alterations(self, text: str) -> list[Altered]:  # noqa: ARG002
        """Return further alterations of the model, which are the same for each text."""
        return [(MODEL, what, one.encode) for what, one in self._altered_further]

    @cached_property
    def _altered_further(self) -> list[tuple[str, SentencePiece]]:
        models = further_models(self.model)
        return [(what, dataclasses.replace(self, model=one, altered=None)) for what, one in models]

    def decode_altered(self, ids: Sequence[int]) -> list[tuple[str, str]]:
        """Decode ids with each alteration of the decoder; a row has the alteration and the text."""
        return [(what, one.decode(ids)) for _, what, one in self._altered_texts]

    def with_edited_tokens(self, edit: Edit) -> SentencePiece:
        """Return the same tokenizer with an edit of the pieces of its model.

        Raises ValueError for an edit that the model cannot have.
        """
        model = edited_model(self.model, edit)
        vocabulary = without_bytes(self.vocabulary, frozenset(edit.get("gone", ())))
        return dataclasses.replace(self, model=model, vocabulary=vocabulary, altered=None)

    @cached_property
    def _alterations(self) -> list[Alteration]:
        return [] if self.altered is None else self.altered(self)

    @cached_property
    def _altered_ids(self) -> list[Alteration]:
        return [row for row in self._alterations if row[0] != DECODER]

    @cached_property
    def _altered_texts(self) -> list[Alteration]:
        return [row for row in self._alterations if row[0] == DECODER]

    @property
    def merges(self) -> Merges | None:
        """A function that returns at most a number of merges; None if the model has no merges."""
        return merges_of_model(self.model)

    @property
    def scores(self) -> Scores | None:
        """A function that returns at most a number of pieces with scores; None without scores."""
        return scores_of_model(self.model)

    def token_text(self, number: int) -> str:
        """Return the text of a piece; raises KeyError for an unknown id."""
        if not 0 <= number < self.n_vocab:
            raise KeyError(f"no piece has the id {number!r}")
        return self.vocabulary.texts[number]
