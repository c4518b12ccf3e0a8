"""A tokenizer that is one model: greedy longest match on the UTF-8 bytes of a text.

This is RWKV's "World" tokenizer. It has no special tokens, no normalizer and no pre-tokenizer, so
that every text with a token for each of its bytes comes back.
"""

from __future__ import annotations

import contextlib
import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from tokharness_tokenizers.reference.algorithm_names import LONGEST_MATCH
from tokharness_tokenizers.reference.aligned import spans_in_original, token_spans
from tokharness_tokenizers.reference.decoding import (
    bytes_of_token,
    joined_bytes,
    streamed_texts,
)
from tokharness_tokenizers.reference.departing_models import further_models
from tokharness_tokenizers.reference.edited_tokens import Edit, edited_model
from tokharness_tokenizers.reference.reach import Reach, reach_of, seams_of
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.models.byte_trie import ByteTrie

MODEL = "model"


@dataclasses.dataclass(frozen=True, eq=False)
class LongestMatch:
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

    @cached_property
    def _altered_models(self) -> Mapping[str, ByteTrie]:
        return self.altered(self.model)

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

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Encode texts, each as :meth:`encode` does."""
        return [self.encode(text) for text in texts]

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

    def decode_batch(self, rows: Iterable[Sequence[int]]) -> list[str]:
        """Decode sequences of tokens, each as :meth:`decode` does."""
        return [self.decode(ids) for ids in rows]

    def decode_stream(self, ids: Iterable[int]) -> Iterator[str]:
        """Decode tokens one by one; yield a character as soon as all its bytes are known."""
        return streamed_texts(self._bytes_of, ids)

    @cached_property
    def _reach(self) -> Reach:
        return reach_of(self, "tokharness_tokenizers.reach.longest_match")

    def seams(self, examples: int) -> dict[str, Any]:
        """Return between which characters a text may be cut, by a proof.

        Each class of characters has at most so many examples.
        """
        return seams_of(self, "tokharness_tokenizers.seams.of_longest_match", examples)

    def reach(self, numbers: Iterable[int]) -> list[tuple[str, str]]:
        """Return a text that is encoded to ids with each id, or why there is none.

        Both are "" if neither is known.
        """
        return list(map(self._reach, numbers))

    def token_text(self, token: int) -> str:
        """Return a token with a character for each byte: ASCII, or a surrogate (PEP 383)."""
        return _written(self.decode_single_token_bytes(token))

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a text before the model and after it, written as :meth:`token_text` does."""
        data = join_surrogates(text).encode()
        tokens = [self.token_text(number) for number in self.model.encode(data)]
        return [("pre-tokenizer", [_written(data)] if data else []), (MODEL, tokens)]

    def encode_altered(self, text: str) -> list[tuple[str, str, list[int]]]:
        """Encode a text with each altered model that has tokens for all of it.

        Each row has the stage, the alteration, and the ids.
        """
        data, rows = join_surrogates(text).encode(), []
        for what, model in self._altered_models.items():
            try:
                rows.append((MODEL, what, model.encode(data)))
            except KeyError:
                continue
        return rows

    def encode_altered_further(self, text: str) -> list[tuple[str, str, list[int]]]:
        """Encode a text with further altered models; rows as of `encode_altered`."""
        data, rows = join_surrogates(text).encode(), []
        for what, model in self._further_models:
            with contextlib.suppress(KeyError):
                rows.append((MODEL, what, model.encode(data)))
        return rows

    @cached_property
    def _further_models(self) -> list[tuple[str, ByteTrie]]:
        return list(further_models(self.model))

    def with_edited_tokens(self, edit: Edit) -> LongestMatch:
        """Return the same tokenizer without some tokens."""
        return dataclasses.replace(self, model=edited_model(self.model, edit))


def _written(data: bytes) -> str:
    return data.decode("ascii", "surrogateescape")
