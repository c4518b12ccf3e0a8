"""A tokenizer that is one model: greedy longest match on the UTF-8 bytes of a text.

This is RWKV's "World" tokenizer. It has no special tokens, no normalizer and no pre-tokenizer, so
that every text with a token for each of its bytes comes back.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from tokharness_tokenizers.reference.algorithm_names import LONGEST_MATCH
from tokharness_tokenizers.reference.aligned import spans_in_original, token_spans
from tokharness_tokenizers.reference.base import Altered, Encode, Reference
from tokharness_tokenizers.reference.decoding import (
    bytes_of_token,
    joined_bytes,
    streamed_texts,
)
from tokharness_tokenizers.reference.edited_tokens import Edit, edited_model
from tokharness_tokenizers.reference.further_models import further_models
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.models.byte_trie import ByteTrie

MODEL = "model"


@dataclasses.dataclass(frozen=True, eq=False)
class LongestMatch(Reference):
    """A greedy tokenizer over bytes.

    Surrogate pairs of a text are joined, and lone surrogates become U+FFFD. Encoding raises
    KeyError at a byte where no token begins.

    Attributes:
        name: The name of the vocabulary.
        model: The tokens and their ids.
        other_ids: The bytes of a token that has another id in ``model``, by id. These ids are
            decoded, but encoding never returns them.
        altered: Returns models with one alteration each, by its description.

    """

    REACH = "tokharness_tokenizers.reach.longest_match"
    SEAMS = "tokharness_tokenizers.seams.of_longest_match"
    algorithm: ClassVar[str] = LONGEST_MATCH

    name: str
    model: ByteTrie = dataclasses.field(repr=False)
    other_ids: Mapping[int, bytes] = dataclasses.field(default_factory=dict, repr=False)
    altered: Callable[[ByteTrie], Mapping[str, ByteTrie]] = dataclasses.field(
        default=lambda _: {}, repr=False
    )

    @cached_property
    def _bytes_of(self) -> dict[int, bytes]:
        return {**self.other_ids, **{number: token for token, number in self.model.ids.items()}}

    @property
    def conflicting_tokens(self) -> Mapping[int, bytes]:
        """Further ids of a token, by id."""
        return self.other_ids

    @cached_property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return max(self._bytes_of, default=-1) + 1

    def encode(self, text: str) -> list[int]:
        """Encode a text."""
        return self.model.encode(join_surrogates(text).encode())

    @property
    def plain(self) -> Encode:
        """The method that encodes plain text."""
        return self.encode

    def encode_bytes(self, data: bytes) -> list[int]:
        """Encode bytes, which need not be UTF-8."""
        return self.model.encode(data)

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[Span]]:
        """Encode a text; also return the code points ``[start, end)`` of each token.

        Each token that has a part of a character covers the whole character.
        """
        ids, joined = self.encode(text), join_surrogates(text)
        spans = token_spans(map(self._bytes_of.__getitem__, ids))
        return ids, spans_in_original(spans, text, joined)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return len(self.encode(text))

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token; raises KeyError for an unknown id."""
        return bytes_of_token(self._bytes_of, token)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Join the bytes of tokens; raises KeyError for an unknown id."""
        return joined_bytes(self._bytes_of, ids)

    def decode(self, ids: Sequence[int]) -> str:
        """Decode tokens into text, with U+FFFD for invalid UTF-8; raises KeyError."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_stream(self, ids: Iterable[int]) -> Iterator[str]:
        """Decode tokens one by one; yield a character as soon as all its bytes are known."""
        return streamed_texts(self._bytes_of, ids)

    def token_text(self, token: int) -> str:
        """Return a token with a character for each byte: ASCII, or a surrogate (PEP 383)."""
        return _written(self.decode_single_token_bytes(token))

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a text before the model and after it, written as :meth:`token_text` does."""
        data = join_surrogates(text).encode()
        tokens = [self.token_text(number) for number in self.model.encode(data)]
        return [("pre-tokenizer", [_written(data)] if data else []), (MODEL, tokens)]

    def alterations(self, text: str) -> list[Altered]:  # noqa: ARG002
        """Return the alterations of the model, which are the same for each text."""
        return self._altered

    def further_alterations(self, text: str) -> list[Altered]:  # noqa: ARG002
        """Return further alterations of the model, which are the same for each text."""
        return self._altered_further

    @cached_property
    def _altered(self) -> list[Altered]:
        return list(_altered(self.altered(self.model).items()))

    @cached_property
    def _altered_further(self) -> list[Altered]:
        return list(_altered(further_models(self.model)))

    def with_edited_tokens(self, edit: Edit) -> LongestMatch:
        """Return the same tokenizer without some tokens."""
        return dataclasses.replace(self, model=edited_model(self.model, edit))


def _altered(models: Iterable[tuple[str, ByteTrie]]) -> Iterator[Altered]:
    for what, model in models:
        yield MODEL, what, partial(_encoded, model)


def _encoded(model: ByteTrie, text: str) -> list[int]:
    return model.encode(text.encode())


def _written(data: bytes) -> str:
    return data.decode("ascii", "surrogateescape")
