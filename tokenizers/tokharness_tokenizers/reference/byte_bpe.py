"""Byte-level byte-pair encoding: the family of GPT-2, tiktoken and their descendants.

A pattern splits a text into pre-tokens (:mod:`.splitting`), and the UTF-8 bytes of each are merged
by rank (:mod:`.merging`). Radford et al. 2019, "Language Models are Unsupervised Multitask
Learners". Methods that tiktoken 0.14 also has give the same results as in tiktoken.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import re
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeAlias

from tokharness.unicode import versions
from tokharness_tokenizers.reference import aligned
from tokharness_tokenizers.reference.algorithm_names import BYTE_LEVEL_BPE
from tokharness_tokenizers.reference.base import Altered, Encode, Reference
from tokharness_tokenizers.reference.byte_bpe_alterations import (
    EditedTokens,
    alterations,
    encoders_of_listed_merges,
    further_alterations,
    with_edit,
)
from tokharness_tokenizers.reference.decoding import (
    bytes_of_token,
    joined_bytes,
    streamed_texts,
)
from tokharness_tokenizers.reference.merge_lists import Pair, merges_of_ranks
from tokharness_tokenizers.reference.merging import PieceIds, encode_piece, merged_ids
from tokharness_tokenizers.reference.splitting import Splitter, join_surrogates, splitter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from tokharness_tokenizers.reference.edited_tokens import Edit

Special: TypeAlias = "Literal['all'] | AbstractSet[str]"

_INVALID_BYTES = re.compile("([\udc80-\udcff]+)")


@dataclasses.dataclass(frozen=True, eq=False)
class ByteBPE(Reference):
    """A byte-level BPE tokenizer.

    A vocabulary with a defect is accepted, so that the defect can be reported. A byte may have no
    token: encoding a text in which this byte remains raises KeyError. An ordinary token may have
    the id of a special token: the id is then decoded as the ordinary token, as in tiktoken.

    Attributes:
        name: The name of the vocabulary.
        pattern: The regular expression that splits a text into pre-tokens.
        ranks: The id of each ordinary token, by its bytes. The id is also the rank: the pair with
            the lowest rank is merged first.
        special_tokens: The ids of special tokens, by text.
        unicode_version: The Unicode version of the pattern's character classes, by default the
            version of the installed ``regex``.
        other_ids: The bytes of a token that has another id in ``ranks``, by id. These ids are
            decoded, but encoding never returns them.

    Callers must not modify the mappings.

    Raises:
        ValueError: two ordinary tokens share an id, a special token is empty or has a surrogate,
            the pattern does not compile, or the Unicode version is unknown.

    """

    REACH = "tokharness_tokenizers.reach.byte_bpe"
    SEAMS = "tokharness_tokenizers.seams.of_ranks"
    algorithm: ClassVar[str] = BYTE_LEVEL_BPE

    name: str
    pattern: str = dataclasses.field(repr=False)
    ranks: Mapping[bytes, int] = dataclasses.field(repr=False)
    special_tokens: Mapping[str, int] = dataclasses.field(default_factory=dict, repr=False)
    unicode_version: str = versions.REGEX_VERSION
    other_ids: Mapping[int, bytes] = dataclasses.field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if len({*self.ranks.values(), *self.other_ids}) < len(self.ranks) + len(self.other_ids):
            raise ValueError(f"vocabulary {self.name!r} has two tokens with one id")
        for text, token in self.special_tokens.items():
            if not text or text != join_surrogates(text):
                message = f"special token {token} of {self.name!r} is not a valid text: {text!r}"
                raise ValueError(message)
        # The class is frozen for callers; "16.0.0" becomes "16.0" here.
        object.__setattr__(self, "unicode_version", versions.canonical(self.unicode_version))
        _ = self._split  # raises if the pattern does not compile

    @functools.cached_property
    def _split(self) -> Splitter:
        return splitter(self.pattern, self.unicode_version)

    @functools.cached_property
    def _ids_of(self) -> PieceIds:
        return PieceIds(self.ranks)

    @functools.cached_property
    def _bytes_of(self) -> dict[int, bytes]:
        special = {token: text.encode() for text, token in self.special_tokens.items()}
        ordinary = {token: piece for piece, token in self.ranks.items()}
        return {**special, **self.other_ids, **ordinary}

    @functools.cached_property
    def conflicting_tokens(self) -> dict[int, bytes]:
        """Tokens of ids about which the vocabulary contradicts itself, by id."""
        return find_conflicting_tokens(self.ranks, self.other_ids, self.special_tokens)

    @functools.cached_property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return max(chain(self.ranks.values(), self.other_ids, self.special_tokens.values())) + 1

    def with_unicode_version(self, unicode_version: str) -> Self:
        """Return the same tokenizer with pre-tokens of another Unicode version.

        The copy shares ranks and cached pre-tokens. Raises ValueError for an unknown version.
        """
        return self._split_by(self.pattern, versions.canonical(unicode_version))

    def with_pattern(self, pattern: str) -> Self:
        """Return the same tokenizer with another pattern, and the same cache of pre-tokens.

        Raises ValueError for a pattern that does not compile.
        """
        return self._split_by(pattern, self.unicode_version)

    def _split_by(self, pattern: str, version: str) -> Self:
        other = copy.copy(self)  # a valid copy: only the split is new
        shared = ("_ids_of", "_bytes_of", "conflicting_tokens", "n_vocab")
        vars(other).update({name: getattr(self, name) for name in shared})
        for name in ("_reach", "_merge_orphans", "_altered", "listed_merges"):
            vars(other).pop(name, None)
        split = splitter(pattern, version)
        vars(other).update(pattern=pattern, unicode_version=version, _split=split)
        return other

    def alterations(self, text: str) -> list[Altered]:  # noqa: ARG002
        """Return the alterations, which are the same for each text."""
        return self._altered

    def further_alterations(self, text: str) -> Iterator[Altered]:
        """Yield alterations that depend on the text."""
        return further_alterations(self, text)

    @functools.cached_property
    def _altered(self) -> list[Altered]:
        return list(alterations(self))

    @functools.cached_property
    def listed_merges(self) -> list[Altered]:
        """Alterations by lists of merges that conversions make of the ranks."""
        return encoders_of_listed_merges(self)

    def with_edited_tokens(self, edit: Edit) -> EditedTokens:
        """Return an encoder with an edit of the tokens (:mod:`.edited_tokens`)."""
        return with_edit(self, self._ids_of, edit)

    def pretokens(self, text: str) -> list[str]:
        """Split a text into pre-tokens; special tokens are plain text."""
        return self._split(join_surrogates(text))

    def ids_of_pretokens(self, words: Iterable[str]) -> list[int]:
        """Return the ids of pre-tokens; raises KeyError for a byte without a token."""
        return list(chain.from_iterable(map(self._ids_of.__getitem__, words)))

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text, in which no special token is recognized.

        Surrogate pairs are joined, and lone surrogates become U+FFFD. Raises KeyError for a byte
        that has no token of its own and is not part of a longer token.
        """
        try:
            return self.ids_of_pretokens(self._split(text))
        except UnicodeEncodeError:  # a surrogate, not checked before as it is rare
            return self.encode_ordinary(join_surrogates(text))

    def encode(
        self,
        text: str,
        *,
        allowed_special: Special = frozenset(),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> list[int]:
        """Encode text in which the special tokens of ``allowed_special`` get their ids.

        Of two special tokens at the same position, the longer token is used. A special token that
        is neither allowed nor disallowed is plain text.

        Raises:
            ValueError: the text contains a token of ``disallowed_special``, where ``"all"`` means
                all tokens that are not allowed.

        """
        special = frozenset(self.special_tokens)
        allowed = special if allowed_special == "all" else frozenset(allowed_special)
        disallowed = special - allowed if disallowed_special == "all" else disallowed_special
        if disallowed:
            match = _any_of(frozenset(disallowed)).search(text)
            if match:
                raise ValueError(
                    f"the text holds the special token {match.group()!r} at {match.start()}; "
                    "allow it with allowed_special, or read it as text with disallowed_special=()"
                )
        if not allowed & special:
            return self.encode_ordinary(text)
        # Special tokens have odd indexes; the text between them is encoded separately.
        parts = _any_of(allowed & special).split(join_surrogates(text))
        return [
            token
            for index, part in enumerate(parts)
            for token in ([self.special_tokens[part]] if index % 2 else self.encode_ordinary(part))
        ]

    @property
    def plain(self) -> Encode:
        """The method that encodes plain text."""
        return self.encode_ordinary

    def encode_special(self, text: str) -> list[int]:
        """Encode trusted text, in which every special token gets its id."""
        return self.encode(text, allowed_special="all")

    def parts_at_special_tokens(self, text: str) -> list[str]:
        """Split a text before and after the texts of special tokens, which the list has, too."""
        return _any_of(frozenset(self.special_tokens)).split(join_surrogates(text))

    def encode_bytes(self, data: bytes) -> list[int]:
        """Encode bytes that need not be UTF-8; :meth:`decode_bytes` returns the same bytes.

        Valid UTF-8 is encoded as text, and each run of other bytes as one pre-token. tiktoken's
        private ``_encode_bytes`` returns the same ids for valid UTF-8. For other bytes it only
        splits the text before the last pre-token that precedes the first invalid byte, or a little
        earlier at white space, and merges all bytes from there as one pre-token.
        """
        parts = _INVALID_BYTES.split(data.decode("utf-8", "surrogateescape"))
        ids: list[int] = []
        for index, part in enumerate(parts):
            if index % 2:
                ids += encode_piece(part.encode("utf-8", "surrogateescape"), self.ranks)
            else:
                ids += self.encode_ordinary(part)
        return ids

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Encode plain text; also return the code points ``[start, end)`` of each token.

        A token that begins or ends inside a character covers the whole character, so tokens that
        share a character have overlapping spans. Spans refer to the code points of ``text``, in
        which a surrogate pair counts as two.
        """
        ids = self.encode_ordinary(text)
        joined_spans = aligned.token_spans(map(self._bytes_of.__getitem__, ids))
        return ids, aligned.spans_in_original(joined_spans, text, join_surrogates(text))

    def count(self, text: str) -> int:
        """Return the number of tokens of a plain text."""
        return len(self.encode_ordinary(text))

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token, ordinary or special; raises KeyError for an unknown id."""
        return bytes_of_token(self._bytes_of, token)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Join the bytes of tokens; raises KeyError for an unknown id."""
        return joined_bytes(self._bytes_of, ids)

    def decode(self, ids: Sequence[int], errors: str = "replace") -> str:
        """Decode tokens into text; ``errors`` handles invalid UTF-8 as in ``bytes.decode``.

        Raises KeyError for an unknown id, and UnicodeDecodeError with ``errors="strict"``.
        """
        return self.decode_bytes(ids).decode("utf-8", errors)

    def decode_stream(self, ids: Iterable[int]) -> Iterator[str]:
        """Decode tokens one by one; yield a character as soon as all its bytes are known.

        No text is empty, and the joined texts are the result of :meth:`decode`.
        """
        return streamed_texts(self._bytes_of, ids)

    def merged(self, data: bytes) -> Sequence[int]:
        """Return the ids of bytes that are merged as one pre-token, also if they are a token."""
        return merged_ids(data, self.ranks, self._ids_of.pairs_of_bytes)

    def merge_orphans(self, numbers: Iterable[int]) -> list[int]:
        """Return the ids whose tokens no sequence of merges makes."""
        return self._merge_orphans(numbers) if self._merge_orphans else []

    def merges(self, most: int) -> list[Pair]:
        """Return the last merge of each token, in the order of their ranks.

        If there are more than ``most`` merges, return an even sample.
        """
        return merges_of_ranks(self.ranks, most)


def find_conflicting_tokens(
    ranks: Mapping[bytes, int], other_ids: Mapping[int, bytes], special_tokens: Mapping[str, int]
) -> dict[int, bytes]:
    """Return the ordinary token of each id about which a vocabulary contradicts itself.

    Such ids are the ``other_ids`` of tokens, and ids that also belong to a special token.
    """
    special = set(special_tokens.values())
    return {
        **other_ids,
        **{token: piece for piece, token in ranks.items() if token in special},
    }


@functools.lru_cache(maxsize=128)
def _any_of(texts: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(texts, key=lambda text: (-len(text), text))
    return re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")
