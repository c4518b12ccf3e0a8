"""A tokenizer as a line of stages: added tokens, normalizer, pre-tokenizer, model and others.

This is the tokenizer that a ``tokenizer.json`` describes. Plain text goes through
:meth:`Pipeline.encode_ordinary`, where special tokens are text and no ids are added;
:meth:`Pipeline.encode` is the library's default, which reads special tokens and adds the tokens of
the post-processor.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias

from tokharness_tokenizers.reference.algorithm_names import algorithm_name
from tokharness_tokenizers.reference.aligned import Aligned, spans_in_original
from tokharness_tokenizers.reference.base import Altered, Encode, Orphans, Reference
from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.decoders import is_byte_token
from tokharness_tokenizers.reference.edited_tokens import Edit, edited_model
from tokharness_tokenizers.reference.engine_alterations import (
    alterations_of_token,
    engine_alterations,
)
from tokharness_tokenizers.reference.further_models import further_models
from tokharness_tokenizers.reference.merge_lists import (
    Merges,
    Scores,
    merges_of_model,
    scores_of_model,
)
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.post_processors import PostProcessing
from tokharness_tokenizers.reference.pre_tokenizers.sequence import ends_in_bytes
from tokharness_tokenizers.reference.splitting import join_surrogates
from tokharness_tokenizers.reference.word_ids import WordIds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.components import Model
    from tokharness_tokenizers.reference.decoding import Decoding
    from tokharness_tokenizers.reference.word_ids import TextStages

DECODER, MODEL, PRE_TOKENIZER = "decoder", "model", "pre-tokenizer"

MOST_ALTERED_TOKENS = 4
"""Most added tokens of a text whose settings are altered one by one."""

AtVersions: TypeAlias = "Callable[[Mapping[str, str]], Pipeline]"
AlteredPipelines: TypeAlias = "Callable[[Mapping[str, str]], list[tuple[str, str, Pipeline]]]"


@dataclasses.dataclass(frozen=True, eq=False)
class Pipeline(Reference):
    """A tokenizer of several stages.

    Attributes:
        name: Its name.
        text_stages: The stages before the model.
        model: The model.
        texts: The text of each token of the model and each added token, by id.
        post: The template, truncation and padding of ids.
        decoding: The decoder.
        normalizer: The name of the changes of a text that the file declares; None without changes.
        stage_versions: The Unicode version of each stage that has one.
        at_versions: Makes the same tokenizer at other Unicode versions.
        altered: Makes tokenizers with one setting of a stage altered, at some Unicode versions,
            each with the stage and the alteration.

    """

    REACH = "tokharness_tokenizers.reach.of_pipeline"
    SEAMS = "tokharness_tokenizers.seams.of_pipeline"

    name: str
    text_stages: TextStages = dataclasses.field(repr=False)
    model: Model = dataclasses.field(repr=False)
    texts: Mapping[int, str] = dataclasses.field(repr=False)
    decoding: Decoding
    post: PostProcessing = dataclasses.field(default_factory=PostProcessing)
    normalizer: str | None = None
    stage_versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    at_versions: AtVersions | None = dataclasses.field(default=None, repr=False)
    altered: AlteredPipelines | None = dataclasses.field(default=None, repr=False)

    @cached_property
    def _word_ids(self) -> WordIds:
        return WordIds(self.text_stages.pre_tokenizer, self.model, self.text_stages.parts)

    @cached_property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return max(self.texts, default=-1) + 1

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return algorithm_name(self.model, self.decoding)

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the model has none."""
        return self.model.unknown_id

    @cached_property
    def conflicting_tokens(self) -> dict[int, bytes]:
        """Tokens that share their id with another token of the file, by id."""
        pairs = chain(self.model.vocabulary.items(), self.added_tokens.items())
        return {number: text.encode() for text, number in pairs if self.texts.get(number) != text}

    @property
    def special_tokens(self) -> dict[str, int]:
        """The ids of special tokens, by text."""
        return self.text_stages.added.ids(special=True)

    @property
    def added_tokens(self) -> dict[str, int]:
        """The ids of added tokens that are not special, by text: plain text gets them."""
        return self.text_stages.added.ids(special=False)

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: special tokens are text, and nothing is added.

        Surrogate pairs are joined, and lone surrogates become U+FFFD. Raises KeyError for text
        without a token in the model.
        """
        return self.post.plain(self._ids(join_surrogates(text), special=False))

    @property
    def plain(self) -> Encode:
        """The method that encodes plain text."""
        return self.encode_ordinary

    def encode_special(self, text: str) -> list[int]:
        """Encode trusted text, in which special tokens get their ids; no ids are added."""
        return self.post.plain(self._ids(join_surrogates(text), special=True))

    def encode(self, text: str) -> list[int]:
        """Encode as the library does by default.

        Special tokens get their ids, and the ids of the post-processor are added.
        """
        return self.post.apply(self._ids(join_surrogates(text), special=True))

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[Span]]:
        """Encode plain text; also return the code points ``[start, end)`` of each token.

        Spans refer to ``text``, even if it is normalized: a token covers all original characters of
        its normalized characters. Inserted characters have an empty span.
        """
        joined = join_surrogates(text)
        tokens = list(self._aligned_tokens(joined))
        ids = self.post.plain([number for number, _ in tokens])
        spans = self.post.plain_spans([span for _, span in tokens])
        return ids, spans_in_original(spans, text, joined)

    def _ids(self, text: str, *, special: bool) -> list[int]:
        ids: list[int] = []
        for at_start, part, number in self.text_stages.cut(text, special=special):
            if number is None:
                ids += self._word_ids.ids(part, at_start=at_start)
            else:
                ids.append(number)
        return ids

    def _aligned_tokens(self, text: str) -> Iterator[tuple[int, Span]]:
        for word, number in self.text_stages.aligned_words(Aligned.of(text)):
            if number is not None:
                yield number, word.span(0, len(word.text))
                continue
            at, span = 0, word.span(0, 0)
            for token, length in self.model.tokens(word.text):
                if length:  # further bytes of a character have its span, too
                    span = word.span(at, at + length)
                yield token, span
                at += length

    def pretokens(self, text: str) -> list[str]:
        """Return the words that the model reads; special tokens are text.

        An added token is a word of its own.
        """
        return [word for word, _ in self.text_stages.words(join_surrogates(text))]

    def normalize(self, text: str) -> str:
        """Return the decoded text of a plain text for all of which the model has tokens.

        It is the text after the changes of the normalizer, the pre-tokenizer and the decoder. A
        decoder that cleans up changes only some tokens, so that the result also depends on the
        model.
        """
        if self.decoding.cleans_up:
            ids = self.post.template.bare.apply(self._ids(text, special=False))
            if self.model.unknown_id not in ids:
                return self.decode(ids)
        tokens: list[str] = []
        for word, number in self.text_stages.words(join_surrogates(text)):
            if number is not None:
                tokens.append(self._text(number))
            elif self.decoding.reads_bytes and is_byte_token(
                word
            ):  # here it is text, not the token of a byte
                tokens += (word[:1], word[1:])
            else:
                tokens.append(word + self.decoding.suffix)
        return self.decoding.text(tokens)

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids, including ids of special tokens; raises KeyError for an unknown id."""
        return self.decoding.text([self._text(number) for number in ids])

    @property
    def decode_single_token_bytes(self) -> Callable[[int], bytes] | None:
        """A function from an id to the bytes of its token; None if tokens have no bytes."""
        if self.decoding.bytes_of is None:
            return None
        return lambda number: self.decoding.bytes_of(self._text(number))  # type: ignore[misc]

    def bytes_inside(self, numbers: Sequence[int]) -> list[bytes]:
        """Return the bytes of each token inside a text; raises KeyError for an unknown id."""
        return self.decoding.bytes_inside(list(map(self._text, numbers)))

    @property
    def score(self) -> Callable[[Sequence[int]], float] | None:
        """A function from ids to the sum of their scores; None if the model has no scores."""
        return self.model.score if isinstance(self.model, Unigram | Pieces) else None

    @property
    def merges(self) -> Merges | None:
        """A function that returns at most a number of merges; None if the model has no merges."""
        reads_bytes = ends_in_bytes(self.text_stages.pre_tokenizer)
        return merges_of_model(self.model, bytes_of if reads_bytes else self.decoding.bytes_of)

    @property
    def scores(self) -> Scores | None:
        """A function that returns at most a number of pieces with scores; None without scores."""
        return scores_of_model(self.model)

    def _text(self, number: int) -> str:
        try:
            return self.texts[number]
        except KeyError:
            raise KeyError(f"no token has the id {number!r}") from None

    @property
    def unicode_version(self) -> str | None:
        """The Unicode version of the pre-tokenizer's patterns, or of another of its tables."""
        return next((self.stage_versions[table] for table in self._split_tables), None)

    @property
    def _split_tables(self) -> list[str]:
        tables = (table for table in self.stage_versions if table.partition(",")[0] == "split")
        return sorted(tables, key=len)

    def with_unicode_version(self, version: str) -> Pipeline:
        """Return the same tokenizer with another Unicode version of the pre-tokenizer."""
        return self.with_stage_versions(dict.fromkeys(self._split_tables, version))

    def with_stage_versions(self, versions: Mapping[str, str]) -> Pipeline:
        """Return the same tokenizer with other Unicode versions of some stages."""
        if self.at_versions is None:
            return self
        return self.at_versions({**self.stage_versions, **versions})

    def token_text(self, number: int) -> str:
        """Return the text of a token as the file has it; raises KeyError for an unknown id."""
        return self._text(number)

    @property
    def merge_orphans(self) -> Orphans | None:
        """A function that returns the ids to which no merges lead; None for a model without any.

        A pre-token that is such a token gets its id.
        """
        return self._merge_orphans

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a plain text after each stage, with the name of the stage."""
        text = join_surrogates(text)
        added, ids = self.text_stages.added, self.encode_ordinary(text)
        with_others = self.post.apply(self._ids(text, special=False))
        return [
            ("added tokens", [part for _, part, _ in added.parts(text, str, special=False)]),
            ("normalizer", [part for _, part, _ in self.text_stages.cut(text, special=False)]),
            ("pre-tokenizer", self.pretokens(text)),
            ("model", [self._text(number) for number in ids]),
            ("post-processor", [self._text(number) for number in with_others]),
            ("decoder", [self.decode(ids)]),
        ]

    def alterations(self, text: str) -> Iterator[Altered]:
        """Yield the alterations of the stages before the decoder, and of added tokens of a text."""
        for stage, what, altered in chain(self._altered, self._altered_tokens(text)):
            if stage != DECODER:
                yield stage, what, altered.encode_ordinary

    def further_alterations(self, text: str) -> Iterator[Altered]:
        """Yield alterations of the model, and of borders of pre-tokens.

        A text with an added token has no other borders.
        """
        for what, altered in self._altered_further:
            yield MODEL, what, altered.encode_ordinary
        parts = self.text_stages.cut(text, special=False)
        if len(parts) == 1 and parts[0][2] is None:
            for what, ids in self._word_ids.ids_at_borders(parts[0][1]):
                yield PRE_TOKENIZER, what, partial(_known, self.post.plain(ids))

    @cached_property
    def _altered_further(self) -> list[tuple[str, Pipeline]]:
        return [
            (what, dataclasses.replace(self, model=model, at_versions=None, altered=None))
            for what, model in further_models(self.model)
        ]

    def decode_altered(self, ids: Sequence[int]) -> list[tuple[str, str]]:
        """Decode ids with each alteration of the decoder; raises KeyError for an unknown id.

        Each row has the alteration, and the text.
        """
        decoders = ((what, one) for stage, what, one in self._altered if stage == DECODER)
        return [(what, altered.decode(ids)) for what, altered in decoders]

    def with_edited_tokens(self, edit: Edit) -> Pipeline:
        """Return the same tokenizer with an edit of the tokens of its model.

        Raises ValueError for an edit that the model cannot have.
        """
        model = edited_model(self.model, edit)
        return dataclasses.replace(self, model=model, at_versions=None, altered=None)

    @cached_property
    def _altered(self) -> list[tuple[str, str, Pipeline]]:
        if self.altered is None:
            return []
        return [*self.altered(self.stage_versions), *engine_alterations(self)]

    def _altered_tokens(self, text: str) -> Iterator[tuple[str, str, Pipeline]]:
        """Yield the alterations of the added tokens in a text, since all tokens are too many."""
        if self.altered is None:
            return
        found = (one for one in self.text_stages.added.tokens if one.content in text)
        for token in islice(found, MOST_ALTERED_TOKENS):
            if token.number not in self._by_token:
                self._by_token[token.number] = alterations_of_token(self, token)
            yield from self._by_token[token.number]

    @cached_property
    def _by_token(self) -> dict[int, list[tuple[str, str, Pipeline]]]:
        return {}


def _known(ids: list[int], _: str) -> list[int]:
    return ids
