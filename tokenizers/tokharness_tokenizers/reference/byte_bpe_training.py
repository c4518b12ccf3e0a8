"""Training of byte-level BPE: texts into counted pre-tokens, these into ranks."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.counting import count_pretokens
from tokharness_tokenizers.reference.learning import MOST_TOKENS, merges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness_tokenizers.reference.learning import Ties

__all__ = ["learn_ranks", "train", "vocabulary"]


def train(
    texts: Iterable[str],
    *,
    vocab_size: int,
    pattern: str,
    special_tokens: Sequence[str] = (),
    unicode_version: str | None = None,
    name: str = "trained",
) -> ByteBPE:
    """Train a tokenizer of ``vocab_size`` ordinary tokens; the special ones get the ids after.

    It has fewer tokens if no pair occurs twice any more. The result depends on the texts alone,
    not on their order. ``unicode_version`` pins the pre-tokens, of training and of the result.
    Raises ValueError if ``vocab_size`` leaves no room for the 256 bytes, or as ByteBPE does.
    """
    unicode_version = unicode_version or versions.REGEX_VERSION
    counts = count_pretokens(texts, pattern, unicode_version)
    ranks = learn_ranks(counts, vocab_size)
    return vocabulary(name, pattern, ranks, special_tokens, unicode_version)


def vocabulary(
    name: str,
    pattern: str,
    ranks: Mapping[bytes, int],
    special_tokens: Sequence[str],
    unicode_version: str,
) -> ByteBPE:
    """Make the tokenizer of learnt ranks; raises ValueError as ByteBPE does."""
    specials = {text: len(ranks) + index for index, text in enumerate(special_tokens)}
    return ByteBPE(name, pattern, ranks, specials, unicode_version)


def learn_ranks(
    counts: Mapping[str, int],
    vocab_size: int,
    *,
    ties: Ties = "bytes",
    progress: Callable[[int], object] | None = None,
) -> dict[bytes, int]:
    """Learn the ranks of tokens from pre-tokens and how often each occurs.

    Ids 0 to 255 are the bytes by value, which is the order anyone can rebuild without a table;
    then tokens in the order of their merges. The pair that occurs most often is merged, of equals
    the one that ``ties`` names. ``progress`` is told the number of tokens after each merge. Raises
    ValueError for a ``vocab_size`` without room for the bytes, or above ``MOST_TOKENS``.
    """
    if vocab_size < 256:
        raise ValueError(f"a vocabulary of {vocab_size} tokens has no room for the 256 bytes")
    if vocab_size > MOST_TOKENS:
        raise ValueError(f"a vocabulary of {vocab_size} tokens is too large: at most {MOST_TOKENS}")
    ranks = {bytes([byte]): byte for byte in range(256)}
    for left, right in takewhile(lambda _: len(ranks) < vocab_size, merges(counts, ties)):
        ranks[left + right] = len(ranks)
        if progress is not None:
            progress(len(ranks))
    return ranks
