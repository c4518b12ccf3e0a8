"""Byte-level byte-pair encoding: the family of GPT-2, tiktoken and their descendants.

A text is cut into pre-tokens by a pattern (:mod:`.splitting`), the UTF-8 bytes of each are merged
by rank (:mod:`.merging`). Radford et al. 2019, "Language Models are Unsupervised Multitask
Learners"; the meaning of every method that tiktoken 0.14 also has is tiktoken's.
"""

from __future__ import annotations

import codecs
import dataclasses
import functools
import re
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

from tokharness.unicode import versions
from tokharness_tokenizers.reference import spans
from tokharness_tokenizers.reference.merging import PieceIds, encode_piece
from tokharness_tokenizers.reference.splitting import Splitter, joined_surrogates, splitter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["ByteBPE", "Special", "contested_ids"]

Special: TypeAlias = "Literal['all'] | AbstractSet[str]"

_INVALID_BYTES = re.compile("([\udc80-\udcff]+)")


@dataclasses.dataclass(frozen=True, eq=False)
class ByteBPE:
    """A byte-level BPE tokenizer.

    ``ranks`` maps the bytes of each ordinary token to its id, which is also its rank: the pair
    with the least is merged first. ``special_tokens`` maps texts to ids. ``pattern`` cuts the
    pre-tokens; ``unicode_version`` is the version its character classes are read at, by default
    the one of the installed ``regex``. No mapping may change afterwards.

    A vocabulary with a defect is one all the same, so that the defect can be found. ``other_ids``
    maps an id to the bytes of a token that has another id in ``ranks``: it is decoded and never
    given. A byte may have no token: a text of which it would be left over raises KeyError. An
    ordinary token may have the id of a special one: the id is then decoded as the ordinary one,
    as in tiktoken.

    Raises ValueError if two ordinary tokens share an id, a special token is empty or has a
    surrogate in it, the pattern does not compile, or the Unicode version is not known.
    """

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
            if not text or text != joined_surrogates(text):
                message = f"special token {token} of {self.name!r} is {text!r}, which is no text"
                raise ValueError(message)
        # Frozen for callers: "16.0.0" becomes "16.0" here, and stays.
        object.__setattr__(self, "unicode_version", versions.canonical(self.unicode_version))
        _ = self._split  # raises now if the pattern does not compile

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
    def contested(self) -> dict[int, bytes]:
        """Ids about which the vocabulary contradicts itself, as :func:`contested_ids` has them."""
        return contested_ids(self.ranks, self.other_ids, self.special_tokens)

    @functools.cached_property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return max(chain(self.ranks.values(), self.other_ids, self.special_tokens.values())) + 1

    def with_unicode_version(self, unicode_version: str) -> ByteBPE:
        """Return the same tokenizer with its pre-tokens cut at another Unicode version.

        Ranks and merged pre-tokens are shared. Raises ValueError if there is no data for it.
        """
        other = dataclasses.replace(self, unicode_version=unicode_version)
        vars(other).update(_ids_of=self._ids_of, _bytes_of=self._bytes_of)
        return other

    def pretokens(self, text: str) -> list[str]:
        """Cut a text into pre-tokens; special tokens are plain text here."""
        return self._split(joined_surrogates(text))

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: no special token is recognized.

        Surrogate pairs are joined, lone surrogates read as U+FFFD. Raises KeyError for a byte that
        has no token and is in no other.
        """
        try:
            return list(chain.from_iterable(map(self._ids_of.__getitem__, self._split(text))))
        except UnicodeEncodeError:  # a surrogate: seen only where it cannot be encoded
            return self.encode_ordinary(joined_surrogates(text))

    def encode(
        self,
        text: str,
        *,
        allowed_special: Special = frozenset(),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> list[int]:
        """Encode text, giving the special tokens of ``allowed_special`` their ids.

        Raises ValueError, naming the token, if the text holds one of ``disallowed_special``;
        ``"all"`` are then all but the allowed. A special token that is neither is plain text.
        Where two allowed ones begin at one place the longer wins.
        """
        known = frozenset(self.special_tokens)
        allowed = known if allowed_special == "all" else frozenset(allowed_special)
        disallowed = known - allowed if disallowed_special == "all" else disallowed_special
        if disallowed:
            found = _any_of(frozenset(disallowed)).search(text)
            if found:
                raise ValueError(
                    f"the text holds the special token {found.group()!r} at {found.start()}; "
                    "allow it with allowed_special, or read it as text with disallowed_special=()"
                )
        if not allowed & known:
            return self.encode_ordinary(text)
        # Special tokens stand at odd places; what is between is cut apart from them.
        parts = _any_of(allowed & known).split(joined_surrogates(text))
        return [
            token
            for index, part in enumerate(parts)
            for token in ([self.special_tokens[part]] if index % 2 else self.encode_ordinary(part))
        ]

    def encode_special(self, text: str) -> list[int]:
        """Encode trusted text, in which every special token has its id."""
        return self.encode(text, allowed_special="all")

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Encode plain texts, each as :meth:`encode_ordinary` does."""
        return [self.encode_ordinary(text) for text in texts]

    def encode_bytes(self, data: bytes) -> list[int]:
        """Encode bytes that need not be UTF-8, so that :meth:`decode_bytes` gives them back.

        Stretches of valid UTF-8 are encoded as text, each run of other bytes as one pre-token.
        (tiktoken's private ``_encode_bytes`` gives the same for valid UTF-8; otherwise it cuts
        pre-tokens only up to the last one before the first invalid byte, and merges that one, or
        a little more where it is white space, and all that follows as if they were one.)
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
        """Encode plain text, and say which code points ``[start, end)`` each token comes from.

        A token that begins or ends inside a character covers all of it, so tokens that share a
        character have overlapping spans. Spans count the code points of ``text`` as given: a
        surrogate pair is one character and two of them.
        """
        ids = self.encode_ordinary(text)
        found = spans.token_spans(map(self._bytes_of.__getitem__, ids))
        return ids, spans.in_original(found, text, joined_surrogates(text))

    def count(self, text: str) -> int:
        """Return the number of tokens of a plain text."""
        return len(self.encode_ordinary(text))

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token, ordinary or special; raises KeyError for an unknown id."""
        try:
            return self._bytes_of[token]
        except KeyError:
            raise KeyError(f"no token has the id {token!r}") from None

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Join the bytes of tokens; raises KeyError for an unknown id."""
        try:
            return b"".join(map(self._bytes_of.__getitem__, ids))
        except KeyError as error:
            raise KeyError(f"no token has the id {error.args[0]!r}") from None

    def decode(self, ids: Sequence[int], errors: str = "replace") -> str:
        """Decode tokens into text; ``errors`` says what becomes of invalid UTF-8.

        Raises KeyError for an unknown id, and UnicodeDecodeError with ``errors="strict"``.
        """
        return self.decode_bytes(ids).decode("utf-8", errors)

    def decode_stream(self, ids: Iterable[int]) -> Iterator[str]:
        """Decode tokens as they come: a character is given out once all its bytes are in.

        The texts, none of them empty, joined are what :meth:`decode` gives.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for token in ids:
            if text := decoder.decode(self.decode_single_token_bytes(token)):
                yield text
        if text := decoder.decode(b"", final=True):
            yield text


def contested_ids(
    ranks: Mapping[bytes, int], other_ids: Mapping[int, bytes], special_tokens: Mapping[str, int]
) -> dict[int, bytes]:
    """Ids about which a vocabulary contradicts itself, and the bytes of the ordinary token.

    They are the ``other_ids`` of tokens, and ids that a special token has too.
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
